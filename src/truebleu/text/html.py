# SPDX-License-Identifier: Apache-2.0
"""HTML that a notebook shows: nothing in a user's text becomes markup, and there is no script.

Styles stand in the elements, because notebooks drop style sheets; colors are see-through, so that
they suit light and dark pages.
"""

from __future__ import annotations

from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LINE = "1px solid rgba(128,128,128,.35)"
#: Blue for what is gained or measured, vermillion for what is lost: Okabe and Ito's.
GAIN, LOSS = "rgba(0,114,178,.55)", "rgba(213,94,0,.6)"
#: Behind tokens that are covered by a match of 1, 2, 3, and 4 or more.
_COVERED = (
    "rgba(230,159,0,.22)", "rgba(86,180,233,.26)", "rgba(0,158,115,.3)", "rgba(0,158,115,.5)",
)  # fmt: skip


class HTML(str):
    """Text that is markup already. All other text is escaped."""

    __slots__ = ()


def escaped(text: str) -> HTML:
    r"""Text as markup that shows it; control characters are spelled out.

    Example:
        >>> print(escaped("<b>\x1b"))
        &lt;b&gt;\x1b
    """
    if isinstance(text, HTML):
        return text
    from html import escape

    return HTML(escape(visible(text)))


def element(name: str, *contents: str, style: str = "", **attributes: str) -> HTML:
    """An element; its contents are escaped unless they are markup."""
    if style:
        attributes["style"] = style
    said = "".join(f' {key}="{escaped(value)}"' for key, value in attributes.items())
    return HTML(f"<{name}{said}>{''.join(map(escaped, contents))}</{name}>")


def user_text(text: str) -> HTML:
    """A user's text in its own direction, whatever surrounds it."""
    return element("bdi", text)


def block(*parts: str) -> str:
    """Parts of what a notebook shows of one value."""
    return element("div", *parts, style="line-height:1.45;max-width:64em")


def headline(name: str, value: str, *beside: str) -> HTML:
    """What a number is called, the number, and what belongs to it."""
    bold = element("b", f"{name} = {value}", style="font-size:1.15em")
    rest = "".join(f" · {escaped(text)}" for text in beside if text)
    return element("div", bold, HTML(rest), style="margin:.2em 0")


def line(*contents: str) -> HTML:
    """A line of text."""
    return element("div", *contents, style="margin:.3em 0")


def title(text: str) -> HTML:
    """A line above others."""
    return element("div", element("b", text), style="margin:.7em 0 .2em")


def code(text: str) -> HTML:
    """Text such as a signature, which may be broken anywhere."""
    return element("code", text, style="font-size:.85em;overflow-wrap:anywhere;opacity:.85")


def table(rows: Iterable[Sequence[str]], *, left: Sequence[int] = (0,)) -> HTML:
    """A table; the first row is the head.

    Args:
        left: columns that are set to the left; the others are numbers.
    """
    head, *rest = rows

    def row(cells: Sequence[str], name: str, rule: str) -> HTML:
        shown = [
            element(
                name,
                cell,
                style=f"text-align:{'left' if i in left else 'right'};padding:.15em .6em;"
                f"border:0;border-bottom:{rule};vertical-align:baseline",
            )
            for i, cell in enumerate(cells)
        ]
        return element("tr", *shown, style="background:none")

    body = [row(cells, "td", "0") for cells in rest]
    shown = element(
        "table",
        element("thead", row(head, "th", _LINE)),
        element("tbody", *body),
        style=f"border-collapse:collapse;border:0;border-bottom:{_LINE};margin:.3em 0;"
        "font-variant-numeric:tabular-nums;color:inherit",
    )
    return element("div", shown, style="overflow-x:auto")  # what is too wide scrolls by itself


def bar(share: float, color: str = GAIN) -> HTML:
    """A bar as long as its share of 7 em; nothing for what is no share."""
    if not 0 <= share <= 1:
        return HTML()
    style = f"width:{7 * share:.3f}em;height:.75em;background:{color};display:inline-block"
    return element("span", element("span", style=style), style="display:inline-block;width:7em")


def folded(summary: str, *contents: str) -> HTML:
    """Contents that a click unfolds."""
    closed = element("summary", summary, style="cursor:pointer")
    return element("details", closed, *contents, style="margin:.4em 0")


def tokens(words: Sequence[str], covered: Sequence[int]) -> HTML:
    """Tokens, each on a color and above a number that say how long a match covers it."""
    shown: list[HTML] = []
    for word, length in zip(words, covered, strict=True):
        text = element("bdi", word or "''")
        if length:
            ground = _COVERED[min(length, len(_COVERED)) - 1]
            mark = element("sub", str(length), style="opacity:.6;font-size:.65em")
            style = f"background:{ground};border-radius:.2em;padding:0 .15em"
            shown.append(element("span", text, mark, style=style))
        else:
            shown.append(
                element("span", text, style="text-decoration:underline dotted;opacity:.75")
            )
    return element("span", HTML(" ".join(shown)), dir="auto") if shown else escaped("(no tokens)")
