# SPDX-License-Identifier: Apache-2.0
"""The examples as lists, and what they score: what other forms of the same texts must score too."""

from conftest import ROOT

from support.corpora import SUMMATION
from truebleu import BLEU


def lines(name):
    return (ROOT / "examples" / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


HYPS = lines("de-en/hyp.basalt.txt")
REFS = lines("de-en/ref.A.txt")
TWO_REFS = list(zip(REFS, lines("de-en/ref.B.txt"), strict=True))
RAGGED = [[a, b] if i % 3 else [a] for i, (a, b) in enumerate(TWO_REFS)]
METRIC = BLEU(summation=SUMMATION)
WHOLE = METRIC.corpus(HYPS, REFS)
WHOLE_OF_TWO = METRIC.corpus(HYPS, TWO_REFS)
