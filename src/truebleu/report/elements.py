# SPDX-License-Identifier: Apache-2.0
"""The elements of the page's sections: tables, numbers, names of systems, remarks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from truebleu.metrics.intervals import Interval
from truebleu.text.html import HTML, element, join, user_text

#: The most systems whose columns have horizontal headings.
HORIZONTAL = 10


def number(value: float, decimals: int, sign: str = "") -> HTML:
    """A number for readers, with all its digits for programs that read the page."""
    return element("data", rounded(value, decimals, sign), value=repr(float(value)))


def rounded(value: float, decimals: int, sign: str = "") -> str:
    """A number as text, with a minus sign that is as wide as a plus sign."""
    return f"{value:{sign}z.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval(ends: Interval, decimals: int) -> HTML:
    """Both ends of an interval."""
    low, high = (number(end, decimals) for end in ends)
    return join([low, " to ", high])


def headings(names: Sequence[str]) -> str | None:
    """The class of a table with a column for each system: upright headings if there are many."""
    return "upright" if len(names) > HORIZONTAL else None


def remark(*children: str, **attributes: str) -> HTML:
    """A small line of explanation, with the signs of a printer."""
    texts = (child if isinstance(child, HTML) else typeset(child) for child in children)
    return element("p", *texts, class_="remark", **attributes)


def command_line(command: str) -> HTML | None:
    """What was typed to write a page, if it is known."""
    return remark("Command: ", element("code", user_text(command))) if command else None


def typeset(text: str) -> str:
    """A text with minus signs and signs of comparison instead of those of ASCII."""
    return re.sub(r"(?<![\w)-])-(?=\d)", "\N{MINUS SIGN}", text).replace("<=", "\u2264")


def side_by_side(*parts: HTML) -> HTML:
    """Parts side by side if the window is wide enough."""
    return element("div", *parts, class_="side-by-side")


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    caption: str,
    texts: Sequence[int] = (0,),
    class_: str | None = None,
    names: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
) -> HTML:
    """A table that scrolls by itself; its columns are numbers, except those in `texts`.

    The first cell of each row is its heading. The page's script sorts the rows by a column. `names`
    are those of systems, one for each row, whose scores the table has. `kinds` are classes of
    columns by their heads.
    """

    def cell(i: int, child: str, scope: str | None) -> HTML:
        classes = ["" if i in texts else "number", (kinds or {}).get(head[i], "")]
        return element("th" if scope else "td", child, scope=scope, class_=" ".join(filter(None, classes)) or None)

    body = []
    for row, name in zip(rows, names or repeat(None), strict=False):
        cells = (cell(i, child, None if i else "row") for i, child in enumerate(row))
        body.append(element("tr", *cells, data_system=name))
    heads = [cell(i, child, "col") for i, child in enumerate(head)]
    return tabular(element("tr", *heads), body, caption, class_, has_scores=names is not None)


def tabular(
    head: HTML, rows: Iterable[HTML], caption: str, class_: str | None = None, *, has_scores: bool = False
) -> HTML:
    """A table of rows, with a caption that stays while the table below it scrolls."""
    parts = element("thead", head), element("tbody", *rows)
    body = element("table", *parts, class_=class_, data_scores=has_scores)
    scroll = element("div", body, class_="scroll", tabindex="0", role="group", aria_label=caption)
    return element("div", element("p", caption, class_="caption"), scroll, class_="tabular")
