# SPDX-License-Identifier: Apache-2.0
"""Curves of human agreement fit the judged pairs, and exist only for what was compared."""

import json
import re

import pytest
from conftest import ROOT
from support.example_texts import NAMED, REFS, TWO_REFS

import truebleu as tb
from truebleu.analysis.agreement import SOURCE, people_on
from truebleu.analysis.compare.formats import render
from truebleu.campaigns import formats as campaigns
from truebleu.campaigns.gate import gate, read_systems


def test_dialects_have_a_curve_that_rises_and_can_be_inverted():
    for name in set(tb.DIALECTS) - {"llama-factory"}:
        for probability in (0.55, 0.8, 0.95):
            again = tb.human_agreement(-tb.difference_for(probability, name), name)
            assert again.probability == pytest.approx(probability, abs=1e-12)
            assert again.interval[0] < probability < again.interval[1]
        assert tb.human_agreement(0, name).probability == 0.5
        assert 1.5 < tb.difference_for(0.8, name) * 100 / tb.BLEU(name).scale < 4, name


def test_agreement_is_what_was_seen_and_published():
    """Kocmi et al. 2024, table 2, for BLEU: other and much larger data."""
    for row in json.loads((ROOT / "docs" / "figures" / "meaning.json").read_text("utf-8"))["bins"]:
        result = tb.human_agreement(row["points"])
        assert result.probability == pytest.approx(row["agree"], abs=0.07)
        assert result.pairs == row["pairs"]
    published = {0.52: 0.55, 0.78: 0.6, 1.06: 0.65, 1.39: 0.7, 1.79: 0.75, 2.34: 0.8, 3.35: 0.85}
    for difference, share in published.items():
        assert tb.human_agreement(difference).probability == pytest.approx(share, abs=0.05)


ALIKE = [("sacrebleu", "smooth_method", "add-k"), ("chrf++", "beta", 3), ("nltk", "normalize", "dashes")]
UNKNOWN = [
    ("chrf", {"beta": 1}), ("chrf", {"beta": 3, "lowercase": True}), ("nltk", {"lowercase": True}),
    ("sacrebleu", {"smooth_method": "add-k", "smooth_value": 9}), ("codebleu", {"lang": "python"}),
    ("llama-factory", {}), (tb.BLEU(tokenize=str.split), {}),
]  # fmt: skip


def test_options_have_a_curve_only_if_they_were_compared_or_change_nothing():
    plain = tb.human_agreement(2)
    assert tb.human_agreement(2, tokenize="zh") == plain
    for changes in ({"tokenize": "intl"}, {"lowercase": True}, {"normalize": "quotes"}):
        own = tb.human_agreement(2, **changes)
        assert plain != own == tb.human_agreement(2, tb.BLEU(**changes))
    assert tb.human_agreement(2, "chrf++") == tb.human_agreement(2, tb.CHRF(word_order=2))
    for metric, option, value in ALIKE:
        own, plain = tb.human_agreement(2, metric, **{option: value}), tb.human_agreement(2, metric)
        assert (own.probability, own.pairs) == (plain.probability, plain.pairs)
        assert re.fullmatch(rf"{SOURCE}; curve of {metric[:4]}.*, which orders (98|99|100).*", own.source)
    for metric, changes in UNKNOWN:
        with pytest.raises(tb.OptionError, match="agreement with people is unknown for "):
            tb.human_agreement(2, metric, **changes)
    for function, value in ((tb.human_agreement, float("nan")), (tb.human_agreement, "1"), (tb.difference_for, 80)):
        with pytest.raises(tb.OptionError, match=rf"^(difference cannot be '?{value}'?;|probability {value} is not)"):
            function(value)


def test_trials_count_for_sacrebleu_alone():
    bleu, plain = tb.BLEU(), tb.human_agreement(3).probability
    against, favor = (people_on(bleu, 3, mean, True).probability for mean in (-2, 2))
    assert against == pytest.approx(1 - favor)
    assert people_on(bleu, 3, 2.5, False).probability < 0.6 < favor < plain
    assert people_on(bleu, 3, 2.5, None).probability == plain
    assert people_on(tb.BLEU("nltk"), 0.03, 0.02, False) == tb.human_agreement(0.03, "nltk")


