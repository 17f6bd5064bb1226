# SPDX-License-Identifier: Apache-2.0
"""Metrics, mbr and self-BLEU refuse what they cannot use by one line, which names it."""

from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from support.each_metric import CHRF_TER
from support.id_columns import HYPS, padded

import truebleu as tb
from truebleu import Ids, InputError, OptionError, mbr, pairwise, self_bleu

OTHERS = [make() for make in CHRF_TER]
CODE = tb.CodeBLEU("python", weights=(0.5, 0.5, 0, 0))

MANY = ["a b"] * 1_000_000
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

#: Texts, token ids and weights that cannot be used; more of them: tests/inputs.
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
    (lambda: mbr(["a", "b"], [1]), r"weights\[0\] has 1 number for 2 references"),
    (lambda: mbr(["a", "b"], [1, -1]), "negative or not finite"),
    (lambda: mbr(["a", "b"], [1, float("nan")]), "negative or not finite"),
    (lambda: mbr(["a", "b"], [0, 0]), "sum to 0"),
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
    (lambda: mbr(Ids(padded(HYPS), items=[0, 2, 2, 5])), r"candidates\[1\] is empty"),
    (lambda: mbr(Ids(padded(HYPS), items=[0, 7])), "items go from 0 to 7, and there are 5 rows"),
    (lambda: mbr(padded(HYPS), None, [padded(HYPS)] * 2), "nested too deep"),
    (lambda: mbr([[[1]], [[2]]], None, padded(HYPS)), "references has 1 source, candidates"),
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
]  # fmt: skip

#: Options that there are not.
OPTIONS = [
    (lambda: self_bleu(["a", "b"], definition="mean"), "definition cannot be 'mean'"),
    *((lambda name=name: self_bleu(["a", "b"], definition=name), "definition cannot be")
      for name in (None, 7, ["leave-one-out"], np.arange(2), {})),
    (lambda: self_bleu(["a", "b"], sample=1), "sample cannot be 1; .*whole number, 2 to 2"),
    (lambda: self_bleu(["a", "b"], sample=3), "sample cannot be 3"),
    (lambda: self_bleu(["a", "b"], sample=2.0), "sample cannot be 2.0"),
    (lambda: self_bleu(["a", "b"], sample=2, definition="pairwise"), "leave-one-out"),
    (lambda: tb.CodeBLEU(lang="pyhton"), "lang cannot be 'pyhton'; did you mean python"),
    (lambda: tb.CodeBLEU(lang=3), "lang cannot be '3'"),
    (tb.CodeBLEU, "CodeBLEU needs a programming language, lang or --lang: c, c_sharp"),
    (lambda: tb.CodeBLEU(lang="c", weights=(1, 2, 3)), "give four numbers"),
    (lambda: tb.CodeBLEU(lang="c", weights=(1, 2, 3, -1)), "give four numbers"),
    (lambda: tb.CodeBLEU(lang="c", weights=None), "give four numbers"),
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
    (lambda: tb.GLEU(tokenize="14a"), "tokenize cannot be '14a'"),
    (lambda: tb.CHRF(char_order=-1), "0 to 1000"),
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
]  # fmt: skip


@pytest.mark.parametrize(("error", "call", "message"), [
    *((InputError, *case) for case in INPUTS),
    *((OptionError, *case) for case in OPTIONS),
])  # fmt: skip
def test_it_is_refused(error, call, message):
    with pytest.raises(error, match=message):
        call()
