# SPDX-License-Identifier: Apache-2.0
"""Peers that pip installs, each scored as its users do; see test_peers_faults.py."""

from __future__ import annotations

import warnings

import bleuscore
import pytest
import sacrebleu
from nltk.translate import bleu_score as nltk

from truebleu import DIALECTS


def by_sacrebleu(hyps, refs, **options):
    streams = [list(stream) for stream in zip(*refs, strict=True)]
    return sacrebleu.BLEU(**options).corpus_score(hyps, streams).score


def by_nltk(method):
    def score(hyps, refs):
        smooth = getattr(nltk.SmoothingFunction(), method)
        words = [[ref.split() for ref in row] for row in refs]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of method 0
            return nltk.corpus_bleu(words, [h.split() for h in hyps], smoothing_function=smooth)

    return score


def by_bleuscore(hyps, refs, smooth_method):
    assert smooth_method == "add-k-all"
    return bleuscore.compute(predictions=hyps, references=refs, smooth=True)["bleu"]


def by_compare_mt(hyps, refs):
    scorers = pytest.importorskip("compare_mt.scorers", reason="pip did not install compare-mt")
    words = [row[0].split() for row in refs], [hyp.split() for hyp in hyps]
    return scorers.BleuScorer().score_corpus(*words)[0]


def by_codebleu(hyps, refs):
    match = pytest.importorskip("codebleu.weighted_ngram_match", reason="codebleu is not installed")
    keywords = DIALECTS["codebleu-weighted"].count.keywords
    weighted = [
        [
            [ref.split(), {word: 1 if word in keywords else 0.2 for word in ref.split()}]
            for ref in row
        ]
        for row in refs
    ]
    return match.corpus_bleu(weighted, [hyp.split() for hyp in hyps])


#: What has the fault, by the row that reproduces it, where pip installs it.
PEERS = {
    "sacrebleu": by_sacrebleu,
    "nltk": by_nltk("method0"),
    **{f"nltk-method{i}": by_nltk(f"method{i}") for i in range(1, 8)},
    "bleuscore": by_bleuscore,
    "compare-mt": by_compare_mt,
    "codebleu-weighted": by_codebleu,
}
