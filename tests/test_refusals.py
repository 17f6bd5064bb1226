# SPDX-License-Identifier: Apache-2.0
"""Functions refuse what they cannot use by one line, which names it."""

import sys
from functools import partial
from importlib import reload

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.each_metric import CHRF_TER
from support.example_texts import HYPS, METRIC, NAMED, REFS, TWO_REFS
from support.id_columns import HYPS as ROWS
from support.id_columns import padded
from support.simulated_systems import pair_of

import truebleu as tb
from truebleu import Ids, InputError, OptionError, mbr, pairwise, self_bleu
from truebleu.analysis.slices import by_label
from truebleu.charts import Look
from truebleu.charts.figure import render
from truebleu.compat.nltk.counts import count
from truebleu.inputs.segment_scores import segment_scores
from truebleu.integrations import duckdb, pandas, polars, ray, spark
from truebleu.integrations.huggingface import compute_metrics, reward
from truebleu.metrics.chrf import CHRFStats
from truebleu.metrics.ter import TERStats
from truebleu.text.normalizations import Normalization

OTHERS = [make() for make in CHRF_TER]
CODE = tb.CodeBLEU("python", weights=(0.5, 0.5, 0, 0))
MANY = ["a b"] * 1_000_000
DEEP = []
for _ in range(200_000):
    DEEP = [DEEP]
THREE, ITSELF = ["a", "b", "c"], []
ITSELF.append(ITSELF)
NOT_UTF8 = pa.array([b"a", b"a \xff"]).view(pa.string())
FRAME = pl.DataFrame({"hyp": HYPS, "ref": REFS})
COMPARED = tb.compare(NAMED, REFS, resamples=50)
#: Columns of pairs that no metric takes.
COLUMNS = [
    (("abc", None), "candidates is one str"),
    ((["a", None], None), r"candidates\[1\] is None"),
    ((["a"], ["b", 3]), r"references\[1\] is of type int"),
    ((["a"], [["b"]]), "tokenize both or neither"),
    (([["a"]], ["b"]), "tokenize both or neither"),
    (([[["a"]]], None), "nested too deep"),
    ((["a", "\ud800"], None), r"candidates\[1\] holds the lone surrogate"),
    ((["a"], ["b", "\ud800"]), r"references\[1\] holds the lone surrogate"),
]

SYSTEMS, STATS = NAMED, pair_of(30)
HUGE = {name: tb.Stats((np.asarray(rows) * 10**6).tolist()) for name, rows in STATS.items()}
COUNTED = METRIC.stats(HYPS, REFS)
SET = tb.TestSet("set", REFS, NAMED)
LETTERS = {name: tb.CHRF().stats(hyps, REFS) for name, hyps in NAMED.items()}
NEWS = ["news"] * 48
LINE = "case:lc|tok:13a|smooth:exp"
PYTHON = [sys.executable, "-c", "raise SystemExit('usage')", "{hyps}", "{refs}"]


def compare(systems=SYSTEMS, refs=REFS, **options):
    return tb.compare(systems, refs, **options)


def save(path="x.bleu", systems=None, refs=REFS, **options):
    return tb.save_run(path, systems or {"a": HYPS}, refs, **options)


def strata(systems=None, **options):
    return tb.compare({**SYSTEMS, **(systems or {})}, REFS, **{"strata": NEWS, **options})


