# SPDX-License-Identifier: Apache-2.0
"""Statistics of two dialects either mix without changing a score, or do not mix."""

import random
from contextlib import suppress

import pytest
from support.judged_cases import MIXED
from support.profiles import SLOW

import truebleu as tb
from truebleu.dialects.decisions import OPTIONS

HYPS = ["The  cat\x1csat on the mat .", "", "a b c d e", "A-b, c (d) e", "x", "a\u3000b c &lt;"]
REFS = [["the cat sat on a mat."], ["a"], ["a b c d", "b c d e f"], ["a - B , c (d) e f"],
        ["y z"], ["a b\x0bc <", ""]]  # fmt: skip
CHOICES = {
    **MIXED,
    **{name: OPTIONS[name].choices for name in (
        "lowercase_rule", "lowercase_when", "strip", "markup", "whitespace",
    )},
    "tokenize": ("none", "13a", "char", "intl", "space", "words", "re:(?s:.)", r"re:\w+"),
    "lowercase": (False, True),
    "scale": (1, 100),
}  # fmt: skip


def _metric(draw, dialect, most):
    changes = {name: draw.choice(CHOICES[name]) for name in draw.sample(sorted(CHOICES), most)}
    if changes.get("weights"):
        changes["max_ngram_order"] = len(changes["weights"])
    with suppress(tb.OptionError):
        return tb.BLEU(dialect.replace(**changes), threads=1)
    return tb.BLEU(dialect, threads=1)


def test_statistics_of_changed_dialects_are_right_or_refused():
    draw, outcomes = random.Random(4), {"right": 0, "refused": 0}
    for pair in range(5000 if SLOW else 500):
        row = tb.DIALECTS[draw.choice(sorted(tb.DIALECTS))].replace(tokenize="none")
        first = _metric(draw, row, draw.randint(0, 3))
        second = _metric(draw, first.dialect, draw.randint(1, 2))
        halves = first.stats(HYPS[:3], REFS[:3]), second.stats(HYPS[3:], REFS[3:])
        try:
            mixed = tb.Stats.concat(halves)
            for metric in (first, second):
                value, expected = metric.score(mixed).value, metric.corpus(HYPS, REFS).value
                assert repr(value) == repr(expected), (pair, first.signature, second.signature)
            outcomes["right"] += 1
        except tb.InputError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 50


def test_functions_of_one_name_do_not_mix():
    class Splitter:
        def words(self, text):
            return text.split()

    splitter = Splitter()
    same = [tb.BLEU(tokenize=splitter.words).stats(HYPS, REFS) for _ in range(2)]
    assert same[0] + same[1]
    functions = [lambda text: text.split(), lambda text: list(text)]  # noqa: PLW0108
    for metric in (tb.BLEU, tb.NIST):
        first, second = (metric(tokenize=tokenize).stats(HYPS, REFS) for tokenize in functions)
        with pytest.raises(tb.InputError, match="<lambda>#2"):
            first + second
