# SPDX-License-Identifier: Apache-2.0
"""Scorers that `identify` sees from outside: rows, home-made BLEUs, mistakes, other metrics.

`DEVELOPMENT` was written with the search, `HELD_OUT` after it was finished.
"""

import math
import re
from collections import Counter
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import sacrebleu
from nltk.translate import bleu_score, gleu_score, meteor_score, nist_score

from truebleu import BLEU, CHRF
from truebleu.compat.pycocoevalcap import Bleu


class BlackBox(NamedTuple):
    """A scorer; what it is: `exact`, or words of its mistake or metric; and how to call it."""

    name: str
    function: Any
    expected: str = "exact"
    call: str | None = None


#: Ways to call a metric, by name.
SIGNATURES = {
    "of_tokens": lambda m: lambda hypothesis, references: m.sentence(hypothesis, references).value,
    "of_dicts": lambda m: lambda gts, res: (
        m.corpus([res[i][0] for i in res], [gts[i] for i in res]).value, []),
    "of_keywords": lambda m: lambda *, references, predictions: {
        "precisions": [0.5], "bleu": m.corpus(predictions, references).value},
    "of_pairs": lambda m: lambda targets, outputs: m.corpus(outputs, [[t] for t in targets]).value,
    "of_streams": lambda m: lambda sys, streams: m.corpus(sys, list(zip(*streams, strict=True))),
    "of_one_pair": lambda m: lambda reference, candidate: round(
        m.sentence(candidate, reference).value, 4),
    "of_text": lambda m: lambda preds, refs: f"BLEU = {m.corpus(preds, refs).value!r}, fine",
    "as_percent": lambda m: lambda cand, ref: 100 * m.sentence(cand, [ref]).value / m.scale,
    "in_list": lambda m: lambda refs, hyps: [0.5, 0.25, 0.125, m.corpus(hyps, refs).value],
    "in_array": lambda m: lambda prediction, target: np.array([
        m.sentence(prediction, [target]).value]),
    "of_lines": lambda m: lambda output_lines, target_lines: (
        f"{m.corpus(output_lines, target_lines).value:.4f}"),
    "in_object": lambda m: lambda gold, predicted: SimpleNamespace(
        score=m.corpus(predicted, gold).value, bp=1.0),
    "of_corpora": lambda m: lambda references_corpus, candidate_corpus: m.corpus(
        candidate_corpus, references_corpus).value,
    "of_names": lambda m: lambda *, generated, ground_truth: {
        "score": m.sentence(generated, ground_truth).value},
}  # fmt: skip


def row(name, signature, **changes):
    """A row with changes, called through a signature."""
    call = "hyp, refs as tokens" if signature == "of_tokens" else None
    function = SIGNATURES[signature](BLEU(name, **changes))
    return BlackBox(f"{name} {changes} {signature}", function, "exact", call)


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def matches(hyp, refs, n, clip=Counter.__or__, grams=ngrams):
    union = Counter()
    for ref in refs:
        union = clip(union, grams(ref, n))
    return (grams(hyp, n) & union).total(), grams(hyp, n).total()


def closest(hyp, refs):
    return min((abs(len(ref) - len(hyp)), len(ref)) for ref in refs)[1]


def penalty(c, r):
    return 0.0 if c == 0 else 1.0 if c > r else math.exp(1 - r / c)


def geometric(pairs):
    if not all(m and t for m, t in pairs):
        return 0.0
    return math.exp(sum(math.log(m / t) for m, t in pairs) / len(pairs))


def paper(hyp, refs, read=str.split, orders=4, mean=geometric, bp=penalty, count=matches, ref=closest):
    """BLEU of one segment as in the paper, with parts to exchange."""
    h, rs = read(hyp), list(map(read, refs))
    return bp(len(h), ref(h, rs)) * mean([count(h, rs, n) for n in range(1, orders + 1)])


def of_corpus(hyps, refs, smooth=lambda sums: sums, zero=lambda sums, c: False):
    """BLEU of a corpus as in the paper."""
    pairs = [(h.split(), [r.split() for r in own]) for h, own in zip(hyps, refs, strict=True)]
    sums = np.sum([[matches(h, rs, n) for n in (1, 2, 3, 4)] for h, rs in pairs], axis=0)
    c, r = sum(len(h) for h, _ in pairs), sum(closest(h, rs) for h, rs in pairs)
    return 0.0 if zero(sums, c) else penalty(c, r) * geometric(smooth(sums.astype(float)))


