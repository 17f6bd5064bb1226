# SPDX-License-Identifier: Apache-2.0
"""Lines that are read some thousand at a time are those of the whole file."""

import bz2
import gzip
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import tables
from support.example_texts import write_lines
from support.tables import HYPS, MORE, REFS

import truebleu as tb
from truebleu.errors import InputError
from truebleu.inputs import files, text_lines
from truebleu.inputs.files import Decoding, read_lines

BLEU = tb.BLEU()


@given(
    st.lists(st.text("ab \r\x0b\x85\u2028é中", max_size=9), min_size=1, max_size=30),
    st.integers(1, 9),
    st.sampled_from(["utf-8", "utf-16", "latin-1", "shift_jis"]),
    st.booleans(),
)
def test_lines_are_those_of_a_whole_read(tmp_path_factory, texts, size, encoding, ended):
    """Blocks of a few bytes cut lines and characters everywhere."""
    path = tmp_path_factory.mktemp("lines") / "lines"
    text = "\n".join(texts) + "\n" * ended or "\n"
    path.write_bytes(text.encode(encoding, errors="replace"))
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_lines, "BLOCK", size)
        for rows in text_lines.read_text([str(path)], Decoding(encoding)):
            assert rows.line == len(lines) + 1
            for part in rows.split(rows.count // 2):
                lines += part.columns()[0][0] if part.count else []
    assert lines == list(read_lines(str(path), Decoding(encoding)))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress, tables.zstd])
@pytest.mark.parametrize("size", [1, 3, 8192])
def test_lines_score_as_their_texts(pack, size, tmp_path):
    (tmp_path / "hyp").write_bytes(b"".join(pack(f"{line}\n".encode()) for line in HYPS))
    (tmp_path / "ref").write_bytes(pack("\n".join(REFS).encode()))
    (tmp_path / "more").write_bytes(b"\xef\xbb\xbf" + "\n".join(MORE).encode() + b"\n")
    texts = {"hyps": tmp_path / "hyp", "batch_size": size}
    assert BLEU.corpus(tb.scan(tmp_path / "ref", **texts)) == BLEU.corpus(HYPS, REFS)
    several = tb.scan([tmp_path / "ref", tmp_path / "more"], **texts)
    assert BLEU.corpus(several) == BLEU.corpus(HYPS, list(zip(REFS, MORE, strict=True)))


def test_files_of_a_folder_are_one_text(tmp_path):
    (tmp_path / "lines").mkdir()
    write_lines({"lines/1": HYPS[:9], "lines/2": [], "ref": REFS}, tmp_path)
    (tmp_path / "lines" / "3").write_text("\n".join(HYPS[9:]))
    scan = tb.scan(tmp_path / "ref", hyps=tmp_path / "lines", batch_size=4)
    assert BLEU.corpus(scan) == BLEU.corpus(HYPS, REFS)


def test_the_bound_of_a_line_is_exact(tmp_path, monkeypatch):
    path = str(tmp_path / "lines")
    for module, name, value in (
        (files, "LONGEST", 3 << 20),
        (files, "_BLOCK", 1 << 20),
        (text_lines, "BLOCK", 1 << 20),
    ):
        monkeypatch.setattr(module, name, value)
    for length in (3 << 20, (3 << 20) + 1):
        (tmp_path / "lines").write_bytes(b"a\n" + b"b" * length + b"\nc\n")
        for read in (read_lines, lambda path: list(text_lines.read_text([path]))):
            if length == 3 << 20:
                read(path)
                continue
            with pytest.raises(InputError, match="lines:2: the line is longer than 3 MiB"):
                read(path)
