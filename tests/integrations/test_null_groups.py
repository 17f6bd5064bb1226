# SPDX-License-Identifier: Apache-2.0
"""Segments whose group is null are one group, wherever groups are scored."""

import csv
import json
from math import nan

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support import tables
from support.command import scored
from support.example_texts import write_lines

import truebleu as tb
import truebleu.integrations.pandas
import truebleu.integrations.polars
from truebleu.analysis import slices

BLEU = tb.BLEU()
HYPS = ["a b c d e", "a b c d", "x y z w v u", "a b d e"]
REFS = ["a b c d e f", "a b c e", "x y z w v", "a b c e"]
LABELS = ["de", None, "", None]
TABLE = pa.table({"hyp": HYPS, "ref": REFS, "lang": LABELS})

#: The score of each group, in the order of `scan` and pandas.
SCORES = {
    "": BLEU.corpus(HYPS[2:3], REFS[2:3]),
    "de": BLEU.corpus(HYPS[:1], REFS[:1]),
    None: BLEU.corpus(HYPS[1::2], REFS[1::2]),
}
VALUES = {label: score.value for label, score in SCORES.items()}


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.arrows", "t.jsonl"])
def test_files(name, folder):
    tables.WRITERS[name](folder / name, TABLE)
    groups = tb.scan(name, "hyp", "ref", "lang").groups(BLEU)
    assert list(groups.items()) == list(SCORES.items())
    flags = ["--hyp-col", "hyp", "--ref-col", "ref", "--group-by", "lang"]
    lines, _ = scored("score", name, *flags, "-f", "tsv", "--per-segment", "o.jsonl")
    assert [line.split("\t")[0] for line in lines.splitlines()] == [
        "lang", "", "de", "(null)", "(all)"
    ]  # fmt: skip
    rows = map(json.loads, (folder / "o.jsonl").read_text().splitlines())
    assert [row["group"] for row in rows] == LABELS
    scored("score", name, *flags, "--per-segment", "o.tsv")
    assert [line.split("\t")[1] for line in (folder / "o.tsv").read_text().splitlines()] == [
        "group", "de", "", "", ""
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "quoted.tsv", "labels"])
def test_an_empty_value_is_the_null_of_text(name, folder):
    labels = ["de", "", "x", ""]
    rows = list(zip(HYPS, REFS, labels, strict=True))
    write_lines({"hyps": HYPS, "refs": REFS, "labels": labels}, folder)
    delimiter = "," if name == "t.csv" else "\t"
    with open(folder / "t", "w", newline="") as file:
        quoting = csv.QUOTE_ALL if name == "quoted.tsv" else csv.QUOTE_MINIMAL
        writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator="\n")
        writer.writerows([("hyp", "ref", "lang"), *rows])
    if name == "labels":
        arguments = ["refs", "-i", "hyps", "--group-by", "labels"]
    else:
        (folder / "t").rename(folder / name)
        arguments = [name, "--hyp-col", "hyp", "--ref-col", "ref", "--group-by", "lang"]
        groups = tb.scan(name, "hyp", "ref", "lang").groups(BLEU)
        assert groups == {"de": SCORES["de"], None: SCORES[None], "x": SCORES[""]}
    lines, _ = scored("score", *arguments, "-f", "tsv")
    shown = [line.split("\t")[0] for line in lines.splitlines()[1:]]
    assert shown == ["de", "x", "(null)", "(all)"]
    lines, _ = scored("plot", *arguments, "-k", "groups", "-o", "f.svg")
    assert ">(null)</text>" in (folder / "f.svg").read_text()


#: Labels with null as the libraries have it.
COLUMNS = {
    "None": LABELS,
    "NaN": [nan if label is None else label for label in LABELS],
    "NaN of NumPy": np.array(["de", np.float64("nan"), "", float("nan")], dtype=object),
    "NA": pd.Series(LABELS, dtype="string"),
    "NaT": [pd.NaT if label is None else label for label in LABELS],
    "categorical": pd.Series(LABELS, dtype="category"),
    "Polars": pl.Series(LABELS, dtype=pl.Categorical),
    "Arrow": pa.chunked_array([LABELS]).dictionary_encode(),
}


@pytest.mark.parametrize("labels", COLUMNS.values(), ids=COLUMNS)
def test_labels(labels):
    parts = slices.by_label(BLEU, {"system": BLEU.stats(HYPS, REFS)}, labels)
    values = {part.name: part.scores["system"].value for part in parts}
    assert values == {"de": VALUES["de"], "(null)": VALUES[None], "": VALUES[""]}
    systems = {"a": HYPS, "b": REFS}
    comparison = tb.compare(systems, REFS, documents=labels, resamples=20)
    assert comparison.units == 3
    assert comparison == tb.compare(systems, REFS, documents=LABELS, resamples=20)
