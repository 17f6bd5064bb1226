# SPDX-License-Identifier: Apache-2.0
"""A figure: a notebook shows it; it is saved as SVG, PDF or PNG without a network."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from truebleu.charts.look import Look, in_colors_of_page
from truebleu.errors import OptionError, TrueBLEUError, needing
from truebleu.text.atomic import check_output, write_whole
from truebleu.text.html import escaped

if TYPE_CHECKING:
    from altair import Chart

#: File formats, by suffix.
FORMATS = ("svg", "pdf", "png")

#: Pixels per inch of a PNG: the minimum that journals ask for line art.
PPI = 300

#: The factor by which a figure is larger in a notebook than on paper.
_ZOOM = 1.6
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')

#: Files that vl-convert opens at most: pipes, sockets, event queues.
_FILES = 16

#: Processes that have drawn. vl-convert draws in a thread, which a forked child does not have.
_PROCESSES: set[int] = set()


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure.

    Args:
        chart: an Altair chart, or a chart of Vega-Lite as a dictionary.

    Attributes:
        spec: the chart as a dictionary of Vega-Lite.

    Example:
        >>> from truebleu import corpus_bleu, plot
        >>> figure = plot(corpus_bleu(["the cat is here"], ["the cat was here"]))
        >>> figure.save("precisions.pdf")
    """

    spec: dict[str, Any]

    def __init__(self, chart: Any) -> None:
        spec = chart if isinstance(chart, dict) else chart.to_dict()
        object.__setattr__(self, "spec", spec)

    @property
    def chart(self) -> Chart:
        """The figure as an Altair chart, which can be changed as any Altair chart.

        Raises:
            MissingExtraError: Altair is not installed.
        """
        with needing("an Altair chart", "report"):
            import altair as alt
        return alt.Chart.from_dict(self.spec)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the figure to a file that ends in .svg, .pdf or .png.

        Args:
            path: the file to write.
            force: replace an existing file.

        Raises:
            OptionError: the suffix is unknown, or the file cannot be written.
        """
        _write(path, lambda suffix: render(self, suffix), force=force)

    def svg(self) -> str:
        """The figure as SVG."""
        return render(self, "svg").decode()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002
        # A picture, because Altair's own display loads a script from the network. JupyterLab shows
        # SVG as an image, which cannot know the theme; HTML can.
        zoomed = _SIZE.sub(_zoomed, self.svg(), count=1)  # the view box stays
        shown = {"image/svg+xml": zoomed, "text/plain": repr(self)}
        if self.spec.get("config", {}).get("title", {}).get("color") == Look().palette.ink:
            shown["text/html"] = in_colors_of_page(zoomed)
        return shown

    def __repr__(self) -> str:
        width, height = sizes = self.spec.get("width"), self.spec.get("height")
        is_fixed = all(isinstance(size, (int, float)) for size in sizes)
        size = f" of {width:g} x {height:g} points" if is_fixed else ""
        return f"<Figure{size}; save() writes it>"


def _zoomed(size: re.Match[str]) -> str:
    width, height = (_ZOOM * float(length) for length in size.groups())
    return f'width="{width:g}" height="{height:g}"'


def save_below_each_other(
    figures: Mapping[str, Figure], path: str | os.PathLike[str], look: Look, *, force: bool = False
) -> None:
    """Write figures of one look to a file like `Figure.save`, each below its label.

    Vega-Lite cannot do it: it fits a single chart into a width, with its labels, but not several.
    """
    _write(path, lambda suffix: _picture(_below_each_other(figures, look), suffix), force=force)


def _below_each_other(figures: Mapping[str, Figure], look: Look) -> str:
    config = look.config()
    ink, heading = config["title"]["color"], look.size * 2
    parts, height = [], 0.0
    for name, figure in figures.items():
        baseline = height + look.size * 1.4
        parts.append(
            f'<text x="2" y="{baseline:g}" font-family="{escaped(look.font)}" font-weight="bold" '
            f'font-size="{look.size:g}" fill="{ink}">{escaped(name)}</text>'
        )
        height += heading
        parts.append(figure.svg().replace("<svg ", f'<svg y="{height:g}" ', 1))
        height += figure.spec["height"]
    size = f'width="{look.points:g}" height="{height:g}"'
    box = f'viewBox="0 0 {look.points:g} {height:g}"'
    return (
        f'<svg role="img" xmlns="http://www.w3.org/2000/svg" {size} {box}>'
        f'<rect {size} fill="{config["background"]}"/>{"".join(parts)}</svg>'
    )


def _write(path: str | os.PathLike[str], draw: Callable[[str], bytes], *, force: bool = False) -> None:
    name = os.fspath(path)
    suffix = format_of(name)
    check_output(name, force=force)  # before drawing, which takes up to a second
    write_whole(name, draw(suffix), force=force)


def format_of(path: str) -> str:
    """The format that a file's suffix names; OptionError if it is unknown."""
    suffix = os.path.splitext(path)[1].removeprefix(".").lower()
    if suffix not in FORMATS:
        problem = f"unknown suffix .{suffix}" if suffix else "no suffix"
        suffixes = ", ".join(f".{name}" for name in FORMATS)
        raise OptionError(f"{path}: {problem}; figures are written as {suffixes}")
    return suffix


def render(figure: Figure, format: str) -> bytes:
    """A figure as a picture; one point of the chart is one point in print. Nothing is fetched.

    Args:
        figure: the figure.
        format: `svg`, `pdf` or `png`.

    Raises:
        MissingExtraError: vl-convert-python is not installed.
        ValueError: vl-convert cannot draw the chart.
        TrueBLEUError: this is a forked child of a process that has drawn.
    """
    convert = converted(figure)
    _PROCESSES.add(os.getpid())
    if len(_PROCESSES) > 1:
        raise TrueBLEUError("a forked child of a process that has drawn cannot draw; start it with 'spawn'")
    label = f'<svg role="img" aria-label="{escaped(figure.spec.get("description", ""))}" '
    return _picture(convert().replace("<svg ", label, 1), format)


def converted(figure: Figure) -> Callable[[], str]:
    """The call of the library that draws a figure, for a process that has nothing else of ours."""
    vl_convert = converter("a picture of a figure")
    version: str | None = ".".join(figure.spec.get("$schema", "").rpartition("/v")[2].split(".")[:2])
    if version not in vl_convert.get_vegalite_versions():
        version = None  # its newest
    return partial(vl_convert.vegalite_to_svg, figure.spec, vl_version=version, allowed_base_urls=[])


def _picture(svg: str, format: str) -> bytes:
    """A picture of SVG in another format."""
    vl_convert = converter("a picture of a figure")
    if format == "pdf":
        return bytes(vl_convert.svg_to_pdf(svg))
    if format == "png":
        # Slightly more, because 240 points would come to 999.99 pixels, which are cut to 999.
        return bytes(vl_convert.svg_to_png(svg, ppi=PPI * (1 + 1e-6)))
    return svg.encode()


def converter(purpose: str) -> Any:
    """The library that draws charts; MissingExtraError says what `purpose` needs it.

    Raises:
        TrueBLEUError: too few files can be opened; the library would panic.
    """
    with needing(purpose, "report"):
        import vl_convert
    try:
        with ExitStack() as files:
            for _ in range(_FILES):
                files.enter_context(open(os.devnull))
    except OSError as error:
        if error.errno is None:  # of a handler of signals, such as TimeoutError
            raise
        raise TrueBLEUError(f"{purpose} needs to open {_FILES} files; raise `ulimit -n`") from None
    return vl_convert