#: Texts, token ids, statistics, weights and labels that cannot be used; more of them: inputs.
INPUTS = [
    (lambda: self_bleu([]), "texts has 0"),
    (lambda: self_bleu(["a"]), "at least two"),
    (lambda: self_bleu(["a"], definition="pairwise"), "at least two"),
    (lambda: self_bleu("ab"), "texts is one str"),
    (lambda: self_bleu(["a", None]), r"texts\[1\] is None"),
    (lambda: self_bleu(["a", "\ud800"]), r"texts\[1\] holds the lone surrogate"),
    (lambda: mbr([]), "candidates is empty"),
    (lambda: mbr([["a"], []]), r"candidates\[1\] is empty"),
    (lambda: mbr("abc"), "candidates is one str"),
    (lambda: mbr(["a", 3]), r"candidates\[1\] is of type int"),
    (lambda: mbr(["a", "b"], [1]), "weights has 1 number for 2 references"),
    (lambda: mbr(["a", "b"], [1, -1]), "finite numbers of 0 or more"),
    (lambda: mbr(["a", "b"], [1, float("nan")]), "finite numbers of 0 or more"),
    (lambda: mbr(["a", "b"], [0, 0]), "not all of them 0"),
    (lambda: mbr(["a", "b"], ["x", 1]), "not a number"),
    (lambda: mbr([["a"], ["b"]], [[1]]), "weights has 1 list for 2 sources"),
    (lambda: mbr(["a"], None, []), r"references\[0\] is empty"),
    (lambda: mbr([["a"], ["b"]], None, [["a"]]), "references has 1 source, candidates has 2"),
    (lambda: mbr([["a"], ["\ud800"]]), r"candidates\[1\] holds the lone surrogate"),
    (lambda: pairwise([[1, -7], [1]]), r"candidates\[0\] holds the id -7; ids are 0 or more"),
    (lambda: pairwise([[1]], [[1], "a"]), r"references\[1\] is of type str; it must be a list"),
    (lambda: mbr(Ids(np.array([1, 2, 3]), [0, 4])), "offsets go from 0 to 4, and there are 3"),
    (lambda: mbr([[1]], None, [[1, 2.0]]), r"references\[0\]\[1\] is of type float"),
    (lambda: self_bleu(np.array([[3, 1], [1, -1]])), r"texts\[1\] holds the id -1"),
    (lambda: self_bleu([[1], [1, 2.0]], definition="pairwise"), r"\[1\]\[1\] is of type float"),
    (lambda: pairwise([[1]], ["a"]), "candidates hold token ids, but references hold strings"),
    (lambda: pairwise([["a"]], [[1]]), "references hold token ids; tokenize both or neither"),
    (lambda: pairwise([[[1]]]), "candidates are nested too deep; each is a row"),
    (lambda: pairwise(["a"], pad_id=0), "pad_id and eos_id mark token ids, but candidates hold"),
    (lambda: self_bleu(["a", "b"], eos_id=0), "pad_id and eos_id mark token ids, but texts hold"),
    (lambda: mbr([[1], [2]], group=3), "2 segments, not a multiple of group=3"),
    (lambda: mbr([[1], [2]], None, [[1]], group=1), "1 segment, not a multiple of 2 sources"),
    (lambda: mbr(np.zeros((2, 2, 2), int), group=2), "group= needs a flat column"),
    (lambda: mbr(np.zeros((2, 2, 2))), "ids are of type float64"),
    (lambda: mbr(np.zeros((2, 0, 2), int)), "candidates is empty"),
    (lambda: mbr(Ids(padded(ROWS), items=[0, 2, 2, 5])), r"candidates\[1\] is empty"),
    (lambda: mbr(Ids(padded(ROWS), items=[0, 7])), "items go from 0 to 7, and there are 5 rows"),
    (lambda: mbr(padded(ROWS), None, [padded(ROWS)] * 2), "nested too deep"),
    (lambda: mbr([[[1]], [[2]]], None, padded(ROWS)), "references has 1 source, candidates"),
    (lambda: mbr([[1], [2]], [1.0, 2.0, 3.0]), "has 3 numbers for 2 references"),
    (lambda: mbr([[1], [2]], [1.0], group=1), "weights has 1 number for 2 references"),
    (lambda: mbr([["a"]], pa.array([b"\xff"]).view(pa.string())), "weights hold"),
    (lambda: mbr(MANY), r"this takes up to 8000\.0 GB of memory, but "),
    (lambda: pairwise(MANY), r"8000\.0 GB of memory, but \d+\.\d GB are free; "),
    (lambda: tb.BLEU().corpus([[10**50]], [[1]]), r"hyps\[0\]\[0\] is a number of more than 40"),
    (lambda: tb.NIST().corpus(["a"], [["a"] * 23]), "TER and NIST take at most 22"),
    *((lambda columns=columns, metric=metric: pairwise(*columns, metric=metric), message)
      for metric in ("bleu", "chrf", "ter") for columns, message in COLUMNS),
    *((lambda call=call, ids=ids, metric=metric: call(ids, metric=metric),
       r"candidates\[0\] holds token ids, .*strings")
      for call in (pairwise, mbr) for ids in ([[1, 2, 3], [4, 5]], np.array([[1, 2], [3, 4]]))
      for metric in OTHERS),
    *((lambda score=score, columns=columns, marks=marks: score(*columns, **marks), message)
      for metric in OTHERS
      for score in (metric.corpus, metric.sentences, metric.stats, metric.accumulator().update)
      for columns, marks, message in (
          (([[1, 2]], [[1, 2]]), {}, r"hyps\[0\] holds token ids, .*; give strings"),
          ((["a"], [[1, 2]]), {}, "refs hold token ids, but hyps hold strings"),
          ((["a"], ["a"]), {"pad_id": 0}, "pad_id and eos_id mark token ids"))),
    (lambda: OTHERS[0].pairwise(["a"], pad_id=0), "pad_id and eos_id mark token ids, .*leave them"),
    (lambda: CODE.corpus(["x", ["x", "="]], ["x", "x"]),
     r"hyps\[1\] is a list of tokens; CodeBLEU needs code"),
    (lambda: CODE.corpus(["x", "y"], ["x"]), "each hypothesis needs its entry"),
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
    (lambda: compare(documents=5), "documents cannot be 5; give one per segment"),
    (lambda: compare(documents=[[1]] * 48), "give one per segment"),
    (lambda: compare(documents=[1] * 48), "compare needs at least two documents to draw from"),
    (lambda: compare({"A": ["a b"]}, ["a b"], strata=["x"]), "at least two segments to draw from"),
    (lambda: tb.compare(SYSTEMS), "only Stats are compared without refs"),
    (lambda: tb.compare({"A": STATS["A"], "B": STATS["B"][:20]}), "have 20 and 30 segments"),
    (lambda: tb.compare(STATS, max_ngram_order=2), "have orders 4, but the metric orders 2"),
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
    *((lambda metric=metric, rows=rows: metric.score(rows), message) for metric, rows, message in (
        (tb.BLEU(max_ngram_order=2), COUNTED, "have orders 4, but the metric orders 2"),
        (METRIC, tb.Stats([[0] * 8], 3), "have orders 3, but the metric orders 4"),
        (OTHERS[0], COUNTED, "are Stats, not CHRFStats"),
        (OTHERS[0], tb.TER().stats(HYPS, REFS), "TERStats, not CHRFStats"),
        (OTHERS[0], tb.CHRF(char_order=3).stats(HYPS, REFS), "char_order 3, word_order 0, but the"),
        (tb.TER(), TERStats(), "give at least one row"), (METRIC, COUNTED[:0], "at least one"))),
    (lambda: METRIC.parts(tb.BLEU(max_ngram_order=2).stats([[1]], [[1]])), "order"),
    (lambda: CHRFStats([[1, 2]]), "give 18"),
    *((lambda row=row: tb.Stats([row]), "row 1") for row in (
        [1, 2], ["a"] * 10, [2**63] + [0] * 9, [None] * 10, [1.5] + [0] * 9, 5, None, 1.5)),
    *((lambda make=make, orders=orders: make(orders), "order")
      for make in (partial(tb.Stats, []), partial(tb.Stats.from_buffer, b""))
      for orders in (0, -1, True, 2.0, None, "4", 1 << 40, 1 << 63)),
    *((lambda part=part: tb.Stats.concat([COUNTED, part]), "Stats")
      for part in ("a", None, 5, (1, 2), np.zeros((1, 10)))),
    *((lambda other=other: COUNTED + other, "do not add")
      for other in (COUNTED[1:], tb.BLEU(max_ngram_order=2).stats(HYPS, REFS))),
    (lambda: METRIC.corpus(iter(()), confidence=0.95), "give hyps and refs"),
    *((lambda hyps=hyps, tokenize=tokenize: tb.corpus_bleu(
          hyps, hyps, normalize="quotes", tokenize=tokenize),
       "normalize changes text; give strings")
      for hyps in ([["a"]], [[5]], pa.array([["a"]])) for tokenize in ("13a", str.split)),
    (lambda: METRIC.sentences(np.ones((6, 3), int), [[1]] * 2),
     r"hyps has 6 segments, refs has 2; .*, or set group=3"),
    (lambda: METRIC.sentences([[1, 2], [3, 4]], [[1, 2]]),  # a row of ids is no column of segments
     "refs has 1; each hypothesis needs its entry"),
    (lambda: METRIC.sentences([[1]] * 6, [[1]] * 2, group=4), "each group of 4 hypotheses needs"),
    (lambda: METRIC.sentences(  # streams, whose lengths are not known before they are read
        *(pa.table({"ids": [[1]] * count}).to_reader() for count in (6, 2)), group=4),
     "hyps has 6 segments, refs has 2 for groups of 4"),
    (lambda: METRIC.sentences([[1], [1]], [[[1], [2]], [[1], [-1]]]), r"refs\[1\] holds the id -1"),
    (lambda: METRIC.sentences([[1]] * 4, [[1], [-1]], group=2), r"refs\[1\] holds the id -1"),
    (lambda: METRIC.sentences([[1]], [[[[1]]]]), "nested too deep"),
    (lambda: METRIC.sentences(["a"], ["a"], pad_id=0), "pad_id and eos_id mark token ids"),
    (lambda: Ids(np.ones(3, int)), "ids are 1-D; give 2-D"),
    *((lambda make=make, offsets=offsets: METRIC.sentences(
          make(offsets), [[1]] * (np.size(offsets) - 1)), f"{name} {message}")
      for make, name, unit in (
          (lambda offsets: Ids(np.array([1, 2, 3]), offsets), "offsets", "values"),
          (lambda offsets: Ids(np.ones((3, 2), int), items=offsets), "items", "rows"))
      for offsets, message in (
          ([0, 3, 1], "descend from 3 to 1"), ([0, 4], f"go from 0 to 4, and there are 3 {unit}"),
          ([-1, 3], "go from -1 to 3"), (np.array([0.0, 3.0]), "are 1-D float64"),
          ([], "are 1-D float64; they must be 1-D integers"), ([[0, 3]], "are 2-D"))),
    (lambda: Ids(np.ones((2, 2), int), [0, 1, 2]), "ids are 2-D; they must be 1-D"),
    (lambda: Ids(np.ones((1, 1, 1), int), items=[0, 1]), "items are given for a 3-D array"),
    *((lambda call=call, rows=rows: call(rows),
       "hold token ids; give strings or lists of words")
      for rows in ([[1, 2], [3, 4]], np.array([[1, 2], [3, 4]])) for call in (
          lambda rows: tb.explain(rows, rows), lambda rows: tb.check(rows, rows),
          lambda rows: tb.explain(rows[0], [rows[1]], segment=True),
          lambda rows: tb.reconcile(rows, rows, 50))),
    (lambda: tb.streams(["a"], ["a", "b"]), "1 and 2"), (tb.streams, "one column"),
    (lambda: tb.streams(["a"], "a"), "column 2"), (lambda: OTHERS[0].column(DEEP, 7), "type list"),
    *((lambda draw=draw: draw(), message) for draw, message in (
        (lambda: tb.plot(SYSTEMS, REFS, "losses", metric=tb.CHRF()), "score of 'aurora' is chrF2"),
        (lambda: tb.plot({"A": REFS}, REFS, "scores"), "two systems"),
        (lambda: tb.plot({}, REFS, "losses"), "no system to draw"),
        (lambda: tb.plot([("A", REFS), ("A", REFS)], REFS, "lengths"), "two systems"),
        (lambda: tb.plot({"A": REFS[1:]}, REFS, "precisions"), "47 segments"))),
    *((lambda sets=sets: tb.campaign(sets), message) for sets, message in (
        ([], "there is no test set"), ([3], "a test set cannot be 3"),
        ([SET, SET], "two test sets are named 'set'"),
        ([tb.TestSet("x", ["a"], {"s": ["a", "b"]})], "x: system 's': 2 segments, but refs has 1"),
        ([tb.TestSet("x", ["a"], {"s": ["a"]}, labels=["x", "y"])], "labels: 2 segments"),
        ([tb.TestSet("x", ["a"], {"s": [3]})], "x: system 's': "))),
    *((lambda call=call, other=other: call(METRIC.accumulator(), other), message)
      for other in (None, 7, "x", [1], np.arange(2), FRAME, COUNTED) for call, message in (
          (tb.Accumulator.merge, "is not an accumulator"),
          (tb.Accumulator.load_state_dict, "not a state of "),
          (lambda own, other: own.load_state_dict({"signature": other, "state": []}),
           "not a state of .* but of"))),
    *((lambda metric=metric: metric.corpus(NOT_UTF8, ["a", "b"]), r"hyps\[1\] is not UTF-8 from")
      for metric in OTHERS),
    *((lambda call=call: call(), "hyps holds text that is not UTF-8") for call in (
        lambda: tb.reconcile(NOT_UTF8, ["a", "b"], "12.3"),
        lambda: tb.BLEU(tokenize=str.split).corpus(NOT_UTF8, NOT_UTF8),
        lambda: tb.corpus_bleu([NOT_UTF8], [["a", "b"]]))),
    (lambda: METRIC.corpus(["a"] * 4, pa.chunked_array([[["a"], ["b"]], [["a"], None]])),
     r"refs\[3\] is null; it must be a list"),
    *((lambda values=values: METRIC.corpus(
          pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), values), ["a", "b"]),
       "cast it to strings, or lists of strings")
      for values in (pa.array([1, 2]), pa.array([["a"], ["b"]]))),
    *((lambda scores=scores: segment_scores({"comet": scores}, ["A"], 1),
       "scores 'comet': 0 of A, not one for each segment")
      for scores in ([1.0], {"B": [1.0]})),
    *((lambda call=call: call(), "nested too deep") for call in (
        lambda: tb.corpus_bleu(ITSELF, ITSELF), lambda: tb.corpus_bleu([["a"]], ITSELF),
        lambda: pairwise(ITSELF), lambda: mbr(ITSELF), lambda: OTHERS[0].corpus(ITSELF, ["a"]),
        lambda: tb.BLEU(tokenize=str.split).corpus(["a"], [ITSELF]))),
    *((lambda refs=refs: tb.corpus_bleu(THREE, refs), r"pass refs=truebleu.streams\(\*refs\)")
      for refs in (
          [THREE, THREE], [THREE], (tuple(THREE),) * 4, np.array([THREE, THREE]),
          [np.array(THREE)] * 2, [pd.Series(THREE)] * 2, [pa.array(THREE)] * 2)),
    (lambda: tb.corpus_bleu(THREE, iter([THREE, THREE])), "pass refs=truebleu.streams"),
    (lambda: METRIC.corpus([["hi im sam today"]], [["a"]]), r"hyps\[0\] holds 'hi im sam today', not a word"),
    (lambda: METRIC.corpus([("a b",), "c"], [["a"], ["c"]]), r"hyps\[1\] is of type str; it must be a list"),
    (lambda: METRIC.sentence(["a", "b c"], ["a", "b c"]), "holds 'b c', not a word"),
    *((lambda blank=blank: METRIC.sentence(["a", "b"], [f"a{blank}b"]), r"refs\[0\] .*not a word")
      for blank in (" ", "\t", "\u00a0", "\u3000")),
    (lambda: tb.sentence_bleu(["the", "cat"], ["the cat"]), r"refs\[0\] holds 'the cat'"),
    (lambda: tb.campaign([tb.TestSet("x", [], {"A": []})]), "x: refs is empty"),
    (lambda: METRIC.sentence(["a"], [["b"], ["a "]]), r"refs\[0\] holds 'a ', not a word"),
    (lambda: pairwise([["a"], ["b c"]]), r"candidates\[1\] holds 'b c'"),
    (lambda: self_bleu([["a"], ["b c"]]), r"texts\[1\] holds 'b c'"),
    *((lambda words=words: tb.corpus_bleu(HYPS, REFS, tokenize=lambda _: words), "tokenizer")
      for words in ([1.5], [1, "a"], [None], [b"a"], b"a", 7, None)),
    (lambda: save(metrics=[]), "at least one system and one metric"),
    (lambda: save(refs=REFS[:-1]), "hyps has 48 segments, refs has 47"),
    (lambda: save(refs=[ref.split() for ref in REFS], systems={"a": [h.split() for h in HYPS]}),
     "scores of text, not of tokens"),
]  # fmt: skip

