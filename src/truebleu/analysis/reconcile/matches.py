# SPDX-License-Identifier: Apache-2.0
"""Scores as reported, and the settings that give them, as values and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.reconcile.texts import CORPUS, Setting
from truebleu.dialects.decisions import Dialect
from truebleu.errors import OptionError, check_bool, check_int, describe, quantity
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import metric_class
from truebleu.text.results import Printed, attributes, plain
from truebleu.text.tables import BOLD, DIM, PLAIN

Array = NDArray[Any]

#: Tools sum in different orders, so that equal scores differ in their last bits.
_LAST_BITS = 1e-11


@dataclass(frozen=True, slots=True)
class Reported:
    """The reported score of each system.

    Attributes:
        texts: the scores as given.
        values: the scores as numbers.
        places: the number of decimals of each; negative for zeros before the point.
        scales: possible scores of a perfect hypothesis, 1 or 100, the likelier first.
    """

    texts: tuple[str, ...]
    values: tuple[float, ...]
    places: tuple[int, ...]
    scales: tuple[int, ...]

    @classmethod
    def read(cls, *scores: Any, metric: str | None = None) -> Self:
        """Reported scores, each as text, whose decimals count, or as a number.

        Args:
            scores: the scores.
            metric: TER has scores above 100.

        Raises:
            OptionError: one is not a number, or outside of the scale.

        Example:
            >>> Reported.read("34.20").places, Reported.read(0.342).scales
            ((2,), (1, 100))
        """
        texts, numbers = zip(*(_read(score, metric) for score in scores), strict=True)
        if any(text.endswith("%") for text in texts):
            scales: tuple[int, ...] = (100,)
        else:
            scales = (1, 100) if max(numbers) <= 1 else (100, 1)
        exponents = (number.as_tuple().exponent for number in numbers)
        # A finite number has an integer as its exponent.
        places = tuple(-exponent if isinstance(exponent, int) else 0 for exponent in exponents)
        return cls(texts, tuple(map(float, numbers)), places, scales)

    @property
    def text(self) -> str:
        """The scores as given."""
        return " ".join(self.texts)

    @property
    def units(self) -> list[float]:
        """The value of one in the last decimal of each score."""
        return [10.0**-places for places in self.places]

    def without(self, system: int) -> Reported:
        """The scores of all systems but one."""
        return self.read(*self.texts[:system], *self.texts[system + 1 :], metric="ter")

    def format(self, values: Sequence[float]) -> str:
        """A score of each system with two decimals more than reported."""
        widths = [max(4, places + 2) for places in self.places]
        return " ".join(
            f"{value:.{width}f}" if width < 17 else repr(value) for value, width in zip(values, widths, strict=True)
        )

    def readings(self, values: Array) -> tuple[Array, Array]:
        """Whether each column of scores gives the reported ones: rounded, or cut off.

        Halves may be rounded either way.
        """
        scores, units = np.array(self.values)[:, None], np.array(self.units)[:, None]
        above, slack = values - scores, scores * _LAST_BITS
        rounded = abs(above) <= units / 2 + slack
        cut_off = (above >= -slack) & (above < units - slack)
        return rounded.all(axis=0), cut_off.all(axis=0)


def _read(score: Any, metric: str | None) -> tuple[str, Decimal]:
    """One reported score as text and as a number."""
    try:
        text = "" if isinstance(score, bool) else str(score).strip()
    except Exception:  # noqa: BLE001  (a list may hold itself, and a class may do anything)
        text = ""
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise OptionError(f"a reported score cannot be {describe(score)}; give a number such as 27.3")
    if number < 0 or (number > 100 + _LAST_BITS * 100 and metric != "ter"):
        name = {"chrf": "chrF", "ter": "TER"}.get(metric or "", "BLEU")
        highest = "" if metric == "ter" else " to 1 or from 0 to 100"
        raise OptionError(f"a reported score cannot be {text}; {name} goes from 0{highest}")
    return text, number


#: A match is convincing up to this `chance`. Settings are tried from the most common on, so of the
#: numbers that no setting gave, at most this share has a convincing match: the level of a test.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Match:
    """A setting and its score. `str()` is its signature with anything that this leaves out.

    Attributes:
        values: the score of each system, on the scale of the reported score.
        scale: the score of a perfect hypothesis on this scale, 1 or 100.
        setting: the tool, its changed options, the references and the aggregation.
        rounding: how the value becomes the reported score: `rounded`, `truncated`, or empty if it
            does not.
        points: penalty points, 0 for sacreBLEU's default; see
            `truebleu.analysis.reconcile.penalties`.
        chance: expected number of equally common settings that match this closely by accident. A
            match is convincing if this is at most `LEVEL`.
        equivalents: other settings with equal scores on these texts, the most common first.
        shape: the number of references, and whether the caller tokenized.
        outlier: the position of the system whose score the setting does not give; None if it gives
            all.
    """

    values: tuple[float, ...]
    scale: int
    setting: Setting
    rounding: str
    points: int
    chance: float
    equivalents: tuple[Match, ...]
    shape: tuple[int, bool]
    outlier: int | None = None

    @property
    def value(self) -> float:
        """The score of the first system, on the scale of the reported score."""
        return self.values[0]

    @property
    def dialect(self) -> Dialect | None:
        """The tool with its changes, on the scale of the reported score; None for chrF and TER."""
        changes, row = dict(self.setting.changes), self.setting.row
        if row is not None and self.scale != row.combine.scale:
            changes["scale"] = self.scale
        return row and row.replace(**changes)

    @property
    def metric(self) -> Metric:
        """The metric of the setting: `BLEU`, `CHRF` or `TER`."""
        dialect = self.dialect
        if dialect is not None:
            return BLEU(dialect, threads=1)
        return metric_class(self.setting.metric)(threads=1, **dict(self.setting.changes))

    @property
    def name(self) -> str:
        """The name of the tool, or of the metric if it is not BLEU."""
        return self.setting.row.name if self.setting.row else self.metric.name

    @property
    def signature(self) -> str:
        """The signature of the setting."""
        _, tokenized = self.shape
        return self.metric._score_signature(len(self.references), tokenized=tokenized)

    @property
    def references(self) -> tuple[int, ...]:
        """Positions of the references that are used, from 0 up."""
        return self.setting.references

    @property
    def aggregation(self) -> str:
        """The rule that joins the scores of segments, such as `corpus` or `mean of segments`."""
        return self.setting.aggregation

    @property
    def departures(self) -> tuple[str, ...]:
        """The differences from the tool's default, in words, apart from references."""
        setting, scale = self.setting, self.setting.row.combine.scale if self.setting.row else 100
        named = () if setting.row else ("word_order", "beta")  # as in chrF2++
        changed = [_in_words(*change) for change in setting.changes if change[0] not in named]
        changed.append(setting.texts)
        if self.aggregation != CORPUS:
            changed.append(self.aggregation)
        if self.scale != scale:
            changed.append("times 100" if self.scale == 100 else "divided by 100")
        if self.rounding == "truncated":
            changed.append("truncated, not rounded")
        return tuple(word for word in changed if word)

    def __str__(self) -> str:
        count, _ = self.shape
        aggregation = "" if self.aggregation == CORPUS else self.aggregation
        more = [words for words in (self.setting.texts, aggregation) if words]
        if len(self.references) < count:
            more.append(f"reference {_listed([str(i + 1) for i in self.references])} of {count}")
        return f"{self.signature} ({', '.join(more)})" if more else self.signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON. References count from 1 there."""
        names = ("value", "scale", "aggregation", "rounding", "points", "chance", "signature")
        entry = attributes(self, (*names, "departures")) | {"metric": self.setting.metric}
        entry["dialect"] = self.setting.row and self.setting.row.name
        entry["references"] = [i + 1 for i in self.references]
        if len(self.values) > 1:
            entry["values"] = list(self.values)
        if self.outlier is not None:
            entry["outlier"] = self.outlier + 1
        if self.equivalents:
            entry["equivalents"] = plain(self.equivalents[:_MOST_EQUIVALENTS])
            entry["equivalent_settings"] = len(self.equivalents)
        return entry

    def describe(self, names: Sequence[str]) -> str:
        """The setting in words.

        Args:
            names: of all references.
        """
        words = [self.name, *self.departures]
        used = [names[i] for i in self.references]
        if len(used) < len(names):
            words.append(f"reference{'s' * (len(used) > 1)} {_listed(used)}")
        return ", ".join(words)


#: The largest number of equivalent settings in JSON.
_MOST_EQUIVALENTS = 20


def _in_words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"no {name}"
    if isinstance(value, tuple):
        return f"{name}={','.join(f'{v:g}' if isinstance(v, float) else str(v) for v in value)}"
    return "" if value is None else f"{name}={value}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class Matches(list[Match], Printed):
    """Different settings that give a reported score, the most common first.

    Attributes:
        reported: the score of each system.
        accidental: other settings that give it, but no more of them than chance explains.
        nearest: without a match, settings that give all scores but one; without these, the most
            common accidental match or the nearest setting, then more common ones that are farther
            away.
        settings: the number of settings that were tried.
        scores: the number of different scores that they give.
    """

    def __init__(
        self,
        matches: Sequence[Match],
        reported: Reported,
        accidental: Sequence[Match],
        nearest: Sequence[Match],
        settings: int,
        scores: int,
    ) -> None:
        super().__init__(matches)
        self.reported = reported
        self.accidental = tuple(accidental)
        self.nearest = tuple(nearest)
        self.settings = settings
        self.scores = scores

    @property
    def ambiguous(self) -> bool:
        """Whether several different settings give the score."""
        return len(self) > 1

    def format(self, names: Sequence[str] | None = None, *, limit: int = 5, color: bool = False) -> str:
        """A verdict, then the settings as a table.

        Args:
            names: of the references; None for numbers from 1 up.
            limit: the largest number of settings to show.
            color: bold and dim text, for terminals.
        """
        bold, dim, plain = (BOLD, DIM, PLAIN) if check_bool("color", color) else ("", "", "")
        limit = check_int("limit", limit, 1)
        first = (self or self.nearest)[:limit]
        count, _ = first[0].shape
        names = reference_names(names, count)
        lines = [f"{bold}{self._verdict()}{plain}", ""]
        values = [self.reported.format(match.values) for match in first]
        size = max(map(len, values))
        for value, match in zip(values, first, strict=True):
            lines.append(f"{bold}{value:>{size}}{plain}  {match.describe(names)}")
            lines += [f"{' ' * size}  {dim}{text}{plain}" for text in [match.signature, self._doubt(match, names)]]
        if len(self) > limit:
            lines += ["", f"and {quantity(len(self) - limit, 'less common setting')}."]
        return "\n".join([*lines, "", f"{dim}{self._searched()}{plain}"])

    def _doubt(self, match: Match, names: Sequence[str]) -> str:
        """The expected number of accidents, or the distance from the reported scores."""
        but = ""
        if match.outlier is not None:
            but = f"all but {self.reported.texts[match.outlier]} (score {match.outlier + 1}); "
        if match.rounding:
            chance = "less than 0.01" if match.chance < 0.01 else f"{match.chance:.2g}"
            return f"{but}by chance: {chance}{_equal_settings(match, names)}"
        pairs = zip(match.values, self.reported.values, strict=True)
        return f"{self.reported.format([abs(value - number) for value, number in pairs])} away"

    def _verdict(self) -> str:
        number = self.reported.text
        if not self:
            if self.nearest[0].outlier is not None:
                return (
                    f"No setting gives all of {number}. These give all but one score: is that "
                    "system's file the one that was scored?"
                )
            first, count = f"No common setting gives {number}. The nearest", len(self.accidental)
            if count:
                first = (
                    f"No convincing setting gives {number}: {quantity(count, 'setting')} "
                    f"match{'es' * (count == 1)} by accident. The most common of them"
                )
            return f"{first}, then more common ones that are farther away:"
        number = f"{number} (on a scale of {self[0].scale})"
        if not self.ambiguous:
            return f"One common setting gives {number}:"
        return f"{len(self):,} different settings give {number}; the most common first:"

    def _searched(self) -> str:
        tried, scores = quantity(self.settings, "setting"), quantity(self.scores, "different score")
        text = f"Tried {tried} with {scores}."
        if self or self.nearest[0].rounding:
            text += (
                " By chance: expected number of equally common settings that match this closely by "
                f"accident; a match is convincing up to {LEVEL}."
            )
        if self and self.accidental:
            text += f" {len(self.accidental):,} more match by accident."
        if self.ambiguous or (not self and self.nearest[0].outlier is None and self.accidental):
            text += " One more decimal would leave about a tenth of the settings."
        return text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; lists of scores and decimals for several systems."""
        texts, decimals = self.reported.texts, [max(0, places) for places in self.reported.places]
        reported = (texts[0], decimals[0]) if len(texts) == 1 else (list(texts), decimals)
        found = {"found": bool(self), "ambiguous": self.ambiguous, "matches": plain(list(self))}
        others = attributes(self, ("accidental", "nearest", "settings", "scores"))
        return {"reported": reported[0], "decimals": reported[1], **found, **others}


def reference_names(names: Sequence[str] | None, count: int) -> list[str]:
    """The names of references; None for numbers from 1 up."""
    if names is None:
        return [str(i + 1) for i in range(count)]
    listed = list(names) if hasattr(names, "__iter__") and not isinstance(names, str) else []
    if len(listed) != count or not all(isinstance(name, str) for name in listed):
        raise OptionError(f"names cannot be {describe(names)}; give {count}, one for each reference")
    return listed


def _equal_settings(match: Match, names: Sequence[str]) -> str:
    """The number of equivalent settings, with some of their names."""
    count = len(match.equivalents)
    if count < 2:
        return "".join(f"; equal score: {other.describe(names)}" for other in match.equivalents)
    rows = dict.fromkeys(other.name for other in match.equivalents)
    rows.pop(match.name, None)
    examples = f", among them {', '.join(list(rows)[:3])}" if rows else ""
    return f"; {count:,} more settings give an equal score{examples}"
