# SPDX-License-Identifier: Apache-2.0
"""Curves of human agreement fit the judged pairs, and exist only for what was compared."""

import json
import math
import sys

import numpy as np
import pytest
from conftest import ROOT
from support.example_texts import NAMED, REFS, TWO_REFS

import truebleu as tb
from truebleu.analysis.agreement import SOURCE, curve_of, curves, of_pairs, other_task
from truebleu.analysis.compare.formats import render
from truebleu.campaigns import formats as campaigns
from truebleu.campaigns.gate import gate, read_systems

NUMBERS = json.loads((ROOT / "docs" / "figures" / "meaning.json").read_text("utf-8"))


def test_every_dialect_has_a_curve_that_rises_and_can_be_inverted():
    uncalibrated = set(tb.DIALECTS) - set(curves())
    assert uncalibrated == {"promptfoo-2026"}  # younger than the study
    for name in tb.DIALECTS.keys() - uncalibrated:
        row = tb.DIALECTS[name]
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


NAMES = ("basalt", "aurora")
MANY = {name: NAMED[name] * 5 for name in NAMES}
MANY_REFS = REFS * 5


def test_compare_reports_agreement_with_each_pair():
    result = tb.compare(MANY, MANY_REFS, resamples=200)
    (pair,) = result.pairs
    expected = tb.human_agreement(pair.mean_difference, mean=True)
    assert (pair.agreement, pair.agreement_interval) == (
        expected.probability, expected.interval
    )  # fmt: skip
    phrase = "; people agreed with differences like this in over 99 % of cases"
    assert str(pair).endswith(phrase)
    assert phrase in render("text", result)
    assert f"agreement with people: {SOURCE}" in render("text", result)
    head, row = (line.split("\t") for line in render("tsv", result).splitlines())
    assert float(row[head.index("agreement")]) == expected.probability
    assert json.loads(render("json", result))["pairs"][0]["agreement"] == expected.probability
    survivor, fallen = (of_pairs(tb.BLEU())(3, 2.5, value).probability for value in (True, False))
    assert fallen < 0.6 < survivor
    (plain,) = tb.compare(MANY, MANY_REFS, resamples=200, robustness=False).pairs
    assert plain.people == tb.human_agreement(plain.difference)


@pytest.mark.parametrize("metric", [tb.BLEU("nltk"), tb.CHRF(), tb.TER()], ids=lambda m: m.name)
def test_other_metrics_have_the_agreement_of_their_difference(metric):
    (pair,) = tb.compare(MANY, MANY_REFS, metric=metric, resamples=200).pairs
    assert pair.people == tb.human_agreement(pair.difference, metric)
    rows = {name: metric.stats(hyps, MANY_REFS) for name, hyps in MANY.items()}
    assert tb.compare(rows, metric=metric, resamples=200).pairs[0].people == pair.people


@pytest.mark.parametrize(
    ("systems", "refs", "options", "reason"),
    [
        ({name: NAMED[name] for name in NAMES}, REFS, {}, "unknown below 200 segments"),
        (MANY, TWO_REFS * 5, {}, "unknown with several references"),
        (MANY, MANY_REFS, {"tokenize": "zh-fixed"}, "unknown for this metric with these options"),
        (MANY, MANY_REFS, {"dialect": "coco-caption"}, "unknown for captions"),
        (MANY, MANY_REFS, {"strata": ["a"] * 120 + ["b"] * 120}, "unknown for averages"),
        ({"a": [[1, 2, 3, 4, 5]] * 240, "b": [[1, 2, 3, 4, 6]] * 240}, [[1, 2, 3, 4, 5]] * 240, {},
         "unknown for token ids and for your own tokens"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_where_nothing_is_known_compare_says_why(systems, refs, options, reason):
    result = tb.compare(systems, refs, resamples=100, **options)
    assert (result.people, result.pairs[0].agreement) == (reason, None)
    assert f"agreement with people: {reason}\n" in render("text", result)
    assert "people agreed" not in str(result)


def test_a_campaign_and_a_gate_report_it(tmp_path):
    sets = [tb.TestSet(pair, MANY_REFS, MANY, pair=pair) for pair in ("de-en", "cs-en")]
    campaign = tb.campaign(sets, resamples=200)
    text = campaigns.render("text", campaign)
    assert "; people agreed with differences like those on single sets in over 99 %" in text
    for name in NAMES:
        tb.save_run(tmp_path / f"{name}.bleu", {"main": MANY[name]}, MANY_REFS)
    paths = [[str(tmp_path / f"{name}.bleu")] for name in NAMES]
    result = gate(*map(read_systems, paths), "basalt", resamples=200)
    assert "people agreed with differences like this in over 99 % of cases" in str(result)
