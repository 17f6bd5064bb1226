# SPDX-License-Identifier: Apache-2.0
"""Markup of notebooks and report pages: a user's text never becomes markup.

Notebooks drop style sheets and scripts, so what they show has its styles in the elements; its
colors are transparent, so that they suit light and dark pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from truebleu.text.escaping import visible


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


#: What a terminal does at the codes of `tables`.
_STYLES = {
    "0": None, "1": "font-weight:bold", "2": "opacity:.75", "31": "color:rgb(213,94,0)",
    "32": "color:rgb(0,158,115)", "33": "color:rgb(200,140,0)", "36": "color:rgb(60,150,210)",
    "1;32": "color:rgb(0,158,115);font-weight:bold",
}  # fmt: skip


def terminal(text: str) -> str:
    """Text for a terminal, which escapes what users wrote, as a notebook shows it: with colors."""
    first, *runs = re.split(r"\x1b\[([0-9;]*)m", text)
    spans = (
        element("span", HTML(escape(run)), style=_STYLES.get(code))
        for code, run in zip(runs[::2], runs[1::2], strict=True)
    )
    style = "line-height:1.45;white-space:pre-wrap;unicode-bidi:plaintext"
    return element("pre", HTML(escape(first)), *spans, style=style)
