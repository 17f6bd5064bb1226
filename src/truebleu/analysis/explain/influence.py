# SPDX-License-Identifier: Apache-2.0
"""What costs a corpus its points: the segments, by leaving each out, and the n-grams."""

from __future__ import annotations

from array import array
from dataclasses import asdict, dataclass

from truebleu.metrics.stats import Stats
from truebleu.metrics.workers import ordered
from truebleu.text.json_text import for_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.bleu import BLEU

    Tokens = Sequence[str]
    Integers = NDArray[np.int64]


#: Tokens of more than this are sorted longer than 0.1 s.
_LARGE = 1 << 20

#: Numbers at a time, where NumPy hears no signal: 10 ms of work, or more in new memory.
_PART = 1 << 18


@dataclass(frozen=True, slots=True)
class NgramCost:
    """An n-gram of a corpus and what it costs.

    Attributes:
        words: its tokens.
        in_hyps: occurrences in hypotheses.
        matched: occurrences that match; of references, where recall is measured.
        unmatched: occurrences in hypotheses that do not match; where recall is measured, none.
        missed: occurrences that some reference of a segment has and its hypothesis lacks; where
            recall is measured, of all references.
        cost: points that the corpus would gain if the unmatched occurrences matched, all else
            being equal; where recall is measured, if the missed ones did.
        missed_cost: points that it would gain if in place of other n-grams that do not match it
            had the missed ones, or as many of them as there are places.
    """

    words: tuple[str, ...]
    in_hyps: int
    matched: int
    unmatched: int
    missed: int
    cost: float
    missed_cost: float

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        costs = {name: for_json(getattr(self, name)) for name in ("cost", "missed_cost")}
        return {**asdict(self), **costs}


def segment_costs(bleu: BLEU, stats: Stats) -> NDArray[np.float64]:
    """For each segment the score without it less the score: points that it costs the corpus."""
    import numpy as np

    rows, total = np.asarray(stats), stats.sum()
    costs = np.empty(len(rows))
    for start in range(0, len(rows), _PART):
        some = slice(start, start + _PART)
        without = np.ascontiguousarray(np.asarray(total) - rows[some])
        costs[some] = bleu.values(Stats.from_buffer(without, stats.orders))
    with np.errstate(invalid="ignore"):  # smoothing values of users can make scores infinite
        costs -= bleu.values(total)[0]
    return costs


def ngram_costs(
    bleu: BLEU, total: Stats, segments: Iterable[tuple[Tokens, Sequence[Tokens]]], most: int
) -> tuple[tuple[NgramCost, ...], tuple[NgramCost, ...]]:
    """The n-grams that cost most: those that do not match, and those that are missed.

    Args:
        bleu: how n-grams are counted.
        total: the row of the corpus.
        segments: the tokens of each hypothesis, and those of each of its references.
        most: how many of each kind.
    """
    if not most:
        return (), ()
    if bleu.dialect.count.references == "first":
        segments = ((hyp, refs[:1]) for hyp, refs in segments)
    texts = _Texts(segments)
    unmatched: list[NgramCost] = []
    missed: list[NgramCost] = []

    def of_order(order: int) -> tuple[list[NgramCost], list[NgramCost]]:
        return _of_order(bleu, texts, order, total, most)

    # NumPy sorts for seconds without a look at signals; a thread that waits for another one looks.
    threads = 2 if len(texts.tokens) > _LARGE else 1
    for order in range(1, bleu.dialect.count.max_ngram_order + 1):
        for costs in ordered(of_order, (order,), threads):
            for found, some in zip((unmatched, missed), costs, strict=True):
                found.extend(some)
    unmatched.sort(key=lambda gram: (-gram.cost, len(gram.words), gram.words))
    missed.sort(key=lambda gram: (-gram.missed_cost, len(gram.words), gram.words))
    return tuple(unmatched[:most]), tuple(missed[:most])


