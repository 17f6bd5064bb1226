# SPDX-License-Identifier: Apache-2.0
"""Hypotheses and references from any object become two aligned columns; nothing is truncated."""

from __future__ import annotations

from truebleu.errors import InputError, check_int, describe, quantity, within
from truebleu.inputs.ids import MOST, Ids, check_memory, is_array, view
from truebleu.inputs.utf8 import lines_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias


#: Ids of padding, or ids that end a segment: one, several, or none.
Marks: TypeAlias = "int | Collection[int] | None"


class Lines:
    r"""Segments on lines of UTF-8 text, such as a file contains; nothing is copied.

    Args:
        data: valid UTF-8. Lines end at `\n` only; a last line without it counts.
        part: start and end of the text in `data`, and its number of lines (default: all of it).
    """

    __slots__ = ("_length", "part")

    def __init__(self, data: bytes, part: tuple[int, int, int] | None = None) -> None:
        if part is None:
            ended, end = lines_end(data, 0, len(data))
            part = (0, len(data), ended + (end < len(data)))
        start, end, self._length = part
        self.part = (data, start, end)

    @property
    def data(self) -> bytes:
        """The text."""
        data, start, end = self.part
        return data[start:end]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return iter(self.data.decode().removesuffix("\n").split("\n"))


class LineStreams:
    """The references of each segment, from several `Lines` of one length."""

    __slots__ = ("files",)

    def __init__(self, files: Sequence[Lines]) -> None:
        if len({len(file) for file in files}) != 1:
            raise InputError("the reference files differ in their number of lines")
        self.files = tuple(files)

    def __len__(self) -> int:
        return len(self.files[0])

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return zip(*self.files, strict=True)


class Reading(tuple[tuple[int, ...], tuple[int, ...], int]):
    """Ids of padding, ids that end a segment, and the number of hypotheses for an entry of refs.

    A tuple, which the kernel reads.
    """

    __slots__ = ()

    @property
    def group(self) -> int:
        """The number of hypotheses for an entry of refs."""
        return self[2]


#: Texts, or ids without marks, each with an entry of refs of its own.
PLAIN = Reading(((), (), 1))


def reading(pad_id: Any, eos_id: Any, group: Any) -> Reading:
    """Check the arguments that determine how columns of ids are read."""
    if pad_id is None and eos_id is None and type(group) is int and group == 1:
        return PLAIN  # the usual case, for loops over single pairs
    marks = (_marks("pad_id", pad_id), _marks("eos_id", eos_id))
    return Reading((*marks, check_int("group", group, 1, MOST)))


def _marks(name: str, ids: Any) -> tuple[int, ...]:
    """One id, or several."""
    if ids is None:
        return ()
    if hasattr(ids, "tolist"):  # of NumPy or PyTorch, such as the ends of a generation config
        ids = ids.tolist()
    several = ids if isinstance(ids, (list, tuple, set)) else (ids,)
    return tuple(check_int(name, id, -MOST - 1, MOST) for id in several)


def columns(hyps: Any, refs: Any, *, group: int = 1, once: bool = False) -> tuple[Any, Any]:
    """Hypotheses and references as columns that the kernel reads, checked to be aligned.

    A column is a tuple, a list, lines, ids, or an object that exports Arrow data; nothing is
    copied. The kernel checks single items when it reads them.

    Args:
        hyps: any collection of segments.
        refs: likewise.
        group: hypotheses for an entry of references.
        once: whether the columns are read once, so that items of an iterator are not stored.

    Raises:
        InputError: a column is one string or not a column, or they differ in length.
    """
    hyp_column = column("hyps", hyps, once=once)
    ref_column = column("refs", refs, once=once)
    if hasattr(hyp_column, "__len__") and hasattr(ref_column, "__len__"):
        check_aligned(hyp_column, ref_column, group)
    return hyp_column, ref_column


