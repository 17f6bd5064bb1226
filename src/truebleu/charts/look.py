# SPDX-License-Identifier: Apache-2.0
"""How a figure looks: its size, type and colors, and what distinguishes systems without colors.

The first seven colors are those of Okabe and Ito (2008, *Color Universal Design*), which people
with any common form of color blindness can distinguish; the next seven follow Tol (2021, *Colour
Schemes*). Each system also has a shape and a dash, for prints in gray.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from truebleu.errors import OptionError, describe, suggest

#: Widths of a column and of a page of two columns in points, 72 to an inch: those of ACL and IEEE.
WIDTHS = {"single": 240.0, "double": 497.0}

_LIGHT = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
    "#332288", "#882255", "#999933", "#117733", "#aa4499", "#661100", "#888888",
)  # fmt: skip
_DARK = (
    "#56b4e9", "#e69f00", "#2fc79c", "#e39ac3", "#f0e442", "#f0813a", "#ffffff",
    "#9a8ff0", "#f06f91", "#c9c963", "#6fbf73", "#d07fe0", "#c49a7c", "#9aa4ad",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Palette:
    """Colors of text, less important lines, the grid, the background and the systems."""

    ink: str
    faint: str
    grid: str
    paper: str
    systems: tuple[str, ...]


_PALETTES = {
    "print": Palette("#000000", "#444444", "#dddddd", "#ffffff", _LIGHT),
    "light": Palette("#1f2328", "#59636e", "#e3e6ea", "#ffffff", _LIGHT),
    "dark": Palette("#e6e8eb", "#a3abb5", "#3a4048", "#16191d", _DARK),
}

#: Names of the palettes: for paper, for a light screen and for a dark screen.
COLORS = tuple(_PALETTES)

_SHAPES = (
    "circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right",
    "triangle-left",
)  # fmt: skip
_DASHES: tuple[tuple[float, ...], ...] = (
    (1, 0), (5, 2), (1.5, 1.5), (6, 1.5, 1.5, 1.5), (3, 1.5), (9, 2), (1, 3),
    (4, 1.5, 1.5, 1.5, 1.5, 1.5),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """How a figure looks. The defaults suit one column of a paper.

    Args:
        width: of the whole figure: `single` (3.33 inches), `double` (6.9 inches) or points.
        height: of the whole figure in points (default: what suits the content).
        font: the family of the type, which must be installed on this machine.
        size: of the type, in points.
        colors: `print`, `light` or `dark`.
        values: the axis of values shows at least those between these two.

    Raises:
        OptionError: a value is out of range.
    """

    width: str | float = "single"
    height: float | None = None
    font: str = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
    size: float = 8.0
    colors: str = "print"
    values: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.colors not in COLORS:
            raise OptionError(f"unknown colors {suggest(str(self.colors), COLORS)}")
        if isinstance(self.width, str) and self.width not in WIDTHS:
            raise OptionError(f"unknown width {suggest(self.width, WIDTHS)}; or give points")
        for name, value, least, most in (
            ("width", self.points, 100, 4000),
            ("height", self.height, 60, 10_000),
            ("size", self.size, 4, 72),
        ):
            is_number = isinstance(value, (int, float))
            if value is not None and not (is_number and least <= value <= most):
                raise OptionError(f"the {name} cannot be {describe(value)}; it must be {least} to {most} points")

    @property
    def points(self) -> float:
        """The width of the whole figure in points."""
        return WIDTHS[self.width] if isinstance(self.width, str) else self.width

    @property
    def palette(self) -> Palette:
        """The colors."""
        return _PALETTES[self.colors]

    def hues(self, count: int) -> list[str]:
        """A color for each of `count` systems; after fourteen they repeat, with other shapes."""
        return list(islice(cycle(self.palette.systems), count))

    @staticmethod
    def shapes(count: int) -> list[str]:
        """A shape for each of `count` systems."""
        return list(islice(cycle(_SHAPES), count))

    @staticmethod
    def dashes(count: int) -> list[Sequence[float]]:
        """A dash pattern for each of `count` systems."""
        return list(islice(cycle(_DASHES), count))

    def config(self) -> dict[str, Any]:
        """The configuration of Vega-Lite."""
        small = self.size * 0.95
        ink = self.palette.ink
        text = {"labelFontSize": small, "titleFontSize": self.size, "titleFontWeight": "normal",
                "labelColor": ink, "titleColor": ink}  # fmt: skip
        return {
            "font": self.font,
            "background": self.palette.paper,
            "view": {"stroke": None},
            "axis": {
                **text, "domainColor": ink, "tickColor": ink, "gridColor": self.palette.grid,
                "domainWidth": 0.6, "tickWidth": 0.6, "gridWidth": 0.5, "tickSize": 3,
                "labelPadding": 3, "titlePadding": 4, "labelFlush": False,
                "labelLimit": self.points * 0.55,
            },
            "legend": {
                **text, "symbolSize": self.size * 4.5, "symbolStrokeWidth": 0, "title": None,
                "columnPadding": self.size, "rowPadding": 1.5, "offset": 4,
                "labelLimit": self.points * 0.8,
            },
            "title": {"color": ink, "fontSize": self.size, "fontWeight": "normal",
                      "anchor": "start", "frame": "bounds", "offset": 5},
            "text": {"fontSize": small, "color": ink},
            "line": {"strokeWidth": 1.2},
            "rule": {"strokeWidth": 0.8},
            "point": {"filled": True, "opacity": 1},
        }  # fmt: skip


#: Dark themes of JupyterLab and nbconvert, of VS Code, of Colab, and of sites made of notebooks.
_DARK_THEMES = (
    "[data-jp-theme-light=false]", ".vscode-dark", ".vscode-high-contrast", "[theme=dark]",
    "[data-theme=dark]",
)  # fmt: skip


def in_colors_of_page(svg: str) -> str:
    """A picture in the colors of print as HTML, in the colors of the page around it."""
    light, dark = _PALETTES["print"], _PALETTES["dark"]
    colors = {
        light.paper: "none",
        light.ink: "currentColor",
        light.faint: "color-mix(in srgb,currentColor 70%,transparent)",
        light.grid: "color-mix(in srgb,currentColor 15%,transparent)",
        **{
            color: f"light-dark({color},{other})"
            for color, other in zip(light.systems, dark.systems, strict=True)
            if color != light.ink
        },
    }
    for color, themed in colors.items():
        svg = svg.replace(f'="{color}"', f'="{themed}"')
    style = (
        ".truebleu-figure{max-width:100%;height:auto}"
        f":is({','.join(_DARK_THEMES)}) .truebleu-figure{{color-scheme:dark}}"
    )
    return f"<style>{style}</style>" + svg.replace('class="marks"', 'class="truebleu-figure"', 1)
