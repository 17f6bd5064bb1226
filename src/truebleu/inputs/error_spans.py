# SPDX-License-Identifier: Apache-2.0
"""Errors that people or a metric marked in hypotheses: MQM of WMT, and what xCOMET writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from truebleu.errors import InputError

#: Points of an error of MQM by severity and category (Freitag et al. 2021); the empty category
#: stands for all others.
_POINTS = {
    ("neutral", ""): 0.0, ("minor", ""): 1.0, ("minor", "fluency/punctuation"): 0.1,
    ("major", ""): 5.0, ("major", "non-translation!"): 25.0, ("critical", ""): 5.0,
}  # fmt: skip

Row = tuple[int, dict[str, Any]]


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
