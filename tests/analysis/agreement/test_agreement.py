# SPDX-License-Identifier: Apache-2.0
"""Curves of human agreement fit the judged pairs, and exist only for what was compared."""

import json
import math
import sys

import numpy as np
import pytest
from conftest import ROOT

import truebleu as tb
from truebleu.analysis.agreement import ENDS, curve_of, curves, human_agreement, other_task

NUMBERS = json.loads((ROOT / "docs" / "figures" / "meaning.json").read_text("utf-8"))


def test_every_dialect_has_a_curve_that_rises_and_can_be_inverted():
    assert set(tb.DIALECTS) <= set(curves())
    for name, row in tb.DIALECTS.items():
        scale = row.combine.scale / 100
        for probability in (0.55, 0.8, 0.95):
            difference = tb.difference_for(probability, name)
            again = tb.human_agreement(-difference, name)  # the sign does not matter
            assert again.probability == pytest.approx(probability, abs=1e-12)
            assert again.interval[0] < probability < again.interval[1]
        assert tb.human_agreement(0, name).probability == 0.5
        assert 1.5 * scale < tb.difference_for(0.8, name) < 4 * scale, name


@pytest.mark.parametrize("row", NUMBERS["bins"], ids=lambda row: str(row["low"]))
def test_agreement_is_what_was_seen_in_pairs_of_this_size(row):
    result = tb.human_agreement(row["points"])
    assert result.probability == pytest.approx(row["agree"], abs=0.07)
    assert result.pairs == row["pairs"]
    inner = [human_agreement(end).probability for end in ENDS]
    assert inner == sorted(inner)


def test_the_curve_agrees_with_the_published_thresholds():
    """Kocmi et al. 2024, table 2, for BLEU: other and much larger data."""
    published = {0.52: 0.55, 0.78: 0.6, 1.06: 0.65, 1.39: 0.7, 1.79: 0.75, 2.34: 0.8, 3.35: 0.85}
    for difference, share in published.items():
        assert tb.human_agreement(difference).probability == pytest.approx(share, abs=0.05)


def test_options_have_a_curve_only_if_they_were_compared_or_change_nothing():
    plain = tb.human_agreement(2)
    for changes in ({"tokenize": "zh"}, {"effective_order": True}, {"smooth_method": "floor"}):
        assert tb.human_agreement(2, **changes) == plain
    assert tb.human_agreement(2, tokenize="intl") != plain
    assert tb.human_agreement(2, tb.BLEU(lowercase=True)) == tb.human_agreement(2, lowercase=True)
    assert tb.human_agreement(2, "chrf++") == tb.human_agreement(2, tb.CHRF(word_order=2))
    for metric, changes in (("sacrebleu", {"smooth_method": "add-k"}), ("chrf", {"beta": 3}),
                            ("nltk", {"lowercase": True}), ("codebleu", {"lang": "python"}),
                            (tb.BLEU(tokenize=str.split), {})):  # fmt: skip
        with pytest.raises(tb.OptionError, match="was not compared with human judgements"):
            tb.human_agreement(2, metric, **changes)
    assert other_task(tb.BLEU("coco-caption")) == "captions"
    assert other_task(tb.CodeBLEU("python")) == "code"
    assert not other_task(tb.TER())


def test_a_mean_against_the_verdict_is_less_than_even():
    against, favor = (tb.human_agreement(mean, mean=True).probability for mean in (-2, 2))
    assert against == pytest.approx(1 - favor)
    assert favor > 0.7
    assert curve_of(tb.BLEU("nltk"), mean=True) is None


@pytest.mark.parametrize(
    ("function", "value", "message"),
    [
        (tb.human_agreement, math.nan, "difference cannot be nan; give a number, such as 1.3"),
        (tb.human_agreement, "1", "difference cannot be '1'; give a number, such as 1.3"),
        (tb.difference_for, 0.5, "above 0.5 and below 1"),
        (tb.difference_for, 80, "above 0.5 and below 1"),
    ],
)
def test_wrong_numbers_are_refused(function, value, message):
    with pytest.raises(tb.OptionError, match=message):
        function(value)


def test_the_fit_finds_the_curve_and_the_spread_between_sets(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    from agreement import Pairs, loss

    random = np.random.default_rng(1)
    sets = np.repeat(np.arange(26), 2000).astype(str)
    size = random.gamma(1.5, 2, len(sets))
    shifts = np.repeat(random.normal(0, 0.5, 26), 2000)
    logit = np.maximum(0, -0.8 + 1.4 * np.sqrt(size))
    agree = random.random(len(sets)) < 1 / (1 + np.exp(-logit - shifts))
    sign = random.choice([-1, 1], len(sets))
    pairs = Pairs(sets, np.where(agree, sign, -sign), sign * size, sign * size)
    assert pairs.fit() == pytest.approx([-0.8, 1.4], abs=0.25)
    assert pairs.half_width() == pytest.approx(2.06 * 0.5, abs=0.3)
    inside = loss(pairs.predict(pairs.fit()), pairs.agree)
    assert inside <= loss(pairs.left_out(pairs.sets), pairs.agree) < inside + 0.01
