# SPDX-License-Identifier: Apache-2.0
"""A figure: shows itself in a notebook, and is saved as SVG, PDF or PNG without a network."""

from __future__ import annotations

import os

from truebleu.errors import OptionError, suggest
from truebleu.text.atomic import check_output, write_whole
from truebleu.text.html import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The formats, by the suffix of a file.
FORMATS = ("svg", "pdf", "png")

#: Pixels to an inch of a PNG: what journals ask of line art at the least.
PPI = 300

#: How much larger than on paper a notebook shows a figure.
_ZOOM = 1.6


class Figure:
    """A figure.

    Attributes:
        chart: the Altair chart, to be changed as Altair's charts are.

    Example:
        >>> from truebleu import corpus_bleu
        >>> figure = corpus_bleu(["the cat is here"], ["the cat was here"]).plot()
        >>> figure.save("precisions.pdf")
    """

    __slots__ = ("chart",)

    def __init__(self, chart: Any) -> None:
        self.chart = chart

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the figure to a file that ends in .svg, .pdf or .png.

        Args:
            path: of the file.
            force: whether a file that is there may be replaced.

        Raises:
            OptionError: no format has this suffix, or the file cannot be written.
        """
        name = os.fspath(path)
        suffix = format_of(name)
        check_output(name, force=force)  # before the second that drawing takes
        write_whole(name, render(self.chart, suffix), force=force)

    def svg(self) -> str:
        """The figure as SVG."""
        return render(self.chart, "svg").decode()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002
        # As a picture: Altair itself would load a script from the network.
        size = f'width="{self.chart.width:g}" height="{self.chart.height:g}"'
        large = f'width="{_ZOOM * self.chart.width:g}" height="{_ZOOM * self.chart.height:g}"'
        shown = self.svg().replace(size, large, 1)  # the view box stays
        return {"image/svg+xml": shown, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Figure of {self.chart.width:g} x {self.chart.height:g} points; save() writes it>"


def drawn(how: str, value: Any, kind: str, look: dict[str, Any]) -> Figure:
    """The figure of a value, by the function of `truebleu.charts` that is named so.

    By name, because that module stands above the values that it draws.

    Raises:
        OptionError: figures have no such look.
    """
    from importlib import import_module

    module = import_module("truebleu.charts")
    unknown = look.keys() - module.Look.__dataclass_fields__.keys()
    if unknown:
        raise OptionError(f"figures have no {suggest(min(unknown), module.Look.__slots__)}")
    figure: Figure = getattr(module, how)(value, kind, module.Look(**look))
    return figure


def format_of(path: str) -> str:
    """The format that a file's suffix names.

    Raises:
        OptionError: none has this suffix.
    """
    suffix = os.path.splitext(path)[1].removeprefix(".").lower()
    if suffix not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        given = f"ends in .{suffix}" if suffix else "has no suffix"
        raise OptionError(f"{path} {given}, which is no format of figures; known are {known}")
    return suffix


def render(chart: Any, format: str, *, ppi: float = PPI) -> bytes:
    """A chart as a picture; a point of the chart is a point of print. Nothing is fetched.

    Args:
        chart: an Altair chart.
        format: `svg`, `pdf` or `png`.
        ppi: pixels to an inch of a PNG.

    Raises:
        MissingExtraError: vl-convert-python is not installed.
        OptionError: there is no such format.
        ValueError: it cannot be drawn.
        InternalError: the process that draws came to an end.
    """
    if format not in FORMATS:
        raise OptionError(f"no format of figures is named {suggest(format, FORMATS)}")
    from truebleu.charts.drawing import DRAWER  # its imports are what only a picture needs

    spec = chart.to_dict()
    picture = DRAWER.draw(spec, format, ppi)
    if format != "svg":
        return picture
    label = f'<svg role="img" aria-label="{escaped(spec.get("description", ""))}" '
    return picture.replace(b"<svg ", label.encode(), 1)
