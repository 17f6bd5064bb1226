# SPDX-License-Identifier: Apache-2.0
"""The scores of a corpus by chrF or TER, under the options that their users change."""

from __future__ import annotations

import numpy as np

from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.penalties import CHANGED_BUDGET, NO_CHANGE, all_combinations
from truebleu.analysis.reconcile.texts import CORPUS, MEAN, Setting, Variant
from truebleu.metrics.names import metric_class


class FamilyCandidates:
    """The scores of a corpus by one of these metrics, as `Candidates` has those of BLEU.

    Args:
        texts, system: as for `Candidates`.
        metric: `chrf` or `ter`.
        points: penalty points of the metric.
    """

    def __init__(self, texts: Variant, system: int, metric: str, points: int = 0) -> None:
        corpus, self._settings = texts.corpora[system], list[Setting]()
        values, costs = list[float](), list[int]()
        is_asian = bool(penalties.fitting_tokenizers(corpus.sample()))
        budget = CHANGED_BUDGET - texts.points - points
        choices = ((NO_CHANGE, *changes) for changes in penalties.OPTIONS[metric])
        for change in all_combinations(*choices, budget=budget):
            if "asian_support" in change.options and not is_asian:
                continue
            scorer = metric_class(metric)(threads=corpus.threads, **change.options)
            for subset, spent in texts.subsets():
                total = change.points + spent
                if total > budget:
                    continue
                stats = scorer.stats(*corpus.selected(subset))
                for aggregation, cost, value in (
                    (CORPUS, total, scorer.score(stats).value),
                    (
                        MEAN,
                        total + penalties.MEAN_OF_SEGMENTS,
                        scorer.sentence_values(stats).mean(),
                    ),
                ):
                    if cost <= budget:
                        options = dict(change.options)
                        self._settings.append(
                            texts.setting(None, options, subset, aggregation, metric)
                        )
                        values.append(value / 100)
                        costs.append(texts.points + points + cost)
        self.values, self.points = np.array(values), np.array(costs)
        self.scales = np.full(len(values), 100)

    def setting(self, number: int) -> Setting:
        """The setting of `values[number]`."""
        return self._settings[number]
