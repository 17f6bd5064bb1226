# SPDX-License-Identifier: Apache-2.0
"""Settings that give a reported number, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.analysis.reconcile.candidates import CORPUS
from truebleu.errors import OptionError, check_bool, check_int, describe
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.reconcile.candidates import Setting
    from truebleu.analysis.reconcile.reported import Reported
    from truebleu.dialects.decisions import Dialect

_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Match:
    """A setting and what it gives. Frozen; `str()` is its signature, and what that leaves out.

    Attributes:
        value: the score, in the scale of the reported number.
        scale: the score of a perfect hypothesis there, 1 or 100.
        setting: the tool, its changed options, the references and the aggregation.
        rounding: how the reported number comes from the value: `rounded`, `truncated`, or empty if
            it does not.
        points: how unusual the setting is, 0 for sacreBLEU's default; see
            `truebleu.analysis.reconcile.usualness`.
        chance: how many settings as usual as this one would come so near the reported number by
            chance. A match means something where this is far below 1.
        equivalents: other settings that give the same here, the most usual first.
        given: how many references there are, and whether the caller tokenized.
    """

    value: float
    scale: int
    setting: Setting
    rounding: str
    points: int
    chance: float
    equivalents: tuple[Match, ...]
    given: tuple[int, bool]

    @property
    def dialect(self) -> Dialect:
        """The tool with its changes, in the scale of the reported number."""
        changes = dict(self.setting.changes)
        if self.scale != self.setting.row.combine.scale:
            changes["scale"] = self.scale
        return self.setting.row.replace(**changes) if changes else self.setting.row

    @property
    def signature(self) -> str:
        """How the value comes about, as one line."""
        _, tokenized = self.given
        bleu = BLEU(self.dialect, threads=1)
        return bleu._signature(bleu.dialect, len(self.references), tokenized)

    @property
    def references(self) -> tuple[int, ...]:
        """Positions of the references that were used, from 0 on."""
        return self.setting.references

    @property
    def aggregation(self) -> str:
        """How the scores of segments become one, `corpus` or `mean of segments`."""
        return self.setting.aggregation

    @property
    def departures(self) -> tuple[str, ...]:
        """In what the setting differs from the tool's own, in words; references aside."""
        changed = [_in_words(name, value) for name, value in self.setting.changes]
        if self.aggregation != CORPUS:
            changed.append(self.aggregation)
        if self.scale != self.setting.row.combine.scale:
            changed.append("times 100" if self.scale == 100 else "divided by 100")
        if self.rounding == "truncated":
            changed.append("cut off, not rounded")
        return tuple(word for word in changed if word)

    def __str__(self) -> str:
        count, _ = self.given
        more = [] if self.aggregation == CORPUS else [self.aggregation]
        if len(self.references) < count:
            more.append(f"reference {_listed([str(i + 1) for i in self.references])} of {count}")
        return f"{self.signature} ({', '.join(more)})" if more else self.signature

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, ready for JSON. References count from 1 there."""
        plain: dict[str, Any] = {
            "value": self.value,
            "scale": self.scale,
            "dialect": self.setting.row.name,
            "departures": list(self.departures),
            "references": [i + 1 for i in self.references],
            "aggregation": self.aggregation,
            "rounding": self.rounding,
            "points": self.points,
            "chance": self.chance,
            "signature": self.signature,
        }
        if self.equivalents:
            plain["equivalents"] = [match.to_dict() for match in self.equivalents[:_MOST_ALIKE]]
            plain["equivalent_settings"] = len(self.equivalents)
        return plain

    def describe(self, names: Sequence[str]) -> str:
        """The setting in words.

        Args:
            names: of the references that there are.
        """
        words = [self.setting.row.name, *self.departures]
        used = [names[i] for i in self.references]
        if len(used) < len(names):
            words.append(
                f"reference {used[0]}" if len(used) == 1 else f"references {_listed(used)}"
            )
        return ", ".join(words)


#: Equivalent settings that JSON has.
_MOST_ALIKE = 20


def _in_words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"no {name}"
    if isinstance(value, tuple):
        return f"{name}={','.join(f'{item:g}' for item in value)}"
    return "" if value is None else f"{name}={value}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class Matches(list[Match]):
    """The settings that give a reported number, the most usual first; each truly different.

    Attributes:
        reported: the number.
        nearest: if none gives it, the nearest; behind it what is farther, but more usual.
        settings: how many were tried.
        scores: how many truly different scores they gave.
    """

    def __init__(
        self,
        found: Sequence[Match],
        reported: Reported,
        nearest: Sequence[Match],
        settings: int,
        scores: int,
    ) -> None:
        super().__init__(found)
        self.reported = reported
        self.nearest = tuple(nearest)
        self.settings = settings
        self.scores = scores

    @property
    def ambiguous(self) -> bool:
        """Whether truly different settings give the number."""
        return len(self) > 1

    def __str__(self) -> str:
        return self.format()

    def format(
        self, names: Sequence[str] | None = None, *, limit: int = 5, color: bool = False
    ) -> str:
        """The settings as a table, with a verdict above.

        Args:
            names: of the references; their numbers from 1 on if not given.
            limit: the most settings to show.
            color: bold and dim text, for terminals.
        """
        bold, dim, plain = (_BOLD, _DIM, _PLAIN) if check_bool("color", color) else ("", "", "")
        limit = check_int("limit", limit, 1)
        first = (self or self.nearest)[:limit]
        count, _ = first[0].given
        names = reference_names(names, count)
        lines = [f"{bold}{self._verdict()}{plain}", ""]
        values = [self.reported.format(match.value) for match in first]
        size = max(map(len, values))
        for value, match in zip(values, first, strict=True):
            lines.append(f"{bold}{value:>{size}}{plain}  {match.describe(names)}")
            details = [match.signature]
            if self:
                details.append(f"by chance: {_chance(match.chance)}{_alike(match, names)}")
            else:
                away = abs(match.value - self.reported.value)
                details.append(f"{self.reported.format(away)} away")
            lines += [f"{' ' * size}  {dim}{text}{plain}" for text in details]
        if len(self) > limit:
            lines += ["", f"and {len(self) - limit:,} more, which are less usual."]
        return "\n".join([*lines, "", f"{dim}{self._searched()}{plain}"])

    def _repr_html_(self) -> str:
        from truebleu.text import html

        rows: list[tuple[str, ...]] = [("value", "setting", "by chance", "signature")]
        first = (self or self.nearest)[:10]
        count, _ = first[0].given
        names = reference_names(None, count)
        rows += [
            (self.reported.format(match.value), match.describe(names), _chance(match.chance),
             html.code(match.signature))
            for match in first
        ]  # fmt: skip
        return html.block(
            html.line(self._verdict()),
            html.table(rows, left=(1, 3)),
            html.line(self._searched()),
        )

    def _verdict(self) -> str:
        number = self.reported.text
        if not self:
            return (
                f"No usual setting gives {number}. The nearest, and what is farther but more usual:"
            )
        scale = f"on a scale of {self[0].scale}"
        if not self.ambiguous:
            doubt = "" if self[0].chance < _CONVINCING else ", which may be chance"
            return f"{number} ({scale}) is what one usual setting gives{doubt}:"
        verdict = (
            f"{number} ({scale}) is ambiguous: {len(self):,} truly different settings give it."
        )
        if self[0].chance < _CONVINCING and self[0].chance * 3 < self[1].chance:
            return f"{verdict} The first is by far the most convincing:"
        return f"{verdict} The most usual first:"

    def _searched(self) -> str:
        text = (
            f"{self.settings:,} settings were tried, which give {self.scores:,} different scores."
        )
        if self:
            text += " By chance: how many settings, as usual as the one shown, would come so near."
        if self.ambiguous:
            text += " One more decimal would leave a tenth."
        return text

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, ready for JSON."""
        return {
            "reported": self.reported.text,
            "decimals": max(0, self.reported.places),
            "found": bool(self),
            "ambiguous": self.ambiguous,
            "matches": [match.to_dict() for match in self],
            "nearest": [match.to_dict() for match in self.nearest],
            "settings": self.settings,
            "scores": self.scores,
        }


#: Below this, a match is hardly chance.
_CONVINCING = 0.1


def _chance(expected: float) -> str:
    return "less than 0.01" if expected < 0.01 else f"{expected:.2g}"


def reference_names(names: Sequence[str] | None, count: int) -> list[str]:
    """What references are called: their numbers from 1 on if nobody says.

    Raises:
        OptionError: the names are no strings, or not one for each reference.
    """
    if names is None:
        return [str(i + 1) for i in range(count)]
    listed = list(names) if hasattr(names, "__iter__") and not isinstance(names, str) else []
    if len(listed) != count or not all(isinstance(name, str) for name in listed):
        raise OptionError(
            f"names cannot be {describe(names)}; give {count}, one for each reference"
        )
    return listed


def _alike(match: Match, names: Sequence[str]) -> str:
    """The other settings that give the same, the first of them by name."""
    count = len(match.equivalents)
    if not count:
        return ""
    if count == 1:
        return f"; exactly the same: {match.equivalents[0].describe(names)}"
    rows = dict.fromkeys(other.setting.row.name for other in match.equivalents)
    rows.pop(match.setting.row.name, None)
    some = f", among them {', '.join(list(rows)[:3])}" if rows else ""
    return f"; {count:,} more settings give exactly the same{some}"
