# SPDX-License-Identifier: Apache-2.0
"""Arguments of all kinds, errors, warnings and replaced names have the effect that NLTK's have."""

import fractions
import warnings
from array import array
from collections import UserList, deque
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from support.twins_nltk import CORPUS, HYP, REFS, alike, check, method, ours, outcome


class Fold(str):
    """A word that equals its other cases: not to be compared by its text."""

    __slots__ = ()

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


class Segment(list):
    """A list that says it is longer than it is."""

    __slots__ = ()

    def __len__(self):
        return super().__len__() + 2


#: References and hypothesis, right and wrong, as users pass them.
SEGMENTS = {
    "strings": (["the cat"], "the bat"), "one string as references": ("the cat", "the bat"),
    "tuple": (tuple(map(tuple, REFS)), tuple(HYP)), "references not nested": (REFS[0], HYP),
    "no reference": ([], HYP), "empty reference": ([[]], HYP), "empty hypothesis": (REFS, []),
    "nothing at all": ([[]], []), "None as hypothesis": (REFS, None),
    "None as references": (None, HYP), "None as token": ([[None, "a", "b"]], [None, "a"]),
    "number as hypothesis": (REFS, 7), "number among references": ([7], HYP),
    "list as token": (REFS, ["the", ["cat"], "sat"]),
    "list as token of a reference": ([["the", ["cat"], "sat"]], HYP),
    "list within a tuple as token": ([[("a", [])]], [("a", [])]),
    "array": (np.array([[1, 2, 3], [1, 2, 4]]), np.array([1, 2, 2])),
    "strings of an array": ([list(np.array(["a", "b", "c"]))], ["a", "b", "d"]),
    "numbers of an array": ([list(np.array([1, 2, 3, 4, 5]))], [1, 2.0, True, 4]),
    "column": ([pd.Series(["a", "b", "c"])], pd.Series(["a", "b", "d"])),
    "deque": ([deque(REFS[0])], deque(HYP)),
    "subclass of list": ([Segment(REFS[0])], Segment(HYP)),
    "subclass of str": ([list(map(Fold, REFS[0]))], [Fold(word.upper()) for word in HYP]),
    "subclass of str among str": ([["the", Fold("Cat")]], ["THE", "cat", "the"]),
    "dict": ({("a", "b"): 0, ("b", "c"): 0}, {"a": 1, "b": 2, "c": 3}), "set": ([{"a"}], {"a"}),
    "range": ([range(9)], range(2, 8)), "bytes": ([b"abcdef"], b"abcd"),
    "array of the library": ([array("i", [1, 2, 3])], array("i", [1, 2, 2])),
    "bytes and strings": ([[b"a", "a"]], ["a", b"a"]),
    "surrogates": ([["\ud800", "b", "\udc00"]], ["\ud800", "b", "\udc01"]),
    "spaces and empty tokens": ([["a b", "", " ", "\n", "a"]], ["", "a", "b", " ", "\n"]),
    "same text in other forms": ([["\u00e9", "K"]], ["e\u0301", "\u212a"]),
    "long": ([["a", "b"] * 400, ["b"] * 300], ["a", "b", "b"] * 300),
    "one long token": ([["x" * 100_000, "y"]], ["x" * 100_000, "z"]),
    "wide numbers": ([[10**30, 2.5, -0.0]], [1e30, 10**30, 0, 5 / 2]),
}  # fmt: skip


@pytest.mark.parametrize("segment", SEGMENTS.values(), ids=SEGMENTS)
def test_segments_of_all_kinds(segment):
    references, hypothesis = segment
    default = (0.25,) * 4
    options = [(None, (0.5, 0.5)), (None, [(1,), (0.2,) * 5]), (None, default)]
    for name, weights in [*options, *((f"method{i}", default) for i in range(8))]:

        def scores(module, name=name, weights=weights):
            smooth = method(module, name)
            return module.sentence_bleu(references, hypothesis, weights, smooth, True)

        def corpus_scores(module, name=name, weights=weights):
            corpus = [REFS, references], [HYP, hypothesis]
            return module.corpus_bleu(*corpus, weights, method(module, name))

        alike(scores)
        alike(corpus_scores)
    for n in (1, 2, 4, 0, -1, 65, 10**12, True, 2.0, 1.5, None, "2", np.int64(2)):
        check("modified_precision", *segment, n)
    for length in (0, 3, 2.5, None):
        check("closest_ref_length", segment[0], length)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ((iter(r) for r in [REFS]), [HYP]), lambda: ([iter(REFS)], [HYP]),
        lambda: ([[iter(REFS[0])]], [HYP]), lambda: ([REFS], [iter(HYP)]),
        lambda: ([REFS], iter([HYP])), lambda: ((), ()), lambda: ([], []), lambda: ([REFS], []),
        lambda: ([], [HYP]), lambda: ([REFS, REFS], [HYP]), lambda: (None, [HYP]),
        lambda: ([REFS], 5), lambda: (REFS, [HYP]), lambda: (REFS, HYP), lambda: (REFS, [HYP, HYP]),
        lambda: ("ab", "cd"), lambda: ({0: REFS}, [HYP]),
        lambda: (tuple(CORPUS[0]), tuple(CORPUS[1])),
        lambda: (pd.Series(CORPUS[0]), pd.Series(CORPUS[1])),
        lambda: (np.array([[[1, 2, 3]], [[4, 5, 6]]]), np.array([[1, 2, 3], [4, 5, 5]])),
        lambda: (deque(CORPUS[0]), UserList(CORPUS[1])), lambda: ([REFS, []], [HYP, HYP]),
        lambda: ([[], []], [[], []]), lambda: ([[[]], [[]]], [[], []]),
        lambda: ([REFS, [[]]], [HYP, []]),
    ],
)  # fmt: skip
def test_corpora_of_all_kinds(make):
    for name in (None, "method6"):
        alike(lambda m: m.corpus_bleu(*make(), smoothing_function=method(m, name)))  # noqa: B023


