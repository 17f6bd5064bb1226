# SPDX-License-Identifier: Apache-2.0
"""Candidates of one source or of many, in any type."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from truebleu.errors import InputError
from truebleu.inputs.corpus import as_python, column, exports_arrow, rows_of_ids, series
from truebleu.inputs.ids import Ids, is_array, view
from truebleu.metrics.kernel import for_kernel, id_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


@dataclass(frozen=True, slots=True)
class Sources:
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
                    f"{name} has {len(numbers)} numbers for {self.bounds[-1]} references"
                )
            return [numbers[start:end] for start, end in self.spans()]
        if len(numbers) != len(self.bounds) - 1:
            raise InputError(f"{name} has {len(numbers)} lists for {len(self.bounds) - 1} sources")
        return [_listed(f"{name}[{i}]", each) for i, each in enumerate(numbers)]


def read(name: str, values: Any, group: int | None, like: Sources | None = None) -> Sources:
    """The sources in `values`.

    Args:
        name: the column's name in error messages.
        values: segments of one source, or lists of them for many.
        group: the number of segments in a row that belong to one source; references are divided
            equally among the sources.
        like: for references, the candidates, which have as many sources.

    Raises:
        InputError: a source has no segment, or there are not as many sources as in `like`.
    """
    flat = None if like is None else like.single
    sources = _read(name, values, True if group is not None else flat)
    if group is not None:
        sources = _grouped(name, sources, group, like)
    if like is None and not sources.bounds[-1]:
        raise InputError(f"{name} is empty; give at least one candidate")
    for i, (start, end) in enumerate(sources.spans()):
        if start == end:
            raise InputError(f"{name}[{i}] is empty; each source needs at least one")
    if like is not None and len(sources.bounds) != len(like.bounds):
        raise InputError(
            f"{name} has {len(sources.bounds) - 1} sources, candidates has {len(like.bounds) - 1}"
        )
    return sources


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
    """Token ids in arrays or in Arrow data; nothing is copied."""
    if isinstance(values, Ids):
        first = int(values.items[0]) if nested else 0
        return Sources(values, bounds, not nested, lambda place: values.row(first + place))

    def item(place: int) -> Any:
        if not nested:
            return _element(values, place)
        source = bisect_right(bounds, place) - 1
        return _element(values, source)[place - bounds[source]]

    return Sources(values, bounds, not nested, item)


def _of_lists(name: str, items: Sequence[Any], flat: bool | None) -> Sources:
    """Segments in Python's lists; `flat` tells whether they are one source, None to look."""
    if flat is None:
        flat = not items or not _is_list(items[0]) or any(map(_is_row, items))
    if flat:
        return Sources(items, [0, len(items)], True, items.__getitem__)
    segments: list[Any] = []
    bounds = [0]
    for i, source in enumerate(items):
        segments += as_python(f"{name}[{i}]", source)
        bounds.append(len(segments))
    return Sources(segments, bounds, False, segments.__getitem__)


def _grouped(name: str, flat: Sources, group: int, like: Sources | None) -> Sources:
    """One column of segments, divided equally among the sources."""
    if not flat.single:
        raise InputError(f"{name} has lists of segments; group= needs a flat column")
    count = flat.bounds[-1]
    if like is None and count % group:
        raise InputError(f"{name} has {count} segments, not a multiple of group={group}")
    sources = count // group if like is None else len(like.bounds) - 1
    if count % max(1, sources):
        raise InputError(f"{name} has {count} segments, not a multiple of {sources} sources")
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
    except UnicodeDecodeError:  # Arrow data with text, which is damaged as well
        raise InputError(f"{name} holds text that is not UTF-8; give numbers") from None


def _element(values: Any, place: int) -> Any:
    """A list of Arrow data as Python's."""
    element = series(values)[place]
    for method in ("as_py", "to_list"):
        if hasattr(element, method):
            return getattr(element, method)()
    return element
