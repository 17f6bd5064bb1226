# SPDX-License-Identifier: Apache-2.0
"""Each analysis refuses what it cannot use by one line, which names it."""

import sys

import numpy as np
import pytest
from support.example_texts import HYPS, NAMED, REFS, TWO_REFS
from support.simulated_systems import pair_of

import truebleu as tb
from truebleu.analysis.slices import by_label

SYSTEMS, STATS = NAMED, pair_of(30)
HUGE = {name: tb.Stats((np.asarray(rows) * 10**6).tolist()) for name, rows in STATS.items()}
LETTERS = {name: tb.CHRF().stats(hyps, REFS) for name, hyps in NAMED.items()}
NEWS = ["news"] * 48
LINE = "case:lc|tok:13a|smooth:exp"
PYTHON = [sys.executable, "-c", "raise SystemExit('usage')", "{hyps}", "{refs}"]


def compare(systems=SYSTEMS, refs=REFS, **options):
    return tb.compare(systems, refs, **options)


def strata(systems=None, **options):
    return tb.compare({**SYSTEMS, **(systems or {})}, REFS, **{"strata": NEWS, **options})


#: Texts, statistics and labels that cannot be used.
INPUTS = [
    (lambda: tb.contrast(["a"], ["a", "b"], ["a", "b"]), "a and b have 1 segment and 2 segments"),
    (lambda: tb.contrast(["a", "b"], ["a", "b"], ["a"]), "hyps has 2 segments, refs has 1"),
    (lambda: tb.contrast([], [], []), "hyps is empty"),
    (lambda: tb.contrast([[1]], [[1]], [[1]]), "a hold token ids"),
    (lambda: tb.contrast(*[["a", "b"]] * 3, domains=["x"]), "1 label for 2 segments"),
    (lambda: tb.contrast(*[["a", "b"]] * 3, documents=["x"]), "documents has 1 label for 2 segm"),
    (lambda: tb.diff(HYPS, REFS[:-1], "sacrebleu", "nltk"), "hyps has 48 segments, refs has 47"),
    (lambda: tb.diff([], [], "sacrebleu", "nltk"), "hyps is empty"),
    (lambda: tb.diff("a b", "a b", "sacrebleu", "nltk"), "hyps is one str"),
    (lambda: tb.survey([], []), "hyps is empty"),
    (lambda: tb.survey("a b", "a b"), "hyps is one str"),
    (lambda: tb.explain([], []), "hyps is empty"),
    (lambda: tb.explain(["a"], ["a", "b"]), "hyps has 1 segment, refs has 2"),
    (lambda: tb.explain("a", []), "has no reference"),
    (lambda: tb.explain(["a"], ["a"]).segment(0), "segments have numbers 1 to 1"),
    (lambda: tb.identify(lambda hyp, ref: 0.5), "no way to call f gives numbers"),
    (lambda: tb.reconcile([" "], ["a"], "27.3", dialects=["multi-bleu"]), "none of these tools ha"),
    (lambda: tb.reconcile([], [], "27.3"), "empty"),
    (lambda: tb.reconcile(HYPS[:2], REFS, "27.3"), "hyps has 2 segments, refs has 48"),
    (lambda: compare({}), "compare needs at least one system; got none"),
    (lambda: compare(3), "systems are 3; give a dict of names and hypotheses"),
    (lambda: compare([("A", REFS), ("A", REFS)]), "two systems are named 'A'; their names must di"),
    (lambda: compare({"A": REFS, "B": REFS[:5]}), "system 'B': hyps has 5 segments, refs has 48"),
    (lambda: compare({"A": REFS, "B": "one text"}), "system 'B': hyps is one str"),
    (lambda: compare({"A": REFS, "B": [3] * 48}), "system 'B': hyps"),
    (lambda: compare(documents=[1, 2]), "documents has 2 labels for 48 segments; give one for ea"),
    (lambda: compare(documents=5), "documents cannot be 5; give a label for each segment"),
    (lambda: compare(documents=[[1]] * 48), "give a label for each segment"),
    (lambda: compare(documents=[1] * 48), "compare needs at least two documents to draw from"),
    (lambda: compare({"A": ["a b"], "B": ["a c"]}, ["a b"]), "at least two segments to draw from"),
    (lambda: tb.compare(SYSTEMS), "only Stats are compared without refs"),
    (lambda: tb.compare({"A": STATS["A"], "B": STATS["B"][:20]}), "have 20 and 30 segments"),
    (lambda: tb.compare(STATS, max_ngram_order=2), "have order 4, but the metric order 2"),
    (lambda: compare({"A": ["", ""], "B": ["a", "b"]}, ["a", "b"], undefined="empty-hyp"),
     "system 'A' has no score in this dialect"),
    (lambda: tb.compare(HUGE, test="sacrebleu-bootstrap", resamples=10),
     "16777216 n-grams or more, .* use the test bootstrap"),
    (lambda: by_label(tb.BLEU(), STATS, ["x"]), "1 label for 30 segments"),
    (lambda: strata(strata=["x"]), "system 'aurora' has 48 segments, but strata has 1"),
    (lambda: strata({"x": [None] * 48}), "system 'x' has no hypotheses; leave it out"),
    (lambda: strata({"x": [None, "a"] * 24}), "stratum 'news': system 'x': "),
    (lambda: strata(documents=["d"]), "documents has 1 segment, but strata has 48"),
    *((lambda hyps=hyps, refs=refs: tb.check(hyps, refs), message)
      for hyps, refs, message in (
          ([], [], "hyps is empty"), (["a"], [], "refs is empty"), ("a", ["a"], "hyps is one str"),
          ([["a", "b"]], [["a b"]], r"hyps\[0\] is of type list"),
          ([None], ["a"], r"hyps\[0\] is of type NoneType"),
          (["a"], [[1]], r"refs\[0\] is of type int"),
          (["a", "b"], ["a", 1], r"refs\[1\] is of type int"),
          (["a\ud800"], ["a"], r"hyps\[0\] holds the lone surrogate U\+D800"))),
    *((lambda metric=metric: tb.compare(LETTERS, metric=metric), "the statistics")
      for metric in (tb.TER(), tb.CHRF(word_order=2), tb.BLEU())),
]  # fmt: skip

