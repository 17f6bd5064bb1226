# SPDX-License-Identifier: Apache-2.0
"""Uses of rows by tools: what they compute, against numbers of the tools."""

import json

import pytest
import sacrebleu
from conftest import ROOT

import truebleu as tb
from truebleu.dialects.uses import VERIFIED, uses

GOLDEN = json.loads((ROOT / "tests" / "golden" / "uses.json").read_text(encoding="utf-8"))

#: Tools that round each segment to 4 decimals.
ROUNDED = ("chatglm", "mindformers", "swift-2")


@pytest.mark.parametrize("name", GOLDEN["uses"])
def test_a_use_gives_the_numbers_of_its_tool(name):
    try:
        bleu = tb.BLEU(use=name)
        bleu.tokens("a")
    except tb.MissingExtraError as error:
        pytest.skip(str(error))
    except tb.OptionError as error:
        assert "punkt_tab" in str(error)  # noqa: PT017
        pytest.skip(str(error))
    for corpus, expected in zip(GOLDEN["corpora"], GOLDEN["uses"][name], strict=True):
        if isinstance(expected, list):
            pairs = zip(bleu.sentences(*corpus).tolist(), expected, strict=True)
            pairs = [pair for pair in pairs if pair[1] is not None]
        else:
            pairs = [] if expected is None else [(bleu.corpus(*corpus).value, expected)]
        for value, number in pairs:
            assert value == pytest.approx(number, rel=1e-9, abs=1e-4 if name in ROUNDED else 1e-10), corpus


def test_uses_are_described_and_can_be_used():
    for name, use in uses().items():
        assert use.verified in VERIFIED
        assert name not in tb.DIALECTS
        if use.verified in ("tool", "formula") and not use.python:
            assert name in GOLDEN["uses"], name
        if use.python:
            with pytest.raises(tb.OptionError, match=f"truebleu dialects {name}"):
                tb.dialect(name)
        else:
            row = tb.dialect(use.dialect)
            assert tb.dialect(name) == row.replace(**use.options)
            assert (row.replace(**use.options).aggregate.join == "mean") == (use.scores == "mean")


def test_a_use_is_a_dialect_everywhere():
    hyps, refs = ["the cat sat", "a b c d e"], ["the cat sat down", "a b c d f"]
    value = tb.corpus_bleu(hyps, refs, use="vec2text").value
    assert value == tb.corpus_bleu(hyps, refs, "vec2text").value != tb.corpus_bleu(hyps, refs).value
    single = tb.sentence_bleu("a b", "a b", use="opik")
    assert single.value == 1
    assert "dialect:nltk-method1" in single.signature
    with pytest.raises(tb.OptionError, match="give one of them"):
        tb.corpus_bleu(hyps, refs, "nltk", use="mlflow")


def test_lines_of_uses_by_hand_give_the_number_of_the_tool():
    """Ragas passes a stream of references for each sentence, of which each has one."""
    response, reference = "the cat sat on it. On the mat. ok", "the cat sat on the mat. It is ok"
    streams = [[sentence] for sentence in reference.split(". ")]
    theirs = sacrebleu.corpus_bleu(response.split(". "), streams)
    *lines, last = uses()["ragas"].code.splitlines()
    names = {"tb": tb, "response": response, "reference": reference}
    exec("\n".join([*lines, f"score = {last}"]), names)  # noqa: S102
    assert names["score"].value == pytest.approx(theirs.score / 100, rel=1e-12)
