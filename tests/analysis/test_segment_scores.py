# SPDX-License-Identifier: Apache-2.0
"""Correlations with scores from elsewhere, and where they disagree with sentence BLEU."""

import numpy as np
import pytest
from support.example_texts import NAMED, TWO_REFS

from truebleu import BLEU, InputError, OptionError, compare, contrast
from truebleu.analysis.segment_scores import correlation

SENTENCES = {name: BLEU().sentences(hyps, TWO_REFS) for name, hyps in NAMED.items()}
#: As BLEU, but for one segment, on which aurora and cinder change places.
OPPOSITE = {name: own / 100 for name, own in SENTENCES.items()}
OPPOSITE["aurora"][6], OPPOSITE["cinder"][6] = OPPOSITE["cinder"][6], OPPOSITE["aurora"][6]


def tau_b(x, y):
    """Kendall's tau-b by its definition."""
    signs = [np.sign(np.subtract.outer(values, values)) for values in (x, y)]
    return (signs[0] * signs[1]).sum() / np.sqrt((signs[0] ** 2).sum() * (signs[1] ** 2).sum())


def test_r_and_tau_are_those_of_their_definitions():
    random = np.random.default_rng(1)
    for values in (3, 10, 1000):
        x = random.integers(0, values, 60) * 1.0
        y = x + random.integers(0, values, 60)
        y[7] = np.nan  # which does not count
        both = correlation(x[:, None], y[:, None])
        x, y = np.delete(x, 7), np.delete(y, 7)
        assert both.kendall == pytest.approx(tau_b(x, y))
        assert both.pearson == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_intervals_hold_for_scores_of_one_segment_that_depend_on_each_other():
    """Of 300 test sets, about 95 % of intervals have the value of a large one."""
    random = np.random.default_rng(2)

    def drawn(segments):
        of_segment = random.standard_exponential((segments, 1))
        x = of_segment + random.standard_exponential((segments, 4))
        return x, of_segment + 0.7 * random.standard_exponential((segments, 4))

    true = correlation(*drawn(20_000))
    covered = np.zeros(2)
    for _ in range(300):
        both = correlation(*drawn(200))
        ends = zip((both.pearson_interval, both.kendall_interval), (true.pearson, true.kendall), strict=True)
        covered += [low < value < high for (low, high), value in ends]
    assert ((covered > 270) & (covered < 299)).all()


def test_scores_that_say_nothing_or_the_same():
    x = np.arange(9.0)[:, None]
    assert correlation(x, x).pearson_interval == pytest.approx((1.0, 1.0))
    assert np.isnan(correlation(x, x * 0).kendall)


def test_comparisons_show_scores_from_elsewhere():
    comparison = compare(NAMED, TWO_REFS, resamples=200, scores={"comet": OPPOSITE})
    (scores,) = comparison.scores
    assert scores.means["basalt"] == pytest.approx(np.mean(OPPOSITE["basalt"]))
    assert scores.correlation("basalt").pearson == pytest.approx(1.0)
    assert 0.8 < scores.correlation().pearson < 1
    assert scores.opposed("aurora", "cinder") == [6]
    assert comparison.to_dict()["scores"][0]["pearson"] == scores.correlation().pearson
    errors = {name: -own for name, own in OPPOSITE.items()}
    assert (
        compare(NAMED, TWO_REFS, resamples=200, scores={"e": errors})
        .scores[0]
        .sentence()
        .endswith("with sentence BLEU; lowest: aurora")
    )


def test_contrasts_show_where_scores_disagree():
    text = str(
        contrast(NAMED["aurora"], NAMED["cinder"], TWO_REFS, names=("aurora", "cinder"), scores={"comet": OPPOSITE})
    )
    a, b = (SENTENCES[name][6] for name in ("aurora", "cinder"))
    assert f"segment 7: A - B {a - b:+.2f}, comet {(b - a) / 100:+.4f}" in text
    assert text.count("comet: ") == 2


def test_scores_need_texts():
    bleu = BLEU()
    stats = {name: bleu.stats(hyps, TWO_REFS) for name, hyps in NAMED.items()}
    with pytest.raises(OptionError, match="without strata and runs"):
        compare(stats, resamples=200, scores={"comet": OPPOSITE})
    with pytest.raises(InputError, match="47 of aurora, not one for each segment"):
        compare(NAMED, TWO_REFS, scores={"x": {name: own[1:] for name, own in OPPOSITE.items()}})
