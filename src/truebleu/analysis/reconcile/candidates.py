# SPDX-License-Identifier: Apache-2.0
"""What a corpus scores under each usual setting.

A setting is a row of the table with departures. What it counts (text, references) and how it
combines (smoothing, orders) are listed apart, so that each is done once for all settings that share
it: a hundred counts and some hundred formulas make some hundred thousand scores.
"""

from __future__ import annotations

from typing import NamedTuple

from truebleu.analysis.reconcile import usualness
from truebleu.analysis.reconcile.tally import FAST_ORDERS, Kind
from truebleu.analysis.reconcile.usualness import BUDGET, NONE, Departure, combined
from truebleu.dialects.decisions import Aggregate, Count, Normalize, Tokenize, rebuild
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import TrueBLEUError
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.stats import Stats
from truebleu.metrics.workers import ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.reconcile.tally import Rows, Tally
    from truebleu.dialects.decisions import Combine, Dialect

    Array = NDArray[Any]

#: How scores of segments become the score of a corpus: their counts are added; their scores are
#: averaged; or as NLTK's methods 5 to 7 do, which smooth with counts of the last segment.
CORPUS, MEAN, LAST = "corpus", "mean of segments", "corpus, smoothed by its last segment"

#: Rows whose tool smooths so.
_SMOOTHED_BY_LAST = ("nltk-method5", "nltk-method6", "nltk-method7")


class Setting(NamedTuple):
    """One way to score the corpus.

    Attributes:
        row: the tool.
        changes: options in which it is used otherwise than by default, with their values.
        references: positions of the references that were used.
        aggregation: how the scores of segments become one.
    """

    row: Dialect
    changes: tuple[tuple[str, Any], ...]
    references: tuple[int, ...]
    aggregation: str


class _Counts(NamedTuple):
    departure: Departure
    references: tuple[int, ...]
    kind: Kind


class _Formula(NamedTuple):
    departure: Departure
    key: tuple[Combine, int]  # of `Candidates._metrics`


class _Block(NamedTuple):
    """Settings of a row whose counts and formulas meet in all ways."""

    row: Dialect
    aggregation: str
    counts: list[_Counts]
    formulas: list[_Formula]
    points: int


