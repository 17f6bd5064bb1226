# SPDX-License-Identifier: Apache-2.0
"""Charts in the page: drawn beforehand, in the colors of the style sheet.

Vega in a page would take 0.8 MB of script, and a content security policy that lets it compile its
expressions. What is drawn here is taken apart, and only shapes and text are kept, so that nothing
in it can act.
"""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

from truebleu.charts import breakdowns, intervals, ngrams
from truebleu.charts.figure import converter, render
from truebleu.charts.layout import altair
from truebleu.charts.look import Look
from truebleu.report.markup import element
from truebleu.report.pairs import upright

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison, Pair
    from truebleu.report.contents import Contents
    from truebleu.report.divisions import Division
    from truebleu.text.html import HTML

#: What a chart is made of. All else is left out, with what is in it.
_SHAPES = {"svg", "g", "path", "text", "tspan", "rect", "line", "circle"}
_ATTRIBUTES = {
    "cx", "cy", "d", "display", "dx", "dy", "fill", "fill-opacity", "font-size", "font-style",
    "font-weight", "height", "opacity", "r", "stroke", "stroke-dasharray", "stroke-linecap",
    "stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "transform", "viewBox",
    "width", "x", "x1", "x2", "y", "y1", "y2",
}  # fmt: skip
_SVG = "{http://www.w3.org/2000/svg}"

#: Pixels of a chart; the style sheet makes it as wide as its column.
_WIDTH, _SIZE = 496, 12.5

#: Pairs that are drawn; of more, those of neighbors in the ranking.
_PAIRS = 6


def check_libraries() -> None:
    """Raise MissingExtraError unless charts can be drawn: before the work, not after it."""
    converter("a report")
    altair()


def scores(contents: Contents) -> HTML | None:
    """Scores with their intervals."""
    found = contents.comparison
    if found is None:
        return None
    return _figure("scores", "Scores with their intervals", intervals.scores(found, _look()))


def differences(found: Comparison) -> HTML:
    """How resampled differences are spread."""
    pairs = [upright(pair) for pair in _drawn(found)]
    title = "Resampled differences with their intervals"
    if len(pairs) < len(found.pairs):
        title += ", of neighbors in the ranking"
    return _figure("differences", title, intervals.difference(found, _look(), pairs=pairs))


def precisions(contents: Contents) -> HTML:
    """n-gram precision against n."""
    chart = ngrams.precisions(_scored(contents), _look())
    return _figure("precisions", "n-gram precision by order", chart)


def losses(contents: Contents) -> HTML:
    """Points that orders and brevity cost."""
    chart = ngrams.losses(_scored(contents), _look())
    return _figure("losses", "Points lost to each order and to brevity", chart)


def division(division: Division) -> HTML:
    """The score of each class."""
    draw = breakdowns.lengths if division.name == "length" else breakdowns.groups
    return _figure(division.name, f"Score by {division.name}", draw(division.parts, _look()))


def _look() -> Look:
    return Look(width=_WIDTH, size=_SIZE, colors="light")


def _scored(contents: Contents) -> list[tuple[str, Any]]:
    return list(zip(contents.names, contents.scores[0], strict=True))


def _drawn(found: Comparison) -> Sequence[Pair]:
    if len(found.pairs) <= _PAIRS:
        return found.pairs
    ranked = [system.name for system in found.ranked()]
    return [found.pair(a, b) for a, b in pairwise(ranked)][:_PAIRS]


def _figure(name: str, title: str, chart: Any) -> HTML:
    """A chart with a menu that saves it; the script shows the menu."""
    drawing = ET.fromstring(render(chart, "svg"))  # noqa: S314  (our own, made just now)
    look = _look()
    colors = {look.ink: "var(--ink)", look.faint: "var(--faint)", look.grid: "var(--line)"}
    hues = look.palette[:7]
    colors |= {hue: f"var(--s{i})" for i, hue in enumerate(hues)}
    colors[look.paper] = "none"
    menu = element(
        "details",
        element("summary", "Save"),
        element(
            "div",
            *(element("button", kind.upper(), type="button", data_save=kind)
              for kind in ("svg", "png")),
        ),
        hidden=True,
        data_needs_script=True,
    )  # fmt: skip
    return element(
        "figure", element("figcaption", title), menu, _clean(drawing, colors, title), data_name=name
    )


def _clean(node: ET.Element, colors: dict[str, str], title: str = "") -> HTML | None:
    """The shapes and the text of a drawing, with the colors of the style sheet."""
    tag = node.tag.removeprefix(_SVG)
    if tag not in _SHAPES:
        return None
    attributes = {
        name: colors.get(value, value) for name, value in node.attrib.items() if name in _ATTRIBUTES
    }
    if tag == "svg":
        attributes |= {"role": "img", "aria-label": title}
    # What Vega tells screen readers of a mark is what pointing at it shows.
    said = node.get("aria-label") if node.get("role") == "graphics-symbol" else None
    children = [element("title", said) if said else None, node.text]
    for child in node:
        children += [_clean(child, colors), child.tail]
    return element(tag, *children, **attributes)
