# SPDX-License-Identifier: Apache-2.0
"""A campaign is the comparison of each set, and averages of their scores."""

import itertools
import random
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import truebleu as tb
from truebleu import CHRF, TER, OptionError, TestSet, campaign, compare
from truebleu.analysis.compare.strata import Fit
from truebleu.campaigns.formats import render

WORDS = [*["the", "a", "cat", "dog", "sat", "ran", "on", "mat"], *["home", "late", "very", "it", "is", "was", "now"]]


def texts(rng, segments):
    return [" ".join(rng.choices(WORDS, k=rng.randint(3, 9))) for _ in range(segments)]


def worse(rng, refs, share):
    """The references with this share of the words replaced."""
    return [" ".join(rng.choice(WORDS) if rng.random() < share else word for word in ref.split()) for ref in refs]


def made(seed, segments=(40, 60), shares=(0.2, 0.25, 0.5), pairs=("de-en", "en-de")):
    """Sets with systems that replace these shares of the references' words."""
    rng = random.Random(seed)
    sets = []
    for i, (count, pair) in enumerate(zip(segments, itertools.cycle(pairs), strict=False)):
        refs = texts(rng, count)
        systems = {f"s{k}": worse(rng, refs, share) for k, share in enumerate(shares)}
        sets.append(TestSet(f"set{i}", refs, systems, pair))
    return sets


def of_best(row, comparison):
    """The pairs of a comparison, of which a campaign tries those of the best system."""
    return tuple(pair if row.best in (pair.a, pair.b) else replace(pair, trials=()) for pair in comparison.pairs)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("correction", ["holm", "maxt", "bh"])
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_the_average_of_one_set_is_its_comparison(metric, correction, test):
    (one,) = made(1, segments=[50])
    options = {"test": test, "correction": correction, "resamples": 999, "seed": 7}
    matrix = campaign([one], metrics=[metric], **options).matrix()
    expected = compare(one.systems, one.refs, metric=metric, **options)
    (row,) = matrix.rows
    assert row.comparison.pairs == of_best(row, expected)
    assert [pair.p for pair in matrix.averages.pairs] == [pair.p for pair in expected.pairs]
    for ours, its in zip(matrix.averages.pairs, expected.pairs, strict=True):
        assert ours.p_adjusted == its.p_adjusted
        assert ours.better == its.better
        assert ours.difference == pytest.approx(its.difference)
        assert ours.interval == pytest.approx(its.interval)
        assert matrix.pair_record(ours) == (its.better == its.b, its.better == its.a)
    for ours, its in zip(matrix.averages.systems, expected.systems, strict=True):
        assert (ours.name, ours.score.value) == (its.name, its.score.value)
        assert ours.interval == pytest.approx(its.interval)
        assert (ours.cluster, ours.rank, ours.wins) == (its.cluster, its.rank, its.wins)
        assert matrix.set_record(ours) == (its.wins, its.losses)


def test_each_row_is_a_comparison_and_each_average_a_mean():
    sets = made(2)
    matrix = campaign(sets, resamples=500).matrix()
    for one, row in zip(sets, matrix.rows, strict=True):
        expected = compare(one.systems, one.refs, resamples=500)
        assert row.comparison.pairs == of_best(row, expected)
        assert row.scores["s0"].value == expected.systems[0].score.value
        assert row.scores["s0"].signature == expected.signature
        assert row.best == expected.ranked()[0].name
        worse = {pair.worse for pair in expected.pairs if pair.better == row.best}
        assert set(row.equals) == {"s0", "s1", "s2"} - worse
    for one in matrix.averages.systems:
        scores = [row.scores[one.name].value for row in matrix.rows]
        assert one.score.value == pytest.approx(np.mean(scores))


def test_an_average_is_tested_as_exchanges_in_every_set_say():
    sets = made(3, segments=(5, 6), shares=(0.1, 0.4))
    ours = campaign(sets, resamples=20_000).matrix().averages.pairs[0]
    bleu = tb.BLEU()
    tables = [[bleu.stats(hyps, one.refs).__array__() for hyps in one.systems.values()] for one in sets]

    def differences(a, b):
        """Of all exchanges of a set."""
        for swap in itertools.product([False, True], repeat=len(a)):
            mask = np.array(swap)[:, None]
            sums = (np.where(mask, x, y).sum(axis=0) for x, y in ((a, b), (b, a)))
            first, second = (bleu.score(tb.Stats([row.tolist()])).value for row in sums)
            yield first - second

    each = [np.array(list(differences(a, b))) for a, b in tables]
    every = np.abs(np.add.outer(*each).ravel()) / 2
    share = np.mean(every >= abs(ours.difference) - 1e-9)
    assert ours.p == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000) + 1e-4)


