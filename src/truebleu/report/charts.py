# SPDX-License-Identifier: Apache-2.0
"""Charts of the page: drawn beforehand, in the colors of the style sheet.

Vega in the page would take 0.8 MB of script, and a content security policy that lets it compile
its expressions. Only the shapes and the text of a drawing are kept; it cannot contain a script.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from xml.etree import ElementTree as ET

from truebleu.analysis.processes import Call, Processes
from truebleu.charts import breakdowns, intervals, ngrams
from truebleu.charts.figure import Figure, converted
from truebleu.charts.layout import SCHEMA
from truebleu.charts.look import Look
from truebleu.errors import MissingExtraError, OptionError, describe
from truebleu.report.contents import DRAWN, Contents, by_difference
from truebleu.text.atomic import check_output
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


def checked(path: str | os.PathLike[str], title: str, *, force: bool) -> str:
    """The path of a page with charts, which can be written; before any work is done.

    Raises:
        OptionError: the file exists or cannot be written, or the title is no string.
        MissingExtraError: charts cannot be drawn.
    """
    if not isinstance(title, str):
        raise OptionError(f"title cannot be {describe(title)}; it must be a string")
    target = os.fspath(path)
    check_output(target, force=force)
    if find_spec("vl_convert") is None:  # to import it takes a while
        raise MissingExtraError.of("a report", "report")
    return target


class Charts:
    """The charts of a page by their names. Another process draws them, if there is one.

    It begins to load the library at once, which takes a third of a second, and so do all charts.
    """

    def __init__(self, processes: Processes | None = None) -> None:
        self._processes = processes or Processes(0)
        self._drawn: dict[str, tuple[str, Call[str]]] = {}
        empty = Figure({"$schema": SCHEMA, "data": {"values": []}, "mark": "point"})
        self._processes.call(str, converted(empty))

    def begin(self, contents: Contents) -> None:
        """Begin to draw."""
        for name, title, figure in _figures(contents):
            self._drawn[name] = title, self._processes.call(figure.svg, converted(figure))

    def __getitem__(self, name: str) -> HTML:
        """A chart with a menu that saves it; the script shows the menu."""
        title, drawn = self._drawn[name]
        drawing = ET.fromstring(drawn.result(wait=True))  # noqa: S314  (we have just drawn it)
        buttons = [element("button", kind.upper(), type="button", data_save=kind) for kind in ("svg", "png")]
        summary = element("summary", "Save")
        menu = element("details", summary, element("div", *buttons), hidden=True, data_needs_script=True)
        caption = element("figcaption", title)
        return element("figure", caption, menu, _cleaned(drawing, title), data_name=name)


def _figures(contents: Contents) -> Iterator[tuple[str, str, Figure]]:
    """The name of each chart, its title and the figure."""
    comparison = contents.comparison
    scored = list(zip(contents.names, contents.scores[0], strict=True))[:_SYSTEMS]
    of_best = f", of the first {_SYSTEMS} systems" if len(contents.names) > _SYSTEMS else ""
    if comparison is not None:
        title = "Scores with their intervals"
        yield "scores", title, intervals.scores(comparison, _LOOK)
        title = "Resampled differences with their intervals"
        pairs = comparison.ordered_pairs()
        if len(pairs) > _PAIRS and comparison.baseline is None:
            # Of many pairs, only neighbors in the ranking are drawn; the page has a matrix of all.
            place = {system.name: i for i, system in enumerate(comparison.ranked())}
            pairs = [pair for pair in pairs if abs(place[pair.a] - place[pair.b]) == 1][:_PAIRS]
            title += ", of neighbors in the ranking"
        yield "differences", title, intervals.difference(comparison, _LOOK, pairs=pairs)
    yield "precisions", "n-gram precision by order" + of_best, ngrams.precisions(scored, _LOOK)
    if any(sheet.lost for sheet in contents.worksheets):
        title = "Points lost to each order and to the brevity penalty" + of_best
        yield "losses", title, ngrams.losses(scored, _LOOK)
    best = contents.names[:_SYSTEMS]
    for division in contents.divisions:
        is_length, title = division.name == "length", f"Score by {division.name}" + of_best
        draw = breakdowns.lengths if is_length else breakdowns.groups
        shown = division.parts if is_length else by_difference(division.parts, contents.names)[:DRAWN]
        if len(shown) < len(division.parts):
            title += f", where the first two differ most: {DRAWN} of {len(division.parts):,}"
        parts = [replace(part, scores={name: part.scores[name] for name in best}) for part in shown]
        yield division.name, title, draw(parts, _LOOK)


def _cleaned(node: ET.Element, title: str = "") -> HTML | None:
    """The shapes and the text of a drawing, with the colors of the style sheet."""
    tag = node.tag.removeprefix(_SVG)
    if tag not in _SHAPES:
        return None
    attributes = {name: _COLORS.get(value, value) for name, value in node.attrib.items() if name in _ATTRIBUTES}
    if tag == "svg":
        attributes |= {"role": "img", "aria-label": title}
    # Vega's description of a mark for screen readers is also its tooltip.
    label = node.get("aria-label") if node.get("role") == "graphics-symbol" else None
    children = [element("title", label) if label else None, node.text]
    for child in node:
        children += [_cleaned(child), child.tail]
    return element(tag, *children, **attributes)
