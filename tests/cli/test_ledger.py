# SPDX-License-Identifier: Apache-2.0
"""`--ledger` of score and compare, and `truebleu ledger`."""

import csv
import json
from pathlib import Path
from unittest import mock

import pytest
from support.command import refusal, scored, truebleu
from support.example_texts import ENGLISH, SYSTEMS

import truebleu as tb

REF = ENGLISH[0]
FILES = (*ENGLISH, "-i", *SYSTEMS)
KEPT = ("--ledger", "runs.db")

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def steps(folder):  # noqa: ARG001  (the current folder)
    """Three steps of a run, of which each is better than the one before, in the ledger."""
    for step, path in enumerate(reversed(SYSTEMS), 1):
        truebleu("score", REF, "-i", path, "--names", "run-7", *KEPT, "--tag", f"step={step}000")


@pytest.mark.parametrize("arguments", [
    ("score", *FILES),
    ("score", *FILES, "-m", "bleu", "chrf", "ter", "gleu", "nist", "-f", "json"),
    ("score", REF, "-i", SYSTEMS[0], "-d", "nltk", "-b"),
    ("compare", *FILES, "-f", "json", "-n", "99"),
    ("compare", *FILES, "-n", "99", "-m", "bleu", "ter", "--baseline", "aurora"),
])  # fmt: skip
def test_output_is_the_same_with_a_ledger(arguments):
    expected = scored(*arguments)
    assert scored(*arguments, *KEPT) == expected
    with mock.patch.object(tb.metrics.metric.Metric, "stats", side_effect=AssertionError):
        assert scored(*arguments, *KEPT) == expected


def test_groups_are_tags():
    Path("labels").write_text("a\na\na\n")
    Path("other").write_text("a b c d\ne f g x\ni j k l\n")
    scored("compare", "ref", "-i", "hyp", "other", "--group-by", "labels", *KEPT, "-n", "9")
    with tb.Ledger("runs.db") as ledger:
        assert [run.tags for run in ledger.runs()] == [{"group": "a"}] * 2


LIST = """\
System  run       tags  metric  score  segments  references
------  ---  ---------  ------  -----  --------  ----------
run-7     1  step=1000    BLEU   14.1        48    9a651766
run-7     2  step=2000    BLEU   34.2        48    9a651766
run-7     3  step=3000    BLEU   51.3        48    9a651766
"""


@pytest.mark.usefixtures("steps")
def test_list():
    shown = truebleu("ledger", "list", *KEPT).decode()
    assert "".join(f"{line[:-21].rstrip()}\n" for line in shown.splitlines()) == LIST
    rows = json.loads(truebleu("ledger", "list", "step=2000", *KEPT, "-f", "json"))
    assert [(row["id"], row["tags"]) for row in rows] == [(2, {"step": 2000})]
    for form in ("tsv", "latex", "markdown"):
        assert truebleu("ledger", "list", *KEPT, "-f", form).count(b"step=") == 3


@pytest.mark.usefixtures("steps")
def test_show():
    shown = truebleu("ledger", "show", "3", *KEPT).decode()
    assert "signature  nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0\n" in shown
    assert "counts     hyp_len=910 ref_len=902 match_1=713 " in shown
    (entry,) = json.loads(truebleu("ledger", "show", "3", *KEPT, "-f", "json"))
    assert (entry["counts"]["hyp_len"], entry["score"]) == (910, pytest.approx(51.3176, abs=1e-4))


@pytest.mark.usefixtures("steps")
def test_compare_is_that_of_the_texts():
    truebleu("score", *FILES, "-m", "bleu", "chrf", *KEPT, "--tag", "set=two")
    for form in ("text", "json", "tsv", "latex", "markdown"):
        end = ("-n", "99", "-f", form)
        expected = scored("compare", *FILES, *end, "-m", "bleu", "chrf")
        assert scored("ledger", "compare", "set=two", *KEPT, *end) == expected
    by_set = truebleu("ledger", "compare", "step=1000", "step=3000", *KEPT, "-n", "99").decode()
    assert "run-7 step=3000 is better than run-7 step=1000: +37.2 BLEU" in by_set
    truebleu("score", REF, "-i", *SYSTEMS, *KEPT, "--tag", "set=one")
    both = truebleu("ledger", "compare", "aurora", "basalt", *KEPT, "-n", "99").decode()
    assert [line for line in both.splitlines() if line.startswith("references")] == [
        "references: set=two", "references: set=one"
    ]  # fmt: skip


CURVE = """\
curve: run-7, references 9a651766, BLEU

step  BLEU  95 % interval  best before   gain      p  verdict
----  ----  -------------  -----------  -----  -----  -------
1000  14.1    9.8 to 20.1
2000  34.2   29.8 to 39.9         1000  +20.2  0.001   better
3000  51.3   46.2 to 56.3         2000  +17.1  0.001   better
4000  34.2   29.8 to 39.9         3000  -17.1  0.001    worse

first better step: 2000. run-7 step=2000 is better than run-7 step=1000: +20.2 BLEU, \
95 % interval 16.2 to 24.7, p = 0.001 after maxT
first worse step: 4000. run-7 step=3000 is better than run-7 step=4000: +17.1 BLEU, \
95 % interval 11.6 to 22.4, p = 0.001 after maxT
signature: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
"""


