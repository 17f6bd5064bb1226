# SPDX-License-Identifier: Apache-2.0
"""CodeBLEU against codebleu 0.7.0, and against its numbers where that is not installed."""

import importlib
import sys
from functools import partial

import pytest
from support.code import PROGRAMS, corpus, metric
from support.profiles import SLOW

import truebleu as tb
from truebleu.dialects.keywords import KEYWORDS
from truebleu.errors import MissingExtraError

#: Its first three parts for them, with the grammars of `truebleu[code]`. The data flow match
#: depends on Python's hash seed, so there is no number to keep.
GOLDEN = {
    "c": (0.02821432388443407, 0.030020494955831846, 0.5333333333333333),
    "cpp": (0.43951476671679857, 0.45213139973037986, 0.45),
    "c_sharp": (0.329340597116918, 0.33768493962746193, 0.3076923076923077),
    "go": (0.28484948571503094, 0.28092711913359036, 0.5384615384615384),
    "java": (0.3633489952316531, 0.3754529420895571, 1.0),
    "javascript": (0.35630548449868954, 0.3781168678280433, 0.38461538461538464),
    "php": (0.029882928719825796, 0.03224690548734296, 0.5714285714285714),
    "python": (0.0695362172133984, 0.07898444537890728, 0.25),
    "ruby": (0.018760191497604554, 0.020518316732257125, 0.3),
    "rust": (0.27838314887015947, 0.2901728179982482, 0.2222222222222222),
}


def original():
    return pytest.importorskip("codebleu", reason="pip did not install codebleu")


@pytest.mark.parametrize("lang", PROGRAMS)
def test_numbers_of_codebleu(lang):
    hyp, ref = PROGRAMS[lang]
    *ngrams, syntax = GOLDEN[lang]
    score = metric(lang, dataflow=False).corpus([hyp], [ref])
    assert score.ngram_match == ngrams[0]
    assert score.weighted_ngram_match == ngrams[1]
    assert (score.syntax_match, score.dataflow_match) == (syntax, None)
    assert score.value == pytest.approx(0.3 * sum(ngrams) + 0.4 * syntax)


@pytest.mark.parametrize("lang", KEYWORDS)
def test_equal_to_codebleu(lang):
    weights = (0.1, 0.2, 0.3, 0.4)
    score_by_codebleu = partial(original().calc_codebleu, lang=lang, weights=weights)
    hyps, refs = corpus(lang, 1_000 if SLOW else 30)
    ours = metric(lang, weights=weights)
    for hyp, row in zip(hyps, refs, strict=True):
        score = ours.sentence(hyp, row)
        assert [score.value, *score.parts().values()] == [*score_by_codebleu([row], [hyp]).values()]
    # codebleu's last bits of a corpus depend on its order: tests/compat/test_codebleu.py
    parts = ours.corpus(hyps, refs).parts()
    theirs = score_by_codebleu(refs, hyps)
    assert parts.pop("weighted_ngram_match") == pytest.approx(theirs["weighted_ngram_match_score"], rel=1e-14, abs=0)
    assert parts == {part: theirs[f"{part}_score"] for part in parts}


@pytest.mark.parametrize("lang", KEYWORDS)
def test_keywords_are_those_of_codebleu(lang):
    directory = importlib.import_module("pathlib").Path(original().__file__).parent / "keywords"
    words = directory.joinpath(f"{lang}.txt").read_text(encoding="utf-8").split()
    assert KEYWORDS[lang] == tuple(words)
    assert tb.DIALECTS["codebleu-weighted"].count.keywords == KEYWORDS["python"]


def test_a_subtree_matches_as_often_as_the_reference_has_it():
    score = metric("python", dataflow=False).corpus(["f(1)"], ["f(1)\nf(2)\nf(3)"])
    # The root differs; each call has its statement, its arguments and itself.
    counts = score.counts()
    assert (counts["tree_match"], counts["tree_total"]) == (9, 10)


def test_a_data_flow_match_of_0_counts_as_1():
    original()
    weights = (0, 0, 0, 1)
    one = metric("python", weights=weights).corpus(["x"], ["1"])
    zero = metric("python", weights=weights, keep_zero=True).corpus(["x"], ["1"])
    assert (one.dataflow_match, one.value, zero.value) == (0, 1, 0)
    assert (one.syntax_match, zero.signature.count("zero:zero")) == (None, 1)


def test_text():
    score = metric("python", dataflow=False).corpus(["x = 1"], ["x = 1"])
    assert str(score) == (
        "CodeBLEU = 0.7172 (ngram = 0.5623 weighted_ngram = 0.4949 syntax = 1.0000 dataflow = absent)"
    )
    assert score.to_dict()["dataflow_match"] is None
    assert "lang:python" in score.signature
    assert "dataflow:absent" in score.signature


def test_absent_libraries(monkeypatch):
    monkeypatch.setitem(sys.modules, "codebleu.dataflow_match", None)
    assert metric("python", dataflow=False).signature.endswith("dataflow:absent|version:0.7.0")
    with pytest.raises(MissingExtraError, match=r"needs codebleu, .* weights=\(0.25, 0.25, 0.25"):
        metric("python")
    monkeypatch.setitem(sys.modules, "tree_sitter_python", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'truebleu\[code\]'"):
        tb.CodeBLEU("python")
    assert tb.CodeBLEU("python", weights=(0.5, 0.5, 0, 0)).corpus(["x"], ["x"]).value > 0


def test_versions_that_do_not_fit(monkeypatch):
    grammar = pytest.importorskip("tree_sitter_python", reason="there is no grammar of python")
    monkeypatch.setattr(grammar, "language", object)
    with pytest.raises(MissingExtraError, match="do not fit together"):
        tb.CodeBLEU("python")
