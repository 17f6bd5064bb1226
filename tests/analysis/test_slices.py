# SPDX-License-Identifier: Apache-2.0
"""Scores of slices are scores of their segments alone."""

import pytest
from support.example_texts import HYPS, REFS, TWO_REFS

import truebleu as tb
from truebleu.analysis import slices

METRICS = [tb.BLEU(), tb.BLEU("nltk"), tb.CHRF(), tb.TER()]


def score_of(metric, rows):
    return metric.corpus([HYPS[i] for i in rows], [REFS[i] for i in rows]).value


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_labels(metric):
    labels = ["news" if i % 3 else "talk" for i in range(len(HYPS))]
    parts = slices.by_label(metric, {"A": metric.stats(HYPS, REFS)}, labels)
    assert [part.name for part in parts] == ["talk", "news"]
    for part in parts:
        rows = [i for i, label in enumerate(labels) if label == part.name]
        assert part.segments == len(rows)
        assert part.scores["A"].value == score_of(metric, rows)
    with pytest.raises(tb.InputError, match="47 labels for 48 segments"):
        slices.by_label(metric, {"A": metric.stats(HYPS, REFS)}, labels[1:])


def test_lengths():
    bleu = tb.BLEU()
    lengths = slices.reference_lengths(HYPS, TWO_REFS)
    assert lengths == [len(bleu.tokens(ref)) for ref in REFS]
    assert slices.length_labels([0, 10, 11, 60, 61]) == [
        "0\u201310", "0\u201310", "11\u201320", "51\u201360", "61+",
    ]  # fmt: skip
    parts = slices.by_length(bleu, {"A": bleu.stats(HYPS, REFS)}, lengths)
    assert [part.name for part in parts][:2] == ["0\u201310", "11\u201320"]
    assert sum(part.segments for part in parts) == len(HYPS)
    short = [i for i, length in enumerate(lengths) if length <= 10]
    assert parts[0].scores["A"].value == score_of(bleu, short)
