# SPDX-License-Identifier: Apache-2.0
"""Elements of the page: `truebleu.text.html`'s, with the attributes that a page needs."""

from __future__ import annotations

from truebleu.text import html
from truebleu.text.html import HTML, escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Child = str | None


def element(tag: str, *children: Child, **attributes: str | bool | None) -> HTML:
    """An element; text in it is escaped, and what is None is left out.

    Args:
        attributes: an underscore stands for a hyphen; one at the end is for names that Python
            keeps. True is an attribute without a value, False none.

    Example:
        >>> print(element("td", "a < b", None, class_="number", hidden=True))
        <td class="number" hidden="">a &lt; b</td>
    """
    shown = {
        name.rstrip("_").replace("_", "-"): "" if value is True else value
        for name, value in attributes.items()
        if value is not None and value is not False
    }
    return html.element(tag, *(child for child in children if child is not None), **shown)


def join(children: Iterable[Child]) -> HTML:
    """Markup and texts one behind the other."""
    return HTML("".join(escaped(child) for child in children if child is not None))


def table(
    head: Sequence[Child],
    rows: Iterable[Sequence[Child]],
    *,
    caption: str,
    texts: Sequence[int] = (0,),
) -> HTML:
    """A table whose columns are numbers, but for those that are `texts`; it scrolls by itself.

    The first cell of each row names it.
    """

    def cell(tag: str, i: int, child: Child, scope: str | None = None) -> HTML:
        return element(tag, child, scope=scope, class_=None if i in texts else "number")

    body = [
        element("tr", *(cell("td" if i else "th", i, child, None if i else "row")
                        for i, child in enumerate(row)))
        for row in rows
    ]  # fmt: skip
    heads = [cell("th", i, child, "col") for i, child in enumerate(head)]
    whole = element(
        "table",
        element("thead", element("tr", *heads)),
        element("tbody", *body),
    )
    # The caption stays where it is while the table below it scrolls.
    scroll = element("div", whole, class_="scroll", tabindex="0", role="group", aria_label=caption)
    return element("div", element("p", caption, class_="caption"), scroll, class_="tabular")
