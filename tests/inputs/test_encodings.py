# SPDX-License-Identifier: Apache-2.0
"""Text in other encodings is recoded to UTF-8; what cannot be decoded is named by its line."""

import codecs
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import REFS, refusal, run, scored

from truebleu import InputError, corpus_bleu
from truebleu.inputs.encodings import recoded

#: They take one byte, two, four, one to three; some keep a state.
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252", "shift_jis", "gb18030"]


@given(st.binary(max_size=40), st.sampled_from(ENCODINGS), st.integers(1, 7))
@example(b"\n\0", "utf-32", 1)
def test_a_file_in_pieces_is_recoded_as_a_whole(data, encoding, size):
    def read(errors):
        pieces = (data[i : i + size] for i in range(0, len(data), size))
        return b"".join(recoded("x", pieces, encoding, errors))

    for errors in ("strict", "replace"):
        try:  # as `open` does
            expected = codecs.getincrementaldecoder(encoding)(errors).decode(data, final=True)
        except UnicodeError:
            with pytest.raises(InputError, match=rf"^x:\d+: not {re.escape(encoding)} \("):
                read(errors)
        else:
            assert read(errors) == expected.encode()


def test_bytes_of_another_encoding_are_named_by_line(folder):
    (folder / "bad").write_bytes("one\nzwölf\n".encode("latin-1"))
    message = refusal("score", "bad", "-i", "bad", "--encoding", "ascii")
    assert message == (
        "bad:2: not ascii (ordinal not in range(128)); name the right --encoding, or use --errors replace"
    )


@pytest.mark.parametrize("flags", [[], ["--per-segment", "o.tsv"]])
@pytest.mark.parametrize("errors", ["replace", "ignore"])
def test_undecodable_bytes_are_replaced_or_ignored_on_demand(errors, flags, folder):
    (folder / "bad").write_bytes(b"a b \xffc d\ne f g h\n\xfei j k l\n")
    lines = (folder / "bad").read_bytes().decode("utf-8", errors).splitlines()
    expected = corpus_bleu(lines, REFS).format(1, signature=True)
    assert scored("score", "ref", "-i", "bad", "--errors", errors, *flags) == (expected + "\n", "")


@pytest.mark.parametrize("flags", [[], ["--per-segment", "o.tsv"]])
@pytest.mark.parametrize("encoding", ["klingon", "base64", "rot13", "undefined"])
def test_an_unknown_encoding_is_named(encoding, flags, folder):
    message = refusal("score", "ref", "-i", "hyp", "--encoding", encoding, *flags)
    assert encoding in message
    assert not (folder / "o.tsv").exists()


@pytest.mark.parametrize(
    ("encoding", "data"), [("utf-7", b"+2AA-\n"), ("unicode_escape", b"\\ud800\n"), ("punycode", b"\n")]
)
def test_an_encoding_that_does_not_give_text_is_refused(encoding, data):
    assert refusal("score", "-", "-i", __file__, "--encoding", encoding, stdin=data)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
@pytest.mark.parametrize("flags", [[], ["--per-segment", "o.tsv"]])
def test_each_file_is_read_by_its_own_byte_order_mark(mark, encoding, flags, folder):
    text = "".join(f"Über café 𝄞 {i} zwölf Uhr\n" for i in range(4000))
    other = text.replace("𝄞", "x")
    (folder / "utf8").write_text(text, encoding="utf-8")
    (folder / "latin").write_text(other, encoding="latin-1")
    (folder / "plain").write_text(other, encoding="utf-8")
    (folder / "coded").write_bytes(mark + text.encode(encoding))
    notice = f"truebleu: notice: coded: read as {encoding[:6].upper()}, by its byte order mark\n"
    assert scored("score", "plain", "-i", "coded", *flags) == (
        scored("score", "plain", "-i", "utf8", *flags)[0],
        notice,
    )
    mixed = scored("score", "latin", "-i", "coded", "-e", "latin-1", *flags)
    assert mixed == (scored("score", "plain", "-i", "utf8", *flags)[0], notice)
    assert run("check", "utf8", "-i", "coded").stderr.decode() == notice
