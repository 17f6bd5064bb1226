# SPDX-License-Identifier: Apache-2.0
"""The scores of a corpus by chrF or TER, under the options that their users change."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.penalties import NO_CHANGE, Change, all_combinations
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
        rows, budget = [], penalties.CHANGED_BUDGET - texts.points - points
        choices = (
            [NO_CHANGE, *(Change({name: value}, cost) for value, cost in values.items())]
            for name, values in penalties.OPTIONS[metric].items()
        )
        is_asian = bool(penalties.fitting_tokenizers(corpus.sample()))
        changes = all_combinations(*choices, budget=budget)
        for change, (subset, cost) in product(changes, texts.subsets()):
            is_useless = "asian_support" in change.options and not is_asian
            if is_useless or change.points + cost > budget:
                continue
            scorer = metric_class(metric)(threads=corpus.threads, **change.options)
            stats = scorer.stats(*corpus.selected(subset))
            options = tuple(change.options.items())
            setting = texts.setting(Setting(None, options, subset, CORPUS, metric))
            self._settings += [setting, replace(setting, aggregation=MEAN)]
            total, mean = (
                change.points + cost + texts.points + points,
                scorer.sentence_values(stats),
            )
            rows.append((scorer.score(stats).value / 100, total))
            rows.append((mean.mean() / 100, total + penalties.MEAN_OF_SEGMENTS))
        self.values, costs = np.array(rows).reshape(-1, 2).T
        self.points, self.scales = costs.astype(np.int64), np.full(len(rows), 100)

    def setting(self, number: int) -> Setting:
        """The setting of `values[number]`."""
        return self._settings[number]