class Candidates:
    """The scores of a corpus under every setting within the budget.

    Args:
        tally: the corpus.
        names: rows of the table.

    Attributes:
        values: the score of each setting, where a perfect one is 1.
        points: how unusual each setting is; see `usualness`.
        scales: 1 or 100, the scale of each setting's tool.
    """

    values: NDArray[np.float64]
    points: NDArray[np.int64]
    scales: NDArray[np.int64]

    def __init__(self, tally: Tally, names: Iterable[str]) -> None:
        self._tally = tally
        self._metrics: dict[tuple[Combine, int], BLEU] = {}
        self._subsets = [
            (chosen, points)
            for chosen, points in usualness.subsets(tally.references)
            if tally.complete(chosen)
        ]
        fitting = usualness.fitting_tokenizers(tally.sample())
        self._fitting = [name for name in fitting if _is_installed(name)]
        self._models = [name for name in usualness.MODELS if _is_installed(name)]
        self._blocks = [block for name in names for block in self._of_row(DIALECTS[name])]
        tally.run({counts.kind for block in self._blocks for counts in block.counts})
        self._score()

    def __len__(self) -> int:
        return len(self.values)

    def setting(self, number: int) -> Setting:
        """The setting of a number from 0 on: what `values[number]` is the score of."""
        import numpy as np

        place = int(np.searchsorted(self._starts, number, side="right")) - 1
        block = self._blocks[place]
        at = int(self._cells[number])
        formula, counts = divmod(at, len(block.counts))
        chosen = block.counts[counts]
        changes = {**chosen.departure.changes, **block.formulas[formula].departure.changes}
        return Setting(block.row, tuple(changes.items()), chosen.references, block.aggregation)

    # ------------------------------------------------------------------ which settings there are

    def _of_row(self, row: Dialect) -> list[_Block]:
        points = usualness.tool(row.name)
        texts = combined(self._tokenizations(row), usualness.cases(row), budget=BUDGET - points)
        changes = usualness.smoothings(row), usualness.effective_orders(row), usualness.orders(row)
        formulas = combined(*changes, budget=usualness.FORMULA_BUDGET)
        rules = usualness.reference_lengths(row)
        blocks = []
        for orders, some in self._by_orders(row, formulas):
            counts = self._counts(row, orders, texts, rules, points + some[0].departure.points)
            blocks.append(_Block(row, CORPUS, counts, some, points))
            if row.name in _SMOOTHED_BY_LAST and not some[0].departure.changes:
                blocks.append(_Block(row, LAST, counts, some[:1], points))
        points += usualness.MEAN_OF_SEGMENTS
        formulas = [formula for formula in formulas if "weights" not in formula.changes]
        for orders, some in self._by_orders(row, formulas, mean=True):
            counts = self._counts(row, orders, texts, [NONE], points + some[0].departure.points)
            blocks.append(_Block(row, MEAN, counts, some, points))
        return [block for block in blocks if block.counts]

    def _tokenizations(self, row: Dialect) -> list[Departure]:
        if self._tally.tokenized:
            return [NONE]
        return usualness.tokenizations(row, self._fitting, self._models)

    def _counts(
        self,
        row: Dialect,
        orders: int,
        texts: Iterable[Departure],
        rules: Iterable[Departure],
        spent: int,
    ) -> list[_Counts]:
        """What a row's users may have counted: texts, references, and which length counts."""
        only_first = row.count.references == "first"
        floor = row.count.floor_totals and row.count.measure == "precision"
        own = row.aggregate.ref_len
        found = []
        for text in texts:
            native = text.changes.get("tokenize", row.tokenize.tokenize) in tokenizers.NATIVE
            budget = BUDGET if native else usualness.PYTHON_BUDGET
            if orders > FAST_ORDERS:
                budget = usualness.LONG_BUDGET if native else 0
            budget -= spent
            if text.points > budget:
                continue
            words = self._tally.text(row.replace(**text.changes), orders)
            for chosen, points in self._subsets:
                if only_first and 1 < len(chosen) < self._tally.references:
                    continue
                used = chosen[:1] if only_first else chosen
                if only_first and not self._tally.complete(used):
                    continue
                for rule in rules if len(used) > 1 else [NONE]:
                    total = text.points + points + rule.points
                    if total > budget:
                        continue
                    name = rule.changes.get("ref_len", own)
                    if len(used) == 1 and name != "pair":
                        name = "closest"
                    departure = Departure({**text.changes, **rule.changes}, total)
                    found.append(_Counts(departure, chosen, Kind(words, used, name, floor)))
        return found

    def _by_orders(
        self, row: Dialect, departures: Iterable[Departure], *, mean: bool = False
    ) -> list[tuple[int, list[_Formula]]]:
        """The departures as formulas, the most usual first, by the orders that must be counted."""
        by_orders: dict[int, list[_Formula]] = {}
        for departure in sorted(departures, key=lambda departure: departure.points):
            changes = dict(departure.changes)
            order = changes.pop("max_ngram_order", row.count.max_ngram_order)
            combine = row.combine.replace(**changes)
            if mean:
                combine = combine.replace(effective_order=combine.sentence_effective_order)
            averages = combine.smooth_method in ("average", "length-average")
            if order + averages <= FAST_ORDERS + 1:
                by_orders.setdefault(max(order + averages, FAST_ORDERS), []).append(
                    _Formula(departure, (combine, order))
                )
        return list(by_orders.items())

    # ------------------------------------------------------------------ what they score

    def _score(self) -> None:
        import numpy as np

        means = self._means()
        values, points, scales, cells, starts = [], [], [], [], [0]
        for block in self._blocks:
            grid, of_grid = self._grid(block, means), _points(block)
            inside = np.flatnonzero((of_grid <= BUDGET) & np.isfinite(grid))
            values.append(grid.flat[inside] / block.row.combine.scale)
            points.append(of_grid.flat[inside])
            scales.append(np.full(len(inside), block.row.combine.scale))
            cells.append(inside)
            starts.append(starts[-1] + len(inside))
        self.values, self.points = np.concatenate(values), np.concatenate(points)
        self.scales, self._cells = np.concatenate(scales), np.concatenate(cells)
        self._starts = np.array(starts)

    def _grid(self, block: _Block, means: dict[Any, float]) -> Array:
        """The score of each formula (down) of each counts (across)."""
        import numpy as np

        if block.aggregation == MEAN:
            kinds = [self._same[counts.kind] for counts in block.counts]
            return np.array(
                [[means.get((f.key, kind), np.nan) for kind in kinds] for f in block.formulas]
            )
        totals = np.array([self._tally.total(counts.kind) for counts in block.counts])
        if block.aggregation == LAST:
            self._put_last(block, totals)
        by_orders = {orders: _up_to(totals, orders) for orders in range(1, totals.shape[1] // 2)}
        metrics = [self._metric(formula.key) for formula in block.formulas]
        rows = [by_orders[metric.dialect.counted_orders] for metric in metrics]
        return np.array([metric.values(some) for metric, some in zip(metrics, rows, strict=True)])

    def _means(self) -> dict[tuple[tuple[Combine, int], Kind], float]:
        """Means of scores of segments, of what is looked at; what is counted alike, once."""
        from hashlib import blake2b

        blocks = [block for block in self._blocks if block.aggregation == MEAN]
        first: dict[bytes, Kind] = {}
        self._same: dict[Kind, Kind] = {}
        for kind in dict.fromkeys(counts.kind for block in blocks for counts in block.counts):
            digest = blake2b(self._tally.rows(kind).tobytes()).digest()
            self._same[kind] = first.setdefault(digest, kind)
        wanted: dict[tuple[Combine, int], dict[Kind, None]] = {}
        for block in blocks:
            inside = _points(block) <= BUDGET
            for formula, row in zip(block.formulas, inside.tolist(), strict=True):
                kinds = wanted.setdefault(formula.key, {})
                for counts, is_inside in zip(block.counts, row, strict=True):
                    if is_inside:
                        kinds[self._same[counts.kind]] = None

        metrics = {key: self._metric(key) for key in wanted}

        def of_formula(key: tuple[Combine, int]) -> dict[Any, float]:
            metric, found = metrics[key], {}
            for kind in wanted[key]:
                rows = _up_to(self._tally.rows(kind), metric.dialect.counted_orders)
                found[key, kind] = float(metric.values(rows).mean())
            return found

        found: dict[Any, float] = {}
        for means in ordered(of_formula, wanted, self._tally.threads):
            found |= means
        return found

    def _put_last(self, block: _Block, totals: Array) -> None:
        """Write counts of the last segment where the smoothing of NLTK's row reads them."""
        import numpy as np

        orders = totals.shape[1] // 2 - 1
        for total, counts in zip(totals, block.counts, strict=True):
            last = self._tally.rows(counts.kind)[-1]
            if block.row.name != "nltk-method6":  # the order behind all
                total[[1 + orders, 1 + 2 * orders]] = last[[1 + orders, 1 + 2 * orders]]
            elif last[0] >= orders:  # from order 3 on, n-grams but not matches
                total[4 + orders :] = last[0] - np.arange(2, orders)
            else:  # not a number: the row cannot say what NLTK does there
                total[4] = 0

    def _metric(self, key: tuple[Combine, int]) -> BLEU:
        """A metric of the formula, for counts that are there."""
        if key not in self._metrics:
            combine, order = key
            parts = (Normalize(), Tokenize(tokenize="none"), Count(max_ngram_order=order))
            row = rebuild((*parts, Aggregate(), combine), "sacrebleu", {})
            self._metrics[key] = BLEU(row, threads=1)
        return self._metrics[key]


def _up_to(rows: Rows, orders: int) -> Stats:
    """Rows that were counted to as many orders or more."""
    import numpy as np

    counted = rows.shape[1] // 2 - 1
    if orders < counted:
        rows = np.hstack((rows[:, : 2 + orders], rows[:, 2 + counted : 2 + counted + orders]))
    return Stats.from_buffer(np.ascontiguousarray(rows), orders)


def _points(block: _Block) -> Any:
    """How unusual each formula (down) of each counts (across) is."""
    import numpy as np

    formulas = np.array([formula.departure.points for formula in block.formulas])
    counts = np.array([counts.departure.points for counts in block.counts])
    return block.points + formulas[:, None] + counts[None, :]


def _is_installed(tokenizer: str) -> bool:
    """Whether the tokenizer is in the kernel, or its library and model are there."""
    try:
        tokenizers.find(tokenizer)
    except TrueBLEUError:
        return False
    return True