def column(name: str, values: Any, *, once: bool = False) -> Any:
    """One column: a tuple or list, or the object itself if it is lines, ids or exports Arrow data.

    An iterator stays one if it is read `once`.

    Raises:
        InputError: it is one string or not a column.
    """
    is_list_of_texts = type(values) in (list, tuple) and values and type(values[0]) is str
    if is_list_of_texts or isinstance(values, (Lines, LineStreams, Ids)):
        return values
    name, kind = name if isinstance(name, str) else describe(name), type(values).__name__
    if isinstance(values, (str, bytes)):
        raise InputError(f"{name} is one {kind}; give a list, or call sentence_bleu for one")
    if exports_arrow(values):
        return () if str(getattr(values, "dtype", "")) == "Null" and not len(values) else values
    if type(values).__module__ == "datasets.arrow_dataset":
        return column(name, _of_datasets(values), once=once)
    if is_array(values) and getattr(values, "size", None) != 0:  # an empty array has no type
        array = view(name, values)
        with within(name):
            return Ids(array)
    if hasattr(values, "tolist"):  # NumPy and pandas columns
        values = _as_python(name, values)
    if isinstance(values, (dict, set, frozenset)) or hasattr(values, "columns"):
        raise InputError(f"{name} is a {kind}; give one column of it, in order")
    if not (isinstance(values, (list, tuple)) or (once and is_iterator(values))):
        try:
            items = iter(values)
        except TypeError:
            raise InputError(f"{name} is of type {kind}; give a sequence of segments") from None
        values = list(items)
    # Arrays of words, ids or references, as pandas has after reading lists from a file.
    item, values = first(values)
    if _holds_arrays(item):
        try:
            return tuple(_without_arrays(name, item) for item in values)
        except UnicodeDecodeError as error:  # Arrow strings are not checked
            raise InputError(f"{name} holds text that is not UTF-8: {error}") from None
    return values


def _of_datasets(values: Any) -> Any:
    """The Arrow data of a column of datasets, or its list; an iteration reads row after row."""
    source = values.source
    indices = getattr(source, "_indices", values)  # of rows that were shuffled or selected
    if indices is values or source.format["type"] is not None:
        return values[:]
    data = source.data.column(values.column_name)
    if indices is None:
        return data
    # Arrow cannot take more than 2 GiB of its usual strings.
    return data.take(indices.column(0)) if data.nbytes < 1 << 31 else values[:]


def is_missing(item: object) -> bool:
    """Whether an item is absent: None, unequal to itself (NaN, NaT), pandas' NA or NumPy's mask."""
    try:
        is_unequal = bool(item != item)  # noqa: PLR0124
    except Exception:  # noqa: BLE001  (an array or a column)
        is_unequal = False
    return item is None or is_unequal or type(item).__name__ in ("NAType", "MaskedConstant")


def is_iterator(values: object) -> bool:
    """Whether `values` can be read only once."""
    return hasattr(values, "__next__") and hasattr(values, "__iter__")


def first(column: Any) -> tuple[Any, Any]:
    """The first item of a tuple, list or iterator, None if it is empty, and the same column."""
    if isinstance(column, (tuple, list)):
        return (column[0] if column else None), column
    for item in column:
        from itertools import chain  # not needed by lists

        return item, chain((item,), column)
    return None, ()


def named_systems(systems: Any) -> list[tuple[str, Any]]:
    """Systems with their names, from a mapping or from pairs."""
    if not hasattr(systems, "__iter__"):
        raise InputError(f"systems are {describe(systems)}; give a dict of names and hypotheses")
    pairs = list(systems.items() if hasattr(systems, "items") else systems)
    names: set[str] = set()
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
            raise InputError(f"a system is {describe(pair)}; give a name with its segments")
        if pair[0] in names:
            raise InputError(f"two systems are named {pair[0]!r}; their names must differ")
        names.add(pair[0])
    return [(name, segments) for name, segments in pairs]