def test_systems_that_lack_sets_are_ranked_by_a_fit():
    sets = made(5, segments=(40, 60, 50), shares=(0.2, 0.25, 0.3, 0.5))
    del sets[1].systems["s1"], sets[2].systems["s1"], sets[2].systems["s3"]
    result = campaign(sets, resamples=500)
    matrix = result.matrix()
    cells = [(row, name) for row in matrix.rows for name in row.scores]
    titles = [row.title for row in matrix.rows]
    design = [[row.title == title for title in titles] + [name == own for own in result.systems] for row, name in cells]
    values = [row.scores[name].value for row, name in cells]
    effects, *_ = np.linalg.lstsq(np.array(design, float), values, rcond=None)
    averages = {own.name: own for own in matrix.averages.systems}
    for name, effect in zip(result.systems, effects[3:], strict=True):
        assert averages[name].score.value == pytest.approx(np.mean(effects[:3]) + effect)
    residuals = values - np.array(design, float) @ effects
    assert matrix.averages.misfit == pytest.approx(np.sqrt(residuals @ residuals / (len(cells) - 6)))
    assert [len(averages[name].strata) for name in result.systems] == [3, 1, 3, 2]
    widths = {name: own.interval[1] - own.interval[0] for name, own in averages.items()}
    assert widths["s1"] > widths["s3"] > widths["s0"]  # the fewer sets, the less certain
    assert None not in [own.rank for own in averages.values()]
    pair = matrix.averages.pair("s0", "s1")
    assert pair.strata == ("set0 de-en",)
    alone = campaign([sets[0]], resamples=500).matrix().averages.pair("s0", "s1")
    assert pair.difference == pytest.approx(alone.difference)
    table = result.table()
    columns = (table[key] for key in ("set", "pair", "system", "score", "sets"))
    rows = list(zip(*columns, strict=True))
    assert ("set1", "en-de", "s1", None, None) in rows
    assert ("average", "", "s1", averages["s1"].score.value, 1) in rows
    of_pair = matrix.by_pair["de-en"].systems
    assert [row for row in rows if row[:2] == ("average", "de-en")] == [
        ("average", "de-en", own.name, own.score.value, len(own.strata)) for own in of_pair
    ]
    assert list(result.to_dict()["matrices"][0]["pairs"]) == ["de-en"]
    text = render("text", result)
    assert text.count("the average of a system that lacks a set is that of a fit") == 1
    assert re.search(r"^de-en +set0 +set2 +average BLEU +95 % interval", text, re.MULTILINE)


def test_fitted_averages_come_near_those_of_all_outputs():
    """Their intervals hold the average of a system that has all sets as often as they claim."""
    rng = np.random.default_rng(3)
    held = []
    for _ in range(150):
        scores = rng.normal(30, 5, (1, 8)) + rng.normal(0, 2, (6, 1)) + rng.normal(0, 1, (6, 8))
        has = [[i for i in range(8) if k in (0, i) or rng.random() < 0.6] for k in range(6)]
        fit = Fit(has, [scores[k, own] for k, own in enumerate(has)])
        ends = np.quantile(fit.errors(1, 0, (2000, 6)), [0.05, 0.95], axis=0)
        for k in fit.lacking:  # the weights of scores that are missing are 0
            error = np.sum(fit.weights[k] * scores) - scores[k].mean()
            held.append(ends[0, k] <= error <= ends[1, k])
    assert np.mean(held) == pytest.approx(0.9, abs=0.03)


def test_systems_without_a_common_set_are_not_compared():
    first, second = made(6, shares=(0.2, 0.3))
    del first.systems["s1"]
    del second.systems["s0"]
    result = campaign([first, second], resamples=50)
    averages = result.matrix().averages
    assert averages.pairs == ()
    assert "s0" in averages._repr_html_()
    assert [(len(own.strata), own.rank) for own in averages.systems] == [(1, None), (1, None)]
    assert "common sets do not connect all systems" in render("text", result)
    assert campaign([first], resamples=50).matrix().best == ("s0",)


@pytest.mark.parametrize("others", [{"C": ["a b"]}, {"C": ["a b"], "D": ["a c"]}])
def test_sets_that_share_no_system_rank_none(others, tmp_path):
    first = TestSet("news", ["a b c", "d e"], {"A": ["a b c", "d e"], "B": ["a b", "d e"]}, "de-en")
    result = campaign([first, TestSet("news", ["a b"], others, "zh-en")], resamples=50)
    assert {row.cluster for row in result.matrices[0].averages.systems} == {None}
    for form in ("text", "markdown", "latex", "json", "tsv"):
        assert "A" in render(form, result)
    tb.write_campaign(tmp_path / "page.html", result)
    assert "No system is ranked" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_set_of_one_segment_counts_but_is_not_tested():
    sets = made(7, segments=(1, 40))
    matrix = campaign(sets, resamples=200).matrix()
    assert matrix.rows[0].comparison is None
    assert matrix.rows[0].equals == (matrix.rows[0].best,)
    assert len(matrix.averages.strata) == 2