#: Options that there are not, and values that they cannot have; more of them: test_errors.py.
OPTIONS = [
    (lambda: tb.sentence_bleu("a", ["a"], group=2), "cannot be 2; .* so group is 1"),
    (lambda: self_bleu(["a", "b"], definition="mean"), "definition cannot be 'mean'"),
    *((lambda name=name: self_bleu(["a", "b"], definition=name), "definition cannot be")
      for name in (None, 7, ["leave-one-out"], np.arange(2), {})),
    (lambda: self_bleu(["a", "b"], sample=3), "sample cannot be 3; .*whole number, 2 to 2"),
    (lambda: self_bleu(["a", "b"], sample=2, definition="pairwise"), "leave-one-out"),
    (lambda: tb.CodeBLEU(lang="pyhton"), "lang cannot be 'pyhton'; did you mean python"),
    (lambda: tb.CodeBLEU(lang=3), "lang cannot be 3; it must be a name"),
    (tb.CodeBLEU, "CodeBLEU needs a programming language"),
    (lambda: tb.CodeBLEU(lang="c", weights=(1, 2, 3)), "give 4 numbers of 0 or more"),
    (lambda: tb.CodeBLEU(lang="c", weights=(1, 2, 3, -1)), "give 4 numbers of 0 or more"),
    (lambda: tb.CodeBLEU(lang="c", weights=None), "give 4 numbers of 0 or more"),
    (lambda: tb.CodeBLEU(lang="c", keep_zero="no"), "keep_zero cannot be 'no'"),
    *((lambda call=call: call(tb.NIST()), r"name them first: NIST\(info=refs\)")
      for call in (tb.NIST.accumulator, lambda nist: nist.pairwise(["a"], ["a"]),
                   lambda nist: mbr(["a", "b"], metric=nist))),
    (lambda: tb.NIST(order=23), "must be 22 or less"),
    (lambda: tb.BLEU(empty="skip"), "set join=mean"),
    (lambda: tb.BLEU(max_ngram_order=1_000_000_000), "max_ngram_order cannot be 1000000000"),
    (lambda: tb.GLEU(min_len=3, max_len=2), 'max_len cannot be "2"; it must be 3 to 1000'),
    (lambda: tb.GLEU(min_len=0), "min_len cannot be 0"),
    (lambda: tb.GLEU(smooth_method="exp"), "GLEU has no option 'smooth_method'"),
    (lambda: tb.GLEU(tokenise="13a"), "GLEU has no option 'tokenise'; did you mean tokenize"),
    (lambda: tb.GLEU(tokenize="14a"), "tokenize cannot be '14a'"),
    (lambda: tb.CHRF(char_order=0), "cannot both be 0"),
    (lambda: tb.CHRF(beta=None), "number"),
    (lambda: tb.CHRF(beta=-1), "0 or more"),
    (lambda: tb.CHRF(tie="shorter"), "first, longer"),
    (lambda: tb.CHRF(order=6), "char_order"),
    (lambda: tb.CHRF(threads=0), "threads"),
    *((lambda ignore=ignore: tb.CrystalBLEU(ignore=ignore), "ignore cannot have")
      for ignore in ("ab", [()], [("a", 1)], ["a b"], 5)),
    (lambda: tb.trivial_ngrams(["a"], k=-1), "k cannot be"),
    *((lambda call=call, mark=mark: call([[1], [2]], eos_id=mark), "eos_id")
      for call in (pairwise, mbr, self_bleu) for mark in (1.0, "0", True, 1 << 63)),
    (lambda: CODE.pairwise(["x", "y"]), "use sentences"),
    (lambda: mbr(["x", "y"], metric=CODE), "use sentences"),
    *((lambda call=call, other=other: call(["a", "b"], metric=OTHERS[0], **other),
       "metric has its own options")
      for call in (pairwise, mbr)
      for other in ({"threads": 1}, {"dialect": "nltk"}, {"lowercase": True})),
    *((lambda name=name: pairwise(["a"], metric=name), "give one of bleu, chrf, .*, or a metric")
      for name in ("comet", tb.CHRF)),
    (lambda: pairwise(["a"], metric="chrf", dialect="nltk"), "has no option 'dialect'"),
    (lambda: pairwise(["a"], smooth="exp"), "smooth_method"),
    *((lambda call=call, how=how: call(**how), message)
      for call in (partial(tb.explain, ["a"], ["a"]), partial(self_bleu, ["a", "b"]))
      for how, message in (({"metric": OTHERS[0]}, "only BLEU"),
                           ({"dialect": OTHERS[0]}, "a metric is not a dialect"))),
    (lambda: tb.diff(["a"], ["a"], OTHERS[0], "nltk"), "a metric is not a dialect"),
    *((lambda metric=metric: tb.parse_signature(metric.signature),
       "this signature is of another metric") for metric in (*OTHERS, CODE)),
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
    (lambda: compare(seed=None), "the seed cannot be None"),
    (lambda: compare(alpha=0.0), "alpha cannot be 0.0"),
    (lambda: compare(alpha=5), "alpha cannot be 5"),
    (lambda: compare(dialect="nothing"), "nothing"),
    (lambda: compare(tokenize="nothing"), "nothing"),
    *((lambda other=other: compare(metric=tb.CHRF(), **other), f"metric has.*{next(iter(other))}")
      for other in ({"dialect": "nltk"}, {"lowercase": True}, {"threads": 2})),
    (lambda: compare(metric="comet"), "metric cannot be 'comet'; give one of bleu, chrf"),
    (lambda: strata(test="sacrebleu-ar"), "sacrebleu-ar has no strata; choose"),
    (lambda: tb.Accumulator(3), "metric cannot be 3"),
    (lambda: pl.col("hyp").bleu.score("ref", metric=METRIC, lowercase=True),
     "has its own options; pass lowercase"),
    (lambda: pd.DataFrame({"hyp": HYPS, "ref": REFS}).bleu.corpus(metric="comet"),
     "metric cannot be 'comet'; give one of bleu, chrf"),
    *((lambda name=name: tb.BLEU(normalize=name), "normalize cannot be")
      for name in ("quote", "python[ae-12345678]", 5, None)),
    *((lambda level=level: METRIC.corpus(HYPS, REFS, confidence=level), "confidence cannot be")
      for level in (1, 0.0, 1.0, "95", float("nan"))),
    (lambda: METRIC.sentences([[1]], [[1]], group=None), "group"),
    (lambda: tb.BLEU(pad_id=0), r"how to read ids; pass it to BLEU\(\).corpus"),
    *((lambda mark=mark: METRIC.sentences([[1]], [[1]], **mark), next(iter(mark)))
      for name in ("pad_id", "eos_id") for value in (1.0, "0", True, 1 << 63, [0, None],
                                                     np.array([0.5])) for mark in ({name: value},)),
    *((lambda text=text: tb.parse_signature(text), "string")
      for text in (None, 5, b"tok:13a", ["tok:13a"], np.zeros(2))),
    *((lambda changes=changes: tb.corpus_bleu(["a"], ["a"], **changes), next(iter(changes)))
      for name in ("lowercase", "effective_order", "max_ngram_order", "smooth_value", "tokenize")
      for value in (np.array([]), np.array([1, 2]), pa.array([1]), [True])
      for changes in ({name: value},)),
    *((lambda changes=changes: tb.corpus_bleu(["a"], ["a"], **changes), f"{next(iter(changes))} ca")
      for changes in ({"smooth_value": 10**400}, {"weights": [10**400]}, {"smooth_value": np.inf})),
    (lambda: tb.corpus_bleu(["a"], ["a"], lowercase=DEEP), "lowercase cannot be of type list;"),
    (lambda: tb.corpus_bleu(["a"], ["a"], lowercase="\n" + "a" * 10_000),
     r"^lowercase cannot be '(\\n|a)+\.\.\.; .{10,40}$"),
    (lambda: tb.reconcile(["a"], ["a"], DEEP), "a reported score cannot be"),
    (lambda: tb.dialect(DEEP), "no dialect is named 'of type list'"),
    (lambda: tb.scan("x", "a", "b", on_error=np.zeros(2)), "on_error cannot be"),
    *((lambda options=options: tb.corpus_bleu(HYPS, REFS, **options), named)
      for options, named in (
          ({"smooth_method": "add-k", "smooth_value": float("nan")}, "smooth_value.*nan"),
          ({"smooth_method": "add-k", "smooth_value": float("inf")}, "smooth_value.*inf"),
          ({"weights": [0.5, 0.5], "max_ngram_order": 4}, "2 numbers.*4"),
          ({"tokenize": "13b"}, "'13b'.*13a"), ({"tokenize": "flores20"}, "flores200"),
          ({"tokenise": "13a"}, "'tokenise'.*tokenize"), ({"smooth_method": "flor"}, "floor"),
          ({"dialect": "sacrebleau"}, "'sacrebleau'.*sacrebleu"), ({"dialect": 3}, "3"),
          ({"threads": 2**70}, "threads"))),
    *((lambda result=result, options=options: tb.plot(result, **options), message)
      for result in (METRIC.corpus(HYPS, REFS), COMPARED)
      for options, message in (
          ({"kind": "lengths"}, "unknown kind 'lengths'"),
          ({"collors": "dark"}, "did you mean colors"),
          ({"refs": REFS}, "plot of a result has no option 'refs'"),
          ({"dialect": "nltk"}, "plot of a result has no option 'dialect'"),
          ({"metric": tb.CHRF()}, "plot of a result has no option 'metric'"))),
    *((lambda args=args, systems=systems: tb.plot(systems, REFS, **args), message)
      for systems, args, message in (
          (SYSTEMS, {"kind": "precision"}, "did you mean precisions"),
          (SYSTEMS, {"kind": "groups"}, "needs documents"),
          (SYSTEMS, {"kind": "dialects"}, "kind dialects shows one system"),
          ({"A": REFS}, {"kind": "dialects", "metric": tb.TER()}, "one system"),
          (SYSTEMS, {"kind": "precisions", "lower": True}, "'lower'"),
          (SYSTEMS, {"kind": "precisions", "look": "dark"}, "look cannot be 'dark'"))),
    *((lambda look=look: Look(**look), message) for look, message in (
        ({"width": "sinlge"}, "did you mean single"),
        ({"width": 5}, "the width cannot be 5; it must be 100 to 4000 points"),
        ({"height": float("nan")}, "the height cannot be nan"),
        ({"size": "big"}, "the size cannot be 'big'"), ({"colors": "drak"}, "did you mean dark"))),
    *((lambda change=change: tb.campaign([SET], **change), message) for change, message in (
        ({"test": "sacrebleu-ar"}, "no test of averages is named 'sacrebleu-ar'"),
        ({"correction": "none"}, "no correction is named 'none'"),
        ({"metrics": ["blue"]}, "metric cannot be 'blue'"),
        ({"alpha": 2.0}, "alpha cannot be 2.0"))),
    *((lambda tokenizer=tokenizer, options=options: compute_metrics(tokenizer, **options), message)
      for tokenizer, options, message in (
          (object(), {"metrics": ["chrf", tb.CHRF(), tb.CHRF()]}, "twice; name it once"),
          (object(), {"metrics": "chrf", "lowercase": True}, "lowercase: for BLEU"),
          (object(), {"metrics": [METRIC], "lowercase": True}, "metric has its own options"),
          (object(), {"metrics": "comet"}, "metric cannot be 'comet'"),
          (None, {"metrics": ["bleu", "chrf"]}, "give the tokenizer"))),
    *((lambda options=options: reward(**options), message) for options, message in (
        ({"metric": tb.CHRF(), "beta": 3}, "own options"),
        ({"metric": "chrf", "dialect": "nltk"}, "no option 'dialect'"),
        ({"metric": "nist"}, "from 0 to 1, but NIST has no highest score"))),
    *((lambda options=options: save(**options), message) for options, message in (
        ({"metrics": tb.BLEU(tokenize=str.split)}, "cannot name a function"),
        ({"metrics": tb.BLEU(normalize=Normalization("ae", "ae", str.lower, "æ"))},
         "a normalization of your own"),
        ({"metrics": tb.CrystalBLEU()}, "a run file has no CrystalBLEU"),
        ({"tags": {"a": float("nan")}}, "tag 'a' cannot be nan"),
        ({"tags": {"a": 10**400}}, "tag 'a' cannot be 1000"),
        ({"tags": {"a": "\ud800"}}, "tag 'a' cannot be"), ({"tags": {"\ud800": 1}}, "cannot be 1"),
        ({"tags": {"a": [[1]]}}, "tag 'a' cannot be"))),
    *((lambda name=name: tb.plot(COMPARED).save(name),
       r"suffix.*; figures are written as \.svg, \.pdf, \.png")
      for name in ("figure.gif", "figure")),
    *((lambda method=method, metric=metric: getattr(
          tb.scan(FRAME.iter_slices(), "hyp", "ref", by="hyp"), method)(metric),
       "give one of bleu, chrf, .*, or a metric")
      for method in ("score", "groups") for metric in (None, "sacrebleu", 4)),
    *((lambda call=call, value=value: call(value), "it must be true or false")
      for value in (np.arange(2), FRAME) for call in (
          lambda value: pairwise(HYPS, exact=value), lambda value: mbr([HYPS], exact=value),
          lambda value: METRIC.column("texts", HYPS, once=value),
          lambda value: METRIC.sentence("a", "a").format(signature=value),
          lambda value: METRIC.sentence("a", "a").format(short=value),
          lambda value: OTHERS[0].corpus(HYPS, REFS).format(short=value),
          lambda value: tb.write_report("none.html", SYSTEMS, REFS, force=value),
          lambda value: tb.explain(HYPS, REFS).format(color=value),
          lambda value: tb.explain(HYPS, REFS, segment=value))),
    *((lambda names=names, result=result: result.format(names),
       r"^names cannot be .*; give 1, one for each reference")
      for result in (tb.verify(HYPS, REFS, LINE, 3), tb.reconcile(HYPS, REFS, 3, dialects="nltk"))
      for names in ("ref", ["a", "b"], [], [1], {}, 7, np.arange(2), FRAME)),
    *((lambda pair=pair: COMPARED.differences(pair), "is not a pair of this comparison")
      for pair in (None, ("aurora", "basalt"), COUNTED, FRAME)),
    *((lambda names=names: COMPARED.pair(*names), "the systems are aurora, basalt, cinder")
      for names in (("aurora", "C"), ("aurora", "aurora"), (["aurora"], "basalt"))),
    *((lambda options=options: tb.BLEU(**options), hint) for options, hint in (
        ({"tokenize": "flores"}, r"'flores'; did you mean flores200 or flores101\?"),
        ({"tokenize": "abc"}, "'abc'; known: none, 13a"), ({"foo": 1}, "'foo'; known"), ({"strict": 1}, "'; known"),
        ({"tokenize": "spacy"}, "'spacy'; give the function"),
        ({"dialect": "moses"}, "'moses'; its scripts are multi-bleu"),
        ({"dialect": "evaluate"}, "'evaluate'; its bleu is hf-bleu"),
        ({"dialect": "nothing"}, "'nothing'; truebleu dialects lists all"),
        ({"dialect": "sacreblue"}, "'sacreblue'; did you mean sacrebleu"),
        ({"force": 1}, "leave it out"), ({"smoth": 1}, "did you mean smooth_"), ({"dialect": "WMT"}, "mteval-v13a$"),
        ({"dialect": "c++"}, r"'c\+\+'; truebleu dialects"), ({"tokenize": "wmt"}, "'wmt'; known"),
        *(({name: "zh"}, r"did you mean target_language\?") for name in ("trg_lang", "tgt_lang", "target_lang")),
        ({"n_bootstrap": 9}, "pass confidence=0.95"), ({"confidence": 0.9}, "pass it to its method corpus"))),
    *((lambda make=make: make(n_bootstrap=9), "pass confidence=0.95") for make in (tb.CHRF, tb.TER, tb.GLEU, tb.NIST)),
    (lambda: tb.CodeBLEU("c++"), r"'c\+\+'; did you mean cpp\?"),
    (lambda: tb.CodeBLEU("C#"), r"'C#'; did you mean c_sharp\?"),
    (lambda: tb.CHRF(bta=2), "CHRF has no option 'bta'; did you mean beta"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [*((InputError, *case) for case in INPUTS), *((OptionError, *case) for case in OPTIONS)],
)
def test_it_is_refused_and_nothing_is_written(error, call, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("column", [list, tuple, iter, pa.array, pl.Series])
@pytest.mark.parametrize("word", ["a b", "abc\x1f", "abcdefgh ij", "\x85\xe9", "\xe9\xa0", "好\u3000", "😀 "])
def test_no_word_of_any_segment_may_have_blanks_and_more(word, column):
    words = [["a", " ", "\xa0", "\u3000", "", "été", "好"]] * 10_000
    wrong = [*words[:5_000], ("a", word), *words[5_001:]]
    assert METRIC.corpus(column(words), column(words)) > 99
    for name, columns in (("hyps", (wrong, words)), ("refs", (words, wrong))):
        with pytest.raises(InputError, match=rf"{name}\[5000\] holds '.*', not a word"):
            METRIC.corpus(*map(column, columns))
    whole = tb.BLEU(tokenize=lambda text: [text.replace("-", word)], max_ngram_order=1)
    assert min(whole.corpus(["-"], ["-"]), *whole.pairwise(["-"], ["-"])[0]) > 99
    assert count([[[word]]], [[word]], 1) == ([1], [1], 1, 1)


#: Libraries that calls need, and the extra of ours that has them.
MISSING = [
    *((name, name, lambda module=module: reload(module).corpus(None))
      for name, module in (("polars", polars), ("pandas", pandas), ("duckdb", duckdb))),
    *((library, extra, call)
      for library, extra, door in (("ray", "ray", ray), ("pyspark", "spark", spark))
      for call in (partial(door.corpus, None), partial(door.with_scores, None),
                   partial(door.compare, None, "a", "b"))),
    *((library, "report", lambda: render(tb.Figure(tb.plot(SYSTEMS, REFS).chart), "svg"))
      for library in ("altair", "vl_convert")),
    *((library, extra, partial(tb.BLEU, tokenize=tokenize)) for library, extra, tokenize in (
        ("MeCab", "ja", "ja-mecab"), ("mecab_ko", "ko", "ko-mecab"), ("jieba", "jieba", "jieba"),
        ("sentencepiece", "spm", f"spm:{__file__}"), ("sacremoses", "moses", "moses:de"),
        ("tokenizers", "hf", "hf:x.json"), ("nltk", "nltk", "nltk"))),
]  # fmt: skip


@pytest.mark.parametrize(("library", "extra", "call"), MISSING)
def test_a_missing_library_is_named_by_what_installs_it(library, extra, call, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr("truebleu.metrics.metric._BUILT", {})  # where the library may be used
    with pytest.raises(tb.MissingExtraError, match=rf"pip install 'truebleu\[{extra}\]'"):
        call()
