# SPDX-License-Identifier: Apache-2.0
"""Scores and statistics of single segments are written whole, and are those in memory."""

import csv
import json
import math
import os
import resource
import subprocess

import numpy as np
import pyarrow.parquet as pq
import pytest
from support import tables
from support.command import COMMAND, scored
from support.tables import DOMAINS, HYPS, MORE, REFS

import truebleu as tb

pytestmark = pytest.mark.usefixtures("made")


@pytest.fixture
def made(folder):
    tables.jsonl(folder / "t.jsonl", tables.table())


def per_segment(path, *flags):
    name = f"out{path}"
    scored("score", "t.jsonl", "--hyp-col", "mt", "--ref-col", "both", "--per-segment", name, *flags)
    if path == ".parquet":
        return pq.read_table(name).to_pylist()
    with open(name, encoding="utf-8", newline="") as file:
        if path == ".jsonl":
            return [json.loads(line) for line in file]
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    numbers = [{k: v if k == "group" else float(v) for k, v in row.items()} for row in rows]
    return [{k: None if k != "group" and math.isnan(v) else v for k, v in row.items()} for row in numbers]


@pytest.mark.parametrize("path", [".parquet", ".tsv", ".jsonl"])
@pytest.mark.parametrize("metric", [tb.BLEU(), tb.CHRF(), tb.TER()])
def test_scores_and_statistics_of_segments_are_those_in_memory(path, metric):
    name = type(metric).__name__.lower()
    rows = per_segment(path, "-m", name, "--group-by", "domain")
    refs = list(zip(REFS, MORE, strict=True))
    stats = metric.stats(HYPS, refs)
    assert [row["row"] for row in rows] == list(range(1, len(HYPS) + 1))
    assert [row["group"] for row in rows] == DOMAINS
    for column, expected in stats.columns().items():
        assert [row[column] for row in rows] == expected.tolist()
    values = [math.nan if row[name] is None else row[name] for row in rows]
    assert np.array_equal(values, metric.sentences(HYPS, refs), equal_nan=True)


def test_several_metrics_have_names_before_their_columns():
    (row, *_) = per_segment(".jsonl", "-m", "bleu", "ter")
    assert {"bleu", "bleu_ref_len", "ter", "ter_ref_len", "ter_edits"} <= set(row)


@pytest.mark.parametrize("name", ["o.tsv", "o.jsonl", "o.parquet"])
def test_a_full_disk_is_one_line_and_leaves_no_output(name, folder):
    """A limit on the size of files stands for a full disk."""
    (folder / "hyp").write_text("".join(f"a b c d {i}\n" for i in range(40_000)))
    before = sorted(os.listdir(folder))
    done = subprocess.run(
        [COMMAND, "score", "hyp", "-i", "hyp", "-q", "--per-segment", name],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)),
    )
    message = done.stderr.decode()
    assert (done.returncode, done.stdout, message.count("\n")) == (2, b"", 1), message
    assert message.startswith(f"truebleu: {name} cannot be written: ")
    assert sorted(os.listdir(folder)) == before
