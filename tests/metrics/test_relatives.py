# SPDX-License-Identifier: Apache-2.0
"""NIST is mteval's, GLEU NLTK's and Hugging Face's, CrystalBLEU that of its package."""

import json
import math
import sys
from collections import Counter

import pytest
from conftest import ROOT
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from nltk.translate.nist_score import corpus_nist, sentence_nist
from support.corpora import corpora, present

import truebleu as tb
from truebleu import BLEU, GLEU
from truebleu.metrics.gleu import GLEUStats
from truebleu.metrics.nist import NISTStats
from truebleu.spec.numbers import ngrams

MTEVAL = json.loads((ROOT / "tests" / "golden" / "nist.json").read_text())["corpora"]

close = pytest.approx
HYPS = ["the cat is on the mat", "it was late", "a dog"]
REFS = [["the cat sat on the mat", "a cat sat"], ["it is late"], ["the dog ran", "a dog ran home"]]

WORDS = ["a", "b", "c", "é", "日本", "🙂", "Donaudampfschifffahrt"]
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=20)


def expected(hyps, refs, order, info):
    """NIST as mteval computes it, from lists of words; `info` are all references."""
    counts = sum((ngrams(ref, n) for ref in info for n in range(1, order + 1)), Counter())
    total = sum(map(len, info))
    sums = [0.0] * order
    for hyp, row in zip(hyps, refs, strict=True):
        for n in range(1, order + 1):
            of_hyp, most = ngrams(hyp, n), Counter()
            for ref in row:
                most |= ngrams(ref, n)
            for gram, count in (of_hyp & most).items():
                if gram in counts:
                    before = counts[gram[:-1]] if n > 1 else total
                    sums[n - 1] += count * math.log2(before / counts[gram])
    totals = [sum(ngrams(hyp, n).total() for hyp in hyps) for n in range(1, order + 1)]
    bits = sum(gain / max(count, 1) for gain, count in zip(sums, totals, strict=True))
    length = sum(sum(map(len, row)) / len(row) for row in refs)
    ratio = min(1.0, totals[0] / length) if length else 0.0
    return bits * math.exp(math.log(0.5) * (math.log(ratio) / math.log(1.5)) ** 2) if ratio else 0.0


@pytest.mark.parametrize("case", MTEVAL, ids=range(len(MTEVAL)))
def test_it_is_mtevals(case):
    hyps, refs = [row[0] for row in case["rows"]], [row[1:] for row in case["rows"]]
    nist = tb.NIST(tokenize="none")
    assert nist.corpus(hyps, refs).value == close(case["corpus"], rel=1e-12)
    assert nist.sentences(hyps, refs).tolist() == close(case["sentences"], rel=1e-12)


@given(corpora(), st.integers(1, 6))
def test_all_of_unicode(corpus, order):
    hyps, refs = corpus[0], present(corpus[1])
    nist = tb.NIST(order=order)
    split = [[nist.tokens(ref) for ref in row] for row in refs]
    info = [ref for row in split for ref in row]
    tokens = [nist.tokens(hyp) for hyp in hyps]
    value = nist.corpus(hyps, refs).value
    assert value == close(expected(tokens, split, order, info), rel=1e-12, abs=1e-15)
    assert nist.sentences(hyps, refs).tolist() == [
        close(expected([hyp], [row], order, info), rel=1e-12, abs=1e-15) for hyp, row in zip(tokens, split, strict=True)
    ]


segments = st.tuples(words, st.lists(words, min_size=1, max_size=4))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sums that are equal differ in last bits")
@given(st.lists(segments, min_size=1, max_size=9), st.integers(1, 6))
def test_with_the_best_reference_it_is_nltks(rows, order):
    hyps, refs = [list(column) for column in zip(*rows, strict=True)]
    assume(any(len(hyp) >= order for hyp in hyps))
    nist = tb.NIST("nltk", order=order)
    assert nist.corpus(hyps, refs).value == close(corpus_nist(refs, hyps, order), rel=1e-12)
    hyp, row = next(pair for pair in zip(hyps, refs, strict=True) if len(pair[0]) >= order)
    assert nist.sentence(hyp, row).value == close(sentence_nist(row, hyp, order), rel=1e-12)


