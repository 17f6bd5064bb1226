# SPDX-License-Identifier: Apache-2.0
"""The scores of a corpus under every setting that is common enough to try.

A setting is a row of the table with changes. Its counts (text, references) and its formula
(smoothing, orders) are listed separately, so that each is computed once for all settings that share
it: a hundred counts and several hundred formulas give several hundred thousand scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.penalties import NO_CHANGE, Change, all_combinations
from truebleu.analysis.reconcile.texts import CORPUS, FAST_ORDERS, LAST, MEAN, Integers, Selection, Setting, Variant
from truebleu.dialects.decisions import Aggregate, Combine, Count, Dialect, Normalize, Tokenize
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import TrueBLEUError
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import plan_options
from truebleu.metrics.kernel import Kernel, compile_metric
from truebleu.metrics.names import metric_class
from truebleu.metrics.workers import ordered

Array = NDArray[Any]

#: Rows of tools that smooth by the last segment.
_SMOOTHED_BY_LAST = ("nltk-method5", "nltk-method6", "nltk-method7")


@dataclass(frozen=True, slots=True)
class _Counts:
    change: Change
    references: tuple[int, ...]
    selection: Selection


@dataclass(frozen=True, slots=True)
class _Formula:
    change: Change
    key: tuple[Combine, int]  # the arguments of `_plan`


@dataclass(frozen=True, slots=True)
class _Block:
    """All combinations of the counts and the formulas of a row."""

    row: Dialect
    aggregation: str
    counts: list[_Counts]
    formulas: list[_Formula]
    points: int


class Candidates:
    """The scores of a corpus under every setting within the budget of penalty points.

    Args:
        texts: the texts of all systems, which have the same settings in the same order.
        system: the position of the one whose scores these are.
        names: rows of the table.

    Attributes:
        values: the score of each setting, 1 for a perfect hypothesis; NaN if the tool has none.
        points: the penalty points of each setting.
        scales: 1 or 100, the scale of each setting's tool.
    """

    values: NDArray[np.float64]
    points: NDArray[np.int64]
    scales: NDArray[np.int64]

    def __init__(self, texts: Variant, system: int, names: Iterable[str]) -> None:
        self._texts = texts
        self._corpus = corpus = texts.corpora[system]
        limit = penalties.CHANGED_BUDGET if texts.points else penalties.BUDGET
        self._budget = limit - texts.points
        self._subsets = texts.subsets()
        fitting = penalties.fitting_tokenizers("".join(own.sample() for own in texts.corpora))
        self._fitting = [name for name in fitting if is_installed(name)]
        self._models = [name for name in penalties.MODELS if is_installed(name)]
        self._blocks = [block for name in names for block in self._of_row(DIALECTS[name])]
        corpus.run({counts.selection for block in self._blocks for counts in block.counts})
        parts = [np.empty((4, 0)), *ordered(self._scored, self._blocks, corpus.threads)]
        self._starts = np.cumsum([part.shape[1] for part in parts])
        self.values, *integers = np.hstack(parts)
        self.points, self.scales, self._cells = np.array(integers, dtype=np.int64)

    def setting(self, number: int) -> Setting:
        """The setting of `values[number]`."""
        block = self._blocks[int(np.searchsorted(self._starts, number, side="right")) - 1]
        formula, column = divmod(int(self._cells[number]), len(block.counts))
        counts = block.counts[column]
        options = counts.change.options | block.formulas[formula].change.options
        return self._texts.setting(Setting(block.row, tuple(options.items()), counts.references, block.aggregation))

    # ------------------------------------------------------------------ settings

    def _of_row(self, row: Dialect) -> list[_Block]:
        points = penalties.tool(row.name)
        if points > self._budget:
            return []
        tokenizations = [NO_CHANGE]
        if not self._corpus.tokenized:
            tokenizations = penalties.tokenizations(row, self._fitting, self._models)
        texts = all_combinations(tokenizations, penalties.cases(row), budget=self._budget - points)
        changes = penalties.smoothings(row), penalties.effective_orders(row), penalties.orders(row)
        formulas = all_combinations(*changes, budget=min(penalties.FORMULA_BUDGET, self._budget - points))
        rules = penalties.reference_lengths(row)
        blocks, kinds = [], []
        if row.aggregate.join != "mean":
            kinds = [(CORPUS, formulas, rules, points)]
            points += penalties.MEAN_OF_NLTK if row.name.startswith("nltk") else penalties.MEAN_OF_SEGMENTS
        formulas = [formula for formula in formulas if "weights" not in formula.options]
        kinds.append((MEAN, formulas, [NO_CHANGE], points))
        for aggregation, formulas, rules, points in kinds:
            for orders, group in self._by_orders(row, formulas, mean=aggregation == MEAN):
                counts = self._counts(row, orders, texts, rules, points + group[0].change.points)
                blocks.append(_Block(row, aggregation, counts, group, points))
                if aggregation == CORPUS and row.name in _SMOOTHED_BY_LAST and not group[0].change.options:
                    blocks.append(_Block(row, LAST, counts, group[:1], points))
        return [block for block in blocks if block.counts]

    def _counts(self, row: Dialect, orders: int, texts: list[Change], rules: list[Change], spent: int) -> list[_Counts]:
        """The counts that users of a tool may have used: texts, references, reference lengths."""
        floor = row.count.floor_totals and row.count.measure != "recall"
        subsets = [(subset, subset, points) for subset, points in self._subsets]
        if row.count.references == "first":
            subsets = [
                (subset, subset[:1], points)
                for subset, _, points in subsets
                if len(subset) in (1, self._corpus.references) and self._texts.complete(subset[:1])
            ]
        counts = []
        for text in texts:
            native = text.options.get("tokenize", row.tokenize.tokenize) in tokenizers.NATIVE
            budget = penalties.BUDGET if native else penalties.PYTHON_BUDGET
            if orders > FAST_ORDERS:
                budget = 0 if "tokenize" in text.options and not native else penalties.LONG_BUDGET
            budget = min(budget, self._budget) - spent
            if text.points > budget:
                continue
            words = self._corpus.text(row.replace(**text.options), orders)
            for subset, positions, points in subsets:
                for rule in rules if len(positions) > 1 else [NO_CHANGE]:
                    change = Change(text.options | rule.options, text.points + points + rule.points)
                    name = rule.options.get("ref_len", row.aggregate.ref_len)
                    if len(positions) == 1 and name != "pair":
                        name = "closest"
                    if change.points <= budget:
                        counts.append(_Counts(change, subset, Selection(words, positions, name, floor)))
        return counts

    def _by_orders(
        self, row: Dialect, formulas: Iterable[Change], *, mean: bool = False
    ) -> list[tuple[int, list[_Formula]]]:
        """The formulas, the most common first, by the highest order that must be counted."""
        by_orders: dict[int, list[_Formula]] = {}
        for change in sorted(formulas, key=lambda change: change.points):
            changes = dict(change.options)
            order = changes.pop("max_ngram_order", row.count.max_ngram_order)
            combine = row.combine.replace(**changes)
            if mean:
                combine = combine.replace(effective_order=combine.sentence_effective_order)
            averages = combine.smooth_method in ("average", "length-average")
            if order + averages <= FAST_ORDERS + 1:
                by_orders.setdefault(max(order + averages, FAST_ORDERS), []).append(_Formula(change, (combine, order)))
        return list(by_orders.items())

    # ------------------------------------------------------------------ scores

    def _scored(self, block: _Block) -> Array:
        """Values, points, scales and cells of the settings of a block within the budget."""
        # The points of each formula (down) of each counts (across).
        formulas, counts = ([own.change.points for own in parts] for parts in (block.formulas, block.counts))
        points, scale = block.points + np.add.outer(formulas, counts), block.row.combine.scale
        cells = np.flatnonzero(points <= self._budget)
        scored = self._of_segments if block.aggregation == MEAN else self._of_corpus
        costs = self._texts.points + points.flat[cells]
        return np.array([scored(block, cells) / scale, costs, np.full(len(cells), scale), cells])

    def _of_corpus(self, block: _Block, cells: Array) -> Array:
        """Scores of the corpus."""
        join = "smoothed" if block.row.aggregate.join == "smoothed" else "rows"
        rows_of, selections = self._corpus.rows, [counts.selection for counts in block.counts]
        totals, last = np.array([rows_of(own).sum(axis=0) for own in selections]), None
        if block.aggregation == LAST:
            last = np.array([rows_of(own)[-1] for own in selections])

        def of_formula(formula: _Formula) -> Array:
            plan, orders = _plan(*formula.key, join)
            rows = _up_to(totals, orders)
            if join == "smoothed":  # segments are smoothed before their counts are added
                rows = np.array([plan.joined(_up_to(rows_of(own), formula.key[1])) for own in selections])
            return np.frombuffer(plan.values(rows, last if last is None else _up_to(last, orders)))

        return np.array(list(map(of_formula, block.formulas))).flat[cells]

    def _of_segments(self, block: _Block, cells: Array) -> Array:
        """Mean scores of segments."""
        rows = [self._corpus.rows(counts.selection) for counts in block.counts]
        plans = [_plan(*formula.key) for formula in block.formulas]
        values = [
            np.frombuffer(plans[place][0].values(_up_to(rows[column], plans[place][1]))).mean()
            for place, column in zip(*np.divmod(cells, len(rows)), strict=True)
        ]
        return np.array(values)


@cache
def _plan(combine: Combine, order: int, join: str = "rows") -> tuple[Kernel, int]:
    """What applies a formula to rows of statistics, and how many orders they have."""
    # It reads no text; a plan with the white space of ASCII compiles fastest.
    head = Normalize(), Tokenize(tokenize="none", whitespace="ascii"), Count(max_ngram_order=order)
    dialect = Dialect("sacrebleu", (*head, Aggregate(join=join), combine))
    return compile_metric("bleu", plan_options(dialect)), dialect.counted_orders


def _up_to(rows: Integers, orders: int) -> Integers:
    """Rows of statistics with at least this many orders, cut to this many."""
    counted = rows.shape[1] // 2 - 1
    if orders < counted:
        rows = np.hstack((rows[:, : 2 + orders], rows[:, 2 + counted : 2 + counted + orders]))
    return np.ascontiguousarray(rows)


def is_installed(tokenizer: str) -> bool:
    """Whether a tokenizer is in the kernel, or its library and model are installed."""
    try:
        tokenizers.find(tokenizer)
    except TrueBLEUError:
        return False
    return True


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
        choices = starmap(penalties.values_of, penalties.OPTIONS[metric].items())
        is_asian = bool(penalties.fitting_tokenizers(corpus.sample()))
        for change, (subset, cost) in product(all_combinations(*choices, budget=budget), texts.subsets()):
            if change.points + cost > budget or ("asian_support" in change.options and not is_asian):
                continue
            scorer = metric_class(metric)(threads=corpus.threads, **change.options)
            stats = scorer.stats(*corpus.selected(subset))
            setting = texts.setting(Setting(None, tuple(change.options.items()), subset, CORPUS, metric))
            self._settings += [setting, replace(setting, aggregation=MEAN)]
            total, mean = change.points + cost + texts.points + points, penalties.MEAN_OF_SEGMENTS
            rows.append((scorer.score(stats).value / 100, total))
            rows.append((scorer.sentence_values(stats).mean() / 100, total + mean))
        self.values, costs = np.array(rows).reshape(-1, 2).T
        self.points, self.scales = costs.astype(np.int64), np.full(len(rows), 100)

    def setting(self, number: int) -> Setting:
        """The setting of `values[number]`."""
        return self._settings[number]