@pytest.mark.parametrize(
    "weights",
    [
        (), [], [()], [(), (1,)], [(1,), ()], (1,), [1], 1, None, "abcd", ["ab"], {}, {0: (1,)},
        {0: {0: 1}}, (0, 0, 0, 0), (-1, 2), (float("nan"), 1), (float("inf"), 1), ("a", "b"),
        (None, None), (1000, 1000), (-1000, -1000), (1j, 1), [(1, 0), 5], [5, (1, 0)], (0.25,) * 64,
        (1 / 65,) * 65, [[0.25] * 4, [0.5, 0.5]], [(0.25,) * 4] * 3, ([0.25] * 4,),
        (fractions.Fraction(1, 4),) * 4, (True, False), range(1, 4), np.array([0.25] * 4),
        np.array([[0.25] * 4, [1, 0, 0, 0]]), np.array([[1, 2]]), np.float32([0.5, 0.5]),
        [np.array([0.5, 0.5])], array("d", [0.5, 0.5]), pd.Series([0.5, 0.5]), {0.5, 0.25},
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("reweigh", [False, True])
def test_weights_of_all_kinds(weights, reweigh):
    for references, hypothesis in ((REFS, HYP), ([["a", "b"]], ["a", "b"]), (REFS, ["x"])):
        check("sentence_bleu", references, hypothesis, weights, auto_reweigh=reweigh)
        corpus = [references, REFS], [hypothesis, HYP]
        alike(lambda m: m.corpus_bleu(*corpus, weights, method(m, "method1"), reweigh))  # noqa: B023


def test_the_modules_have_the_names_of_nltk():
    import truebleu.compat.nltk.translate.bleu_score as ours_of_translate
    from truebleu.compat.nltk.translate.nist_score import sentence_nist

    import truebleu.compat.nltk as ours_package
    from truebleu.compat.nltk import bleu_score, nist_score
    from truebleu.compat.nltk.translate import bleu

    assert ours_package.__getattr__("translate").bleu_score is bleu_score
    assert bleu_score is ours_of_translate
    assert bleu is bleu_score.sentence_bleu
    assert sentence_nist is nist_score.sentence_nist


def test_arguments_by_name_and_too_many():
    check("sentence_bleu", references=REFS, hypothesis=HYP)
    check("corpus_bleu", list_of_references=[REFS], hypotheses=[HYP])
    check("modified_precision", references=REFS, hypothesis=HYP, n=2)
    check("closest_ref_length", references=REFS, hyp_len=3)
    check("brevity_penalty", closest_ref_len=3, hyp_len=2)
    check("sentence_bleu", REFS)
    check("corpus_bleu", [REFS], hypothesis=[HYP])
    check("sentence_bleu", REFS, HYP, (1,), None, False, 6)


@pytest.mark.parametrize("padding", [{}, {"pad_left": True}, {"pad_right": True}, {"pad": 1}])
@pytest.mark.parametrize("n", [3, 2, 1, 0, -1, 99, "2", 2.0, None])
def test_ngrams_are_alike(n, padding):
    for make in (lambda: HYP, lambda: iter(HYP), lambda: "abc", list, lambda: 5):
        alike(lambda module, make=make: list(module.ngrams(make(), n, **padding)))


def test_warnings_come_from_the_module_and_can_be_made_errors():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ours.sentence_bleu([["a", "b"]], ["a", "c"])
    assert {warning.filename for warning in caught} == {ours.__file__}
    assert len(caught) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="0 counts of 2-gram"):
            ours.sentence_bleu([["a", "b"]], ["a", "c"])


#: Names that code replaces, by what.
REPLACED = {
    "sentence_bleu": lambda *_, **__: 0.5,
    "corpus_bleu": lambda *args, **_: len(args),
    "modified_precision": lambda _, hyp, n: fractions.Fraction(n, len(hyp) + 3),
    "closest_ref_length": lambda refs, _: max(map(len, refs)),
    "brevity_penalty": lambda r, c: 0.5 + c / (r + c),
    "ngrams": lambda sequence, n: zip(*(sequence[i:] for i in range(n)), sequence, strict=False),
    "Counter": lambda *args: __import__("collections").Counter(*(set(a) for a in args)),
    "Fraction": lambda top, bottom, _normalize: fractions.Fraction(top + 1, bottom + 1),
    "SmoothingFunction": lambda: mock.Mock(method0=lambda p_n, **_: [0.25 for _ in p_n]),
}


@pytest.mark.parametrize("name", REPLACED)
def test_replaced_names_have_the_same_effect(name):
    assert set(REPLACED) == set(ours.__all__) - {"math", "sys", "warnings"}

    def scores(module):
        smoothings = [None, *(method(module, f"method{i}") for i in range(8))]
        with mock.patch.object(module, name, REPLACED[name]):
            return [
                *(outcome(module.corpus_bleu, *CORPUS, smoothing_function=s) for s in smoothings),
                outcome(module.sentence_bleu, REFS, HYP),
                outcome(module.modified_precision, REFS, HYP, 2),
            ]

    alike(scores)
    assert scores(ours) != [outcome(ours.corpus_bleu, *CORPUS)] * 11


def test_inputs_are_not_changed():
    references, hypotheses = [[list(row) for row in REFS]], [list(HYP)]
    weights = [0.25] * 4
    for name in (f"method{i}" for i in range(8)):
        outcome(ours.corpus_bleu, references, hypotheses, weights, method(ours, name))
    assert (references, hypotheses, weights) == ([REFS], [HYP], [0.25] * 4)