#: Options that cannot be used.
OPTIONS = [
    (lambda: tb.contrast(["a"], ["a"], ["a"], "fastai"), "fastai does not add the counts"),
    (lambda: tb.contrast(["a"], ["a"], ["a"], names=("x",)), "names has 1 name"),
    (lambda: tb.contrast(["a"], ["a"], ["a"], resamples=0), "resamples"),
    (lambda: tb.diff(HYPS, REFS, "sacreblue", "nltk"), "is named 'sacreblue'; did you mean"),
    (lambda: tb.diff(HYPS, REFS, "sacrebleu", "tok:13a|colour:blue"), "key"),
    (lambda: tb.survey(HYPS, REFS, lower=True), "no option is named 'lower'"),
    (lambda: tb.explain("a", "a", "sacreblue"), "no dialect is named 'sacreblue'; did you mean"),
    (lambda: tb.identify(max, call="hyp, reff"), "call cannot be 'hyp, reff'; did you mean hyp"),
    (lambda: tb.identify(lambda a: 1, call="hyp, ref"), "gives TypeError; check how to call it"),
    (lambda: tb.identify(["no-such-program", "{hyps}", "{refs}"]), "no such program"),
    (lambda: tb.identify(["cat", "{hyps}"]), r"has no \{hyps\} or no"),
    (lambda: tb.identify(PYTHON), "exit code 1: .*usage"),
    *((lambda name=name: tb.identify(name), "names no function|cannot be (imported|.*; give a)")
      for name in ("json", "no_module:f", "json:none", "json:__doc__")),
    (lambda: tb.reconcile(HYPS, REFS, "27.3", dialects=["nltq"]), "'nltq'; did you mean nltk"),
    (lambda: tb.reconcile(["a"], ["b"], "101", metric="chrf"), "chrF goes from 0 to 1 or from"),
    (lambda: tb.reconcile(["a"], ["b"], "10", metric="chr"), "cannot be 'chr'; did you mean chrf"),
    (lambda: tb.reconcile(["a"], ["b"], "10", metric="chrf", dialects=["nltk"]), "dialects are B"),
    *((lambda systems=systems, reported=reported: tb.reconcile(systems, TWO_REFS, reported),
       "give one score per system")
      for systems, reported in (({"a": HYPS, "b": REFS}, ["35.2"]), ({"a": HYPS}, {"b": "35.2"}),
                                ({}, []), ({"a": HYPS, "b": REFS}, "35.2"))),
    *((lambda reported=reported: tb.reconcile(HYPS, REFS, reported), "a reported score cannot be")
      for reported in ("", "abc", "nan", "inf", "-1", "-0.1", "100.1", "441", "27,3", True, None,
                       float("nan"), -3, 1e9)),
    (lambda: tb.verify(HYPS, REFS, LINE), "a signature needs its score"),
    (lambda: tb.verify(HYPS, REFS, "27.3", "27.3"), "is not key:value"),
    (lambda: tb.verify(HYPS, REFS, f"dialect:nltq|{LINE}", 27.3), "no dialect is named 'nltq'"),
    (lambda: compare(test="t-test"), "no test is named 't-test'"),
    (lambda: compare(test="permutatoin"), r"did you mean permutation\?"),
    (lambda: compare(test=["permutation"]), "no test is named"),
    (lambda: compare(correction="hol"), r"no correction is named 'hol'; did you mean holm\?"),
    (lambda: compare(correction="maxt", test="sacrebleu-ar"), "has no correction maxt; choose"),
    (lambda: compare(baseline=3), "no system is named '3'"),
    (lambda: compare(resamples=0), "resamples cannot be 0; it must be a whole number, 1 or more"),
    (lambda: compare(resamples=1.5), "resamples cannot be 1.5"),
    (lambda: compare(seed=-1), "the seed cannot be -1"),
    (lambda: compare(seed=None), "the seed cannot be None"),
    (lambda: compare(seed=2**64), "the seed cannot be 18446744073709551616"),
    (lambda: compare(alpha=0.0), "alpha cannot be 0.0"),
    (lambda: compare(alpha=5), "alpha cannot be 5"),
    (lambda: compare(dialect="nothing"), "nothing"),
    (lambda: compare(tokenize="nothing"), "nothing"),
    *((lambda other=other: compare(metric=tb.CHRF(), **other), f"metric has.*{next(iter(other))}")
      for other in ({"dialect": "nltk"}, {"lowercase": True}, {"threads": 2})),
    (lambda: compare(metric="comet"), "metric cannot be 'comet'; give one of bleu, chrf"),
    (lambda: strata(test="sacrebleu-ar"), "sacrebleu-ar has no strata; choose"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "message", "error"),
    [(*row, tb.InputError) for row in INPUTS] + [(*row, tb.OptionError) for row in OPTIONS],
    ids=[message for _, message in INPUTS + OPTIONS],
)
def test_a_mistake_is_one_line(call, message, error):
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
