#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzz what reads signatures, numbers, command lines and files: `fuzz_parsers.py SECONDS [CORPUS]`.

Atheris guides it by the lines of Python that an input reaches. An input is refused in the package's
own words, or read; what was read is held against a second way to read it.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sys
import tempfile
from pathlib import Path

import atheris
import zstandard

with atheris.instrument_imports(include=["truebleu"]):
    from truebleu import BLEU, Stats, TrueBLEUError, parse_signature
    from truebleu.analysis.reconcile.reported import Reported
    from truebleu.cli.flags import parse
    from truebleu.cli.score import GROUPS
    from truebleu.dialects.signature import named_references
    from truebleu.inputs.compressed import decompressed
    from truebleu.inputs.files import read_lines
    from truebleu.metrics.kernel import invalid_utf8, lines_end
    from truebleu.metrics.scan import scan

FLAGS = [flag for _, flags in GROUPS for flag in flags]
BLEU_1 = BLEU(max_ngram_order=1, threads=1)
ENCODINGS = ["utf-8", "utf-8", "utf-16", "latin-1", "utf-7", "cp1252", "idna", "x"]
MAGIC = [b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"]
TABLES = [".tsv", ".csv", ".jsonl", ".parquet", ".arrow"]


def signature(data):
    text = data.decode("utf-8", "surrogateescape")
    named_references(text)
    dialect = parse_signature(text)
    if dialect.tokenize.tokenize in ("13a", "intl", "zh", "char", "none"):
        written = BLEU(dialect).signature
        assert BLEU(parse_signature(written)).signature == written, (text, written)


def saved(data):
    stats = Stats.from_bytes(data)
    assert stats.to_bytes() == data
    stats.sum()


def saved_with_checksum(data):
    from zlib import crc32

    head = b"TBLEU\x00\x01\x00" + data[:16] + crc32(data[16:]).to_bytes(8, "little")
    saved(head + data[16:])


def number(data):
    reported = Reported.read(data.decode("latin-1"))
    assert 0 <= reported.value <= 100.1
    reported.format(12.5)


def words(data):
    given, rest = parse(data.decode("utf-8", "surrogateescape").split("\0"), FLAGS)
    assert isinstance(given, dict)
    assert isinstance(rest, list)


def compressed(data):
    packed = MAGIC[data[0] % len(MAGIC)] + data[2:] if data else data
    size = 1 + data[1] % 64 if data[1:] else 1
    assert unpacked(packed, len(packed) or 1) == unpacked(packed, size), (packed, size)


def unpacked(packed, size):
    """What comes of it in blocks of so many bytes, but for what comes before an error."""
    blocks = (packed[at : at + size] for at in range(0, len(packed), size))
    try:
        return b"".join(decompressed("x", blocks))
    except TrueBLEUError:
        return None


def lines(data):
    path = Path("lines")
    path.write_bytes(data[1:])
    encoding = ENCODINGS[data[0] % len(ENCODINGS)] if data else "utf-8"
    read = read_lines(str(path), encoding, notice=lambda _: None)
    if encoding == "utf-8" and not data[1:].startswith(
        (b"\xef\xbb\xbf", *MAGIC, b"\x1f\x8b", b"BZh")
    ):
        assert "\n".join(read).encode() == data[1:].removesuffix(b"\n")
        assert len(read) == len(list(read))


def utf8(data):
    at = invalid_utf8(data)
    try:
        data.decode()
        expected = None
    except UnicodeDecodeError as error:
        expected = error.start
    assert at == expected
    assert lines_end(data, 0, 1 << 40) == (data.count(b"\n"), data.rfind(b"\n") + 1)


def table(data):
    path = Path("table" + TABLES[data[0] % len(TABLES)] if data else "table.tsv")
    head = b"" if data[1:2] < b"\x80" else b"hyp\tref\n" if path.suffix == ".tsv" else b"hyp,ref\n"
    path.write_bytes(head + data[2:])
    scan(str(path), "hyp", "ref", on_error="skip").score(BLEU_1)


TARGETS = [signature, saved, saved_with_checksum, number, words, compressed, lines, utf8, table]


def one_input(data):
    if not data:
        return
    target = TARGETS[data[0] % len(TARGETS)]
    said = "read"
    try:
        target(data[1:])
    except TrueBLEUError as error:
        said = str(error)
    assert said.strip(), "an error without a message"


#: Beginnings that no chance would find, each behind the number of its target.
SEEDS = [
    (signature, b"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"),
    (signature, b"BLEU+case.lc+numrefs.1+smooth.floor+tok.intl+version.1.4.3 = 27.3 60/30/20"),
    (signature, b"dialect:nltk|nrefs:var|case:lc|tok:none|smooth:add-k[1.00]|weights:0.5,0.5"),
    (saved, Stats([[1] * 10]).to_bytes()),
    (number, b"27.30%"),
    (words, b"ref\0-i\0hyp\0--width=2\0--no-lowercase"),
    (compressed, b"\0\x07" + gzip.compress(b"one\ntwo\n", mtime=0)[3:]),
    (compressed, b"\1\x07" + bz2.compress(b"one\ntwo\n")[4:]),
    (compressed, b"\2\x07" + lzma.compress(b"one\ntwo\n")[6:]),
    (compressed, b"\3\x07" + zstandard.compress(b"one\ntwo\n")[4:]),
    (lines, b"\0one\ntwo\n"),
    (table, b"\0\xffa b\ta c\n"),
    (table, b'\x01\xff"a, b",a\n'),
    (table, b'\x02\0{"hyp": "a", "ref": ["b", "c"]}\n'),
]


def main():
    seconds, *folders = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(folders[0] if folders else name + "/corpus").absolute()
        corpus.mkdir(parents=True, exist_ok=True)
        for i, (target, data) in enumerate(SEEDS):
            (corpus / f"seed{i}").write_bytes(bytes([TARGETS.index(target)]) + data)
        artifacts = Path.cwd()
        os.chdir(name)
        flags = [f"-max_total_time={seconds}", "-max_len=2000", "-timeout=60",
                 "-rss_limit_mb=4096", "-print_final_stats=1",
                 f"-artifact_prefix={artifacts}/fuzz-parsers-"]  # fmt: skip
        atheris.Setup([sys.argv[0], *flags, str(corpus)], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
