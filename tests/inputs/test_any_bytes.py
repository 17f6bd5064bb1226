# SPDX-License-Identifier: Apache-2.0
"""Parsers read any bytes, or refuse them with an error of the package."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from truebleu import BLEU, Stats, TrueBLEUError, parse_signature
from truebleu.analysis.reconcile.matches import Reported
from truebleu.dialects.signature import named_references
from truebleu.inputs.files import Decoding, read_lines
from truebleu.metrics.scan import scan

UNIGRAMS = BLEU(max_ngram_order=1, threads=1)
ENCODINGS = ["utf-8", "utf-16", "latin-1", "cp1252", "idna", "x"]
COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")
TABLES = [".tsv", ".csv", ".jsonl", ".parquet", ".arrow"]

SIGNATURES = [
    b"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
    b"BLEU+case.lc+numrefs.1+smooth.floor+tok.intl+version.1.4.3 = 27.3 60/30/20",
    b"dialect:nltk|nrefs:var|case:lc|tok:none|smooth:add-k[1.00]|weights:0.5,0.5",
]


def signature(data):
    text = data.decode("utf-8", "surrogateescape")
    named_references(text)
    dialect = parse_signature(text)
    if dialect.tokenize.tokenize in ("13a", "intl", "zh", "char", "none"):
        written = BLEU(dialect).signature
        assert BLEU(parse_signature(written)).signature == written


def stats(data):
    Stats.from_bytes(data).sum()
    assert Stats.from_bytes(data).to_bytes() == data


def number(data):
    reported = Reported.read(data.decode("latin-1"))
    assert all(0 <= value <= 100.1 for value in reported.values)
    reported.format([12.5])


def lines(data):
    Path("lines").write_bytes(data[1:])
    encoding = ENCODINGS[data[0] % len(ENCODINGS)] if data else "utf-8"
    read = read_lines("lines", Decoding(encoding))
    if encoding == "utf-8" and not data[1:].startswith((b"\xef\xbb\xbf", *COMPRESSED)):
        assert "\n".join(read).encode() == data[1:].removesuffix(b"\n")


def table(data):
    path = "table" + TABLES[data[0] % len(TABLES)] if data else "table.tsv"
    Path(path).write_bytes((b"hyp\tref\n" if path.endswith("tsv") else b"hyp,ref\n") + data[1:])
    scan(path, "hyp", "ref", on_error="skip").score(UNIGRAMS)


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("parsers"))
        yield


@pytest.mark.parametrize("parse", [signature, stats, number, lines, table])
@given(
    data=st.binary(max_size=200)
    | st.sampled_from(SIGNATURES).flatmap(lambda text: st.integers(0, len(text)).map(lambda at: text[at:] + text[:at]))
)
@example(data=Stats([[1] * 10]).to_bytes())
@example(data=b"27.30%")
@example(data=b"\x00a b\ta c\n")
@example(data=b'\x01"a, b",a\n')
@example(data=b'\x02{"hyp": "a", "ref": ["b", "c"]}\n')
def test_any_bytes_are_read_or_refused(parse, data):
    with suppress(TrueBLEUError):
        parse(data)