def label_list(name: str, labels: Any) -> list[Any]:
    """The labels of segments as a list. Null is None, whichever value a library has for it.

    Raises:
        InputError: they are not a collection, or a label cannot be compared.
    """
    try:
        listed = list(_as_python(name, labels))
        nulls = set(filter(is_missing, set(listed)))
    except TypeError:
        raise InputError(f"{name} cannot be {describe(labels)}; give one per segment") from None
    return [None if label in nulls else label for label in listed] if nulls else listed


def label_names(labels: Iterable[Any]) -> dict[Any, str]:
    """The names of groups in tables and charts by their labels; no two groups have the same.

    Example:
        >>> label_names(["news", None, "(null)", "news"])
        {'news': 'news', '(null)': '(null)', None: '(null) (2)'}
    """
    names: dict[Any, str] = {}
    used: set[str] = set()
    for label in sorted(dict.fromkeys(labels), key=lambda label: not isinstance(label, str)):
        names[label] = name = unused("(null)" if label is None else str(label), used)
        used.add(name)
    return names


def unused(name: str, used: Container[str]) -> str:
    """The name, or if it is taken, the name with a number from 2 up."""
    count, free = 1, name
    while free in used:
        count += 1
        free = f"{name} ({count})"
    return free


def _is_array(item: object) -> bool:
    return hasattr(item, "tolist") and not isinstance(item, (str, int))


def _holds_arrays(item: Any) -> bool:
    return _is_array(item) or (isinstance(item, (list, tuple)) and any(map(_is_array, item[:1])))


def _without_arrays(name: str, item: Any) -> Any:
    if isinstance(item, (list, tuple)):
        return [_without_arrays(name, inner) for inner in item]
    if hasattr(item, "compressed") and item.ndim:  # a masked item is no token, a masked row no reference
        rows = (_without_arrays(name, row) if row.count() else None for row in item)
        return item.compressed().tolist() if item.ndim == 1 else list(rows)
    return _as_python(name, item) if _is_array(item) else item


def exports_arrow(values: object) -> bool:
    """Whether `values` shares its memory through the Arrow PyCapsule interface.

    pandas does only if PyArrow is installed, so its columns are read as objects.
    """
    protocol = hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")
    return protocol and type(values).__module__.partition(".")[0] != "pandas"


def as_python(name: str, values: Any, *, once: bool = False) -> Any:
    """A column as Python strings and lists, for tokenizers that are written in Python.

    An iterator stays one if it is read `once`.
    """
    values = column(name, values, once=once)
    if isinstance(values, Ids):
        raise InputError(f"{name} holds token ids in an array; give lists of ids here")
    if isinstance(values, (tuple, list, Lines, LineStreams)):
        return tuple(_without_missing(tuple(values)))
    if once and is_iterator(values) and not exports_arrow(values):
        return values
    values = series(values)
    listed = _as_python(name, values)
    if listed is not values:
        return tuple(_without_missing(listed))
    raise InputError(f"{name} is of type {type(values).__name__}; this tokenizer reads lists")


def _without_missing(values: Any, depth: int = 0) -> Any:
    """The values with None for absent ones, however deep."""
    if depth > _DEEPEST or {*map(type, values)} <= {str, int, type(None)}:
        return values
    return [
        _without_missing(item, depth + 1) if isinstance(item, (list, tuple)) else None if is_missing(item) else item
        for item in values
    ]


def _as_python(name: str, values: Any) -> Any:
    """The values of a column of NumPy, pandas, PyArrow or Polars as a list, or `values` itself."""
    try:
        if hasattr(values, "get_total_buffer_size"):  # PyArrow reads where damaged views lead
            values.validate(full=True)
        check_memory(name, values)
        for method in ("to_pylist", "to_list", "tolist"):
            if hasattr(values, method):
                return getattr(values, method)()
    except (ValueError, IndexError) as error:  # Arrow strings are not checked
        raise InputError(f"{name} holds text that is not UTF-8, or is damaged: {error}") from None
    return values