def mean(values):
    return sum(values) / len(values)


def nltk(refs, hyp, method="method0", score=bleu_score.sentence_bleu, **options):
    smooth = getattr(bleu_score.SmoothingFunction(), method)
    return score(refs, hyp, smoothing_function=smooth, **options)


def add(k, first=0):
    return lambda pairs: geometric([(m + k, t + k) if n >= first else (m, t) for n, (m, t) in enumerate(pairs)])


def weighted(pairs, weights=(0.5, 0.3, 0.2)):
    logs = (w * math.log(m / t) for w, (m, t) in zip(weights, pairs, strict=True) if m)
    return math.exp(sum(logs)) if all(m for m, _ in pairs) else 0.0


def positive(pairs):
    logs = [math.log(m / t) / len(pairs) for m, t in pairs if m]
    return math.exp(sum(logs)) if logs else 0.0


def lengths(hyp, ref):
    return penalty(len(hyp), len(ref)) / (penalty(len(hyp.split()), len(ref.split())) or 1)


def common(hyp, ref):
    table = [[0] * (len(ref) + 1) for _ in range(len(hyp) + 1)]
    for i, a in enumerate(hyp):
        for j, b in enumerate(ref):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def contained(h, rs, n):
    grams = [" ".join(h[i : i + n]) for i in range(len(h) - n + 1)]
    return sum(gram in " ".join(rs[0]) for gram in grams), len(grams)


def divided(hyp, ref):
    logs = [math.log(m / t) for m, t in (matches(hyp.split(), [ref.split()], n) for n in (1, 2, 3, 4))]
    return min(1, math.exp(1 - len(ref.split()) / len(hyp.split()))) * math.exp(sum(logs) / 4)


NO_SYNONYMS = SimpleNamespace(synsets=lambda word: [])

