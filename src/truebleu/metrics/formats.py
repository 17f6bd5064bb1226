# SPDX-License-Identifier: Apache-2.0
"""Scores as text: one small function for each format."""

from __future__ import annotations

from truebleu.dialects.signature import shorten
from truebleu.metrics.score import MetricScore, Score
from truebleu.text import tables
from truebleu.text.escaping import columns
from truebleu.text.tables import BOLD, DIM, PLAIN, number
from truebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Scored = Sequence[tuple[str, MetricScore]]


def render(
    name: str,
    scored: Scored,
    *,
    width: int = 1,
    title: str = "System",
    color: bool = False,
    short: bool = False,
    terminal: int | None = None,
) -> str:
    """The scores in the format called `name`, with `width` decimals; JSON and TSV have all.

    `title` is the heading of the names; `terminal` is its width, None for other output.
    """
    scored = _shortened(scored, short)
    if name == "text":
        return _text(scored, width, title, color, terminal)
    formats = {"json": _json, "tsv": _tsv, "latex": _latex, "markdown": _markdown}
    return formats[name](scored, width, title)


def render_groups(name: str, groups: Mapping[str, Scored], title: str, **looks: Any) -> str:
    """The scores of the systems in each group, whose kind is `title`; see `render`."""
    if name == "json":
        from truebleu.text.json_text import json_text

        return json_text([
            {title.lower(): group, **entry}
            for group, scored in groups.items()
            for entry in _entries(_shortened(scored, looks["short"]), "System")
        ])  # fmt: skip
    texts = {group: render(name, scored, **looks) for group, scored in groups.items()}
    return tables.grouped(name, title, texts, color=looks["color"])


def _shortened(scored: Scored, short: bool) -> Scored:
    if not short:
        return scored
    return [(name, score.with_signature(shorten(score.signature))) for name, score in scored]


def _table(scored: Scored, width: int | None, title: str) -> list[list[str]]:
    """A row for each system; without `width`, numbers are not rounded."""
    bleus = [(system, score) for system, score in scored if isinstance(score, Score)]
    if len(bleus) < len(scored):
        return _side_by_side(scored, width, title)
    orders = range(1, len(bleus[0][1].precisions) + 1)
    spread = bleus[0][1].spread
    tenths, thousandths = (None, None) if width is None else (1, 3)
    interval = [] if spread is None else [f"{spread[0] * 100:g} % interval"]
    head = [
        title,
        "BLEU",
        *interval,
        *(f"p{n}" for n in orders),
        "BP",
        "ratio",
        "hyp_len",
        "ref_len",
    ]
    rows = [
        [
            system,
            number(score.value, width),
            *(" to ".join(number(end, width) for end in score.interval or ()) for _ in interval),
            *(number(precision, tenths) for precision in score.precisions),
            number(score.bp, thousandths),
            number(score.ratio, thousandths),
            str(score.hyp_len),
            str(score.ref_len),
        ]
        for system, score in bleus
    ]
    return [head, *rows]


def _side_by_side(scored: Scored, width: int | None, title: str) -> list[list[str]]:
    """A row for each system, with a score of each metric."""
    metrics = list(dict.fromkeys(score.name for _, score in scored))
    numbers = [number(score.value, width) for _, score in scored]
    systems = [name for name, _ in scored][:: len(metrics)]
    rows = zip(*[iter(numbers)] * len(metrics), strict=True)
    return [[title, *metrics], *([name, *row] for name, row in zip(systems, rows, strict=True))]


def _signatures(scored: Scored) -> list[str]:
    """Each signature once, in order."""
    return list(dict.fromkeys(score.signature for _, score in scored))


def _text(scored: Scored, width: int, title: str, color: bool, terminal: int | None) -> str:
    bold, dim, plain = (BOLD, DIM, PLAIN) if color else ("", "", "")
    table = _table(scored, width, title)
    if terminal is not None:
        table = _with_sparklines(table, scored, terminal)
    head, *rows = tables.padded(table, terminal)
    for row in rows:
        row[1] = f"{bold}{row[1]}{plain}"
    lines = tables.aligned([head, *rows])
    lines += ["", *(f"{dim}signature: {text}{plain}" for text in _signatures(scored))]
    return "\n".join(lines)


def _with_sparklines(table: list[list[str]], scored: Scored, terminal: int) -> list[list[str]]:
    """The table with the precisions of each system as small bars, if they fit."""
    lines = [sparkline(score.precisions) for _, score in scored if isinstance(score, Score)]
    if len(lines) < len(scored):
        return table
    head = f"p1-{len(table[0]) - 6}"
    more = [[*row, line] for row, line in zip(table, [head, *lines], strict=True)]
    return more if columns("  ".join(tables.padded(more)[0])) <= terminal else table


def sparkline(shares: Sequence[float]) -> str:
    """Percentages as bars, in eighths of a line of text.

    Example:
        >>> sparkline([100.0, 50.0, 12.5, 0.0])
        '█▄▁ '
    """
    heights = (min(max(share, 0.0), 100.0) * 0.08 for share in shares)
    return "".join(_BARS[max(round(height), height > 0)] for height in heights)


#: From zero to eight eighths.
_BARS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"


def _json(scored: Scored, _: int, title: str) -> str:
    from truebleu.text.json_text import json_text

    entries = _entries(scored, title)
    return json_text(entries[0] if len(entries) == 1 and title == "System" else entries)


def _entries(scored: Scored, title: str) -> list[dict[str, Any]]:
    from truebleu.text.json_text import for_json

    def entry(name: str, score: MetricScore) -> dict[str, Any]:
        # The first keys are those of sacreBLEU's JSON.
        settings = dict(pair.split(":", 1) for pair in score.signature.split("|"))
        return {
            "name": score.name,
            "score": for_json(score.value),
            "signature": score.signature,
            "verbose_score": score.details,
            **settings,
            title.lower(): name,
            **score.to_dict(),
            "truebleu": __version__,
        }

    return [entry(name, score) for name, score in scored]


def _tsv(scored: Scored, _: int, title: str) -> str:
    head, *rows = _table(scored, None, title)
    each = len(scored) // len(rows)
    signatures = [score.signature for _, score in scored]
    names = [f"{score.name} signature" for _, score in scored[:each]]
    lines = [[*head, *(names if each > 1 else ["signature"])]]
    lines += [[*row, *signatures[each * i : each * (i + 1)]] for i, row in enumerate(rows)]
    return "\n".join(tables.tsv(lines))


def _markdown(scored: Scored, width: int, title: str) -> str:
    lines = tables.markdown(_table(scored, width, title))
    return "\n".join(
        [*lines, "", *(f"Signature: {tables.markdown_code(text)}" for text in _signatures(scored))]
    )


def _latex(scored: Scored, width: int, title: str) -> str:
    signatures = [tables.latex_comment(f"signature: {text}") for text in _signatures(scored)]
    return "\n".join([*signatures, *tables.latex(_table(scored, width, title))])
