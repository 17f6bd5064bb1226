# SPDX-License-Identifier: Apache-2.0
"""HTML from values: text is escaped unless it is markup that was made here."""

from __future__ import annotations

from html import escape

from truebleu.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Child = str | None


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, *children: Child, **attributes: str | bool | None) -> Markup:
    """An element; an attribute that is True stands alone, one that is None or False is left out.

    Args:
        children: `Markup`, or text, which is escaped; None is left out.
        attributes: `class_` and the like for names that Python keeps; `_` stands for a hyphen.

    Example:
        >>> element("td", "a < b", class_="number")
        '<td class="number">a &lt; b</td>'
    """
    shown = "".join(
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(value)}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    return Markup(f"<{tag}{shown}>{join(children)}</{tag}>")


def join(children: Iterable[Child]) -> Markup:
    """Markup and texts one behind the other; texts are escaped."""
    return Markup(
        "".join(
            child if isinstance(child, Markup) else escape(child)
            for child in children
            if child is not None
        )
    )


def given(text: str) -> Markup:
    """Text of users: what is invisible is spelled out, and its direction is its own alone."""
    return element("bdi", visible(text))


def table(
    head: Sequence[Child],
    rows: Iterable[Sequence[Child]],
    *,
    caption: str,
    texts: Sequence[int] = (0,),
) -> Markup:
    """A table whose columns are numbers, but for those that are `texts`; it scrolls by itself.

    The first cell of each row names it.
    """

    def cell(tag: str, i: int, child: Child, scope: str | None = None) -> Markup:
        return element(tag, child, scope=scope, class_=None if i in texts else "number")

    body = [
        element("tr", *(cell("td" if i else "th", i, child, None if i else "row")
                        for i, child in enumerate(row)))
        for row in rows
    ]  # fmt: skip
    heads = [cell("th", i, child, "col") for i, child in enumerate(head)]
    whole = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *heads)),
        element("tbody", *body),
    )
    return element("div", whole, class_="scroll", tabindex="0", role="group", aria_label=caption)
