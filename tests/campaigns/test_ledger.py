# SPDX-License-Identifier: Apache-2.0
"""The ledger: what is in it is not counted again, and gives the same scores."""

import sqlite3
from unittest import mock

import pytest
from support.example_texts import AURORA, ENGLISH, SYSTEMS, lines

import truebleu as tb
from truebleu.campaigns.ledger_runs import parse_tags
from truebleu.inputs.corpus import Lines, LineStreams

HYPS = lines(AURORA)
ONE, OTHER = (lines(path) for path in ENGLISH)
TWO = [list(pair) for pair in zip(ONE, OTHER, strict=True)]
VARYING = [pair[: 1 + i % 2] for i, pair in enumerate(TWO)]

METRICS = [
    tb.BLEU(),
    tb.BLEU("nltk"),
    tb.BLEU(weights=(0.5, 0.5)),
    tb.BLEU(tokenize="re:\\w+"),
    tb.CHRF(word_order=2),
    tb.TER(),
    tb.GLEU(),
    tb.NIST(),
    tb.NIST(info=ONE),
    tb.CodeBLEU("python", weights=(0.5, 0.5, 0, 0)),
]


@pytest.fixture
def ledger(tmp_path):
    with tb.Ledger(tmp_path / "runs.db") as ledger:
        yield ledger


def counted(metric, count):
    """A block in which a class of metrics may count only so often."""
    return mock.patch.object(metric, "stats", autospec=True, side_effect=count)


@pytest.mark.parametrize("refs", [ONE, TWO, VARYING], ids=["one", "two", "varying"])
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name + metric.signature)
def test_scores_are_those_of_the_metric(ledger, metric, refs):
    expected = metric.corpus(HYPS, refs)
    for _ in range(2):
        assert ledger.log(HYPS, refs, metric, name="aurora") == expected
    (run,) = ledger.runs()
    assert (run.name, run.score, run.signature, run.metric, run.segments) == (
        "aurora", expected.value, expected.signature, expected.name, len(HYPS),
    )  # fmt: skip
    assert ledger.find(HYPS, refs, metric) == metric.stats(HYPS, refs)
    assert run.make_metric().score(ledger.rows(run)).value == pytest.approx(run.score, nan_ok=True)


def test_nothing_is_counted_twice(ledger):
    ledger.log(HYPS, TWO, name="a", tags={"step": 1})
    with counted(tb.BLEU, AssertionError):
        ledger.log(HYPS, TWO, name="b")
        ledger.log(HYPS, TWO, tb.BLEU(smooth_method="floor"), name="a")
        ledger.log(HYPS, TWO, tb.BLEU(effective_order=True), name="a")
        assert ledger.stats(list(HYPS), tuple(TWO), name="c").signature == "case:mixed|tok:13a"
        for other in (tb.BLEU(lowercase=True), tb.BLEU(max_ngram_order=3), tb.BLEU("nltk")):
            with pytest.raises(AssertionError):
                ledger.log(HYPS, TWO, other, name="a")
    assert len(ledger.runs()) == 5


def test_files_and_lists_are_the_same_texts(ledger):
    ledger.log(HYPS, TWO, name="a")
    files = [Lines("".join(f"{line}\n" for line in some).encode()) for some in (HYPS, ONE, OTHER)]
    with counted(tb.BLEU, AssertionError):
        ledger.log(files[0], LineStreams(files[1:]), name="a")
        ledger.log(iter(HYPS), iter(TWO), name="a")
    assert len(ledger.runs()) == 1


DIFFERENT = [
    (["ab", ""], ["a", "b"]),
    (["a", "b"], ["a", "b"]),
    (["a\nb"], ["a"]),
    (["a"], ["a\nb"]),
    (["a", "b", ""], ["a", "b", "c"]),
    (["a", "b"], [["a", "b"], ["b"]]),
    (["a", "b"], [["a"], ["b", "a"]]),
    (["a", "b"], [["a", "b"], ["b", "a"]]),
    (["a", "b"], [[None, "a"], ["b", "a"]]),
    (['["a"]'], ['["a"]']),
    (["a"], ["a"]),
]


def test_different_texts_are_different(ledger):
    for hyps, refs in DIFFERENT:
        assert ledger.find(hyps, refs) is None
        ledger.log(hyps, refs, name="a")
    assert len({(run.hyp, run.refs) for run in ledger.runs()}) == len(DIFFERENT)


