# SPDX-License-Identifier: Apache-2.0
"""Comparisons as text: one small function for each format."""

from __future__ import annotations

from truebleu.analysis.compare.comparison import p_value, percent
from truebleu.analysis.compare.power import POWER
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.tables import BOLD, DIM, GREEN, PLAIN, RED
from truebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison

#: Pairs that are told in sentences; of more, the matrix says enough.
_SENTENCES = 6

#: What is said of a test that is not ours to recommend.
_WARNINGS = {
    "sacrebleu-bootstrap": (
        "sacreBLEU's bootstrap is anti-conservative: at a level of 5 % it finds about 10 % of "
        "equal systems different; the tests permutation and bootstrap keep their level"
    ),
}


def render_all(name: str, found: Sequence[Comparison], **how: Any) -> str:
    """Comparisons by several metrics in one format; see `render`.

    Raises:
        OptionError: as there.
    """
    shown = [render(name, one, **how) for one in found]
    if len(shown) == 1:
        return shown[0]
    if name == "json":
        return "[\n{}\n]".format(",\n".join(shown))
    if name != "tsv":
        return "\n\n".join(shown)
    tables_of = [table.split("\n") for table in shown]
    lines = [f"metric\t{tables_of[0][0]}"]
    for one, (_, *rows) in zip(found, tables_of, strict=True):
        lines += [f"{one.metric}\t{row}" for row in rows]
    return "\n".join(lines)


def render(
    name: str,
    found: Comparison,
    *,
    width: int = 1,
    detect: float | None = None,
    color: bool = False,
    room: int | None = None,
) -> str:
    """The comparison in the format called `name`.

    Args:
        width: decimals of scores and differences.
        detect: a difference of which is said how many segments it takes to find it.
        color: for terminals: what is better is green, what is worse is red.
        room: columns of the terminal that the text is for; other output has any width.

    Raises:
        OptionError: `detect` is not above 0.
    """
    if name == "text":
        return _text(found, width, detect, color, room)
    formats: dict[str, Callable[[Comparison, int, float | None], str]] = {
        "json": _json,
        "tsv": _tsv,
        "latex": _latex,
        "markdown": _markdown,
    }
    return formats[name](found, width, detect)


def _systems(found: Comparison, width: int) -> list[list[str]]:
    interval = f"{percent(1 - found.alpha)} interval"
    rows = [["System", found.metric, interval, "cluster", "rank", "wins", "losses"]]
    for system in found.ranked():
        low, high = system.rank
        rows.append(
            [
                system.name,
                f"{system.score.value:.{width}f}",
                _interval(system.interval, width),
                str(system.cluster),
                str(low) if low == high else f"{low}-{high}",
                str(system.wins),
                str(system.losses),
            ]
        )
    return rows


def _interval(interval: tuple[float, float], width: int) -> str:
    return " to ".join(f"{end:.{width}f}" for end in interval)


def _matrix(found: Comparison, width: int) -> list[list[str]]:
    """What the system of a row gains over that of a column, with a star where the tests find it."""
    ranked = found.ranked()
    by_names = {frozenset((pair.a, pair.b)): pair for pair in found.pairs}
    rows = [["row less column", *map(str, range(1, len(ranked) + 1))]]
    for place, one in enumerate(ranked, start=1):
        cells = [f"{place} {one.name}"]
        for other in ranked:
            if one is other:
                cells.append("")
                continue
            pair = by_names[frozenset((one.name, other.name))]
            gain = pair.difference if one.name == pair.b else -pair.difference
            cells.append(f"{gain:+.{width}f}{'*' if pair.better else ' '}")
        rows.append(cells)
    return rows


