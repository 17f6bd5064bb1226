# SPDX-License-Identifier: Apache-2.0
"""Scores of segments from elsewhere, such as COMET, MetricX, direct assessments and MQM.

A file is TSV, whose first line names the columns, or JSON with an object on each line. It has a
column for each system and a row for each segment; or the columns `system` and `score`. Its rows are
in the order of the segments, unless a column `segment` has their numbers, from 1, or their keys.
Scores may have marked errors: TSV of MQM, as WMT publishes it, and JSON of xCOMET.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Any

from truebleu.errors import InputError, OptionError, quantity
from truebleu.inputs.files import name_of, read_lines

#: Points of an error of MQM by severity and category (Freitag et al. 2021); the empty category
#: stands for all others.
_POINTS = {
    ("neutral", ""): 0.0, ("minor", ""): 1.0, ("minor", "fluency/punctuation"): 0.1,
    ("major", ""): 5.0, ("major", "non-translation!"): 25.0, ("critical", ""): 5.0,
}  # fmt: skip

#: The line of a row, and its values by column.
Row = tuple[int, dict[str, Any]]

#: Scores of each system by the name of what scored them; NaN for no score.
Scores = dict[str, dict[str, list[float]]]

_SYSTEM, _SCORE, _ERRORS = "system", "score", ("errors", "error_spans")
_SEGMENT = ("segment", "line", "globalSegId", "seg_id", "seg", "id", "key")


@dataclass(frozen=True, slots=True)
class Error:
    """An error; `start` is the place of its text in the hypothesis, below 0 if it has none."""

    text: str
    start: int
    severity: str
    category: str

    def within(self, hyp: str) -> Error:
        """The same, where its text is: offsets may be those of other blanks."""
        has_place = self.start < 0 or hyp.startswith(self.text, self.start)
        return self if has_place else replace(self, start=hyp.find(self.text))


class Rated(float):
    """A score with the errors for which it was given."""

    errors: tuple[Error, ...] = ()


def rated(where: str, score: float, errors: Any) -> Rated:
    """A score with its errors, which are like xCOMET's `error_spans`.

    Raises:
        InputError: an error lacks its text, start or severity.
    """
    own = Rated(score)
    try:
        own.errors = tuple(
            Error(
                str(error["text"]),
                int(error["start"]),
                str(error["severity"]).lower(),
                str(error.get("category") or f"confidence {error['confidence']:.2f}"),
            )
            for error in errors
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(f"{where}: errors need text, start, severity and category") from None
    return own


def ratings(rows: Iterable[Row], key: str) -> Iterator[Row]:
    """The rows of MQM, each with an error within <v> and </v>, as a row for each segment.

    Its score is minus the points of its errors, averaged over raters.
    """

    def segment(row: Row) -> tuple[str, str]:
        return str(row[1]["system"]), str(row[1][key])

    for (system, number), group in groupby(sorted(rows, key=segment), segment):
        (line, *_), own = zip(*group, strict=True)
        kinds = [(str(row["severity"]).lower(), str(row["category"]).lower()) for row in own]
        points = [_POINTS.get(kind, _POINTS.get((kind[0], ""))) for kind in kinds]
        errors = [_error(row) for row, cost in zip(own, points, strict=True) if cost is not None]
        score = -sum(filter(None, points)) / len({row.get("rater") for row in own})
        yield line, {"system": system, key: number, "score": score, "errors": errors}


def _error(row: dict[str, Any]) -> dict[str, Any]:
    before, mark, after = str(row["target"]).partition("<v>")
    return {**row, "text": after.partition("</v>")[0], "start": len(before) if mark else -1}


def segment_scores(
    scores: Any,
    systems: Sequence[str],
    segments: int,
    *,
    aliases: Mapping[str, str] | None = None,
    keys: Sequence[Any] | None = None,
) -> Scores:
    """Scores of all systems, one for each segment.

    Args:
        scores: for each name the scores by system, None or NaN for no score; or the paths of files.
        systems: their names; scores of other systems are ignored.
        segments: their number.
        aliases: systems by other names that files may have for them, such as those of their files.
        keys: of the segments, for files that have these instead of numbers.

    Raises:
        InputError: a score is missing, twice there or not a number, or a file cannot be read.
        OptionError: two files have the same name.
    """
    if isinstance(scores, Mapping):
        return {
            str(name): {system: _column(str(name), own, system, segments) for system in systems}
            for name, own in scores.items()
        }
    aliases = {**(aliases or {}), **{name: name for name in systems}}
    places = {str(key): i for i, key in enumerate(keys or range(1, segments + 1))}
    read: Scores = {}
    for path in [scores] if isinstance(scores, (str, os.PathLike)) else scores:
        name, own = _read(os.fspath(path), systems, aliases, places)
        if name in read:
            raise OptionError(f"two files have scores named {name!r}; rename one of them")
        read[name] = own
    return read


def _column(name: str, scores: Any, system: str, segments: int) -> list[float]:
    """The scores of a system from a mapping."""
    values = list(scores[system]) if isinstance(scores, Mapping) and system in scores else []
    if len(values) != segments:
        raise InputError(f"scores {name!r}: {len(values):,} of {system}, not one for each segment")
    return [_number(f"scores {name!r}", system, value) for value in values]


def _read(
    path: str, systems: Sequence[str], aliases: Mapping[str, str], places: Mapping[str, int]
) -> tuple[str, dict[str, list[float]]]:
    """The name of the scores of a file, and the scores of each system."""
    (_, first), *_ = rows = _rows(path)
    file = name_of(path)
    name, key = os.path.basename(file).partition(".")[0], _key_of(first)
    columns = [column for column in first if column not in (_SYSTEM, key, *_ERRORS)]
    if _SCORE in columns:
        columns = [_SCORE]
    elif _SYSTEM in first:
        name, *_ = columns = columns[-1:] or [_SCORE]
    is_rated = columns == [_SCORE] and not first.keys().isdisjoint(_ERRORS)
    read: dict[str, dict[int, float]] = {system: {} for system in systems}
    for line, row in rows:
        where = f"{file}:{line}"
        if row.keys() != first.keys() or not columns:
            raise InputError(f"{where}: not the columns of the first row; correct it")
        for column in columns:
            only = systems[0] if column == _SCORE and len(systems) == 1 else column
            label = str(row.get(_SYSTEM, only))
            if label not in aliases:
                continue
            own = read[aliases[label]]
            place = len(own) if key is None else places.get(str(row[key]), -1)
            if place in own or not 0 <= place < len(places):
                what = "there twice" if place in own else f"not one of the {len(places):,}"
                segment = place + 1 if key is None else row[key]
                raise InputError(f"{where}: segment {segment} of {label} is {what}; correct it")
            own[place] = _number(where, label, row if is_rated else row[column])
    if is_rated and key is not None:  # people do not rate every segment
        for own in read.values():
            own |= {place: math.nan for place in places.values() if place not in own}
    for system, own in read.items():
        if absent := [key for key, place in places.items() if place not in own]:
            raise InputError(f"{where}: {system} has no score for segment {absent[0]}; write None")
    return name, {system: [own[i] for i in range(len(places))] for system, own in read.items()}


def _number(where: str, system: str, value: Any) -> float:
    if isinstance(value, Rated):
        return value
    if isinstance(value, Mapping):
        return rated(where, _number(where, system, value.get(_SCORE)), _errors(value))
    if value is None or value == "None":
        return math.nan
    try:
        number = math.inf if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.inf
    if not math.isinf(number):
        return number
    raise InputError(f"{where}: the score of {system} is {value!r}, not a number or None")


def _errors(item: Mapping[str, Any]) -> Any:
    return next((item[name] for name in _ERRORS if name in item), ())


def _key_of(row: dict[str, Any]) -> str | None:
    """The column with the numbers or keys of segments."""
    return next((column for column in _SEGMENT if column in row), None)


def _rows(path: str) -> list[Row]:
    """The line and the values of each row, by column; of MQM and xCOMET, of each segment."""
    (line, first), *others = rows = list(_lines(path))
    if {_SYSTEM, "target", "category", "severity"} <= first.keys():
        if (key := _key_of(first)) is None:
            raise InputError(f"{name_of(path)}:1: no column seg_id; number the segments in it")
        return list(ratings(rows, key))
    lists = [items if isinstance(items, list) else [None] for items in first.values()]
    if others or not any(lists) or not all(isinstance(item, dict) for item in chain(*lists)):
        return rows

    def row(system: str, item: Any) -> dict[str, Any]:
        return {_SYSTEM: system, _SCORE: item.get(_SCORE, item.get("COMET")), _ERRORS[0]: _errors(item)}

    return [(line, row(system, item)) for system, items in first.items() for item in items]


def _lines(path: str) -> Iterator[Row]:
    """The values of each line by column, or the object of a file of JSON."""
    file, lines = name_of(path), [line.removesuffix("\r") for line in read_lines(path)]
    names, start = lines[0].split("\t"), 1
    is_json = lines[0].lstrip().startswith("{")
    if lines[0].strip() == "{":  # an object on many lines
        lines = ["".join(lines)]
    if is_json or re.fullmatch(r"None|[-+.\d]+(e[-+]?\d+)?", names[-1], re.IGNORECASE):
        # No names, as in files of mt-metrics-eval and in lists of numbers.
        names, start = [_SYSTEM, _SCORE][-len(names) :], 0
    if len(lines) == start:
        raise InputError(f"{file}:1: only names of columns; add scores")
    for number, line in enumerate(lines[start:], start=start + 1):
        fields = line.split("\t")
        try:
            row = json.loads(line) if is_json else dict(zip(names, fields, strict=False))
        except ValueError as error:
            raise InputError(f"{file}:{number}: not JSON: {error}; correct the line") from None
        if not (isinstance(row, dict) if is_json else len(row) == len(names) == len(fields)):
            what = "not an object" if is_json else f"{quantity(len(fields), 'field')}, not one "
            what += "" if is_json else f"for each of {quantity(len(set(names)), 'name')}"
            raise InputError(f"{file}:{number}: {what}; correct the line")
        yield number, row