class _Texts:
    """All tokens of a corpus one behind the other, as numbers."""

    def __init__(self, segments: Iterable[tuple[Tokens, Sequence[Tokens]]]) -> None:
        numbers: dict[str, int] = {}
        tokens, owners = _Growing(), _Growing()
        ends, segment_of, is_hyp = array("q"), array("q"), array("b")
        for i, (hyp, refs) in enumerate(segments):
            for place, text in enumerate((hyp, *refs)):
                tokens.extend([numbers.setdefault(token, len(numbers)) for token in text])
                owners.extend(array("q", (len(ends),)) * len(text))
                ends.append(tokens.count)
                segment_of.append(i)
                is_hyp.append(place == 0)
        self.vocabulary = list(numbers)
        self.tokens = tokens.whole()
        #: The text of each token; of each text its end, its segment, and if it is the hypothesis.
        self.owners, self._ends = owners.whole(), _viewed(ends)
        self.segment_of, self.is_hyp = _viewed(segment_of), _viewed(is_hyp).astype(bool)
        self._grams = self.tokens

    def grams(self, order: int) -> tuple[Integers, Integers]:
        """Where n-grams of `order` begin, and a number for each of them; ask order by order."""
        import numpy as np

        positions = np.arange(len(self.tokens))
        starts = np.flatnonzero(positions + order <= self._ends[self.owners])
        if order > 1:
            longer = self._grams[starts] * len(self.vocabulary) + self.tokens[starts + order - 1]
            self._grams = np.zeros_like(self.tokens)
            self._grams[starts] = _ranked(longer)[1]
        return starts, self._grams[starts]

    def words(self, start: int, order: int) -> tuple[str, ...]:
        """The n-gram of `order` that begins at `start`."""
        return tuple(self.vocabulary[i] for i in self.tokens[start : start + order])


class _Growing:
    """Integers that become many, in pieces: to move 800 MB took 0.3 s, in which no signal is heard.

    Attributes:
        count: how many there are.
    """

    __slots__ = ("_last", "_pieces", "count")

    def __init__(self) -> None:
        self.count = 0
        self._last = array("q")
        self._pieces = [self._last]

    def extend(self, numbers: Sequence[int]) -> None:
        """Add integers at the end."""
        if len(self._last) > _PART:
            self._last = array("q")
            self._pieces.append(self._last)
        self._last.extend(numbers)
        self.count += len(numbers)

    def whole(self) -> Integers:
        """All of them in one array."""
        import numpy as np

        found, end = np.empty(self.count, dtype=np.int64), 0
        for piece in self._pieces:
            found[end : end + len(piece)] = piece
            end += len(piece)
        return found


def _viewed(numbers: array[int]) -> Integers:
    import numpy as np

    viewed: Integers = np.asarray(numbers)
    return viewed


def _of_order(
    bleu: BLEU, texts: _Texts, order: int, total: Stats, most: int
) -> tuple[list[NgramCost], list[NgramCost]]:
    """The most costly n-grams of one order: unmatched and missed ones."""
    import numpy as np

    starts, grams = texts.grams(order)
    if not len(starts):
        return [], []
    kinds = int(grams.max()) + 1
    in_hyps, matched, unmatched, missed = _counts(bleu.dialect, texts, starts, grams, kinds)
    recall = bleu.dialect.count.measure == "recall"
    weights = _weights(bleu.dialect, texts, order, starts, grams, kinds)
    row = np.array(total[0])
    free = row[1 + total.orders + order] - row[1 + order]
    costs = _gains(bleu, row, order, weights * missed if recall else unmatched)
    missed_costs = _gains(bleu, row, order, np.minimum(weights * missed, free))
    first = np.zeros(kinds, dtype=np.int64)
    first[grams[::-1]] = starts[::-1]

    def entry(gram: int) -> NgramCost:
        return NgramCost(
            texts.words(int(first[gram]), order),
            int(in_hyps[gram]), int(matched[gram]), int(unmatched[gram]), int(missed[gram]),
            float(costs[gram]), float(missed_costs[gram]),
        )  # fmt: skip

    def largest(values: NDArray[np.float64], counts: Integers) -> list[NgramCost]:
        found = np.flatnonzero(counts)
        if len(found) > most:  # to sort them all took a quarter of the time
            losses = -values[found]
            found = found[~(losses > np.partition(losses, most - 1)[most - 1])]
        # Ties at the end go to the n-gram that comes first, whatever its number.
        best = np.lexsort((first[found], -counts[found], -values[found]))[:most]
        return [entry(gram) for gram in found[best]]

    return largest(costs, unmatched), largest(missed_costs, missed)


