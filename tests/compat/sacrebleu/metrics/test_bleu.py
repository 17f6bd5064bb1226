# SPDX-License-Identifier: Apache-2.0
"""The drop-in's scores are sacreBLEU's: every attribute, every bit, every text."""

from __future__ import annotations

import copy
import pickle

import pytest
import sacrebleu as original
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora, segments
from support.twins_sacrebleu import TOKENIZERS, alike, described, settings, streams

from truebleu.compat import sacrebleu as ours


def through_hooks(module, **how):
    """A metric with a hook of its own, which goes the way of plain Python."""

    class Hooked(module.BLEU):
        def _preprocess_segment(self, sent):
            return super()._preprocess_segment(sent)

    return Hooked(**how)


@given(corpora(), settings())
def test_corpora(corpus, how):
    hyps, refs = corpus
    refs = streams(refs)
    pairs = []
    for module in (original, ours):
        bleu = module.BLEU(**how)
        score = bleu.corpus_score(hyps, refs)
        line = str(bleu.get_signature())
        kept = module.BLEU(**how, references=refs)
        function = {name: how[name] for name in ("tokenize", "lowercase", "smooth_method")}
        pairs.append(
            [
                described(score),
                line,
                bleu.get_signature().format(short=True),
                score.format(signature=line),
                score.format(3, is_json=True, signature=line),
                score.format(5, score_only=True),
                bleu._extract_corpus_statistics(hyps, refs),
                described(kept.corpus_score(hyps, None)),
                str(kept.get_signature()),
                described(through_hooks(module, **how).corpus_score(hyps, refs)),
                described(module.corpus_bleu(hyps, refs, **function)),
                kept._ref_cache,
            ]
        )
    assert pairs[1] == pairs[0]


@given(corpora(max_refs=4), settings())
def test_sentences(corpus, how):
    function = {name: how[name] for name in how if name != "max_ngram_order"}
    function["use_effective_order"] = function.pop("effective_order")
    for pair in zip(*corpus, strict=True):
        alike(lambda module, pair=pair: module.BLEU(**how).sentence_score(*pair))
        alike(lambda module, pair=pair: module.sentence_bleu(*pair, **function))
        alike(lambda module, pair=pair: through_hooks(module, **how).sentence_score(*pair))


@given(
    st.one_of(segments, st.text(st.characters(categories=("Cs", "Lu", "Po", "Zs", "Nd")))),
)
def test_tokenizers(text):
    for name in TOKENIZERS:
        mine, theirs = (module.metrics.bleu._get_tokenizer(name)() for module in (ours, original))
        assert mine(text) == theirs(text), name
    assert ours_regexp(text) == their_regexp(text)


def regexp(module):
    return __import__(
        f"{module.__name__}.tokenizers.tokenizer_re", fromlist=["TokenizerRegexp"]
    ).TokenizerRegexp()


ours_regexp, their_regexp = regexp(ours), regexp(original)


@given(
    st.lists(st.integers(0, 12), min_size=4, max_size=4),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
    st.integers(0, 20),
    st.integers(0, 20),
    settings(),
)
def test_compute_bleu(correct, more, sys_len, ref_len, how):
    total = [count + extra for count, extra in zip(correct, more, strict=True)]
    how = {name: how[name] for name in ("smooth_method", "smooth_value", "effective_order")}
    results = []
    for module in (original, ours):
        matches, totals = list(correct), list(total)
        score = module.BLEU.compute_bleu(matches, totals, sys_len, ref_len, **how)
        results.append((described(score), matches, totals))
    assert results[1] == results[0]


@pytest.mark.parametrize("method", ["exp", "floor", "add-k", "none"])
@pytest.mark.parametrize("as_array", ["int64", "float32", "float64"])
def test_compute_bleu_takes_numpy_rows(method, as_array):
    import numpy as np

    for row in ([9, 8, 5, 3, 1, 0, 9, 8, 7, 6], [3, 8, 2, 0, 0, 0, 3, 2, 1, 0]):
        scores = []
        for module in (original, ours):
            bleu = module.BLEU(smooth_method=method)
            given_row = np.array(row, dtype=as_array)
            scores.append((described(bleu._compute_score_from_stats(given_row)), list(given_row)))
        assert repr(scores[1]) == repr(scores[0])


def test_scores_are_copied_pickled_and_shown_whole():
    theirs, mine = (
        module.corpus_bleu(["a b c d e"], [["a b c d f"]]) for module in (original, ours)
    )
    assert list(vars(copy.copy(mine))) == list(vars(theirs))
    assert vars(pickle.loads(pickle.dumps(mine))) == vars(theirs)  # noqa: S301
    fresh = ours.corpus_bleu(["a b c d e"], [["a b c d f"]])
    assert (fresh.prec_str, fresh.ratio, fresh._verbose) == (
        theirs.prec_str,
        theirs.ratio,
        theirs._verbose,
    )
    assert repr(vars(fresh)) == repr(vars(theirs))
    fresh = ours.corpus_bleu(["a b c d e"], [["a b c d f"]])
    fresh.name, fresh.mine = "Mine", 3
    assert vars(fresh) == {**vars(theirs), "name": "Mine", "mine": 3}
    with pytest.raises(AttributeError, match="'BLEUScore' object has no attribute 'scores'"):
        _ = fresh.scores


def test_metrics_are_pickled():
    bleu = ours.BLEU(references=[["a b c d f"]])
    again = pickle.loads(pickle.dumps(bleu))  # noqa: S301
    assert again.corpus_score(["a b c d e"], None).score == 66.87403049764218


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("how", [{}, {"lowercase": True}, {"smooth_method": "add-k"}], ids=repr)
def test_the_kernel_scores_what_is_usual(name, how, monkeypatch):
    hyps, refs = ["a b c", "d \u00e9."], [["a b c", "d e."], [None, "d"]]

    def slow(*_):
        pytest.fail("the score came from plain Python")

    monkeypatch.setattr(ours.metrics.base.Metric, "corpus_score", slow)
    monkeypatch.setattr(ours.metrics.base.Metric, "sentence_score", slow)
    monkeypatch.setattr(ours.metrics.base.Metric, "_extract_corpus_statistics", slow)
    for kept in (None, refs, refs[:1]):
        bleu = ours.BLEU(tokenize=name, effective_order=True, references=kept, **how)
        bleu.corpus_score(hyps, refs if kept is None else None)
        bleu.corpus_score(tuple(hyps), refs[:1])
        bleu.sentence_score(hyps[0], refs[0][:1])
        bleu.sentence_score(hyps[0], [refs[0][0], None])
        bleu._extract_corpus_statistics(hyps, refs)
