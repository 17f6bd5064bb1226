# SPDX-License-Identifier: Apache-2.0
"""Every candidate against every reference: matrices of scores, and minimum Bayes risk decoding."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum, inf, isnan
from typing import Any, Generic, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from truebleu.dialects.changes import MBROptions, PairwiseChanges, Segment, UnweightedMetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, check_bool, quantity
from truebleu.inputs.corpus import Marks, as_python, column, exports_arrow, reading, series
from truebleu.inputs.ids import Ids
from truebleu.metrics.kernel import for_kernel, id_bounds
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric


def pairwise(
    candidates: Any,
    references: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric | None = None,
    exact: bool = False,
    pad_id: Marks = None,
    eos_id: Marks = None,
    threads: int | None = None,
    **changes: Unpack[PairwiseChanges],
) -> NDArray[np.float64]:
    """The score of each candidate against each reference: `scores[i, j]` is that of candidate i.

    A score is that of the segment by itself, with `sentence_effective_order`, as `sentence_bleu`
    gives it for one pair. The matrix is not symmetric: candidate j is the reference in column j.

    Args:
        candidates: n segments: strings, lists of words or token ids, as for `BLEU.corpus`.
        references: m segments (default: the candidates).
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        metric: the metric to use instead of a dialect's BLEU, such as `"chrf"` or `CHRF()`.
        exact: compute each score to the last bit of `sentence_bleu`. Otherwise, BLEU of four orders
            is computed by square roots, in a third of the time or less, and differs by at most
            1e-12 (some units in the last place). Scores of chrF and TER are always exact.
        pad_id, eos_id: for ids, as in `BLEU.corpus`.
        threads: the most threads to use; they never change a result.
        changes: options of the metric to change, by name; change the option `references` in
            `dialect`.

    Returns:
        An array of n rows and m columns.

    Raises:
        InputError: a column holds neither text nor ids.

    Example:
        >>> from truebleu import pairwise
        >>> pairwise(["a b c d e", "a b c d"]).round(1)
        array([[100. ,  66.9],
               [ 77.9, 100. ]])
        >>> import numpy as np
        >>> pairwise(np.array([[5, 7, 9, 2, 4], [5, 7, 9, 2, 0]]), pad_id=0).round(1)
        array([[100. ,  66.9],
               [ 77.9, 100. ]])
    """
    scorer = choose_metric(metric, dialect, threads, changes)
    scores: NDArray[np.float64] = scorer.pairwise(candidates, references, exact=exact, pad_id=pad_id, eos_id=eos_id)
    return scores


@dataclass(frozen=True, slots=True)
class MBR(Generic[Segment]):
    """The candidate with the highest expected score, and the expected score of each candidate.

    Attributes:
        best: the winner in the type of the candidates; with equal scores, the first. For ids in an
            array it is a NumPy array in the same memory, padding included.
        index: its place among the candidates.
        scores: the expected score of each candidate.
    """

    best: Segment = field(compare=False)  # comparing arrays would give an array
    index: int
    scores: tuple[float, ...]

    def __repr__(self) -> str:
        return f"MBR(best={self.best!r}, index={self.index}, score={self.scores[self.index]:.2f})"


# fmt: off
@overload
def mbr(candidates: Sequence[str], weights: Any = None, references: Any = None, dialect: str | Dialect = "sacrebleu",
        *, group: None = None, **options: Unpack[MBROptions]) -> MBR[str]: ...
@overload
def mbr(candidates: Sequence[list[str]], weights: Any = None, references: Any = None,
        dialect: str | Dialect = "sacrebleu", *, group: None = None, **options: Unpack[MBROptions]
        ) -> list[MBR[str]]: ...
@overload
def mbr(candidates: Any, weights: Any = None, references: Any = None, dialect: str | Dialect = "sacrebleu",
        *, group: int, **options: Unpack[MBROptions]) -> list[MBR]: ...
@overload
def mbr(candidates: Any, weights: Any = None, references: Any = None, dialect: str | Dialect = "sacrebleu",
        *, group: int | None = None, **options: Unpack[MBROptions]) -> MBR | list[MBR]: ...
# fmt: on


def mbr(
    candidates: Any,
    weights: Any = None,
    references: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric | None = None,
    exact: bool = False,
    group: int | None = None,
    pad_id: Marks = None,
    eos_id: Marks = None,
    threads: int | None = None,
    **changes: Unpack[UnweightedMetricChanges],
) -> Any:
    """Minimum Bayes risk decoding: the candidate with the best expected score.

    The expected score of a candidate is the mean of its scores against references that represent
    the truth: samples of the model (Eikema and Aziz 2020), usually the candidates themselves, each
    of which is then among its own references. With weights, such as probabilities, it is the
    weighted mean (Kumar and Byrne 2004). See `pairwise` for the single scores.

    Args:
        candidates: strings or rows of token ids for one source; for many sources a list of these
            for each, a 3-D array or `Ids` with `items`. Lists of words can replace strings if there
            is a list for each source.
        weights: a number for each reference, in the shape of the references; they need not sum
            to 1 (default: equal weights).
        references: in the shape of the candidates (default: the candidates).
        exact: as for `pairwise`.
        group: the number of candidates in a row that belong to one source; the references are
            divided equally among the sources.
        pad_id, eos_id: for ids, as in `BLEU.corpus`.
        dialect, metric, threads, changes: as for `pairwise`; change n-gram weights in `dialect`.

    Returns:
        An MBR for one source; a list of them for many.

    Raises:
        InputError: a source has no candidate or no reference, shapes differ, or a weight is
            negative or not a number.

    Example:
        >>> from truebleu import mbr
        >>> mbr(["a cat sat", "the cat sat down", "a cat sat down"])
        MBR(best='a cat sat down', index=2, score=72.97)
        >>> [best.index for best in mbr([["a b", "a b", "c"], ["d"]])]
        [0, 0]
        >>> [one.best for one in mbr([[5, 7], [5, 7, 9], [5], [8], [6], [6]], group=3)]
        [[5, 7], [6]]
    """
    options = reading(pad_id, eos_id, 1 if group is None else group)
    scorer = choose_metric(metric, dialect, threads, changes)
    sources = _sources("candidates", candidates, group)
    others = None if references is None else _sources("references", references, group, like=sources)
    counted = others or sources
    shares = None if weights is None else _shares(weights, counted)
    columns = scorer._unpaired_columns(sources.column, others and others.column)
    groups = sources.bounds, others and others.bounds, shares
    exact = check_bool("exact", exact)
    scores = scorer.sentence_plan.expected(columns, groups, exact, scorer.threads, options)
    sign = 1 if scorer.higher_is_better else -1
    best = (_best(sources, start, scores[start:end], sign) for start, end in sources.spans())
    return next(best) if sources.single else list(best)


def _best(sources: _Sources, start: int, scores: Sequence[float], sign: int) -> MBR:
    # NaN is below all other scores; among equals, max takes the first.
    index = max(range(len(scores)), key=lambda i: (not isnan(scores[i]), sign * scores[i]))
    return MBR(sources.item(start + index), index, tuple(scores))


def _shares(weights: Any, sources: _Sources) -> list[float]:
    """Weights that sum to 1 for each source, from numbers or a list of numbers for each source."""
    spans = list(sources.spans())
    lists = _listed("weights", weights)
    if not sources.single and lists and hasattr(lists[0], "__len__"):
        if len(lists) != len(spans):
            counts = f"{quantity(len(lists), 'list')} for {quantity(len(spans), 'source')}"
            raise InputError(f"weights has {counts}; give one for each")
    else:
        _check_count("weights", lists, sources.bounds[-1])
        lists = [lists[start:end] for start, end in spans]
    shares: list[float] = []
    for i, (start, end) in enumerate(spans):
        name = f"weights[{i}]"
        try:
            numbers = [float(weight) for weight in _listed(name, lists[i])]
        except (TypeError, ValueError):
            raise InputError(f"{name} holds something that is not a number") from None
        _check_count(name, numbers, end - start)
        total = fsum(numbers)
        if not all(0 <= weight < inf for weight in numbers) or not 0 < total < inf:
            raise InputError(f"{name} must be finite numbers of 0 or more, not all of them 0")
        shares += [weight / total for weight in numbers]
    return shares


def _check_count(name: str, numbers: Sequence[Any], count: int) -> None:
    if len(numbers) != count:
        counts = f"{quantity(len(numbers), 'number')} for {quantity(count, 'reference')}"
        raise InputError(f"{name} has {counts}; give one for each")


@dataclass(frozen=True, slots=True)
class _Sources:
    """The segments of all sources in one column, with the bounds of each source.

    Attributes:
        column: all segments; ids in arrays and Arrow data are not copied.
        bounds: source i has the segments from `bounds[i]` to `bounds[i + 1]`.
        single: whether the caller passed one source, not a list of sources.
        item: a function from a place to its segment in the caller's type.
    """

    column: Any
    bounds: list[int]
    single: bool
    item: Callable[[int], Any]

    def spans(self) -> Iterator[tuple[int, int]]:
        """The start and the end of each source."""
        return itertools.pairwise(self.bounds)


def _sources(name: str, values: Any, group: int | None, like: _Sources | None = None) -> _Sources:
    """The sources in `values`; those of references are as many as those of candidates, `like`."""
    flat = None if like is None else like.single
    sources = _ungrouped(name, values, True if group is not None else flat)
    if group is not None:
        sources = _grouped(name, sources, group, like)
    if like is None and not sources.bounds[-1]:
        raise InputError(f"{name} is empty; give at least one candidate")
    for i, (start, end) in enumerate(sources.spans()):
        if start == end:
            raise InputError(f"{name}[{i}] is empty; each source needs at least one")
    if like is not None and len(sources.bounds) != len(like.bounds):
        number = quantity(len(sources.bounds) - 1, "source")
        raise InputError(f"{name} has {number}, candidates has {len(like.bounds) - 1:,}")
    return sources


def _ungrouped(name: str, values: Any, flat: bool | None) -> _Sources:
    values = column(name, values)
    if isinstance(values, Ids) or exports_arrow(values):
        bounds = id_bounds(name, for_kernel(values))
        if bounds is not None:
            return _of_ids(values, *bounds)
    return _of_lists(name, as_python(name, values), flat)


def _of_ids(values: Any, bounds: list[int], nested: bool) -> _Sources:
    """Token ids in arrays or in Arrow data; nothing is copied."""
    if isinstance(values, Ids):
        first = 0 if values.items is None else int(values.items[0])
        return _Sources(values, bounds, not nested, lambda place: values.row(first + place))

    def item(place: int) -> Any:
        if not nested:
            return _element(values, place)
        source = bisect_right(bounds, place) - 1
        return _element(values, source)[place - bounds[source]]

    return _Sources(values, bounds, not nested, item)


def _of_lists(name: str, items: Sequence[Any], flat: bool | None) -> _Sources:
    """Segments in Python's lists; `flat`: whether they are one source, None if not known."""
    if flat is None:
        several = items and not isinstance(items[0], str) and hasattr(items[0], "__len__")
        lists = (item for item in items if isinstance(item, (list, tuple)) and item)
        flat = not several or any(hasattr(row[0], "__index__") for row in lists)  # rows of ids
    if flat:
        return _Sources(items, [0, len(items)], True, items.__getitem__)
    segments: list[Any] = []
    bounds = [0]
    for i, source in enumerate(items):
        segments += as_python(f"{name}[{i}]", source)
        bounds.append(len(segments))
    return _Sources(segments, bounds, False, segments.__getitem__)