def _counts(
    dialect: Dialect, texts: _Texts, starts: Integers, grams: Integers, kinds: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """Of each n-gram: occurrences in hypotheses, matched, unmatched and missed ones."""
    import numpy as np

    keys, times = np.unique(texts.owners[starts] * kinds + grams, return_counts=True)
    owners, gram = keys // kinds, keys % kinds
    of_hyp = texts.is_hyp[owners]
    # This n-gram in this segment.
    pairs, where = _ranked(texts.segment_of[owners] * kinds + gram)
    in_hyp = np.zeros(len(pairs), dtype=np.int64)
    in_hyp[where[of_hyp]] = times[of_hyp]
    kind = pairs % kinds
    if dialect.count.measure == "recall":
        shared = np.minimum(times, in_hyp[where])[~of_hyp]
        matched = _sum_by(gram[~of_hyp], shared, kinds)
        missed = _sum_by(gram[~of_hyp], times[~of_hyp], kinds) - matched
        return _sum_by(kind, in_hyp, kinds), matched, np.zeros_like(matched), missed
    allowed = np.zeros(len(pairs), dtype=np.int64)
    of_refs, most = where[~of_hyp], times[~of_hyp]
    for part in range(0, len(most), _PART):
        some = slice(part, part + _PART)
        np.maximum.at(allowed, of_refs[some], most[some])
    in_hyps = _sum_by(kind, in_hyp, kinds)
    matched = _sum_by(kind, np.minimum(in_hyp, allowed), kinds)
    missed = _sum_by(kind, np.maximum(allowed - in_hyp, 0), kinds)
    return in_hyps, matched, in_hyps - matched, missed


def _ranked(values: Integers) -> tuple[Integers, Integers]:
    """The different values in order, and for each value which of them it is.

    As `np.unique` with `return_inverse`, which keeps the interpreter while it sums truth values:
    0.4 s for 20 million, in which no signal is heard.
    """
    import numpy as np

    order = np.argsort(values)
    ordered = values[order]
    begins = np.ones(len(values), dtype=np.int64)
    begins[1:] = ordered[1:] != ordered[:-1]
    ranks = np.empty_like(order)
    ranks[order] = np.cumsum(begins) - 1
    return ordered[begins == 1], ranks


def _sum_by(keys: Integers, values: Integers, kinds: int) -> Integers:
    import numpy as np

    sums = np.zeros(kinds, dtype=np.int64)
    np.add.at(sums, keys, values)
    return sums


def _weights(
    dialect: Dialect, texts: _Texts, order: int, starts: Integers, grams: Integers, kinds: int
) -> Integers:
    """How much an occurrence of each n-gram counts."""
    import numpy as np

    weights = np.ones(kinds, dtype=np.int64)
    if dialect.count.measure == "recall" and order == 1:
        keywords = [i for i, w in enumerate(texts.vocabulary) if w in dialect.count.keywords]
        weights[grams[np.isin(texts.tokens[starts], keywords)]] = 5
    return weights


def _gains(bleu: BLEU, row: Integers, order: int, more: Integers) -> NDArray[np.float64]:
    """What the score gains by so many more matches of one order."""
    import numpy as np

    different, where = _ranked(more)
    rows = np.tile(row, (len(different) + 1, 1))
    rows[1:, 1 + order] += different
    values = bleu.values(Stats.from_buffer(rows, bleu.dialect.counted_orders))
    with np.errstate(invalid="ignore"):
        gains: NDArray[np.float64] = (values[1:] - values[0])[where]
    return gains
