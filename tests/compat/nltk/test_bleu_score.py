# SPDX-License-Identifier: Apache-2.0
"""`truebleu.compat.nltk` passes the tests that NLTK has for its own, and gives its scores."""

import doctest
import io
import pickle
import sys
import types
import unittest
import warnings
from functools import cache
from pathlib import Path

import nltk.data
import nltk.translate
import pytest
from support.example_texts import lines
from support.golden import golden, sample
from support.nltk_sources import VERSION, unit_tests, write_stand_ins
from support.profiles import SLOW
from support.twins_nltk import described, original, ours

from truebleu.compat.nltk import nist_score


@pytest.fixture
def redirected(monkeypatch):
    """`nltk.translate.bleu_score` is ours, however it is imported."""
    monkeypatch.setitem(sys.modules, "nltk.translate.bleu_score", ours)
    monkeypatch.setitem(sys.modules, "nltk.translate.nist_score", nist_score)
    monkeypatch.setattr(nltk.translate, "bleu_score", ours)
    monkeypatch.setattr(nltk.translate, "bleu", ours.bleu)


def test_the_version_is_the_one_that_is_reproduced():
    assert nltk.__version__ == VERSION


@pytest.mark.usefixtures("redirected")
@pytest.mark.parametrize(
    ("file", "name", "count"), [("test_bleu.py", "corpus_bleu", 15), ("test_nist.py", "corpus_nist", 1)]
)
def test_the_unit_tests_of_the_original_pass(file, name, count, monkeypatch, tmp_path):
    source = unit_tests(file)
    try:
        nltk.data.find("models/wmt15_eval/ref.ru")
    except LookupError:
        write_stand_ins(tmp_path)
        monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    module = types.ModuleType(file)
    exec(compile(source, file, "exec"), vars(module))  # noqa: S102  it is NLTK's
    assert getattr(module, name) in (ours.corpus_bleu, nist_score.corpus_nist)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    text = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = unittest.TextTestRunner(text).run(suite)
    assert result.wasSuccessful(), text.getvalue()
    assert (result.testsRun, len(result.skipped)) == (count, 0)


def test_the_doctests_of_the_original_pass(request):
    tests = doctest.DocTestFinder().find(original, module=original, globs=dict(vars(ours)))
    request.getfixturevalue("redirected")
    runner = doctest.DocTestRunner()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for test in tests:
            runner.run(test)
        path = str(Path(nltk.__file__).parent / "test" / "bleu.doctest")
        options = doctest.ELLIPSIS
        more = doctest.testfile(path, module_relative=False, optionflags=options)
    assert (runner.summarize(verbose=False), more) == ((0, 100), (0, 4))


def test_values_can_be_pickled():
    mine, theirs = (
        described(pickle.loads(pickle.dumps(module.Fraction(2, 4))))  # noqa: S301
        for module in (ours, original)
    )
    assert mine == theirs
    smoothing = pickle.loads(pickle.dumps(ours.SmoothingFunction(0.5).method1))  # noqa: S301
    assert smoothing.__self__.epsilon == 0.5


@cache
def words(path):
    return [line.split() for line in lines(path)]


@cache
def corpus(shared, set_, pair, system, refs):
    folder = shared / "data" / set_ / pair
    columns = [words(folder / f"ref.{name}.txt") for name in refs.split("+")]
    references = [list(several) for several in zip(*columns, strict=True)]
    return references, words(folder / f"hyp.{system}.txt")


def segments(shared, row):
    return corpus(shared, row["set"], row["pair"], row["system"], row["refs"])


WEIGHTS = {
    "default4": (0.25,) * 4, "w1": (1,), "w2": (1 / 2,) * 2, "w3": (1 / 3,) * 3, "w5": (1 / 5,) * 5,
    "w1111": (0.1, 0.2, 0.3, 0.4),
}  # fmt: skip
SEVERAL = [(0.5, 0.5), (1 / 3,) * 3, (0.25,) * 4]


def recorded(config, score, *corpus):
    """The score that a recorded configuration asks for, or its error as text."""
    name, weights, *_ = config.split(";")
    smooth = getattr(ours.SmoothingFunction(), name)
    reweigh = config.endswith("auto_reweigh=True")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if weights.startswith("weights_list"):
                orders = int(weights.rpartition("->")[2])
                return score(*corpus, SEVERAL, smooth, reweigh)[orders - 2]
            return score(*corpus, WEIGHTS[weights.partition("=")[2]], smooth, reweigh)
    except AssertionError as error:
        return f"ERROR:AssertionError:{error}"


def is_recorded(mine, value):
    """Whether they are equal: errors were cut short, and ints made floats."""
    if isinstance(mine, str) or value.startswith("ERROR"):
        return value.startswith("ERROR") and str(mine).startswith(value)
    return mine == float(value)


def test_every_recorded_corpus_score_is_reproduced(shared):
    rows = golden(shared, "nltk_corpus.tsv.gz")
    assert len(rows) == 1_104
    for row in sample(rows, every=6):
        references, hypotheses = (column[: int(row["nseg"])] for column in segments(shared, row))
        if row["metric"] == "corpus_bleu":
            mine = recorded(row["config"], ours.corpus_bleu, references, hypotheses)
        else:
            mine = part(row["metric"], references, hypotheses)
        assert is_recorded(mine, row["value"]), row


def part(metric, references, hypotheses):
    """A sum over the corpus that NLTK's helpers give."""
    if metric.startswith("p"):
        order, kind = int(metric[1]), metric[3:]
        name = {"num": "numerator", "den": "denominator"}[kind]
        return sum(
            getattr(ours.modified_precision(refs, hyp, order), name)
            for refs, hyp in zip(references, hypotheses, strict=True)
        )
    hyp_len = sum(map(len, hypotheses))
    if metric == "hyp_len":
        return hyp_len
    ref_len = sum(ours.closest_ref_length(refs, len(hyp)) for refs, hyp in zip(references, hypotheses, strict=True))
    return ref_len if metric == "closest_ref_len" else ours.brevity_penalty(ref_len, hyp_len)


def test_every_recorded_sentence_score_is_reproduced(shared):
    rows = golden(shared, "nltk_sentence.tsv.gz")
    assert len(rows) == 50_400
    errors = 0
    for row in sample(rows, every=6):
        references, hypotheses = segments(shared, row)
        at = int(row["seg"]) - 1
        mine = recorded(row["config"], ours.sentence_bleu, references[at], hypotheses[at])
        errors += isinstance(mine, str)
        assert is_recorded(mine, row["value"]), row
    assert errors == 860 if SLOW else errors > 0
