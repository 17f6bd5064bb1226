# SPDX-License-Identifier: Apache-2.0
"""Rows of tables in any order score by their keys; keys that do not match are named."""

import json

import pytest
from support.command import HYPS, REFS, refusal, scored

FLAGS = ["--ref-col", "ref.text", "--hyp-col", "mt", "--join-col", "doc.id"]
DOCS = ["a", "7", "c"]


def rows(texts, column, docs=DOCS, **others):
    """A line of JSON for each text; a key may be a number."""
    return "".join(
        json.dumps({"doc": {"id": int(doc) if doc == "7" else doc}, column: text, **others}) + "\n"
        for doc, text in zip(docs, texts, strict=True)
    )


@pytest.fixture
def tables(folder):
    references = [{"text": ref, "domain": ref[0]} for ref in REFS]
    (folder / "refs.jsonl").write_text(rows(references, "ref"))
    for name, step in {"same": 1, "turned": -1}.items():
        (folder / f"{name}.jsonl").write_text(rows(HYPS[::step], "mt", DOCS[::step]))
    return folder


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    "command",
    [
        "score",
        "score -sl",
        "score --save r",
        "score --group-by ref.domain",
        "compare -n 9",
        "check",
        "explain",
        "score --group-by ref.domain -f json",
    ],
)
def test_rows_are_matched_by_their_keys(command):
    command, *flags = command.split()
    files = ["same.jsonl"] * (1 + (command == "compare"))
    systems = ["--names", "x", "y"][: 1 + len(files)]
    flags += ["--force"] * ("--save" in flags)
    expected = scored(command, "refs.jsonl", "-i", *files, *FLAGS[:4], *flags, *systems)[0]
    turned = ["turned.jsonl", *files[1:]]
    joined = "refs.jsonl", "-i", *turned, *FLAGS[:4], "--join", FLAGS[-1], *flags, *systems
    assert scored(command, *joined)[0] == expected
    if command == "score" and "-sl" not in flags:
        assert scored(command, "refs.jsonl", "-i", *turned, *FLAGS[:4], *flags)[0] != expected


@pytest.mark.parametrize(
    ("docs", "message"),
    [
        (["a", "c", "a"], "h.jsonl: rows 1 and 3 have the same doc.id 'a'"),
        (["a", None, "c"], "h.jsonl: row 2: doc.id is missing"),
        (["a", "c"], "h.jsonl: no row has doc.id '7'; both tables"),
        (["a"], "h.jsonl: no row has doc.id '7' and 1 other; both tables"),
        (["a", "7", "c", "d"], "refs.jsonl: no row has doc.id 'd'"),
    ],
)
def test_keys_that_do_not_match_are_named(docs, message, tables):
    (tables / "h.jsonl").write_text(rows(["x"] * len(docs), "mt", docs))
    assert refusal("score", "refs.jsonl", "-i", "h.jsonl", *FLAGS).startswith(message)


@pytest.mark.usefixtures("tables")
def test_only_whole_tables_are_joined(folder):
    needs = "--join with a column needs tables"
    assert needs in refusal("score", "ref", "-i", "hyp", *FLAGS[-2:])
    assert needs in refusal("score", "refs.jsonl", *FLAGS)
    files = ["refs.jsonl", "-i", "turned.jsonl", *FLAGS]
    assert "hyp is not a table" in refusal("report", *files, "--src", "hyp")
    assert "leave out --per-segment" in refusal("score", *files, "--per-segment", "o.tsv")
    assert "leave out --join-col" in refusal("check", *files, "--fix", "out")
    assert not (folder / "out").exists()
