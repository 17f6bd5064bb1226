# SPDX-License-Identifier: Apache-2.0
"""GLEU and NIST are those of NLTK to the last bit, for input of all kinds."""

import doctest
from operator import attrgetter
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import gleu_score as original_gleu
from nltk.translate import nist_score as original_nist
from support.public_names import shape
from support.twins_nltk import BOTH, CORPUS, HYP, REFS, alike, outcome, segment_lists

from truebleu.compat.nltk import gleu_score, nist_score

TWINS = {"gleu": (gleu_score, original_gleu), "nist": (nist_score, original_nist)}
each_twin = pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)

#: Orders: one number for NIST, two for GLEU.
ORDERS = {
    "gleu": [
        (), (1, 2), (2,), (2, 6), (3, 2), (0, 3), (-1, 2), (1, 0), (1, -1), (1, 70), (1, True),
    ],
    "nist": [(), (1,), (2,), (9,), (0,), (-1,)],
}  # fmt: skip


def scores(name, kind, references, hypotheses):
    def call(module, orders):
        return getattr(module, f"{kind}_{name}")(references, hypotheses, *orders)

    return [alike(lambda m, o=orders: call(m, o), TWINS[name]) for orders in ORDERS[name]]


@pytest.mark.parametrize("twins", [*TWINS.values(), BOTH], ids=[*TWINS, "bleu"])
def test_names_are_those_of_the_original(twins):
    ours, original = twins
    names = {name for name in vars(original) if not name.startswith("_")}
    assert set(ours.__all__) == names
    methods = [f"SmoothingFunction.method{i}" for i in range(8)] * ("SmoothingFunction" in names)
    for mine, theirs in (map(attrgetter(name), twins) for name in [*names, *methods]):
        if getattr(theirs, "__module__", "").startswith("nltk"):
            assert (shape(mine), mine.__qualname__) == (shape(theirs), theirs.__qualname__)


@each_twin
def test_the_doctests_of_the_original_pass(twins):
    ours, original = twins
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(original, module=original, globs=dict(vars(ours))):
        runner.run(test)
    failed, tried = runner.summarize(verbose=False)
    assert failed == 0
    assert tried >= 7


@pytest.mark.parametrize("name", TWINS)
@given(segment_lists())
def test_random_corpora_score_alike(name, corpus):
    scores(name, "corpus", *corpus)
    references, hypotheses = corpus
    scores(name, "sentence", references[0], hypotheses[0])


def test_a_corpus_of_several_slices():
    references, hypotheses = (column * 200 for column in CORPUS)
    for name in TWINS:
        assert scores(name, "corpus", references, hypotheses)


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [
        (np.array([[1, 2, 3], [1, 2, 4]]), np.array([1, 2, 2])),
        ([{"a": 1, "b": 2}], ("a", "b")),
        ([], HYP),
        ([[]], []),
        ([[["unhashable"]]], HYP),
        (None, HYP),
        ([None], HYP),
        (REFS, None),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", TWINS)
def test_segments_of_all_kinds(name, references, hypothesis):
    def kind(module):
        score = getattr(module, f"sentence_{name}")
        (result, _) = outcome(score, references, hypothesis)
        return result if result[0] == "float" else result[0]

    ours, original = TWINS[name]
    assert kind(ours) == kind(original)


@each_twin
def test_numbers_of_segments_must_agree(twins):
    name = "corpus_gleu" if twins[0] is gleu_score else "corpus_nist"
    message = alike(lambda m: getattr(m, name)([REFS], []), twins)
    assert message[0][0] == "AssertionError"


@given(st.text("abc", max_size=9), st.integers(-1, 3), st.integers(-2, 5), st.booleans())
def test_everygrams(text, shortest, longest, pad):
    alike(lambda m: list(m.everygrams(text, shortest, longest, pad, left_pad_symbol="<s>")), TWINS["gleu"])


def test_everygrams_of_long_sequences_and_iterators():
    assert list(gleu_score.everygrams(iter("abc"))) == list(original_gleu.everygrams(iter("abc")))
    for module in TWINS["gleu"]:
        with pytest.raises(ValueError, match="257 items"):
            list(module.everygrams("a" * 257))


def test_replaced_names_have_the_same_effect():
    def score(module):
        with mock.patch.object(module, "everygrams", return_value=["x", "y"]):
            return module.corpus_gleu(*CORPUS)

    assert alike(score, TWINS["gleu"])[0] == ("float", "1.0")


@given(st.integers(0, 30) | st.floats(0, 9), st.integers(-1, 30) | st.floats(0, 9))
def test_length_penalties(ref_len, hyp_len):
    alike(lambda m: m.nist_length_penalty(ref_len, hyp_len), TWINS["nist"])
