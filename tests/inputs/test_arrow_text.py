# SPDX-License-Identifier: Apache-2.0
"""Arrow data that break the rules of their format are refused, with the place of the fault."""

import ctypes

import numpy as np
import pyarrow as pa
import pytest

from truebleu import BLEU, CHRF, TER, InputError, corpus_bleu, pairwise, reconcile


def arrow_text(*texts):
    """A column of unchecked Arrow text, as it is read from a damaged file."""
    bounds = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


@pytest.mark.parametrize("tokenize", ["13a", "none", "intl", "zh", "char"])
@pytest.mark.parametrize("tail", [b"\xf0", b"\xe4a!", b"\xed\xa0\x80"])
def test_text_that_is_not_utf8_is_refused(tokenize, tail):
    bleu = BLEU(tokenize=tokenize)
    for length in (0, 5, 62, 63, 64):
        good, bad = b"a" * length, b"a" * length + tail
        with pytest.raises(InputError, match=rf"refs\[1\] is not UTF-8 from byte {length + 1} on"):
            bleu.corpus(arrow_text(good, good), arrow_text(good, bad))


@pytest.mark.parametrize("metric", [CHRF(), TER()])
def test_other_metrics_refuse_it_too(metric):
    with pytest.raises(InputError, match=r"hyps\[1\] is not UTF-8 from byte 3 on"):
        metric.corpus(arrow_text(b"a", b"a \xff"), ["a", "b"])


def test_functions_that_read_words_refuse_it_too():
    bad = arrow_text(b"a \xff")
    for call in (
        lambda: reconcile(bad, ["a"], "12.3"),
        lambda: BLEU(tokenize=str.split).corpus(bad, bad),
        lambda: corpus_bleu([arrow_text(b"a", b"\xff")], [["a", "b"]]),
    ):
        with pytest.raises(InputError, match="hyps holds text that is not UTF-8"):
            call()


class Broken:
    """Exports Arrow text that claims to have one buffer."""

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = pa.array(["a", "b"]).__arrow_c_array__(requested_schema)
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # length, null_count, offset, n_buffers
        (ctypes.c_int64 * 4).from_address(pointer(array, b"arrow_array"))[3] = 1
        return schema, array


def test_arrays_that_break_the_format_are_refused():
    with pytest.raises(InputError, match=r"^hyps: these Arrow data cannot be read: .*$"):
        corpus_bleu(Broken(), ["a", "b"])
    with pytest.raises(InputError, match="references: these Arrow data cannot be read"):
        pairwise(["a"], Broken())
