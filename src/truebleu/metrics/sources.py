# SPDX-License-Identifier: Apache-2.0
"""Candidates of one source or of many, whatever holds them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from truebleu.errors import InputError
from truebleu.inputs.corpus import as_python, column, exports_arrow, rows_of_ids, series
from truebleu.inputs.ids import Ids, is_array, view
from truebleu.metrics.bleu import for_kernel, id_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


class Sources:
    """Segments one behind the other, and where those of each source begin and end.

    Attributes:
        column: all segments; ids in arrays and in Arrow data are where they were.
        bounds: source i has the segments from `bounds[i]` to `bounds[i + 1]`.
        single: whether one source was given, by itself.
        item: the segment at a place, as it was given.
    """

    __slots__ = ("bounds", "column", "item", "single")

    def __init__(
        self, column: Any, bounds: list[int], single: bool, item: Callable[[int], Any]
    ) -> None:
        self.column = column
        self.bounds = bounds
        self.single = single
        self.item = item

    def spans(self) -> Iterator[tuple[int, int]]:
        """Where each source begins and ends."""
        return pairwise(self.bounds)

    def split(self, name: str, values: Any) -> list[Sequence[Any]]:
        """Numbers for all segments, as a list for each source.

        Raises:
            InputError: they are for another number of sources, or of segments.
        """
        numbers = _listed(name, values)
        if self.single:
            return [numbers]
        if numbers and not hasattr(numbers[0], "__len__"):
            if len(numbers) != self.bounds[-1]:
                raise InputError(
                    f"{name} are {len(numbers)} numbers for {self.bounds[-1]} references"
                )
            return [numbers[start:end] for start, end in self.spans()]
        if len(numbers) != len(self.bounds) - 1:
            raise InputError(
                f"{name} are for {len(numbers)} sources, not for {len(self.bounds) - 1}"
            )
        return [_listed(f"{name}[{i}]", each) for i, each in enumerate(numbers)]


def read(name: str, values: Any, group: int | None, like: Sources | None = None) -> Sources:
    """The sources that `values` hold.

    Args:
        name: what errors call them.
        values: segments of one source, or lists of them for many.
        group: so many segments in a row are those of a source; of references, an equal share.
        like: the candidates, for references: there are as many sources of both.

    Raises:
        InputError: a source has no segment, or there are others than those of `like`.
    """
    flat = None if like is None else like.single
    found = _read(name, values, True if group is not None else flat)
    if group is not None:
        found = _grouped(name, found, group, like)
    if like is None and not found.bounds[-1]:
        raise InputError(f"{name} is empty; give one candidate at least")
    for i, (start, end) in enumerate(found.spans()):
        if start == end:
            raise InputError(f"{name}[{i}] is empty; each source needs one at least")
    if like is not None and len(found.bounds) != len(like.bounds):
        raise InputError(
            f"{name} are for {len(found.bounds) - 1} sources, candidates for {len(like.bounds) - 1}"
        )
    return found


def _read(name: str, values: Any, flat: bool | None) -> Sources:
    if is_array(values) and getattr(values, "ndim", 0) == 3:
        array = view(name, values)
        count, each, width = array.shape
        ids = rows_of_ids(name, array.reshape(count * each, width))
        return Sources(ids, [each * i for i in range(count + 1)], False, ids.row)
    values = column(name, values)
    if isinstance(values, Ids) or exports_arrow(values):
        known = id_bounds(name, for_kernel(values))
        if known is not None:
            return _of_ids(values, *known)
    return _of_lists(name, as_python(name, values), flat)


def _of_ids(values: Any, bounds: list[int], nested: bool) -> Sources:
    """Token ids in arrays or in Arrow data, where they are."""
    if isinstance(values, Ids):
        first = int(values.items[0]) if nested else 0
        return Sources(values, bounds, not nested, lambda place: values.row(first + place))

    def item(place: int) -> Any:
        if not nested:
            return _element(values, place)
        source = bisect_right(bounds, place) - 1
        return _element(values, source)[place - bounds[source]]

    return Sources(values, bounds, not nested, item)


def _of_lists(name: str, given: Sequence[Any], flat: bool | None) -> Sources:
    """Segments in Python's lists; without `flat`, what the lists hold says whether they are."""
    if flat is None:
        flat = not given or not _is_list(given[0]) or any(map(_is_row, given))
    if flat:
        return Sources(given, [0, len(given)], True, given.__getitem__)
    segments: list[Any] = []
    bounds = [0]
    for i, source in enumerate(given):
        segments += as_python(f"{name}[{i}]", source)
        bounds.append(len(segments))
    return Sources(segments, bounds, False, segments.__getitem__)


def _grouped(name: str, flat: Sources, group: int, like: Sources | None) -> Sources:
    """Each source with its part of segments that lie one behind the other."""
    if not flat.single:
        raise InputError(f"{name} are lists of segments; group= is for segments one by one")
    count = flat.bounds[-1]
    if like is None and count % group:
        raise InputError(f"{name} are {count} segments, which groups of {group} do not divide")
    sources = count // group if like is None else len(like.bounds) - 1
    if count % max(1, sources):
        raise InputError(f"{name} are {count} segments, which {sources} sources do not divide")
    each = count // max(1, sources)
    return Sources(flat.column, [each * i for i in range(sources + 1)], False, flat.item)


def _is_list(item: object) -> bool:
    return not isinstance(item, str) and hasattr(item, "__len__")


def _is_row(item: object) -> bool:
    """Whether it is a list of token ids."""
    return isinstance(item, (list, tuple)) and bool(item) and hasattr(item[0], "__index__")


def _listed(name: str, values: Any) -> list[Any]:
    try:
        return values.tolist() if hasattr(values, "tolist") else list(as_python(name, values))
    except UnicodeDecodeError:  # Arrow data that are no numbers, and no text either
        raise InputError(f"{name} holds text that is not UTF-8; give numbers") from None


def _element(values: Any, place: int) -> Any:
    """A list of Arrow data as Python's."""
    found = series(values)[place]
    for method in ("as_py", "to_list"):
        if hasattr(found, method):
            return getattr(found, method)()
    return found
