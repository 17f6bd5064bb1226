# SPDX-License-Identifier: Apache-2.0
"""Markup of notebooks and report pages: a user's text never becomes markup.

Notebooks drop style sheets and scripts, so what they show has its styles in the elements; its
colors are transparent, so that they suit light and dark pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from truebleu.text.escaping import visible

_LINE = "1px solid rgba(128,128,128,.35)"
#: Okabe and Ito's blue.
_BLUE = "rgba(0,114,178,.55)"


class HTML(str):
    """Text that is markup already. All other text is escaped."""

    __slots__ = ()


def escaped(text: str) -> HTML:
    """Text as markup that shows it, with control characters as escapes."""
    if isinstance(text, HTML):
        return text
    return HTML(escape(visible(text)))


def element(tag: str, *children: str | None, **attributes: str | bool | None) -> HTML:
    """An element; text in it is escaped, and None is left out.

    Args:
        tag: its name.
        children: text, and markup as `HTML`.
        attributes: an underscore in a name stands for a hyphen; one at the end is dropped, so that
            keywords of Python can be names. True is an attribute without a value, False none.

    Example:
        >>> print(element("td", "a < b", None, class_="number", hidden=True))
        <td class="number" hidden="">a &lt; b</td>
    """
    shown = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{"" if value is True else escaped(value)}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    return HTML(f"<{tag}{shown}>{join(children)}</{tag}>")


def join(children: Iterable[str | None]) -> HTML:
    """Markup and texts, one after the other."""
    return HTML("".join(escaped(child) for child in children if child is not None))


def user_text(text: str) -> HTML:
    """A user's text, whose direction does not affect the text around it."""
    return element("bdi", text)


def block(*parts: str) -> str:
    """The display of one value in a notebook."""
    return element("div", *parts, style="line-height:1.45;max-width:64em")


def headline(name: str, value: str, *details: str) -> HTML:
    """The name of a number, the number, and its details."""
    bold = element("b", f"{name} = {value}", style="font-size:1.15em")
    remarks = "".join(f" · {escaped(text)}" for text in details if text)
    return element("div", bold, HTML(remarks), style="margin:.2em 0")


def line(*contents: str) -> HTML:
    """A line of text."""
    return element("div", *contents, style="margin:.3em 0")


def title(text: str) -> HTML:
    """A heading."""
    return element("div", element("b", text), style="margin:.7em 0 .2em")


def code(text: str) -> HTML:
    """Text such as a signature, which may break anywhere."""
    return element("code", text, style="font-size:.85em;overflow-wrap:anywhere;opacity:.85")


def table(rows: Iterable[Sequence[str]], *, left: Sequence[int] = (0,)) -> HTML:
    """A table; the first row is the head. Columns in `left` are text, the others numbers."""
    head, *lines = rows

    def row(cells: Sequence[str], tag: str, rule: str) -> HTML:
        style = f"padding:.15em .6em;border:0;border-bottom:{rule};vertical-align:baseline"
        shown = (
            element(tag, cell, style=f"text-align:{'left' if i in left else 'right'};{style}")
            for i, cell in enumerate(cells)
        )
        return element("tr", *shown, style="background:none")

    body = [row(cells, "td", "0") for cells in lines]
    shown = element(
        "table",
        element("thead", row(head, "th", _LINE)),
        element("tbody", *body),
        style=f"border-collapse:collapse;border:0;border-bottom:{_LINE};margin:.3em 0;"
        "font-variant-numeric:tabular-nums;color:inherit",
    )
    return element("div", shown, style="overflow-x:auto")  # a wide table scrolls by itself


def bar(share: float) -> HTML:
    """A bar of `share` times 7 em; nothing unless the share is from 0 to 1."""
    if not 0 <= share <= 1:
        return HTML()
    style = f"width:{7 * share:.3f}em;height:.75em;background:{_BLUE};display:inline-block"
    return element("span", element("span", style=style), style="display:inline-block;width:7em")


#: What a terminal does at the codes of `tables`.
_STYLES = {
    "0": None, "1": "font-weight:bold", "2": "opacity:.75", "31": "color:rgb(213,94,0)",
    "32": "color:rgb(0,158,115)", "33": "color:rgb(200,140,0)", "36": "color:rgb(60,150,210)",
    "1;32": "color:rgb(0,158,115);font-weight:bold",
}  # fmt: skip


def terminal(text: str) -> str:
    """Text for a terminal, which escapes what users wrote, as a notebook shows it: with colors."""
    first, *runs = re.split(r"\x1b\[([0-9;]*)m", text)
    spans = (element("span", HTML(escape(run)), style=_STYLES.get(code))
             for code, run in zip(runs[::2], runs[1::2], strict=True))  # fmt: skip
    style = "line-height:1.45;white-space:pre-wrap;unicode-bidi:plaintext"
    return element("pre", HTML(escape(first)), *spans, style=style)
