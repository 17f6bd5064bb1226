# SPDX-License-Identifier: Apache-2.0
"""What this site adds to Sphinx.

The directive `{floors}` is a picture of the floors of the house and of who calls whom, drawn from
the code. The floors are those that the tests enforce, and each line stands for imports.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from docutils import nodes
from docutils.parsers.rst import Directive

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "truebleu"
RULES = ROOT / "tests" / "test_architecture.py"

#: Sizes in pixels; LETTERS of a sans-serif font of 13 pixels have room in a box.
LINE, GAP, PAD, BOX, LETTERS = 18, 14, 8, 400, 52

#: How much farther to the right a line reaches for each floor that it passes.
REACH = 17


def read_floors() -> list[list[str]]:
    """The modules of each floor, lowest first, as the tests have them.

    They are read and not imported, because pytest need not be here.
    """
    names: dict[str, Any] = {}
    wanted = ("COMPAT_SACREBLEU", "FLOORS")
    for statement in ast.parse(RULES.read_text("utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in wanted:
            exec(compile(ast.Module([statement], []), RULES, "exec"), names)  # noqa: S102
    floors: list[list[str]] = names["FLOORS"]
    return floors


def imported(name: str, modules: set[str]) -> Iterator[str]:
    """The modules of the package that a module imports, anywhere in it."""
    path = PACKAGE.joinpath(*name.split("."))
    path = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for full in found:
            inner = full.removeprefix("truebleu.")
            for target in (inner, inner.rpartition(".")[0]):
                if target in modules and full.startswith("truebleu."):
                    yield target
                    break


def calls(floors: list[list[str]]) -> Counter[tuple[int, int]]:
    """How often modules of one floor import from another."""
    place = {name: floor for floor, row in enumerate(floors) for name in row}
    return Counter(
        (floor, place[target])
        for name, floor in place.items()
        for target in imported(name, set(place))
        if place[target] != floor
    )


class _Box(NamedTuple):
    """Where a floor is drawn, and its text."""

    top: int
    lines: list[str]

    @property
    def height(self) -> int:
        return LINE * len(self.lines) + 2 * PAD

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


def _boxes(floors: list[list[str]]) -> list[_Box]:
    """A box for each floor, the lowest floor at the bottom."""
    boxes, top = [], GAP
    for row in reversed(floors):
        names = dict.fromkeys(name.split(".")[0].replace("__init__", "truebleu") for name in row)
        boxes.append(_Box(top, wrap("  ".join(names), LETTERS)))
        top += boxes[-1].height + GAP
    return boxes[::-1]


def _share(index: int, lines: list[int]) -> float:
    """Where in half of a box one of its lines ends."""
    return (index + 0.5) / len(lines) / 2


def draw(floors: list[list[str]]) -> str:
    """The picture, as SVG that takes its colors from the page."""
    boxes = _boxes(floors)
    counts = calls(floors)
    height = boxes[0].top + boxes[0].height + GAP
    # A curve reaches three quarters of the way to the points that pull it.
    width = BOX + 2 * GAP + 0.75 * (30 + REACH * len(floors))
    parts = []
    for (above, below), count in sorted(counts.items()):
        # Lines arrive in the upper half of a box and leave in the lower half, the long ones
        # outside, so that they do not cross more than they must.
        leaving = sorted((to for floor, to in counts if floor == above))
        arriving = sorted((floor for floor, to in counts if to == below))
        start = boxes[above].middle + _share(leaving.index(below), leaving) * boxes[above].height
        end = boxes[below].top + _share(arriving.index(above), arriving) * boxes[below].height
        left, right = BOX + GAP, BOX + GAP + 30 + REACH * (above - below)
        said = f"floor {above} imports from floor {below}, {count} times"
        parts.append(
            f'<path d="M{left} {start:.1f} C{right} {start:.1f} {right} {end:.1f} {left} {end:.1f}"'
            f' stroke-width="{0.6 + math.log2(1 + count) / 2:.2f}"><title>{said}</title></path>'
        )
    for number, box in enumerate(boxes):
        parts.append(f'<rect x="{GAP}" y="{box.top}" width="{BOX}" height="{box.height}" rx="4"/>')
        middle = box.middle + 4.5
        parts.append(f'<text class="number" x="{GAP + 26}" y="{middle}">{number}</text>')
        for i, line in enumerate(box.lines):
            y = box.top + PAD + LINE * i + 13.5
            parts.append(f'<text x="{GAP + 38}" y="{y}">{escape(line)}</text>')
    label = "The floors of the package, the lowest at the bottom, and imports between them"
    return (
        f'<div class="floors"><svg viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg></div>'
    )


#: What Sphinx writes in lists of arguments, and what is easier to read.
WORDS = {" -- ": ": ", "Parameters": "Arguments", "Variables": "Attributes"}


def in_our_words(_: Any, doctree: nodes.document) -> None:
    """Change what Sphinx itself writes into lists of arguments."""
    for lists in doctree.findall(nodes.field_list):
        for text in list(lists.findall(nodes.Text)):
            if text in WORDS:
                text.parent.replace(text, nodes.Text(WORDS[text]))


class Floors(Directive):
    """`{floors}` in a page."""

    def run(self) -> list[nodes.Node]:
        """The picture, where the directive stands."""
        self.state.document.settings.env.note_dependency(str(RULES))
        return [nodes.raw("", draw(read_floors()), format="html")]


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_directive("floors", Floors)
    app.connect("doctree-read", in_our_words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
