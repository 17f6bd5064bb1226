# SPDX-License-Identifier: Apache-2.0
"""Scores of segments from elsewhere, such as COMET, MetricX, direct assessments and MQM.

A file is TSV, whose first line names the columns, or JSON with an object on each line. It has a
column for each system and a row for each segment; or the columns `system` and `score`. Its rows are
in the order of the segments, unless a column `segment` has their numbers, from 1, or their keys.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from truebleu.errors import InputError, OptionError, quantity, suggest
from truebleu.inputs.files import name_of, read_lines

#: Scores of each system by the name of what scored them; NaN for no score.
Scores = dict[str, dict[str, list[float]]]

_SYSTEM, _SCORE, _SEGMENT = "system", "score", ("segment", "line", "seg_id", "seg", "id", "key")


def segment_scores(
    scores: Any, systems: Sequence[str], segments: int, *,
    aliases: Mapping[str, str] | None = None, keys: Sequence[Any] | None = None,
) -> Scores:  # fmt: skip
    """Scores of all systems, one for each segment.

    Args:
        scores: for each name the scores by system, None for no score; or the paths of files.
        systems: their names; scores of other systems are ignored.
        segments: their number.
        aliases: systems by other names that files may have for them, such as those of their files.
        keys: of the segments, for files that have these instead of numbers.

    Raises:
        InputError: a score is missing, twice there or not a number, or a file cannot be read.
        OptionError: two files have the same name.
    """
    read: list[tuple[str, Iterable[_Cell]]]
    if isinstance(scores, Mapping):
        if not all(isinstance(own, Mapping) for own in scores.values()):
            raise InputError("scores must have a mapping of systems to lists for each name")
        read = [
            (str(name), [("", 0, str(system), None, value) for system, values in own.items()
                         for value in values])
            for name, own in scores.items()
        ]  # fmt: skip
    else:
        paths = [scores] if isinstance(scores, (str, os.PathLike)) else scores
        read = [_read(os.fspath(path), systems[0] if len(systems) == 1 else None)
                for path in paths]  # fmt: skip
    places = {str(key): i for i, key in enumerate(keys or range(1, segments + 1))}
    aliases = {**(aliases or {}), **{name: name for name in systems}}
    complete: Scores = {}
    for name, cells in read:
        if name in complete:
            raise OptionError(f"two files have scores named {name!r}; rename one of them")
        complete[name] = _complete(name, cells, aliases, places)
    return complete


#: The file, the line, the system, the key of the segment or None, and the score.
_Cell = tuple[str, int, str, Any, Any]


def _complete(
    name: str, cells: Iterable[_Cell], aliases: Mapping[str, str], places: Mapping[str, int]
) -> dict[str, list[float]]:
    """The scores of each system, each of which must be there once."""
    by_system: dict[str, dict[int, float]] = {system: {} for system in aliases.values()}
    others: dict[str, None] = {}
    where = f"scores {name!r}"
    for file, line, label, key, value in cells:
        where = f"{file}:{line}" if file else where
        if label not in aliases:
            others[label] = None
            continue
        own = by_system[aliases[label]]
        place = len(own) if key is None else places.get(str(key))
        if place is None:
            first = next(iter(places))
            raise InputError(f"{where}: no segment is {key!r}; they are {first} to {len(places)}")
        if place in own:
            raise InputError(f"{where}: segment {key} of {label} occurs twice; keep one score")
        own[place] = _number(where, label, value)
        if key is None and len(own) > len(places):
            _refuse_count(where, label, f"more than {len(places):,}", places)
    for system, own in by_system.items():
        if not own:
            of = suggest(system, others) if others else repr(system)
            raise InputError(f"{where}: no scores of system {of}; add them")
        absent = [key for key, place in places.items() if place not in own]
        if absent and len(own) == min(places[key] for key in absent):
            _refuse_count(where, system, f"{len(own):,}", places)
        if absent:
            raise InputError(
                f"{where}: no score of {system} for segment {absent[0]}"
                f"{f' and {len(absent) - 1:,} others' if len(absent) > 1 else ''}; add it, or None"
            )
    return {system: [own[i] for i in range(len(places))] for system, own in by_system.items()}


def _refuse_count(where: str, system: str, count: str, places: Collection[str]) -> None:
    raise InputError(
        f"{where}: {count} scores of {system} for {quantity(len(places), 'segment')}; "
        "give one for each"
    )


def _number(where: str, system: str, value: Any) -> float:
    if value is None or value == "None":
        return math.nan
    number = _parsed(value)
    if not math.isfinite(number):
        raise InputError(
            f"{where}: the score of {system} is {value!r}, not a number; correct it, or write None "
            "for no score"
        )
    return number


def _parsed(value: Any) -> float:
    """A number, or NaN."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return math.nan


def _read(path: str, only: str | None) -> tuple[str, Iterator[_Cell]]:
    """The name of the scores of a file, and its cells; `only` is the system if there is one."""
    file, rows = name_of(path), _rows(path)
    line, first = next(rows)
    name = os.path.basename(file).partition(".")[0]
    segment = next((column for column in _SEGMENT if column in first), None)
    values = [column for column in first if column not in (_SYSTEM, segment)]
    if _SCORE in values:
        values = [_SCORE]
    elif _SYSTEM in first and len(values) == 1:
        name = values[0]
    elif _SYSTEM in first:
        raise InputError(f"{file}:{line}: no column is named {_SCORE!r}; name it so")

    def cells() -> Iterator[_Cell]:
        for number, row in ((line, first), *rows):
            if row.keys() != first.keys():
                raise InputError(f"{file}:{number}: not the columns of line {line}; correct it")
            for column in values:
                label = row.get(_SYSTEM, only if column == _SCORE else None)
                key = None if segment is None else row[segment]
                yield file, number, str(label or column), key, row[column]

    return name, cells()


def _rows(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The line and the values of each row, by column."""
    file = name_of(path)
    lines = [line.removesuffix("\r") for line in read_lines(path)]
    if not lines:
        raise InputError(f"{file}:1: the file is empty; it must have scores")
    if lines[0].lstrip().startswith("{"):
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
            except ValueError as error:
                raise InputError(f"{file}:{number}: not JSON: {error}; correct the line") from None
            if not isinstance(row, dict):
                raise InputError(f"{file}:{number}: not an object of JSON; correct the line")
            yield number, row
        return
    names = lines[0].split("\t")
    start = 1
    if names[-1] == "None" or not math.isnan(_parsed(names[-1])):
        # No names, as in files of mt-metrics-eval and in lists of numbers.
        names, start = [_SYSTEM, _SCORE][-len(names) :], 0
    for number, line in enumerate(lines[start:], start=start + 1):
        fields = line.split("\t")
        if len(fields) != len(names) or len(set(names)) < len(names):
            raise InputError(
                f"{file}:{number}: {quantity(len(fields), 'field')}, but the first line has "
                f"{quantity(len(set(names)), 'name')}; correct it"
            )
        yield number, dict(zip(names, fields, strict=True))
    if len(lines) == start:
        raise InputError(f"{file}:1: only names of columns; add scores")
