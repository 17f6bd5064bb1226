# SPDX-License-Identifier: Apache-2.0
"""Bad rows of tables are named, or skipped and counted."""

import json

import pytest
from support.command import refusal, scored
from support.tables import COLUMNS, GOOD

import truebleu as tb

#: Rows after the fifth good one, and how they are named after the number of their line.
TSV = [
    (b"a\xc3\tb", "byte 2 of the line is not utf-8"),
    (b"a", "1 field, but the first line has 2"),
    (b"a\tb\tc", "3 fields"),
    (b'"a', "1 field, but the first line has 2, and a quote is not closed; save values with"),
    (b"", "1 field"),
]
CSV = [
    (b'"a\n\xff",b', "line 8: byte 1 of the line is not utf-8"),
    (b"a", "1 field, but the first line has 2"),
    (b'"a"b,c', "not CSV"),
    (b"a\rb,c", "not CSV"),
]
JSONL = [
    (b'{"mt": "\xff", "ref": "b"}', "byte 9 of the line is not utf-8"),
    (b'{"mt": "a", ', "not JSON"),
    (b"", "the line is empty"),
    (b'["a", "b"]', "there is no field 'ref'"),
    (b'{"mt": "a"}', "there is no field 'ref'"),
    (b'{"mt": null, "ref": "b"}', "'mt' is null"),
    (b'{"mt": 1.0, "ref": "b"}', "'mt' is of type float, not text"),
    (b'{"mt": "a", "ref": ["b", 1]}', "'ref' holds a value that is not"),
    (b'{"mt": "\\ud800", "ref": "b"}', "'mt' holds a lone surrogate"),
    (b'{"mt": "a", "ref": "b", "mt": "c"}', "not JSON: the key 'mt' occurs twice"),
    (b'{"mt": "a", "ref": "b", "\\u006dt" :"c"}', "not JSON: the key"),
    (b'{"mt": "a", "ref": "b", "a.b": 1, "a.b": 2}', "not JSON: the key"),
    (b'{"mt": "a", "ref": "b", "a": [{"b": 1, "b": 2}]}', "not JSON: the"),
    (b"[" * 100_000, "not JSON"),
]

FORMS = {
    "tsv": (TSV, "{hyp}\t{ref}", ["mt\tref"], lambda text: text),
    "csv": (CSV, '"{hyp}","{ref}"', ["mt,ref"], lambda text: text.replace('"', '""')),
    "jsonl": (JSONL, '{{"mt": {hyp}, "ref": {ref}}}', [], json.dumps),
}


@pytest.mark.parametrize(
    ("form", "bad", "message"), [(form, *row) for form, (rows, *_) in FORMS.items() for row in rows]
)
def test_a_bad_row_is_named_or_skipped(form, bad, message, folder):
    _, row, head, quoted = FORMS[form]
    rows = [row.format(hyp=quoted(hyp), ref=quoted(ref)) for hyp, ref in GOOD]
    lines = [line.encode() for line in (*head, *rows)]
    at = len(head) + 5
    (folder / f"t.{form}").write_bytes(b"\n".join([*lines[:at], bad, *lines[at:]]))
    named = f"t.{form}:{at + 1}: {message}"
    error = refusal("score", f"t.{form}", *COLUMNS)
    assert error.startswith(named)
    assert error.endswith("; correct the row, or use --on-error skip")
    line, notices = scored("score", f"t.{form}", *COLUMNS, "--on-error", "skip")
    expected = tb.corpus_bleu(*map(list, zip(*GOOD, strict=True)))
    assert line == expected.format(1, signature=True) + "\n"
    first, second = notices.splitlines()
    assert first == f"truebleu: notice: skipped 1 bad row of {len(GOOD) + 1}:"
    assert second.startswith(f"truebleu: notice: {named}")


@pytest.mark.parametrize("ref", ["null", "[null]", "[]"])
def test_a_row_without_a_reference_is_named_or_skipped(ref, folder):
    (folder / "t.jsonl").write_text(f'{{"mt": "a", "ref": "a"}}\n{{"mt": "b", "ref": {ref}}}\n')
    message = "t.jsonl: row 2: there is no reference; correct the row, or use --on-error skip"
    assert refusal("score", "t.jsonl", *COLUMNS) == message
    assert scored("score", "t.jsonl", *COLUMNS, "--on-error", "skip")[1].endswith(
        "t.jsonl: row 2: there is no reference; correct the row\n"
    )


def test_a_key_twice_in_an_array_is_an_error(folder):
    (folder / "t.json").write_text('[{"mt": "a", "ref": "mt"}, {"mt": "b", "ref": "a", "ref": "c"}]')
    assert "the key 'ref' occurs twice in an object" in refusal("score", "t.json", *COLUMNS)
    (folder / "t.json").write_text('[{"mt": "a mt", "ref": "ref"}, {"mt": "mt", "ref": "mt"}]')
    scored("score", "t.json", *COLUMNS)
