# SPDX-License-Identifier: Apache-2.0
"""Charts of the page: drawn beforehand, in the colors of the style sheet.

Vega in the page would take 0.8 MB of script, and a content security policy that lets it compile
its expressions. Only the shapes and the text of a drawing are kept; it cannot contain a script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree as ET

from truebleu.analysis.compare.comparison import Comparison, Pair
from truebleu.charts import breakdowns, intervals, ngrams
from truebleu.charts.figure import Figure
from truebleu.charts.look import Look
from truebleu.errors import MissingExtraError
from truebleu.report.contents import Contents, Division
from truebleu.text.html import HTML, element

#: The elements of a chart; everything else is left out, with its contents.
_SHAPES = {"svg", "g", "path", "text", "tspan", "rect", "line", "circle"}
_ATTRIBUTES = {
    "cx", "cy", "d", "display", "dx", "dy", "fill", "fill-opacity", "font-size", "font-style",
    "font-weight", "height", "opacity", "r", "stroke", "stroke-dasharray", "stroke-linecap",
    "stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "transform", "viewBox",
    "width", "x", "x1", "x2", "y", "y1", "y2",
}  # fmt: skip
_SVG = "{http://www.w3.org/2000/svg}"

#: The style sheet scales charts to the width of their column.
_LOOK = Look(width=496, size=12.5, colors="light")

#: Colors of a chart, and the colors of the style sheet that replace them.
_COLORS = {
    _LOOK.palette.ink: "var(--ink)",
    _LOOK.palette.faint: "var(--faint)",
    _LOOK.palette.grid: "var(--line)",
    _LOOK.palette.paper: "none",
    **{hue: f"var(--s{i})" for i, hue in enumerate(_LOOK.palette.systems)},
}

#: The most pairs that are drawn.
_PAIRS = 6

#: The most systems that charts with a line or a mark for each show; the tables have all.
_SYSTEMS = 6


def check_libraries() -> None:
    """Raise MissingExtraError, before any work is done, unless charts can be drawn."""
    if find_spec("vl_convert") is None:  # to import it takes a while
        raise MissingExtraError.of("a report", "report")


def scores(comparison: Comparison) -> HTML:
    """Scores with their intervals."""
    title = "Scores with their intervals"
    return _figure("scores", title, intervals.scores(comparison, _LOOK))


def differences(comparison: Comparison, pairs: Sequence[Pair]) -> HTML:
    """The distributions of the resampled differences of these pairs.

    Of many pairs, only neighbors in the ranking are drawn; the page has a matrix of all.
    """
    title = "Resampled differences with their intervals"
    if len(pairs) > _PAIRS and comparison.baseline is None:
        place = {system.name: i for i, system in enumerate(comparison.ranked())}
        pairs = [pair for pair in pairs if abs(place[pair.a] - place[pair.b]) == 1][:_PAIRS]
        title += ", of neighbors in the ranking"
    return _figure("differences", title, intervals.difference(comparison, _LOOK, pairs=pairs))


def precisions(contents: Contents) -> HTML:
    """n-gram precision against n."""
    chart = ngrams.precisions(_scored(contents), _LOOK)
    return _figure("precisions", "n-gram precision by order" + _of_best(contents), chart)


def losses(contents: Contents) -> HTML:
    """Points lost to each order and to the brevity penalty."""
    title = "Points lost to each order and to the brevity penalty" + _of_best(contents)
    return _figure("losses", title, ngrams.losses(_scored(contents), _LOOK))


def division(contents: Contents, division: Division) -> HTML:
    """The score of each part of a division."""
    draw = breakdowns.lengths if division.name == "length" else breakdowns.groups
    best = contents.names[:_SYSTEMS]
    parts = [
        replace(part, scores={name: part.scores[name] for name in best}) for part in division.parts
    ]
    title = f"Score by {division.name}" + _of_best(contents)
    return _figure(division.name, title, draw(parts, _LOOK))


def _scored(contents: Contents) -> list[tuple[str, Any]]:
    return list(zip(contents.names, contents.scores[0], strict=True))[:_SYSTEMS]


def _of_best(contents: Contents) -> str:
    return f", of the {_SYSTEMS} best systems" if len(contents.names) > _SYSTEMS else ""


def _figure(name: str, title: str, figure: Figure) -> HTML:
    """A chart with a menu that saves it; the script shows the menu."""
    drawing = ET.fromstring(figure.svg())  # noqa: S314  (we have just drawn it)
    buttons = [
        element("button", kind.upper(), type="button", data_save=kind) for kind in ("svg", "png")
    ]
    summary = element("summary", "Save")
    menu = element(
        "details", summary, element("div", *buttons), hidden=True, data_needs_script=True
    )
    caption = element("figcaption", title)
    return element("figure", caption, menu, _cleaned(drawing, title), data_name=name)


def _cleaned(node: ET.Element, title: str = "") -> HTML | None:
    """The shapes and the text of a drawing, with the colors of the style sheet."""
    tag = node.tag.removeprefix(_SVG)
    if tag not in _SHAPES:
        return None
    attributes = {
        name: _COLORS.get(value, value)
        for name, value in node.attrib.items()
        if name in _ATTRIBUTES
    }
    if tag == "svg":
        attributes |= {"role": "img", "aria-label": title}
    # Vega's description of a mark for screen readers is also its tooltip.
    label = node.get("aria-label") if node.get("role") == "graphics-symbol" else None
    children = [element("title", label) if label else None, node.text]
    for child in node:
        children += [_cleaned(child), child.tail]
    return element(tag, *children, **attributes)