def test_the_tokenizer_follows_the_target_language():
    chinese = TestSet("x", ["\u6211 \u5f88\u597d"] * 3, {"a": ["\u6211\u5f88\u597d\u3002"] * 3}, "en-zh_CN")
    german = TestSet("x", ["das ist gut"] * 3, {"a": ["das ist gut"] * 3}, "en-de")
    result = campaign([chinese, german], metrics=["bleu", "chrf"], resamples=50)
    assert [one.metric for one in result.matrices] == ["BLEU", "chrF2"]
    assert result.tokenizers == {"en-zh_CN": "zh", "en-de": "13a"}
    tokenizers = [row.scores["a"].signature.split("|")[3] for row in result.matrix().rows]
    assert tokenizers == ["tok:zh", "tok:13a"]
    for options in ({"tokenize": "char"}, {"dialect": "multi-bleu"}):
        one = campaign([chinese, german], resamples=50, **options)
        assert one.tokenizers == {}
        assert len(one.matrix().signatures()) == 1


def test_documents_are_scored_as_segments():
    (one,) = made(8, segments=[40])
    documents = [f"d{i // 4}" for i in range(40)]
    labels = ["x" if i < 20 else "y" for i in range(40)]
    named = TestSet("set0", one.refs, one.systems, "de-en", documents=documents, labels=labels)
    joined = [" ".join(one.refs[i : i + 4]) for i in range(0, 40, 4)]
    systems = {name: [" ".join(hyps[i : i + 4]) for i in range(0, 40, 4)] for name, hyps in one.systems.items()}
    result = campaign([named], by_doc=True, resamples=300)
    expected = compare(systems, joined, resamples=300)
    assert result.unit == "documents"
    assert result.matrix().rows[0].units == 10
    (row,) = result.matrix().rows
    assert row.comparison.pairs == of_best(row, expected)
    assert result.matrix(label="x").rows[0].units == 5
    with pytest.raises(OptionError, match="set0 de-en has no documents; leave out --by-doc"):
        campaign([one], by_doc=True)


def test_each_label_has_a_matrix():
    first, second = made(9)
    labels = ["news" if i % 3 else "chat" for i in range(40)]
    first = TestSet("set0", first.refs, first.systems, "de-en", labels=labels)
    result = campaign([first, second], resamples=300)
    assert [one.label for one in result.matrices] == [None, "chat", "news"]
    chat = [i for i in range(40) if not i % 3]
    refs = [first.refs[i] for i in chat]
    systems = {name: [hyps[i] for i in chat] for name, hyps in first.systems.items()}
    (row,) = result.matrix(label="chat").rows
    expected = compare(systems, refs, resamples=300, robustness=False)
    assert row.comparison.pairs == expected.pairs
    with pytest.raises(OptionError, match="no matrix is named 'BLEU x'"):
        result.matrix(label="x")


@pytest.mark.parametrize("column", [tuple, pl.Series, pa.array])
def test_references_may_be_any_column(column):
    (listed,) = made(2, segments=[20])
    texts = replace(listed, refs=column(listed.refs))
    assert str(campaign([texts], resamples=99)) == str(campaign([listed], resamples=99))


def test_metrics_may_be_objects():
    result = campaign(made(1), metrics=[CHRF(word_order=2), TER()], resamples=50)
    assert [one.metric for one in result.matrices] == ["chrF2++", "TER"]
    assert not result.matrices[1].higher_is_better
    for row in result.matrices[1].rows:
        assert row.scores[row.best].value == min(score.value for score in row.scores.values())


@pytest.mark.parametrize("folder", [None, "runs"])
def test_verdicts_that_do_not_survive_are_marked(folder, tmp_path, monkeypatch):
    """The second system is the first with other quotation marks; the third one is bad."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(4)
    refs = [f"„{text}“" for text in texts(rng, 40)]
    first = worse(rng, refs, 0.1)
    marks = [line.replace("„", '"').replace("“", '"') for line in first]
    sets = [TestSet("set", refs, {"A": first, "B": marks, "C": worse(rng, refs, 0.6)}, "en-de")]
    result = campaign(sets, save=folder)
    (row,) = result.matrix().rows
    assert list(row.lost) == ["B"]
    text = render("text", result)
    assert re.search(r"^B +[\d.]+~ *$", text, re.MULTILINE)
    assert ("~ worse than the best of its set, which does not survive: 1 with quotation marks written alike") in text
    pairs = result.to_dict()["matrices"][0]["sets"][0]["pairs"]
    assert [pair["survives"] for pair in pairs] == [False, True, None]
