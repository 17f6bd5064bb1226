# SPDX-License-Identifier: Apache-2.0
"""Comparisons as text: one function per format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truebleu.analysis.compare.comparison import Comparison, p_value, percent
from truebleu.analysis.compare.power import POWER
from truebleu.errors import quantity
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.tables import BOLD, DIM, GREEN, PLAIN, RED
from truebleu.version import __version__

#: The most pairs that are shown as sentences; for more, the matrix is enough.
_SENTENCES = 6


def render_all(name: str, comparisons: Sequence[Comparison], **options: Any) -> str:
    """Comparisons by several metrics in one format; see `render`."""
    texts = [render(name, one, **options) for one in comparisons]
    if len(texts) == 1:
        return texts[0]
    if name == "json":
        return "[\n{}\n]".format(",\n".join(texts))
    if name != "tsv":
        return "\n\n".join(texts)
    head = texts[0].partition("\n")[0]
    lines = [f"metric\t{head}"]
    for one, text in zip(comparisons, texts, strict=True):
        lines += [f"{one.metric}\t{row}" for row in text.split("\n")[1:]]
    return "\n".join(lines)


def render(
    name: str,
    comparison: Comparison,
    *,
    width: int = 1,
    detect: float | None = None,
    color: bool = False,
    terminal: int | None = None,
) -> str:
    """The comparison in the format called `name`.

    Args:
        width: decimals of scores and differences.
        detect: a true difference, to show how many segments detect it.
        color: for terminals: better is green, worse is red.
        terminal: columns of the terminal; None for no limit.

    Raises:
        OptionError: `detect` is not above 0.
    """
    if name == "json":
        return _json(comparison, detect)
    pairs = _pairs(comparison, width, detect)
    if name == "tsv":
        return "\n".join(tables.tsv(pairs))
    lines = notes(comparison, width, detect)
    if name == "text":
        return _text(comparison, width, lines, color, terminal)
    systems = _systems(comparison, width)
    if name == "latex":
        comments = map(tables.latex_comment, lines)
        return "\n".join([*comments, *tables.latex(systems), "", *tables.latex(pairs)])
    body = [*tables.markdown(systems), "", *tables.markdown(pairs), ""]
    return "\n".join([*body, *(f"- {line}" for line in lines)])


def notes(comparison: Comparison, width: int, detect: float | None = None) -> list[str]:
    """Test, power, warnings and, last, the signature."""
    pairs = len(comparison.pairs)
    ps = "p-value" if pairs == 1 else f"p-values after Holm for {pairs} pairs"
    size = f"{quantity(comparison.resamples, 'resample')} of {comparison.units:,} {comparison.unit}"
    test = f"test: {comparison.test}, {size}, seed {comparison.seed}"
    lines = [f"{test}; {ps}, level {percent(comparison.alpha)}"]
    detectable = sorted(pair.detectable for pair in comparison.pairs if pair.detectable > 0)
    if detectable:
        least, most = (f"{end:.{width}f}" for end in (detectable[0], detectable[-1]))
        span = least if least == most else f"{least} to {most}"
        lines.append(
            f"power: one test detects a true difference of {span} {comparison.metric} "
            f"{percent(POWER)} of the time"
        )
    if detect is not None:
        needed = max(pair.units_needed(detect) for pair in comparison.pairs)
        lines.append(
            f"power: detecting a true difference of {detect:g} {comparison.metric} as often "
            f"takes {quantity(needed, comparison.unit[:-1])}"
        )
    warnings = [f"warning: {text}" for text in comparison.warnings]
    return [*lines, *warnings, f"signature: {comparison.signature}"]


def _systems(comparison: Comparison, width: int) -> list[list[str]]:
    interval = f"{percent(1 - comparison.alpha)} interval"
    rows = [["System", comparison.metric, interval, "cluster", "rank", "wins", "losses"]]
    for system in comparison.ranked():
        low, high = system.rank
        rows.append(
            [
                system.name,
                f"{system.score.value:.{width}f}",
                " to ".join(f"{end:.{width}f}" for end in system.interval),
                str(system.cluster),
                str(low) if low == high else f"{low}-{high}",
                str(system.wins),
                str(system.losses),
            ]
        )
    return rows


def _matrix(comparison: Comparison, width: int) -> list[list[str]]:
    """The row's score minus the column's, with a star where the difference is significant."""
    ranked = comparison.ranked()
    by_names = {frozenset((pair.a, pair.b)): pair for pair in comparison.pairs}
    rows = [["row minus column", *map(str, range(1, len(ranked) + 1))]]
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


def _pairs(comparison: Comparison, width: int, detect: float | None) -> list[list[str]]:
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
        for pair in comparison.pairs
    ]
    if detect is not None:
        head.append(f"{comparison.unit} for {detect:g}")
        for row, pair in zip(rows[1:], comparison.pairs, strict=True):
            row.append(str(pair.units_needed(detect)))
    return rows


def _text(
    comparison: Comparison, width: int, lines: list[str], color: bool, terminal: int | None
) -> str:
    bold, dim, plain = (BOLD, DIM, PLAIN) if color else ("", "", "")
    head, *rows = tables.padded(_systems(comparison, width), terminal)
    for row in rows:
        row[1] = f"{bold}{row[1]}{plain}"
    text = [*tables.aligned([head, *rows]), ""]
    if len(comparison.systems) > 2:
        rows = tables.padded(_matrix(comparison, width), terminal)
        if color:
            good = "+" if comparison.higher_is_better else "-"
            rows = [[_colored(cell, good) for cell in row] for row in rows]
        text += ["  ".join(row).rstrip() for row in rows]
        text += [f"* significant: p <= {comparison.alpha:g} after Holm", ""]
    if len(comparison.pairs) <= _SENTENCES:
        text += [*(visible(pair.sentence(width)) for pair in comparison.pairs), ""]
    return "\n".join(text + [f"{dim}{line}{plain}" for line in lines])


def _colored(cell: str, good: str) -> str:
    if not cell.endswith("*"):
        return cell
    return f"{GREEN if good in cell else RED}{cell}{PLAIN}"


def _json(comparison: Comparison, detect: float | None) -> str:
    report = comparison.to_dict()
    if detect is not None:
        for entry, pair in zip(report["pairs"], comparison.pairs, strict=True):
            entry["units_needed"] = {"difference": detect, "units": pair.units_needed(detect)}
    return json_text({**report, "truebleu": __version__})
