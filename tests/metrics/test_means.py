# SPDX-License-Identifier: Apache-2.0
"""Means of segments and what they leave out, several orders at once, and swapped sides."""

import json

import numpy as np
import pytest
from support.command import in_process, truebleu

import truebleu as tb

HYPS = ["the cat sat on the mat", "", "a b", "x y z w v", " "]
REFS = ["the cat is on the mat", "a b c", "a b", "", "q"]


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk-method1", "hf-bleu"])
def test_a_mean_is_the_mean_of_the_sentences(dialect):
    bleu = tb.BLEU(dialect, join="mean", empty="zero")
    for size in (1, 2, 3):
        values = np.nan_to_num(bleu.sentences(HYPS[:size], REFS[:size]))
        mean = bleu.corpus(HYPS[:size], REFS[:size]).value
        assert mean == pytest.approx(values.mean(), abs=1e-11 * bleu.scale, rel=0)


@pytest.mark.parametrize(("empty", "left"), [("skip", [0, 2]), ("skip-hyp", [0, 2, 3]), ("skip-ref", [0, 1, 2, 4])])
def test_a_mean_counts_what_it_skips(empty, left):
    bleu = tb.BLEU(join="mean", empty=empty)
    score = bleu.corpus(HYPS, REFS)
    assert score.value == pytest.approx(bleu.sentences(HYPS, REFS)[left].mean())
    assert score.skipped == len(HYPS) - len(left) == score.to_dict()["skipped"]
    assert f"skipped = {score.skipped})" in str(score)
    assert f"join:mean|empty:{empty}" in score.signature
    assert tb.parse_signature(bleu.signature) == bleu.dialect
    assert bleu.corpus(["", "a b"], ["", "a b"]).value == pytest.approx(100)
    parts = [bleu.stats(HYPS[:2], REFS[:2]), bleu.stats(HYPS[2:], REFS[2:])]
    assert bleu.score(tb.Stats.concat(parts)).value == score.value


def test_several_weights_give_several_scores():
    weights = [(1,), (0.5, 0.5), (0.25,) * 4]
    hyps, refs = ["the cat sat on the mat", "a b c d e"], ["the cat is on the mat", "a b c d f"]
    scores = tb.corpus_bleu(iter(hyps), iter(refs), "nltk-method1", weights=weights)
    assert [score.value for score in scores] == [
        tb.corpus_bleu(hyps, refs, "nltk-method1", weights=own).value for own in weights
    ]
    sentence = tb.sentence_bleu(hyps[0], refs[0], "nltk", weights=weights[:2])
    assert [score.value for score in sentence] == [
        tb.sentence_bleu(hyps[0], refs[0], "nltk", weights=own).value for own in weights[:2]
    ]


def test_a_single_order_is_named():
    score = tb.corpus_bleu(["a b c d e"], ["a b c x e f"], weights=(0, 1, 0, 0))
    assert str(score).endswith(" of 2-grams alone, not cumulative BLEU-2")
    assert "alone" not in str(tb.corpus_bleu(["a b"], ["a b"], weights=(1, 0)))
    assert "alone" not in str(tb.corpus_bleu(["a b"], ["a b"], weights=(0.5, 0.5)))


def test_orders_are_columns(tmp_path):
    hyp, ref = tmp_path / "hyp", tmp_path / "ref"
    hyp.write_text("the cat sat on the mat\na c\n")
    ref.write_text("the cat is on the mat\na b\n")
    shown = truebleu("score", ref, "-i", hyp, ref, "-m", "bleu", "ter", "--orders").decode()
    assert shown.split()[:6] == ["System", "BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "TER"]
    printed = json.loads(truebleu("score", ref, "-i", hyp, "--orders", "-f", "json"))
    score = tb.corpus_bleu(tb.read_lines(hyp), tb.read_lines(ref))
    assert [entry["value"] for entry in printed["scores"]] == list(score.cumulative)
    done = in_process("score", ref, "-i", hyp, "--orders", "--join", "mean")
    assert done.returncode == 2
    assert "max_ngram_order" in done.stderr.decode()


def test_swapped_sides():
    hyps, refs = ["a b c d e", "x"], ["a b c d e f", ["x y"]]
    swapped = tb.BLEU(swap=True)
    right = tb.BLEU().corpus(["a b c d e f", "x y"], ["a b c d e", "x"])
    assert swapped.corpus(hyps, refs).value == right.value
    assert swapped.sentence("a", "a b").value == tb.sentence_bleu("a b", "a").value
    assert "swap:yes" in swapped.signature
    with pytest.raises(tb.InputError, match="one string for swap"):
        swapped.corpus(["a"], [["a", "b"]])
