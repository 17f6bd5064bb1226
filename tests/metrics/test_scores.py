# SPDX-License-Identifier: Apache-2.0
"""Scores and their signatures: what they say, and what can be read back."""

from __future__ import annotations

import json
import pickle

import pytest
import sacrebleu
from support.corpora import SUMMATION
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS, WHOLE

from truebleu import (
    BLEU,
    OptionError,
    corpus_bleu,
    dialect,
    parse_signature,
    sentence_bleu,
)

# Score.


def test_a_score_is_a_number_a_line_and_json():
    theirs = sacrebleu.corpus_bleu(HYPS, [REFS])
    assert float(WHOLE) == WHOLE.value == theirs.score
    assert str(WHOLE) == str(theirs)
    loaded = json.loads(json.dumps(WHOLE.to_dict()))
    assert loaded == WHOLE.to_dict()
    assert loaded["value"] == theirs.score
    assert (loaded["matches"], loaded["totals"]) == (theirs.counts, theirs.totals)
    assert loaded["precisions"] == theirs.precisions
    assert loaded["ratio"] == theirs.sys_len / theirs.ref_len


def test_a_score_does_not_change_and_pickles():
    with pytest.raises(AttributeError):
        WHOLE.value = 100
    assert pickle.loads(pickle.dumps(WHOLE)) == WHOLE  # noqa: S301
    assert hash(pickle.loads(pickle.dumps(WHOLE))) == hash(WHOLE)  # noqa: S301


def test_the_html_of_a_score_escapes_its_signature():
    def f(text):
        return text.split()

    html = corpus_bleu(HYPS, REFS, tokenize=f)._repr_html_()
    assert "<locals>" not in html
    assert "&lt;locals&gt;" in html


def test_a_sentence_scores_as_in_sacrebleu():
    for hyp, refs in zip([*HYPS, "a b"], [*TWO_REFS, ("a b", "c")], strict=True):
        expected = sacrebleu.sentence_bleu(hyp, list(refs))
        score = sentence_bleu(hyp, refs, summation=SUMMATION)
        assert (score.value, str(score)) == (expected.score, str(expected))


def test_metrics_and_dialects_pickle():
    metric = BLEU(tokenize="intl", smooth_method="floor", weights=[0.5, 0.5])
    loaded = pickle.loads(pickle.dumps(metric))  # noqa: S301
    assert loaded.dialect == metric.dialect
    assert loaded.corpus(HYPS, REFS) == metric.corpus(HYPS, REFS)


# Signatures.

OPTIONS = [
    {},
    {"tokenize": "intl", "lowercase": True},
    {"tokenize": "zh-fixed"},
    {"tokenize": "ja-mecab"},
    {"smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.123456},
    {"smooth_method": "add-k", "smooth_value": 2},
    {"smooth_method": "none", "effective_order": True},
    {"max_ngram_order": 2},
    {"weights": (0.7, 0.2, 0.1)},
    {"weights": (1 / 3, 2 / 3)},
    {"lowercase": True, "lowercase_rule": "ascii", "whitespace": "ascii", "strip": "none"},
    {"ref_len": "shortest", "summation": "compensated"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("short", [False, True])
def test_our_signatures_read_back(options, short):
    metric = BLEU(**options)
    score = metric.corpus(HYPS, RAGGED)
    line = score.format(signature=True, short=short)
    read = BLEU(parse_signature(line))
    assert read.signature == metric.signature
    assert read.corpus(HYPS, RAGGED) == score


def test_the_signature_of_a_row_is_the_row():
    assert parse_signature(BLEU().signature) == dialect("sacrebleu")
    assert BLEU(parse_signature(BLEU().signature)).sentence("a", "a") == sentence_bleu("a", "a")


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lowercase": True, "tokenize": "intl"},
        {"tokenize": "char", "effective_order": True},
        {"tokenize": "ja-mecab"},
        {"smooth_method": "floor", "smooth_value": 0.25},
        {"smooth_method": "add-k"},
        {"smooth_method": "none"},
    ],
    ids=str,
)
def test_signatures_of_sacrebleu_2_name_what_sacrebleu_computed(options, short):
    theirs = sacrebleu.BLEU(**options)
    expected = theirs.corpus_score(HYPS, list(zip(*TWO_REFS, strict=True)))
    text = f"BLEU|{theirs.get_signature().format(short)} = {expected.score:.1f} (and so on)"
    read = parse_signature(text).replace(summation=SUMMATION)
    assert BLEU(read).corpus(HYPS, TWO_REFS).value == expected.score


PAPERS = {
    "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.4.14": {},
    "BLEU+c.lc+#.1+s.exp+tok.intl+v.1.5.0": {"lowercase": True, "tokenize": "intl"},
    "BLEU+case.mixed+numrefs.1+smooth.floor[0.10]+test.wmt14/full+tok.zh+version.1.5.1 = 25.1": {
        "tokenize": "zh",
        "smooth_method": "floor",
    },
    "nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:char|smooth:exp|version:2.0.0 = 29.0 ± 0.6": {
        "tokenize": "char"
    },
    "#:1|bs:1000|rs:12|c:lc|e:yes|tok:none|s:none|v:2.3.1": {
        "lowercase": True,
        "tokenize": "none",
        "smooth_method": "none",
        "effective_order": True,
    },
}


@pytest.mark.parametrize(("text", "options"), PAPERS.items())
def test_signatures_from_papers_are_read(text, options):
    assert BLEU(parse_signature(text)).signature == BLEU(**options).signature


def test_the_sentencepiece_tokenizer_of_sacrebleu_2_2_is_flores101():
    # `-tok spm` signed so until 2.3 gave the model its name.
    read = parse_signature("nrefs:1|case:mixed|eff:no|tok:spm-flores|smooth:exp|version:2.2.0")
    assert read.tokenize.tokenize == "flores101"


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "BLEU", "BLEU = 27.3", "case:", "case:upper", "kase:lc", "nrefs:1", "tok:13b",
        "smooth:floor[", "smooth:flor", "smooth:floor[-1]", "smooth:floor[nan]", "chrF2|case:mixed",
        "max_ngram_order:0", "max_ngram_order:x", "weights:1,x", "tok:spm-0123456789ab",
    ],
)  # fmt: skip
def test_what_is_no_signature_is_refused(text):
    with pytest.raises(OptionError):
        parse_signature(text)