def _grouped(name: str, flat: _Sources, group: int, like: _Sources | None) -> _Sources:
    """One column of segments, divided equally among the sources."""
    if not flat.single:
        raise InputError(f"{name} has lists of segments; group= needs a flat column")
    count = flat.bounds[-1]
    segments = quantity(count, "segment")
    if like is None and count % group:
        raise InputError(f"{name} has {segments}, not a multiple of group={group}")
    sources = count // group if like is None else len(like.bounds) - 1
    if count % max(1, sources):
        raise InputError(f"{name} has {segments}, not a multiple of {quantity(sources, 'source')}")
    each = count // max(1, sources)
    return _Sources(flat.column, [each * i for i in range(sources + 1)], False, flat.item)


def _listed(name: str, values: Any) -> list[Any]:
    try:
        if isinstance(values, (list, tuple)):  # NaN is refused
            return list(values)
        return values.tolist() if hasattr(values, "tolist") else list(as_python(name, values))
    except UnicodeDecodeError:  # Arrow data with text, which is damaged as well
        raise InputError(f"{name} holds text that is not UTF-8; give numbers") from None


def _element(values: Any, place: int) -> Any:
    """A list of Arrow data as Python's."""
    element = series(values)[place]
    for method in ("as_py", "to_list"):
        if hasattr(element, method):
            return getattr(element, method)()
    return element