def test_information_of_other_references():
    nist = tb.NIST(info=[["a b c d"], None, ["a b", None, "c"], float("nan")])
    split = [text.split() for text in ("a b c d", "a b", "c")]
    for hyp, ref in (("a b", "a b"), ("c d x", "c d e"), ("x", "x")):
        assert nist.sentence(hyp, ref).value == close(expected([hyp.split()], [[ref.split()]], 5, split), rel=1e-12)
    assert nist.pairwise(["a b", "d"], ["a c", "d"]).tolist() == [
        [nist.sentence(hyp, ref).value for ref in ("a c", "d")] for hyp in ("a b", "d")
    ]


def test_batches_have_the_information_of_all_references(tmp_path):
    """Accumulators are tested with all metrics of texts: test_family.py."""
    whole = tb.NIST().corpus(HYPS, REFS)
    assert tb.NIST(info=REFS).corpus(HYPS, REFS).stats == whole.stats
    path = tmp_path / "rows.jsonl"
    rows = [{"hyp": hyp, "refs": row} for hyp, row in zip(HYPS, REFS, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scan = tb.scan(path, hyp="hyp", ref="refs", batch_size=1)
    assert tb.NIST().corpus(scan).value == whole.value
    assert tb.NIST(info=scan).corpus(HYPS, REFS).value == whole.value


def test_rows_of_different_references_do_not_mix():
    nist = tb.NIST()
    stats, other = nist.stats(HYPS, REFS), nist.stats(HYPS[:1], REFS[:1])
    assert nist.score(stats).value == nist.corpus(HYPS, REFS).value
    with pytest.raises(tb.InputError, match="do not mix"):
        NISTStats.concat([stats, other])
    with pytest.raises(tb.InputError, match="counted with"):
        tb.NIST(info=REFS).score(other)
    shuffled = tb.NIST(info=[row[::-1] for row in REFS[::-1]])
    assert shuffled.signature == tb.NIST(info=REFS).signature  # the n-grams are the same
    assert shuffled.score(stats).value == nist.score(stats).value


def test_ids_have_information_too():
    texts = [*HYPS, *(ref for row in REFS for ref in row)]
    ids = {word: i for i, word in enumerate(sorted(set(" ".join(texts).split())))}
    hyps = [[ids[word] for word in hyp.split()] for hyp in HYPS]
    refs = [[[ids[word] for word in ref.split()] for ref in row] for row in REFS]
    assert tb.NIST().corpus(hyps, refs).value == tb.NIST().corpus(HYPS, REFS).value


def test_edges():
    assert tb.NIST().corpus([""], [""]).value == 0.0
    assert tb.NIST().corpus(["a"], [""]).value == 0.0
    assert tb.NIST().corpus([""], ["a"]).value == 0.0
    score = tb.NIST(order=2).corpus(["a b"], ["a b"])
    assert score.counts() == {
        "hyp_len": 2, "ref_len": 2.0, "info_1": 2.0, "total_1": 2, "info_2": 0.0, "total_2": 1,
    }  # fmt: skip
    assert score.value == 1.0
    assert str(score) == "NIST = 1.0000"


phrases = st.lists(st.sampled_from(["aab", "c", "é", "日本", "🙂", "donaudampfschifffahrt"]), max_size=70)
orders = st.tuples(st.integers(1, 5), st.integers(1, 7)).map(sorted)


@given(st.lists(st.tuples(phrases, st.lists(phrases, min_size=1, max_size=4)), min_size=1, max_size=12), orders)
def test_lists_of_words_are_scored_as_nltk_scores_them(segments, orders):
    least, most = orders
    hyps, refs = [list(column) for column in zip(*segments, strict=True)]
    gleu = GLEU(min_len=least, max_len=most)
    assert gleu.corpus(hyps, refs).value == corpus_gleu(refs, hyps, least, most)
    assert gleu.sentences(hyps, refs).tolist() == [
        sentence_gleu(row, hyp, least, most) for hyp, row in zip(hyps, refs, strict=True)
    ]


@given(corpora(max_refs=3))
def test_texts_are_scored_as_google_bleu(corpus):
    hyps, refs = corpus
    tokens = BLEU("hf-bleu").tokens
    split = [[tokens(ref) for ref in row] for row in present(refs)]
    expected = corpus_gleu(split, [tokens(hyp) for hyp in hyps])
    assert GLEU(**_reading("hf-bleu")).corpus(hyps, refs).value == expected


def _reading(name):
    parts = BLEU(name).dialect.parts()[:2]
    return {option: value for part in parts for option, value in vars(part).items()}


def test_of_several_references_the_best_counts_and_of_equal_ones_the_first():
    assert GLEU().stats(["a b"], [["x", "a b c", "a b c d"]])[0] == (3, 6)
    assert GLEU().stats(["a b"], [["a", "a b c d"]])[0] == (1, 3)  # 3 of 10 are less
    assert GLEU(max_len=1).stats(["a"], [["b", "c d"]])[0] == (0, 1)
    assert GLEU(max_len=1).stats(["a"], [["c d", "b"]])[0] == (0, 2)
    assert GLEU().corpus([""], [""]).value == 0.0


def test_its_score_shows_what_it_is():
    score = GLEU(lowercase=True, tokenize="none").corpus(["The cat"], ["the cat sat"])
    assert score.scale == 1
    assert str(score) == "GLEU = 0.5000"
    assert score.to_dict() == {
        "name": "GLEU", "value": 0.5, "scale": 1, "match": 3, "total": 6,
        "signature": score.signature,
    }  # fmt: skip
    assert score.signature.startswith("nrefs:1|case:lc|tok:none|unicode:lower-")
    assert score.signature.endswith("|min_len:1|max_len:4|version:3.10.4")
    assert GLEUStats([[3, 6]]).sum() == score.stats


GOLDEN = json.loads((ROOT / "tests" / "golden" / "crystalbleu.json").read_text("utf-8"))["corpora"]


@pytest.mark.parametrize("case", GOLDEN, ids=range(len(GOLDEN)))
def test_it_is_the_packages(case):
    ignore = [tuple(ngram.split()) for ngram in case["ignore"]]
    for dialect, value in (("nltk", case["none"]), ("nltk-method1", case["method1"])):
        crystal = tb.CrystalBLEU(dialect, ignore=ignore)
        assert crystal.corpus(case["hyps"], case["refs"]).value == value


@given(corpora())
def test_without_ngrams_it_is_bleu(corpus):
    for dialect in ("nltk", "sacrebleu"):
        crystal, bleu = tb.CrystalBLEU(dialect), tb.BLEU(dialect)
        assert list(crystal.stats(*corpus)) == list(bleu.stats(*corpus))
        assert crystal.corpus(*corpus).value == bleu.corpus(*corpus).value
        assert crystal.corpus(*corpus).to_dict()["scale"] == bleu.scale
        assert crystal.sentences(*corpus).tolist() == bleu.sentences(*corpus).tolist()


@given(corpora(), st.integers(0, 30), st.integers(1, 6))
def test_ngrams_are_left_out(corpus, k, order):
    hyps, refs = corpus[0], present(corpus[1])
    texts = [ref for row in refs for ref in row]
    ignore = tb.trivial_ngrams(texts, k, max_ngram_order=order)
    crystal = tb.CrystalBLEU(ignore=ignore, max_ngram_order=order, floor_totals=False)
    tokens = crystal.tokens
    split = [tokens(text) for text in texts]
    counts = Counter()
    for n in range(1, order + 1):
        for text in split:
            counts.update(ngrams(text, n))
    assert ignore == [ngram for ngram, _ in counts.most_common(k)]
    for hyp, row, stats in zip(hyps, refs, crystal.stats(hyps, refs), strict=True):
        for n in range(1, order + 1):
            kept, most = _kept(tokens(hyp), n, ignore), Counter()
            for ref in row:
                most |= _kept(tokens(ref), n, ignore)
            assert stats[1 + n] == (kept & most).total()
            assert stats[1 + order + n] == kept.total()


def _kept(tokens, n, ignore):
    return Counter({g: count for g, count in ngrams(tokens, n).items() if g not in ignore})


def test_words_of_any_kind_are_left_out():
    ignore = [("a;b", "1:c"), ("",), ("日本", "🙂" * 9), (",",)]
    crystal = tb.CrystalBLEU(ignore=ignore, floor_totals=False)
    row = ["a;b", "1:c", "", "日本", "🙂" * 9, ","]
    assert crystal.stats([row], [[row]])[0][2:] == (4, 3, 4, 3, 4, 3, 4, 3)
    assert crystal.signature.endswith("|ignore:4-" + crystal.signature[-8:])
    assert tb.CrystalBLEU(ignore=ignore[::-1], floor_totals=False).signature == crystal.signature
    assert tb.trivial_ngrams([["x", "y"], ["x"]], k=1) == [("x",)]