@pytest.mark.usefixtures("steps")
def test_curve():
    truebleu("score", REF, "-i", SYSTEMS[1], "--names", "run-7", *KEPT, "--tag", "step=4000")
    assert truebleu("ledger", "curve", *KEPT, "-n", "999").decode() == CURVE
    (curve,) = json.loads(truebleu("ledger", "curve", *KEPT, "-f", "json"))
    assert (curve["first_better"], curve["first_worse"]) == (2000, 4000)
    assert [point["verdict"] for point in curve["points"]] == [None, "better", "better", "worse"]
    table = truebleu("ledger", "curve", "run-7", *KEPT, "-f", "tsv").decode().splitlines()
    assert table[0].split("\t")[:4] == ["curve", "step", "BLEU", "95 % interval"]
    assert len(table) == 5
    for epoch, path in (("2.0", SYSTEMS[0]), ("1.5", SYSTEMS[1])):
        truebleu("score", REF, "-i", path, "--names", "other", *KEPT, "-d", "nltk", "--tag",
                 f"epoch={epoch}")  # fmt: skip
    table = truebleu("ledger", "curve", *KEPT, "--over", "epoch", "-n", "99").decode()
    assert [line[:11] for line in table.splitlines()[4:6]] == ["1.5    0.26", "2.0    0.44"]
    assert refusal("ledger", "curve", "run-7", *KEPT, "--over", "epoch").startswith(
        "no run has the tag"
    )


@pytest.mark.usefixtures("steps")
def test_export_and_gc():
    truebleu("score", REF, "-i", *SYSTEMS, *KEPT, "--tag", "set=x,y", "step=last")
    assert truebleu("ledger", "export", *KEPT, "-o", "runs.csv") == b"runs.csv: 6 runs\n"
    with open("runs.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["tag_step"] for row in rows] == ["1000", "2000", "3000", "last", "last", "last"]
    assert rows[5]["tag_set"] == "x,y"
    assert refusal("ledger", "export", *KEPT, "-o", "runs.csv").endswith("to replace it")
    assert refusal("ledger", "export", *KEPT, "-o", "runs.txt").startswith("runs.txt: export")
    done = truebleu("ledger", "gc", "run-7", "step=last", *KEPT).decode()
    assert done.startswith("removed 6 runs and the statistics of 3 texts; runs.db has ")
    assert truebleu("ledger", "list", *KEPT, "-f", "json") == b"[]\n"


@pytest.mark.usefixtures("steps")
def test_parquet_has_all_statistics():
    parquet = pytest.importorskip("pyarrow.parquet")
    truebleu("score", REF, "-i", SYSTEMS[0], "-m", "chrf", *KEPT)
    truebleu("ledger", "export", *KEPT, "-o", "runs.parquet")
    table = parquet.read_table("runs.parquet").to_pylist()
    with tb.Ledger("runs.db") as ledger:
        for row, run in zip(table, ledger.runs(), strict=True):
            assert (row["id"], row["tag_step"]) == (run.id, run.tags.get("step"))
            assert row["rows"] == [list(one) for one in ledger.rows(run)]


@pytest.mark.parametrize(("arguments", "message"), [
    (("score", "ref", "-i", "hyp", "--tag", "a=b"), "--tag is for runs in a ledger"),
    (("score", "ref", "-i", "hyp", *KEPT, "--tag", "a"), "--tag a: a tag is TAG=TEXT"),
    (("score", "ref", "-i", "hyp", *KEPT, "--tag", "name=b"), "a tag cannot be named 'name'"),
    (("score", "ref", "-i", "hyp", *KEPT, "-sl"), "--ledger does not go with --sentence-level"),
    (("score", "ref", "-i", "hyp", *KEPT, "--group-by", "hyp"), "--ledger does not go with --gr"),
    (("ledger",), "no action: list, show, compare, curve, export, gc; usage: "),
    (("ledger", "lst", *KEPT), "no action is named 'lst'; did you mean list?"),
    (("ledger", "list"), "no ledger; name its file with --ledger"),
    (("ledger", "list", *KEPT), "runs.db: no such file; truebleu score --ledger makes one"),
    (("ledger", "list", "--ledger", "ref"), "ref: not a ledger; name another file"),
])  # fmt: skip
def test_refusals(arguments, message):
    assert refusal(*arguments).startswith(message)


@pytest.mark.usefixtures("steps")
def test_refusals_of_a_ledger():
    truebleu("score", ENGLISH[1], "-i", SYSTEMS[0], *KEPT, "--tag", "step=x")
    for arguments, message in [
        (("list", "nothing"), "no run is 'nothing'; truebleu ledger list shows all"),
        (("compare",), "compare needs runs"),
        (("compare", "run-7"), "none of these runs have the same references and settings"),
        (("compare", "run-7", "hyp.aurora.txt"), "none of these runs have the same references"),
        (("curve",), "run 4: step=x is not a number"),
        (("export",), "export needs a file"),
        (("show", "1", "-f", "tsv"), "show has no format tsv; use text or json"),
        (("curve", "run-7", "--alpha", "2"), "alpha cannot be 2.0"),
    ]:
        assert refusal("ledger", *arguments, *KEPT).startswith(message)
