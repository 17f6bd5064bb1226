# SPDX-License-Identifier: Apache-2.0
"""A mistake on the command line ends in one line that names it, with nothing scored."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import subprocess
from collections import deque
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import COMMAND, HYPS, REFS, refusal, run, scored
from truebleu.inputs.decompressor import Decompressor

from truebleu import InputError, corpus_bleu
from truebleu.inputs import decoding

#: They take one byte, two, four, one to three; some keep a state.
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252", "shift_jis", "gb18030"]

#: Everything that some reader of lines takes for the end of one, besides \\n.
NO_ENDS = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


# Files.


@pytest.mark.usefixtures("folder")
def test_a_missing_file_is_named():
    assert refusal("score", "ref", "-i", "nowhere").startswith("nowhere: no such file")
    assert refusal("score", "nowhere", "-i", "hyp").startswith("nowhere: no such file")
    assert refusal("score", "nowhere", stdin=b"a\n").startswith("nowhere: no such file")


def test_a_directory_is_named(folder):
    (folder / "sub").mkdir()
    assert refusal("score", "ref", "-i", "sub").startswith("sub: this is a directory")
    assert refusal("score", "sub", "-i", "hyp").startswith("sub: this is a directory")


def test_unequal_line_counts_are_named_with_both_files(folder):
    (folder / "short").write_text("one\ntwo\n")
    for arguments in (["ref", "-i", "short"], ["ref", "-i", "hyp", "short"], ["ref", "short"]):
        message = refusal("score", *arguments, stdin=b"a\nb\nc\n")
        assert message.startswith("short: 2 lines, but ref has 3;")
    assert refusal("score", "ref", stdin=b"a\nb\n").startswith("<stdin>: 2 lines, but ref has 3;")


def test_invalid_utf8_is_named_by_line_and_byte(folder):
    (folder / "bad").write_bytes(b"good\nal\xc3\xa9 \xff!\nthird\n")
    for arguments in (["ref", "-i", "bad"], ["bad", "-i", "hyp"], ["ref", "-i", "hyp", "bad"]):
        message = refusal("score", *arguments)
        assert message.startswith("bad:2: byte 6 of the line is not utf-8;")
        assert "--encoding" in message
        assert "--errors replace" in message
    (folder / "cut").write_bytes(b"caf\xc3")
    assert refusal("score", "cut", "-i", "hyp").startswith("cut:1: byte 4 of the line")
    packed = gzip.compress(b"a\nb\n\x80\n")
    assert refusal("score", "ref", stdin=packed).startswith("<stdin>:3: byte 1 of the line")


def test_surrogates_in_utf8_are_invalid(folder):
    (folder / "bad").write_bytes(b"a\nb \xed\xa0\x80\nc\n")
    assert refusal("score", "ref", "-i", "bad").startswith("bad:2: byte 3 of the line")


def test_another_encoding_is_decoded(folder):
    text = "Über café\nzwölf Uhr\n"
    (folder / "utf8").write_text(text, encoding="utf-8")
    expected = scored("score", "utf8", "-i", "utf8")
    for encoding in ("latin-1", "utf-16", "cp1252"):
        (folder / "coded").write_text(text, encoding=encoding)
        assert scored("score", "coded", "-i", "coded", "--encoding", encoding) == expected


@given(st.binary(max_size=40), st.sampled_from([*ENCODINGS]), st.integers(1, 7))
@example(b"\n\0", "utf-32", 1)
def test_a_file_in_pieces_is_decoded_as_a_whole(data, encoding, piece):
    def decoded(errors):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(decoding, "_PIECE", piece)
            return decoding.Decoder("x", encoding, errors).whole(data)

    for errors in ("strict", "replace"):
        try:  # as `open` does
            expected = codecs.getincrementaldecoder(encoding)(errors).decode(data, final=True)
        except UnicodeDecodeError as error:
            at = len(data) - len(error.object) + error.start
            message = re.escape(str(decoding.undecodable("x", data, at, encoding)))
            if encoding in ("utf-16", "utf-32"):  # or this is seen first
                message += "|.*does not start with BOM"
            with pytest.raises(InputError, match=f"^({message})$"):
                decoded(errors)
        except UnicodeError as error:  # no byte order mark
            with pytest.raises(InputError, match=f"x: cannot be read as {encoding}: {error}"):
                decoded(errors)
        else:
            assert decoded(errors) == expected.encode()


def test_undecodable_bytes_are_replaced_or_ignored_on_demand(folder):
    (folder / "bad").write_bytes(b"a b \xffc d\ne f g h\n\xfei j k l\n")
    for errors in ("replace", "ignore"):
        lines = (folder / "bad").read_bytes().decode("utf-8", errors).splitlines()
        expected = corpus_bleu(lines, REFS).format(1, signature=True)
        assert scored("score", "ref", "-i", "bad", "--errors", errors) == (expected + "\n", "")


def test_an_unknown_encoding_or_way_with_errors_is_named():
    assert "klingon" in refusal("score", __file__, "-i", __file__, "--encoding", "klingon")
    assert "replace" in refusal("score", __file__, "-i", __file__, "--errors", "replcae")


@pytest.mark.parametrize("encoding", ["klingon", "base64", "rot13", "undefined"])
def test_what_is_no_encoding_of_text_is_named_in_a_long_run_too(folder, encoding):
    message = refusal("score", "ref", "-i", "hyp", "--encoding", encoding, "--per-segment", "o.tsv")
    assert encoding in message or "undefined" in message
    assert not (folder / "o.tsv").exists()


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("utf-7", b"+2AA-\n"),
        ("unicode_escape", b"\\ud800\n"),
        ("undefined", b"a"),
        ("punycode", b"\n"),
    ],
)
def test_an_encoding_that_gives_no_text_is_refused(encoding, data):
    assert refusal("score", "-", "-i", __file__, "--encoding", encoding, stdin=data)


def test_an_empty_file_is_named(folder):
    (folder / "empty").touch()
    (folder / "empty.gz").write_bytes(gzip.compress(b""))
    (folder / "mark").write_bytes(b"\xef\xbb\xbf")
    assert refusal("score", "ref", "-i", "empty").startswith("empty: the file is empty")
    assert refusal("score", "empty", "-i", "empty").startswith("empty: the file is empty")
    assert refusal("score", "ref", "-i", "empty.gz").startswith("empty.gz: the file is empty")
    assert refusal("score", "ref", stdin=b"").startswith("<stdin>: the file is empty")
    done = run("score", "ref", "-i", "mark")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"mark: the file is empty" in done.stderr


def test_an_empty_line_is_an_empty_segment(folder):
    (folder / "blank").write_bytes(b"\n")
    line, _ = scored("score", "blank", "-i", "blank")
    assert line == corpus_bleu([""], [""]).format(1, signature=True) + "\n"


def test_a_reference_given_twice_is_noticed_and_scored(folder):
    line, notice = scored("score", "ref", "ref", "-i", "hyp")
    expected = corpus_bleu(HYPS, [[ref, ref] for ref in REFS]).format(1, signature=True)
    assert line == expected + "\n"
    assert notice.startswith("truebleu: notice: ref: given twice")
    assert notice.count("\n") == 1
    (folder / "copy").write_bytes((folder / "ref").read_bytes())
    assert scored("score", "ref", "copy", "-i", "hyp")[0] == line


@pytest.mark.parametrize("compression", ["gzip", "bz2", "lzma", "zstandard"])
def test_damaged_compressed_files_are_named(compression, folder):
    module = pytest.importorskip(compression)
    whole = module.compress((folder / "hyp").read_bytes() * 50)
    for damaged in (whole[: len(whole) // 2], whole[:-3], whole[:15] + b"\0\1\2" + whole[18:]):
        (folder / "damaged").write_bytes(damaged)
        assert refusal("score", "ref", "-i", "damaged").startswith("damaged: ")


@pytest.mark.parametrize("size", [1, 8, 9, 20])
def test_a_zstd_frame_has_as_much_as_it_says(size):
    """In pieces, libzstd 1.5.7 takes an end without the text."""
    zstandard = pytest.importorskip("zstandard")
    says_8_has_0 = bytes.fromhex("28b52ffd20 08 010000")
    repeats_0 = bytes.fromhex("28b52ffd20 00 03000000")  # taken if it comes whole
    whole = zstandard.compress(b"a b c\n" * 1000)
    for frames, good in [
        (says_8_has_0, False), (whole + says_8_has_0, False), (repeats_0, False), (whole * 2, True),
    ]:  # fmt: skip
        decompressor = Decompressor("f", "zstd")
        pieces = (frames[at : at + size] for at in range(0, len(frames), size))
        if good:
            found = b"".join(part for piece in pieces for part in decompressor.feed(piece))
            assert found == b"a b c\n" * 2000
        else:
            with pytest.raises(InputError, match=r"^f: damaged zstd data"):
                deque(part for piece in pieces for part in decompressor.feed(piece))


def test_standard_input_is_read_once():
    assert "standard input" in refusal("score", "-", "-i", "-", stdin=b"a\n")
    assert "standard input" in refusal("score", "-", stdin=b"a\n")
    assert "standard input" in refusal("score", "-", "-", "-i", __file__, stdin=b"a\n")


def test_ragged_references_behind_tabs_are_named_by_line(folder):
    (folder / "tabs").write_text("a\tb\nc\td\ne\n")
    assert refusal("score", "tabs", "-nr", "2", "-i", "hyp").startswith("tabs:3: 1 ")
    (folder / "tabs").write_text("a\tb\nc\td\te\nf\tg\n")
    assert refusal("score", "tabs", "-nr", "2", "-i", "hyp").startswith("tabs:2: 3 ")
    for count in ("0", "-1", "two"):
        assert "--num-refs" in refusal("score", "tabs", f"--num-refs={count}", "-i", "hyp")


# Lines.


@pytest.mark.parametrize("character", NO_ENDS, ids=ascii)
def test_lines_end_at_newlines_alone(character, folder):
    hyps, refs = ([f"{a[:3]}{character}{a[3:]}" for a in side] for side in (HYPS, REFS))
    (folder / "h").write_bytes("\n".join(hyps).encode())
    (folder / "r").write_bytes("\n".join(refs).encode())
    for tokenizer in ("13a", "none"):
        expected = corpus_bleu(hyps, refs, tokenize=tokenizer).format(1, signature=True) + "\n"
        assert scored("score", "r", "-i", "h", "-tok", tokenizer) == (expected, "")
    assert scored("score", "r", "-i", "h", "-sl")[0].count("\n") == len(hyps)


@pytest.mark.parametrize("tokenizer", ["13a", "none", "char", "zh", "intl"])
def test_windows_files_score_as_others(tokenizer, folder):
    for name in ("hyp", "ref"):
        (folder / f"{name}.crlf").write_bytes((folder / name).read_bytes().replace(b"\n", b"\r\n"))
    expected = scored("score", "ref", "-i", "hyp", "-tok", tokenizer)
    for ref, hyp in (("ref.crlf", "hyp.crlf"), ("ref", "hyp.crlf"), ("ref.crlf", "hyp")):
        assert scored("score", ref, "-i", hyp, "-tok", tokenizer) == expected


def test_a_byte_order_mark_is_dropped_with_a_notice(folder):
    marked = b"\xef\xbb\xbf" + (folder / "hyp").read_bytes()
    (folder / "marked").write_bytes(marked)
    (folder / "packed").write_bytes(gzip.compress(marked))
    for name in ("marked", "packed", "-"):
        line, notice = scored("score", "ref", "-i", name, stdin=marked)
        assert line.encode() == run("score", "ref", "-i", "hyp").stdout
        shown = "<stdin>" if name == "-" else name
        assert notice == f"truebleu: notice: {shown}: dropped the byte order mark at its start\n"


def test_a_byte_order_mark_elsewhere_is_text(folder):
    hyps = [HYPS[0], "\ufeff" + HYPS[1], HYPS[2]]
    (folder / "marks").write_bytes("\n".join(hyps).encode())
    expected = corpus_bleu(hyps, REFS).format(1, signature=True) + "\n"
    assert scored("score", "ref", "-i", "marks") == (expected, "")


# Options on the command line.


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("-tok 13b", "13a"),
        ("-tok ja_mecab", "ja-mecab"),
        ("-tok spm:nowhere.model", "nowhere.model"),
        ("-d sacrebleau", "sacrebleu"),
        ("-s flor", "floor"),
        ("-f jsn", "json"),
        ("--tokenise 13a", "--tokenize"),
        ("--nonsense-flag", "--nonsense-flag"),
        ("-sv -1 -s floor", "-1"),
        ("-sv nan -s floor", "nan"),
        ("-sv inf -s add-k", "inf"),
        ("-sv much -s floor", "much"),
        ("--max-order 0", "0"),
        ("--max-order -4", "-4"),
        ("--max-order 2.5", "2.5"),
        ("--weights 0.5,0.5 --max-order 4", "2"),
        ("--weights 0.5,half", "half"),
        ("--weights 0.5,nan", "nan"),
        ("--weights 0,0", "weights"),
        ("-w wide", "wide"),
        ("-w -1", "-1"),
        ("-w", "-w"),
        ("--width=", "--width"),
        ("--threads 0", "threads"),
        ("--threads 99999999999999999999999", "threads"),
        ("--fail-under low", "low"),
        ("--fail-under nan", "nan"),
        ("-lc=yes", "-lc"),
        ("-w 2 --width 3", "--width"),
        ("-sl -i hyp ref", "--sentence-level"),
    ],
)
def test_a_bad_option_is_named(arguments, named):
    systems = [] if "-i" in arguments.split() else ["-i", "hyp"]
    assert named in refusal("score", "ref", *systems, *arguments.split())


def test_what_is_missing_is_named():
    assert "reference" in refusal("score")
    assert "reference" in refusal("score", "-i", __file__)
    assert "-i" in refusal("score", __file__, "-i")
    assert "score" in refusal("scor", __file__)
    assert "fish" in refusal("completion", "fishy")
    assert "bash" in refusal("completion")


def test_a_tokenizer_without_its_model_says_where_it_belongs(folder, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_MODELS", str(folder / "models"))
    message = refusal("score", "ref", "-i", "hyp", "-tok", "flores200")
    assert str(folder / "models" / "flores200.model") in message


@pytest.mark.usefixtures("folder")
def test_a_bad_environment_is_named(monkeypatch):
    monkeypatch.setenv("TRUEBLEU_NUM_THREADS", "many")
    assert "TRUEBLEU_NUM_THREADS" in refusal("score", "ref", "-i", "hyp")
    monkeypatch.delenv("TRUEBLEU_NUM_THREADS")
    monkeypatch.setenv("TRUEBLEU_SIMD", "mmx")
    assert "mmx" in refusal("score", "ref", "-i", "hyp")


def test_a_file_name_with_a_newline_stays_on_one_line():
    assert refusal("score", "two\nlines", "-i", __file__)


# Ends of the command that are not there.


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("closing", ["<&-", ">&-"])
def test_a_closed_stream_is_one_line(closing):
    script = f'exec "$0" "$@" {closing}'
    hyp = ["-i", "hyp"] if closing == ">&-" else []
    command = ["/bin/sh", "-c", script, COMMAND, "score", "ref", *hyp]
    done = subprocess.run(command, check=False, timeout=60, capture_output=True)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()


@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:
        done = run("score", "ref", "-i", "hyp", stdout=full)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()


def test_a_name_that_the_terminal_cannot_show_gives_no_traceback(folder, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    os.rename(folder / "hyp", folder / "hypothèse")
    done = run("score", "ref", "-i", "hypothèse", "ref")
    assert b"Traceback" not in done.stderr
