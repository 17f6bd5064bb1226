# SPDX-License-Identifier: Apache-2.0
"""`read_lines` reads as the command line does, which `str.splitlines` does not."""

import gzip

import pytest
from support.command import run

import truebleu as tb

#: Line ends of `str.splitlines` within segments.
TEXTS = ["a b\x0bc d", "e\u2028f g h", "i\rj k l", "", "m n o p"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_only_a_line_feed_ends_a_line(pack, tmp_path):
    path = tmp_path / "hyp"
    path.write_bytes(pack("".join(f"{text}\n" for text in TEXTS).encode()))
    assert tb.read_lines(path) == TEXTS
    score = tb.corpus_bleu(tb.read_lines(str(path)), TEXTS)
    assert run("score", path, "-i", path, "-f", "tsv").stdout.decode().split("\t")[-10:-9] == [
        repr(score.value)
    ]


def test_a_byte_order_mark_is_dropped_with_a_warning(tmp_path):
    path = tmp_path / "hyp"
    path.write_bytes(b"\xef\xbb\xbfa\nb")
    with pytest.warns(UserWarning, match="dropped the byte order mark") as caught:
        assert tb.read_lines(path) == ["a", "b"]
    assert caught[0].filename == __file__
    path.write_bytes("\xe4".encode("latin-1"))
    assert tb.read_lines(path, "latin-1") == ["ä"]
    with pytest.raises(tb.InputError, match="hyp:1: byte 1 of the line is not utf-8"):
        tb.read_lines(path)
    assert tb.read_lines(path, errors="replace") == ["\ufffd"]