DEVELOPMENT = [
    row("nltk", "of_tokens", max_ngram_order=3), row("coco-caption", "of_dicts"),
    row("hf-bleu", "of_keywords"), row("tensor2tensor", "of_pairs", lowercase=True),
    row("sacrebleu", "of_streams", tokenize="intl"), row("nltk-method2", "of_one_pair"),
    row("mteval-v13a", "of_text", lowercase=False), row("moses-sentence", "as_percent"),
    row("torchtext", "in_list", max_ngram_order=2), row("fairseq", "in_array"),
    row("nltk-method3", "of_tokens", weights=(0.5, 0.5)), row("multi-bleu", "of_dicts"),
    row("torchmetrics", "of_keywords", smooth_method="floor", smooth_value=0.1),
    row("sacrebleu", "of_pairs", tokenize="char", lowercase=True),
    row("paddlenlp", "of_streams"), row("nltk-method4", "of_one_pair"),
    row("keras-hub", "of_text", tokenize="13a"), row("code-summary", "as_percent"),
    row("sacrebleu", "in_list", smooth_method="none", ref_len="shortest"),
    row("llama-factory", "in_array"),
    BlackBox("nltk_sentence", bleu_score.sentence_bleu),
    BlackBox("nltk_corpus", lambda list_of_references, hypotheses: nltk(
        list_of_references, hypotheses, "method1", bleu_score.corpus_bleu)),
    BlackBox("nltk_lowercased", lambda reference, prediction: 100 * nltk(
        [reference.lower().split()], prediction.lower().split(), weights=(1, 0, 0, 0))),
    BlackBox("sacrebleu_corpus", sacrebleu.corpus_bleu),
    BlackBox("sacrebleu_sentence", lambda hyp, ref: (
        sacrebleu.sentence_bleu(hyp, [ref]).score / 100)),
    BlackBox("mean_of_nltk", lambda predictions, references: {"bleu": mean([
        nltk([r.split()], p.split(), "method1")
        for p, r in zip(predictions, references, strict=True)]), "count": len(predictions)}),
    BlackBox("captions", lambda gts, res: Bleu(4).compute_score(gts, res, verbose=0)),
    BlackBox("words_by_regex", lambda hyp, ref: nltk(
        [re.findall(r"\w+", ref)], re.findall(r"\w+", hyp), "method1")),
    BlackBox("of_the_paper", paper),
    BlackBox("bigrams_only_up_to_2", lambda candidate, reference: 100 * paper(
        candidate.lower(), [reference.lower()], orders=2)),
    BlackBox("corpus_of_the_paper", of_corpus),
    BlackBox("add_one", lambda hypothesis_tokens, reference_tokens: paper(
        hypothesis_tokens, [reference_tokens], read=list, mean=add(1))),
    BlackBox("unigrams_are_not_smoothed", lambda hyp, ref: paper(hyp, [ref], mean=add(1, 1))),
    BlackBox("epsilon_for_zero", lambda hyp, ref: paper(
        hyp, [ref], mean=lambda pairs: geometric([(m or 1e-9, max(t, 1)) for m, t in pairs]))),
    BlackBox("mean_of_papers", lambda hyps, refs: mean([
        paper(h, [r]) for h, r in zip(hyps, refs, strict=True)])),
    BlackBox("of_characters", lambda hyp, ref: paper(
        hyp, [ref], read=lambda text: list(text.replace(" ", "")))),
    BlackBox("own_weights", lambda hyp, ref: paper(
        hyp, [ref], orders=3, mean=weighted)),
    BlackBox("no_penalty", lambda hyp, refs: paper(hyp, refs, bp=lambda c, r: 1)),
    BlackBox("split_off_marks", lambda hyp, ref: paper(
        hyp, [ref], read=lambda text: re.sub(r"([.,!?])", r" \1 ", text).split())),
    BlackBox("without_punctuation", lambda hyp, ref: paper(
        hyp, [ref], read=lambda text: re.sub(r"[^\w\s]", "", text.lower()).split())),
    BlackBox("precision_of_words", lambda prediction, target: matches(
        prediction.split(), [target.split()], 1)[0] / len(prediction.split())),
    BlackBox("sets", lambda hyp, ref: paper(
        hyp, [ref], count=lambda h, rs, n: matches(
            h, rs, n, grams=lambda words, n: Counter(set(ngrams(words, n))))), "n-grams as sets"),
    BlackBox("summed_references", lambda hyp, refs: paper(
        hyp, refs, count=lambda h, rs, n: matches(h, rs, n, Counter.__add__)), "sum of all"),
    BlackBox("exchanged", lambda candidate, reference: paper(reference, [candidate])),
    BlackBox("arithmetic", lambda hyp, ref: paper(
        hyp, [ref], mean=lambda pairs: sum(m / max(t, 1) for m, t in pairs) / 4), "arithmetic"),
    BlackBox("off_by_one", lambda hyp, ref: paper(
        hyp, [ref], count=lambda h, rs, n: matches(
            h, rs, n, grams=lambda words, n: ngrams(words[:-1], n))), "last n-gram"),
    BlackBox("all_in_one", lambda hyps, refs: paper(" ".join(hyps), [" ".join(refs)]), "joins all"),
    BlackBox("best_reference", lambda hyp, refs: max(paper(hyp, [r]) for r in refs), "best score"),
    BlackBox("lengths_in_characters", lambda hyp, ref: lengths(hyp, ref) * paper(hyp, [ref]),
             "in characters"),
    BlackBox("rewards_length", lambda hyp, ref: paper(
        hyp, [ref], bp=lambda c, r: c and math.exp(1 - r / c)), "upper limit"),
    BlackBox("half_lowercased", lambda hyp, ref: paper(hyp.lower(), [ref]), "only hypotheses"),
    BlackBox("bleu_like", lambda hyp, ref: 2 * common(hyp.split(), ref.split()) / max(
        len(hyp.split()) + len(ref.split()), 1), "ROUGE-L (F1)"),
    BlackBox("google_bleu", lambda references, hypothesis: gleu_score.sentence_gleu(
        [r.split() for r in references], hypothesis.split()), "GLEU"),
    BlackBox("character_bleu", lambda hyps, refs: CHRF().corpus(hyps, refs).value, "chrF"),
    BlackBox("nist", lambda refs, hyps: nist_score.corpus_nist(refs, hyps, 5), "NIST"),
    BlackBox("truncated", lambda hyp, ref: paper(
        " ".join(hyp.split()[:100]), [" ".join(ref.split()[:100])]), "100 tokens"),
]  # fmt: skip

