# SPDX-License-Identifier: Apache-2.0
"""Options are written in signatures, which read back, sacreBLEU's included."""

import json
import re

import numpy as np
import pytest
import sacrebleu
from conftest import ROOT
from support.corpora import SUMMATION
from support.example_texts import HYPS, RAGGED, TWO_REFS

import truebleu as tb
from truebleu import BLEU, OptionError, parse_signature


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
        "lowercase": True, "tokenize": "none", "smooth_method": "none", "effective_order": True,
    },
}  # fmt: skip


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
def test_bad_signatures_are_refused(text):
    with pytest.raises(OptionError):
        parse_signature(text)


def test_a_long_signature_is_not_repeated_in_its_error():
    with pytest.raises(OptionError, match="at most 16,384 characters") as error:
        parse_signature("smooth:" + "x" * 1_000_000)
    assert len(str(error.value)) < 100


def test_an_array_without_an_axis_is_a_number():
    expected = tb.corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=0.5)
    for value in (np.float64(0.5), np.array(0.5)):
        score = tb.corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=value)
        assert score.value == expected.value
    assert tb.corpus_bleu(["A"], ["a"], lowercase=np.array(True)).matches[0] == 1


#: Options and the signatures or errors that follow, which web pages are tested with, too.
CASES = json.loads((ROOT / "tests" / "golden" / "options.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["options"]))
def test_options_are_checked_and_written_in_signatures_that_read_back(case):
    options = case["options"]
    if "refused" in case:
        with pytest.raises(OptionError, match=f"^{re.escape(case['refused'])};"):
            BLEU(**options)
        return
    bleu = BLEU(**options)
    for name, score in (("signature", bleu.corpus(["a"], ["a"])), ("sentence", bleu.sentence("a", "a"))):
        assert re.sub(r"(categories|lower)-[\d.]+", r"\1", score.signature) == case[name]
    score = bleu.corpus(HYPS, RAGGED)
    for short in (False, True):
        read = BLEU(parse_signature(score.format(signature=True, short=short)))
        assert (read.signature, read.corpus(HYPS, RAGGED)) == (bleu.signature, score)


def test_errors_are_also_those_of_python():
    assert issubclass(tb.InputError, tb.TrueBLEUError)
    assert issubclass(tb.InputError, ValueError)
    with pytest.raises(ValueError, match="13a"):
        tb.dialect("sacrebleu", tokenize="13b")
