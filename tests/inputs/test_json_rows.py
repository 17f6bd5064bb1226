# SPDX-License-Identifier: Apache-2.0
"""Bad rows of JSON Lines are named, or skipped and counted."""

import json

import pytest
from support.bad_rows import COLUMNS, GOOD, check_bad
from support.command import refusal, scored

BAD = {
    "invalid UTF-8": (b'{"mt": "\xff", "ref": "b"}', "byte 9 of the line is not utf-8"),
    "not JSON": (b'{"mt": "a", ', "not JSON"),
    "empty": (b"", "the line is empty"),
    "not an object": (b'["a", "b"]', "there is no field 'ref'"),
    "a missing field": (b'{"mt": "a"}', "there is no field 'ref'"),
    "null": (b'{"mt": null, "ref": "b"}', "'mt' is null"),
    "null for a reference": (b'{"mt": "a", "ref": null}', "'ref' is null"),
    "no reference": (b'{"mt": "a", "ref": [null]}', "'ref' has no reference"),
    "a number": (b'{"mt": 1.0, "ref": "b"}', "'mt' is of type float, not text"),
    "a number as reference": (b'{"mt": "a", "ref": ["b", 1]}', "'ref' holds a value that is not"),
    "a surrogate": (b'{"mt": "\\ud800", "ref": "b"}', "'mt' holds a lone surrogate"),
    "a key twice": (b'{"mt": "a", "ref": "b", "mt": "c"}', "not JSON: the key 'mt' occurs twice"),
    "a key twice, with an escape": (
        b'{"mt": "a", "ref": "b", "\\u006dt" :"c"}',
        "not JSON: the key",
    ),
    "a key with a dot twice": (b'{"mt": "a", "ref": "b", "a.b": 1, "a.b": 2}', "not JSON: the key"),
    "a key twice, inside": (b'{"mt": "a", "ref": "b", "a": [{"b": 1, "b": 2}]}', "not JSON: the"),
    "deep": (b"[" * 100_000, "not JSON"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_row_is_named_or_skipped(kind, folder):
    bad, message = BAD[kind]
    rows = [json.dumps({"mt": hyp, "ref": ref}).encode() for hyp, ref in GOOD]
    (folder / "t.jsonl").write_bytes(b"\n".join([*rows[:11], bad, *rows[11:]]))
    check_bad("t.jsonl", 12, message)


def test_a_key_twice_in_an_array_is_an_error(folder):
    (folder / "t.json").write_text(
        '[{"mt": "a", "ref": "mt"}, {"mt": "b", "ref": "a", "ref": "c"}]'
    )
    assert "the key 'ref' occurs twice in an object" in refusal("score", "t.json", *COLUMNS)
    (folder / "t.json").write_text('[{"mt": "a mt", "ref": "ref"}, {"mt": "mt", "ref": "mt"}]')
    scored("score", "t.json", *COLUMNS)