def series(values: Any) -> Any:
    """The column of a frame or table with one column, or `values` itself."""
    if hasattr(values, "to_series"):  # of Polars
        return values.to_series()
    return values.column(0) if hasattr(values, "num_columns") else values  # a table of PyArrow


def as_words(name: str, values: Any) -> Any:
    """A column as Python strings or lists of words, for callers that need their characters."""
    values = column(name, values)
    if not isinstance(values, Ids):
        values = as_python(name, values)
        if not _has_id(values):
            return values
    raise InputError(f"{name} hold token ids; give strings or lists of words")


def reference_columns(rows: Sequence[Any], *, tokenized: bool = False) -> tuple[tuple[Any, ...], ...]:
    """The first references of all segments, the second ones, and so on; None for absent ones.

    Args:
        rows: a reference, a list of references or None for each segment.
        tokenized: whether a list of strings is one reference.
    """
    from itertools import zip_longest

    types = {*map(type, rows)}
    if types and types <= {str, type(None)}:
        return (tuple(rows),)

    def is_one(row: Any) -> bool:
        is_list = isinstance(row, (list, tuple))
        return not is_list or (tokenized and all(isinstance(word, str) for word in row))

    return tuple(zip_longest(*([row] if is_one(row) else row for row in rows)))


#: Levels of lists that are searched for an id: a list may contain itself.
_DEEPEST = 8


def _has_id(items: Any) -> bool:
    """Whether an item of a column begins with an id, however deep."""
    for _ in range(_DEEPEST):
        kinds = set(map(type, items))  # of 100,000 items in 2 ms
        lists = tuple(kind for kind in kinds if issubclass(kind, (list, tuple)))
        if not lists:
            return False
        items = [item[0] for item in items if isinstance(item, lists) and item]
        if any(hasattr(kind, "__index__") for kind in set(map(type, items))):
            return True
    return False


def check_aligned(hyps: Any, refs: Any, group: int = 1) -> None:
    """Raise InputError unless each group of hypotheses has its entry in `refs`."""
    if len(hyps) == len(refs) * group:
        return
    message = f"hyps has {quantity(len(hyps), 'segment')}, refs has {len(refs):,}"
    if group > 1:
        raise InputError(f"{message}; each group of {group} hypotheses needs one entry in refs")
    if isinstance(refs, (tuple, list)) and all(_is_column(ref, len(hyps)) for ref in refs):
        raise InputError(
            f"{message}, of length {len(hyps)}: that is sacreBLEU's [reference][segment] layout; "
            "pass refs=truebleu.streams(*refs)"
        )
    shared = ""
    if isinstance(hyps, Ids) and len(refs) and len(hyps) % len(refs) == 0:
        shared = f", or set group={len(hyps) // len(refs)}"
    raise InputError(f"{message}; each hypothesis needs its entry in refs{shared}")


def _is_column(item: Any, length: int) -> bool:
    """Whether an item of `refs` may be a column of segments; a row of ids is one segment."""
    if not hasattr(item, "__len__") or isinstance(item, str) or len(item) != length:
        return False
    return not hasattr(next(iter(item), None), "__index__")


def streams(*files: Any) -> list[list[str | None]]:
    """References in sacreBLEU's layout, one column for each reference file, as `refs`.

    Args:
        files: columns of equal length; `None` in a column means that the segment lacks this one.

    Raises:
        InputError: the columns differ in length, or one is a string.

    Example:
        >>> from truebleu import streams
        >>> streams(["a b", "c"], ["a c", None])
        [['a b', 'a c'], ['c', None]]
    """
    if not files:
        raise InputError("streams needs at least one column of references")
    listed = [as_python(f"reference column {i}", file) for i, file in enumerate(files, 1)]
    lengths = [len(file) for file in listed]
    if len(set(lengths)) > 1:
        raise InputError(f"the reference columns have {' and '.join(map(str, lengths))} segments")
    return [list(refs) for refs in zip(*listed, strict=True)]