MANY, MANY_REFS = {name: NAMED[name] * 5 for name in ("basalt", "aurora")}, REFS * 5


@pytest.mark.parametrize("metric", [tb.BLEU(), tb.CHRF(), tb.TER()], ids=lambda m: m.name)
def test_compare_reports_agreement_with_each_pair(metric):
    result = tb.compare(MANY, MANY_REFS, metric=metric, resamples=200)
    (pair,) = result.pairs
    people = people_on(metric, pair.difference, pair.mean_difference, pair.survives)
    assert (pair.people, pair.agreement_interval) == (people, people.interval)
    assert str(pair).endswith(f"; {people}")
    assert re.search(rf"(?s)\n{re.escape(str(pair))}\n.*{SOURCE}\n", render("text", result))
    caption = f" P{str(people)[1:]} ({SOURCE}).}}\n\\end{{table}}".replace("%", r"\%")
    assert caption in render("latex", result, caption=True)
    head, row = (line.split("\t") for line in render("tsv", result, pairs=True).splitlines())
    assert float(row[head.index("agreement")]) == pair.agreement
    assert json.loads(render("json", result))["pairs"][0]["agreement"] == pair.agreement
    rows = {name: metric.stats(hyps, MANY_REFS) for name, hyps in MANY.items()}
    (plain,) = tb.compare(rows, metric=metric, resamples=200).pairs
    assert plain.people == tb.human_agreement(pair.difference, metric)


@pytest.mark.parametrize(("systems", "refs", "options", "reason"), [
        ({name: NAMED[name] for name in MANY}, REFS, {}, "unknown below 200 segments"),
        (MANY, TWO_REFS * 5, {}, "unknown with several references"),
        (MANY, MANY_REFS, {"tokenize": "zh-fixed"}, "unknown for this metric with these options"),
        (MANY, MANY_REFS, {"dialect": "coco-caption"}, "unknown for captions"),
        (MANY, MANY_REFS, {"strata": ["a"] * 120 + ["b"] * 120}, "unknown for averages"),
        ({"a": [[1, 2, 3, 4, 5]] * 240, "b": [[1, 2, 3, 4, 6]] * 240}, [[1, 2, 3, 4, 5]] * 240, {},
         "unknown for token ids and for your own tokens")])  # fmt: skip
def test_where_nothing_is_known_compare_says_why(systems, refs, options, reason):
    result = tb.compare(systems, refs, resamples=100, **options)
    assert (result.people, result.pairs[0].agreement) == (reason, None)
    assert f"agreement with people: {reason}\n" in render("text", result)
    assert "people agreed" not in render("text", result) + render("latex", result, caption=True)


def test_all_commands_agree(tmp_path):
    (pair,) = tb.compare(MANY, MANY_REFS, resamples=200).pairs
    sets = [tb.TestSet(language, MANY_REFS, MANY, pair=language) for language in ("de-en", "cs-en")]
    campaign = tb.campaign(sets, resamples=200)
    assert {row.comparison.pairs[0].people for row in campaign.matrix().rows} == {pair.people}
    assert campaign.table()["agreement"][:2] == [pair.agreement, None]
    phrase = "; people agreed with differences like those on single sets in over 99 % of cases"
    assert phrase in campaigns.render("text", campaign)
    assert "& over 99 \\%" in campaigns.render("latex", campaign)
    for name, hyps in MANY.items():
        tb.save_run(tmp_path / f"{name}.bleu", {"main": hyps}, MANY_REFS)
    runs = (read_systems([str(tmp_path / f"{name}.bleu")]) for name in MANY)
    result = gate(*runs, "basalt", resamples=200)
    assert "people agreed with differences like this in over 99 % of cases" in str(result)
    assert f"\nagreement with people: {SOURCE}\ngate passed: " in str(result)
    assert result.to_dict()["pairs"][0]["people"] == SOURCE
