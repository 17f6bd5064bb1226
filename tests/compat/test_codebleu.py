# SPDX-License-Identifier: Apache-2.0
"""The drop-in of codebleu against codebleu 0.7.0."""

import pytest
from support.code import corpus, metric
from support.profiles import SLOW

from truebleu.compat.codebleu import calc_codebleu
from truebleu.dialects.keywords import KEYWORDS


def original():
    return pytest.importorskip("codebleu", reason="pip did not install codebleu").calc_codebleu


@pytest.mark.parametrize("lang", KEYWORDS)
@pytest.mark.parametrize("weights", [(0.25, 0.25, 0.25, 0.25), (1, 2, 0, 0.3)])
def test_corpora_are_equal_to_the_last_bit(lang, weights):
    expected = original()
    metric(lang)
    hyps, refs = corpus(lang, 500 if SLOW else 100)
    assert calc_codebleu(refs, hyps, lang, weights) == expected(refs, hyps, lang, weights)
    first = [row[0] for row in refs]
    assert calc_codebleu(first, hyps, lang) == expected(first, hyps, lang)


@pytest.mark.parametrize(
    ("references", "predictions", "lang", "options"),
    [
        (["a b"], ["a c"], "python", {"tokenizer": list}),
        (["a"], ["b", "c"], "python", {}),
        (["a"], ["b"], "pyton", {}),
        ([], [], "python", {}),
        ([[]], ["b"], "python", {}),
        ([["a", None]], ["b"], "python", {}),
        (["a"], [None], "python", {}),
        (["a"], ["b"], "python", {"weights": (1, 2)}),
    ],
)
def test_other_arguments_have_the_results_and_errors_of_codebleu(references, predictions, lang, options):
    def outcome(function):
        try:
            return function(references, predictions, lang, **options)
        except Exception as error:  # noqa: BLE001
            return repr(error)

    assert outcome(calc_codebleu) == outcome(original())