def _pairs(found: Comparison, width: int, detect: float | None) -> list[list[str]]:
    head = [
        "a", "b", "difference", "low", "high", "p", "p_holm", "p_bh", "effect", "superiority",
        "detectable", "better",
    ]  # fmt: skip
    rows = [head] + [
        [
            pair.a,
            pair.b,
            *(f"{value:.{width}f}" for value in (pair.difference, *pair.interval)),
            *map(p_value, (pair.p, pair.p_holm, pair.p_bh)),
            f"{pair.effect:.3f}",
            f"{pair.superiority:.3f}",
            f"{pair.detectable:.{width}f}",
            pair.better or "",
        ]
        for pair in found.pairs
    ]
    if detect is not None:
        head.append(f"{found.unit} for {detect:g}")
        for row, pair in zip(rows[1:], found.pairs, strict=True):
            row.append(str(pair.units_needed(detect)))
    return rows


def _notes(found: Comparison, width: int, detect: float | None) -> list[str]:
    pairs = len(found.pairs)
    held = "p-value" if pairs == 1 else f"p-values after Holm for {pairs} pairs"
    drawn = f"{found.resamples:,} resamples of {found.units:,} {found.unit}, seed {found.seed}"
    notes = [f"test: {found.test}, {drawn}; {held}, level {percent(found.alpha)}"]
    detectable = sorted(pair.detectable for pair in found.pairs if pair.detectable > 0)
    if detectable:
        least, most = (f"{end:.{width}f}" for end in (detectable[0], detectable[-1]))
        span = least if least == most else f"{least} to {most}"
        notes.append(
            f"power: one test finds a true difference of {span} {found.metric} "
            f"{percent(POWER)} of the time"
        )
    if detect is not None:
        needed = max(pair.units_needed(detect) for pair in found.pairs)
        what = f"{detect:g} {found.metric}"
        notes.append(f"power: to find {what} as often takes {needed:,} {found.unit}")
    if found.test in _WARNINGS:
        notes.append(f"note: {_WARNINGS[found.test]}")
    return [*notes, f"signature: {found.signature}"]


def _text(
    found: Comparison, width: int, detect: float | None, color: bool, room: int | None
) -> str:
    bold, dim, plain = (BOLD, DIM, PLAIN) if color else ("", "", "")
    head, *rows = tables.padded(_systems(found, width), room)
    for row in rows:
        row[1] = f"{bold}{row[1]}{plain}"
    lines = [*tables.aligned([head, *rows]), ""]
    if len(found.systems) > 2:
        rows = tables.padded(_matrix(found, width), room)
        if color:
            good = "+" if found.higher_is_better else "-"
            rows = [[_colored(cell, good) for cell in row] for row in rows]
        lines += ["  ".join(row).rstrip() for row in rows]
        lines += [f"* differs, p <= {found.alpha:g} after Holm", ""]
    if len(found.pairs) <= _SENTENCES:
        lines += [*(visible(pair.words(width)) for pair in found.pairs), ""]
    return "\n".join(lines + [f"{dim}{note}{plain}" for note in _notes(found, width, detect)])


def _colored(cell: str, good: str) -> str:
    if not cell.endswith("*"):
        return cell
    return f"{GREEN if good in cell else RED}{cell}{PLAIN}"


def _json(found: Comparison, width: int, detect: float | None) -> str:  # noqa: ARG001
    report = found.to_dict()
    if detect is not None:
        for entry, pair in zip(report["pairs"], found.pairs, strict=True):
            entry["units_needed"] = {"difference": detect, "units": pair.units_needed(detect)}
    return json_text({**report, "truebleu": __version__})


def _tsv(found: Comparison, width: int, detect: float | None) -> str:
    return "\n".join(tables.tsv(_pairs(found, width, detect)))


def _latex(found: Comparison, width: int, detect: float | None) -> str:
    comments = [tables.latex_comment(note) for note in _notes(found, width, detect)]
    pairs = tables.latex(_pairs(found, width, detect))
    return "\n".join([*comments, *tables.latex(_systems(found, width)), "", *pairs])


def _markdown(found: Comparison, width: int, detect: float | None) -> str:
    pairs = tables.markdown(_pairs(found, width, detect))
    lines = [*tables.markdown(_systems(found, width)), "", *pairs, ""]
    return "\n".join([*lines, *(f"- {note}" for note in _notes(found, width, detect))])