def test_a_run_is_what_it_is_called(ledger):
    for _ in range(2):
        for step in (1, 2.0, "3", 0.5):
            ledger.log(HYPS, ONE, name="a", tags={"step": step, "lang": "de"})
    assert [run.tags["step"] for run in ledger.runs()] == [1, 2, "3", 0.5]
    assert [run.tags["step"] for run in ledger.runs("step=2,lang=de", "step=0.5")] == [2, 0.5]
    assert len(ledger.runs("a", 1)) == len(ledger.runs("metric=BLEU")) == 4
    ledger.log(HYPS, ONE, name="a", tags={"step": 1, "lang": "de"})
    assert [run.id for run in ledger.runs()] == [2, 3, 4, 1]  # the last scored one is the last
    for nothing in ("b", "step=4", 9, "name=b"):
        with pytest.raises(tb.InputError, match="ledger list shows all"):
            ledger.runs(nothing)


def test_tags_as_typed():
    typed = ["a=12", "b=1.0", "c=0.5", "d=1e5", "e=nan", "f=007", "g==", "h=inf", "i=-3"]
    tags = parse_tags(typed)
    assert tags == {"a": 12, "b": "1.0", "c": 0.5, "d": "1e5", "e": "nan", "f": "007", "g": "=",
                    "h": "inf", "i": -3}  # fmt: skip
    # So each is selected as it was typed.
    assert [f"{key}={value}" for key, value in tags.items()] == typed


@pytest.mark.parametrize("tags", [{"": 1}, {"a=b": 1}, {"name": "x"}, {"a": None}, {"a": True},
                                  {"a": float("nan")}, {"a": [1]}, {1: "a"}])  # fmt: skip
def test_tags_that_cannot_be_selected(ledger, tags):
    with pytest.raises(tb.OptionError, match="tag"):
        ledger.log(HYPS, ONE, name="a", tags=tags)
    assert ledger.runs() == []


def test_what_a_ledger_does_not_hold(ledger):
    with pytest.raises(tb.OptionError, match="cannot tell functions apart"):
        ledger.log(HYPS, ONE, tb.BLEU(tokenize=str.split), name="a")
    with pytest.raises(tb.OptionError, match="no CrystalBLEU"):
        ledger.log(HYPS, ONE, tb.CrystalBLEU(), name="a")
    for hyps, refs in (
        ([["a"]], [["a"]]),
        ([1], ["a"]),
        (["a"], [[["a"]]]),
        ("a", ["a"]),
        ([], []),
        (["\ud800"], ["a"]),
    ):
        with pytest.raises(tb.InputError):
            ledger.log(hyps, refs, name="a")
    with pytest.raises(tb.OptionError, match="name cannot be ''"):
        ledger.log(HYPS, ONE, name="")
    with pytest.raises(tb.InputError, match="is not text; use another name"):
        ledger.log(HYPS, ONE, name="hyp\udcff")


def test_texts_are_not_stored(ledger, tmp_path):
    ledger.log(["A secret sentence."], [["Confidential words.", "More of them."]], name="a")
    ledger.close()
    data = (tmp_path / "runs.db").read_bytes()
    assert not any(word in data for word in (b"ecret", b"onfidential", b"More"))


def test_gc_removes_what_no_run_has(ledger, tmp_path):
    for path in SYSTEMS:
        ledger.log(100 * lines(path), 100 * ONE, name=path)
    ledger.log(100 * HYPS, 100 * ONE, name="again")
    assert ledger.gc() == (0, 0)
    size = (tmp_path / "runs.db").stat().st_size
    assert ledger.gc("again") == (1, 0)
    assert ledger.gc(*SYSTEMS[1:], AURORA) == (3, 3)
    assert ledger.runs() == []
    assert (tmp_path / "runs.db").stat().st_size < size
    assert ledger.find(100 * HYPS, 100 * ONE) is None


def test_a_score_needs_no_tokenizer_of_its_own(ledger):
    """Past runs are compared where the library of their tokenizer is not installed."""
    ledger.log(HYPS, ONE, tb.BLEU(tokenize="re:\\w+"), name="a")
    with mock.patch("truebleu.metrics.tokenizers._by_pattern", side_effect=AssertionError):
        (run,) = ledger.runs()
        assert run.make_metric().score(ledger.rows(run)).value == run.score


def test_the_schema_is_the_documented_one(ledger, tmp_path):
    ledger.log(HYPS, ONE, name="a", tags={"step": 5})
    with sqlite3.connect(tmp_path / "runs.db") as other:
        assert other.execute("PRAGMA user_version").fetchone() == (1,)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        query = "SELECT name, json_extract(tags, '$.step') FROM runs"
        assert other.execute(query).fetchall() == [("a", 5)]
    other.close()
