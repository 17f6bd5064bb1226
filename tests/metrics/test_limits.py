# SPDX-License-Identifier: Apache-2.0
"""Input larger than memory or limits is refused at once; panics of the kernel are errors."""

import time

import numpy as np
import pytest

from truebleu import BLEU, TER, InputError, InternalError, OptionError, TrueBLEUError, mbr, pairwise
from truebleu._core import Metric, Resampler

MANY = ["a b"] * 1_000_000
LONG = " ".join(["a", "b", "c", "d"] * 2_048)

CALLS = {
    "pairwise": (
        lambda: pairwise(MANY),
        r"this takes up to 8000\.0 GB of memory, but \d+\.\d GB are free; ",
    ),
    "mbr": (lambda: mbr(MANY), r"this takes up to 8000\.0 GB of memory, but "),
    "TER": (
        lambda: TER().corpus(["a", LONG], ["a", LONG + " e"]),
        r"refs\[1\] has 8193 words and its hypothesis 8192",
    ),
    "order": (lambda: BLEU(max_ngram_order=1_000_000_000), "max_ngram_order cannot be 1000000000"),
    "ids": (
        lambda: BLEU().corpus([[10**50]], [[1]]),
        r"hyps\[0\]\[0\] is a number of more than 40",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_too_large_a_call_is_refused_at_once(name):
    call, message = CALLS[name]
    start = time.monotonic()
    with pytest.raises((InputError, OptionError), match=message):
        call()
    assert time.monotonic() - start < 10


def test_the_longest_words_of_ter_have_a_score():
    assert TER().corpus([LONG], [LONG]).value == 0
    assert TER().corpus([LONG * 4], ["a b"]).value > 0
    assert BLEU().corpus([LONG * 4], ["a b"]).hyp_len > 4 * 8_000


# The boundary of the kernel: bounds of its settings, and panics as errors of Python.


def test_the_kernel_bounds_the_orders():
    for orders in ("0", "1001", str(1 << 60), str((1 << 64) - 1), str(1 << 64)):
        with pytest.raises(ValueError, match="max_ngram_order"):
            Metric("bleu", [("max_ngram_order", orders)])
        if orders != "0":
            with pytest.raises(ValueError, match="char_order"):
                Metric("chrf", [("char_order", orders)])


def test_a_panic_is_an_error_that_asks_for_a_report(capfd):
    resampler = Resampler(Metric("bleu", []), [np.ones(10, dtype=np.int64)])
    with pytest.raises(InternalError, match=r"^internal error: .*please report it") as caught:
        resampler.bootstrap(0, 0, 1 << 60, 1)  # no caller of the kernel asks for so many
    assert isinstance(caught.value, TrueBLEUError)
    assert isinstance(caught.value, RuntimeError)
    # Its place in the source is for the report.
    assert "panicked at" in capfd.readouterr().err


def test_only_bleu_has_five_decisions():
    chrf = Metric("chrf", [])
    assert chrf.tokens(["a b."]) == [["a", "b", "."]]
    assert chrf.score([0] * 18) == (0, None)
    with pytest.raises(ValueError, match="a row has 18 integers here, not 2"):
        chrf.score([0, 0])
    with pytest.raises(ValueError, match="only BLEU has prefixes"):
        chrf.prefixes(["a"], ["a"], 1)
    with pytest.raises(ValueError, match='no metric is named "meteor"'):
        Metric("meteor", [])