HELD_OUT = [
    row("odashi-mteval", "of_lines"), row("sacrebleu", "in_object", tokenize="zh"),
    row("nltk", "of_corpora", weights=(0.4, 0.3, 0.3)), row("gluonnlp-smooth", "of_names"),
    row("mteval-v14-intl", "in_list"), row("torchmetrics-sacre", "as_percent", lowercase=True),
    row("nltk-method1", "of_dicts", smooth_value=0.03), row("phrasal-nakov", "of_lines"),
    row("compare-mt", "in_object"), row("marian", "of_names"), row("bleu-score-js", "of_dicts"),
    row("sacrebleu", "of_corpora", smooth_method="add-k", max_ngram_order=2),
    row("texar", "in_list", lowercase=True), row("multi-bleu-detok", "as_percent"),
    BlackBox("nltk_with_own_weights", lambda hyps, refs: 100 * mean([
        nltk([r.split()], h.split()) for h, r in zip(hyps, refs, strict=True)])),
    BlackBox("sacrebleu_object", lambda hypothesis, references: sacrebleu.BLEU(
        effective_order=True, smooth_method="floor").sentence_score(hypothesis, references)),
    BlackBox("nltk_letters", lambda ref, hyp: nltk([list(ref)], list(hyp), "method3")),
    BlackBox("list_of_orders", lambda reference, hypothesis: nltk(
        [reference.split()], hypothesis.split(), weights=[(1 / n,) * n for n in (1, 2, 3, 4)])),
    BlackBox("with_numpy", lambda preds, golds: of_corpus(
        preds, [[g] for g in golds], lambda sums: np.add(sums, [[0], [1], [1], [1]]),
        lambda sums, c: c == 0 or sums[0][0] == 0)),
    BlackBox("shortest_reference", lambda candidate, references: paper(
        candidate, references, ref=lambda h, rs: min(map(len, rs)))),
    BlackBox("zero_when_short", lambda hyp, ref: round(
        paper(hyp, [ref]) if len(hyp.split()) >= 4 else 0.0, 3)),
    BlackBox("words_and_marks", lambda prediction, reference: paper(
        prediction, [reference], read=lambda text: re.findall(r"\w+|[^\w\s]", text.lower()))),
    BlackBox("trigrams", lambda hyp_tokens, ref_tokens: paper(
        hyp_tokens, [ref_tokens], read=list, orders=3)),
    BlackBox("skips_zeros", lambda hyp, refs: paper(hyp, refs, mean=positive)),
    BlackBox("seen_ngrams", lambda hyp, ref: paper(hyp, [ref], count=lambda h, rs, n: (
        len(ngrams(h, n).keys() & ngrams(rs[0], n).keys()), ngrams(h, n).total())), "matches as"),
    BlackBox("never_named", lambda hyps, refs: math.exp(mean([  # an aggregation of no tool
        math.log(paper(h, [r]) + 1e-3) for h, r in zip(hyps, refs, strict=True)])), "geometric"),
    BlackBox("other_half", lambda hypothesis, references: paper(
        hypothesis, [ref.lower() for ref in references]), "lowercases only references"),
    BlackBox("mean_over_references", lambda prediction, references: mean([
        nltk([r.split()], prediction.split(), "method1") for r in references]), "averages the"),
    BlackBox("recall", lambda candidate, reference: paper(
        candidate, [reference], count=lambda h, rs, n: (
            matches(h, rs, n)[0], ngrams(rs[0], n).total())), "n-grams of the reference"),
    BlackBox("product", lambda hyp, ref: paper(
        hyp, [ref], mean=lambda pairs: math.prod(m / max(t, 1) for m, t in pairs))),
    BlackBox("substrings", lambda hyp, ref: paper(
        hyp, [ref], orders=2, count=contained), "inside of words"),
    BlackBox("division", divided, "raises"),
    BlackBox("no_bleu_at_all", lambda reference, hypothesis: meteor_score.single_meteor_score(
        reference.split(), hypothesis.split(), wordnet=NO_SYNONYMS), "METEOR"),
    BlackBox("bigram_recall", lambda targets, predictions: mean([
        matches(p.split(), [t.split()], 2)[0] / max(len(t.split()) - 1, 1)
        for t, p in zip(targets, predictions, strict=True)])),
    BlackBox("letters_and_words", lambda hyps, refs: sacrebleu.corpus_chrf(
        hyps, [refs], word_order=2), "chrF"),
    BlackBox("jaccard", lambda hyp, ref: len({*hyp.split()} & {*ref.split()}) / max(
        len({*hyp.split()} | {*ref.split()}), 1), "Jaccard"),
]  # fmt: skip

#: Boxes that are not named: a mean that no tool takes, and a metric that is not among those tried.
MISSED = ("never_named", "no_bleu_at_all")
