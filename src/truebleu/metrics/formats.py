# SPDX-License-Identifier: Apache-2.0
"""Scores as text: one small function for each format."""

from __future__ import annotations

from truebleu.dialects.signature import shorten
from truebleu.metrics.score import MetricScore, Score
from truebleu.text import tables
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
    if name == "json":
        return _json(_entries(scored, title), title)
    if name == "tsv":
        return _tsv(scored, title)
    return _written(name, _table(scored, width, title), scored, color, terminal)


def render_groups(name: str, groups: Mapping[str, Scored], title: str, **looks: Any) -> str:
    """The scores of the systems in each group, whose kind is `title`; see `render`.

    A table has a row for each group, and a column for each system and metric.
    """
    if name == "json":
        return _json(
            [
                {title.lower(): group, **entry}
                for group, scored in groups.items()
                for entry in _entries(_shortened(scored, looks["short"]), "System")
            ],
            title,
        )
    if name == "tsv":
        texts = {group: render(name, scored, **looks) for group, scored in groups.items()}
        return tables.grouped(name, title, texts)
    cells = [(group, score) for group, scored in groups.items() for _, score in scored]
    first = next(iter(groups.values()))
    systems = dict.fromkeys(system for system, _ in first)
    if len(systems) == 1:
        return render(name, cells, title=title, **looks)
    metrics = len(first) // len(systems)
    heads = [system if metrics == 1 else f"{system} {score.name}" for system, score in first]
    corner = title if metrics > 1 else f"{title}, {first[0][1].name}"
    table = _side_by_side(cells, looks["width"], corner, heads)
    return _written(name, table, _shortened(cells, looks["short"]), looks["color"], looks["terminal"])


def _shortened(scored: Scored, short: bool) -> Scored:
    if not short:
        return scored
    return [(name, score.with_signature(shorten(score.signature))) for name, score in scored]


def _table(scored: Scored, width: int | None, title: str) -> list[list[str]]:
    """A row for each system; without `width`, numbers are not rounded."""
    bleus = [(system, score) for system, score in scored if isinstance(score, Score)]
    if len(bleus) < len(scored):
        return _side_by_side(scored, width, title, list(dict.fromkeys(s.name for _, s in scored)))
    rows = [(system, _cells(score, width)) for system, score in bleus]
    return [[title, *rows[0][1]], *([system, *cells.values()] for system, cells in rows)]


def _cells(score: Score, width: int | None) -> dict[str, str]:
    """The value and the factors of a score by the heads of their columns."""
    tenths, thousandths = (None, None) if width is None else (1, 3)
    cells = {"BLEU": number(score.value, width)}
    if score.spread is not None:
        level, *interval, _ = score.spread
        cells[f"{level * 100:g} % interval"] = tables.span(interval, width)
    cells |= {f"p{n}": number(share, tenths) for n, share in enumerate(score.precisions, start=1)}
    return cells | {
        "BP": number(score.bp, thousandths), "ratio": number(score.ratio, thousandths),
        "hyp_len": str(score.hyp_len), "ref_len": str(score.ref_len),
    }  # fmt: skip


def _side_by_side(scored: Scored, width: int | None, title: str, heads: list[str]) -> list[list[str]]:
    """A row for each name, with as many scores as there are heads."""
    numbers = [number(score.value, width) for _, score in scored]
    starts = range(0, len(scored), len(heads))
    return [[title, *heads], *([scored[i][0], *numbers[i : i + len(heads)]] for i in starts)]


def _written(name: str, table: list[list[str]], scored: Scored, color: bool, terminal: int | None) -> str:
    """A table and the signatures of its scores as text, LaTeX or Markdown."""
    signatures = list(dict.fromkeys(score.signature for _, score in scored))
    if name == "latex":
        names = dict.fromkeys(score.name for _, score in scored)
        caption = f"{', '.join(names)}. Signature: {'; '.join(signatures)}."
        return "\n".join(tables.latex(table, caption=caption))
    if name == "markdown":
        codes = (f"Signature: {tables.markdown_code(text)}" for text in signatures)
        return "\n".join([*tables.markdown(table), "", *codes])
    bold, dim, plain = (BOLD, DIM, PLAIN) if color else ("", "", "")
    head, *rows = tables.padded(table, terminal)
    for row in rows:
        row[1] = f"{bold}{row[1]}{plain}"
    lines = tables.aligned([head, *rows])
    lines += ["", *(f"{dim}signature: {text}{plain}" for text in signatures)]
    return "\n".join(lines)


def _json(entries: list[dict[str, Any]], title: str) -> str:
    from truebleu.text.json_text import json_text

    return json_text(entries if title == "Segment" else {**entries[0], "scores": entries})


def _entries(scored: Scored, title: str) -> list[dict[str, Any]]:
    from truebleu.text.json_text import for_json

    return [
        {
            # The first keys are those of sacreBLEU's JSON.
            "name": score.name,
            "score": for_json(score.value),
            "signature": score.signature,
            "verbose_score": score.details,
            **dict(pair.split(":", 1) for pair in score.signature.split("|")),
            title.lower(): name,
            **score.to_dict(),
            "truebleu": __version__,
        }
        for name, score in scored
    ]


def _tsv(scored: Scored, title: str) -> str:
    head, *rows = _table(scored, None, title)
    each = len(scored) // len(rows)
    signatures = [score.signature for _, score in scored]
    names = [f"{score.name} signature" for _, score in scored[:each]]
    lines = [[*head, *(names if each > 1 else ["signature"])]]
    lines += [[*row, *signatures[each * i : each * (i + 1)]] for i, row in enumerate(rows)]
    return "\n".join(tables.tsv(lines))
