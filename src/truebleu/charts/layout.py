# SPDX-License-Identifier: Apache-2.0
"""What figures have in common: labels of systems, their colors and shapes, room for text."""

from __future__ import annotations

from math import ceil, floor, inf, isfinite, log10

from truebleu.charts.look import LEADING, LETTER
from truebleu.errors import MissingExtraError
from truebleu.text.escaping import columns, shortened, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.charts.look import Look

#: Of the width of a figure, the most that names take.
_SHARE = 0.35


def altair() -> Any:
    """The library.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError.of("a figure", "report") from None
    return alt


def labels(names: Iterable[str], look: Look) -> list[str]:
    """Names as a figure may show them: control characters spelled out, short, all different."""
    most = max(8, int(look.points * _SHARE / (look.size * LETTER)))
    found: list[str] = []
    for name in names:
        label = once = shortened(visible(name), most) or "''"
        count = 1
        while label in found:
            count += 1
            label = f"{once} ({count})"
        found.append(label)
    return found


def plain(value: float) -> float | None:
    """A value for JSON: none if it is no number."""
    return float(value) if isfinite(value) else None


def figure(chart: Any, look: Look, height: float, description: str) -> Any:
    """The chart with its look, exactly as wide as the look says, whatever its labels take.

    Args:
        height: of the whole figure, unless the look has one.
        description: what it shows, for those who do not see it.
    """
    alt = altair()
    return chart.properties(
        width=look.points,
        height=look.height or round(height),
        description=description,
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        padding={"left": 2, "top": 2, "bottom": 2, "right": 4},
        config=alt.Config(**look.config()),
    )


def room(texts: Iterable[str], look: Look) -> float:
    """Points that the longest text takes, and a few more."""
    widest = max((columns(text) for text in texts), default=0)
    return (widest + 2) * look.size * LETTER


def legend(names: Sequence[str], look: Look) -> Any:
    """The systems in a line or more above a figure; nothing for a single one."""
    alt = altair()
    if len(names) < 2:
        return None
    return alt.Legend(orient="top", direction="horizontal", columns=_columns(names, look))


def legend_lines(names: Sequence[str], look: Look) -> int:
    """Lines of the legend."""
    return ceil(len(names) / _columns(names, look)) if len(names) > 1 else 0


def _columns(names: Sequence[str], look: Look) -> int:
    fits = int(look.points * 0.9 / (room(names, look) + 2 * look.size))
    return min(max(1, fits), len(names))


def color(names: Sequence[str], look: Look, shown: Any = None) -> Any:
    """The color of each system as an encoding, with a legend if one is given."""
    return _encoding("Color", names, look.hues(len(names)), shown)


def shape(names: Sequence[str], look: Look, shown: Any = None) -> Any:
    """The shape of each system as an encoding, with a legend if one is given."""
    return _encoding("Shape", names, look.shapes(len(names)), shown)


def _encoding(channel: str, names: Sequence[str], values: Sequence[Any], shown: Any) -> Any:
    alt = altair()
    # The domain is given, so that the order is that of the systems, not of the alphabet.
    scale = alt.Scale(domain=list(names), range=list(values))
    return getattr(alt, channel)("system:N", scale=scale, sort=list(names), legend=shown)


def spaced(
    positions: Sequence[float], gap: float, low: float = -inf, high: float = inf
) -> list[float]:
    """Positions at least `gap` apart, in their order, and as near to those given as can be.

    The squares of the distances are least: positions less their rank times the gap must not
    descend, which pooling adjacent violators solves (Ayer et al. 1955).

    Args:
        low, high: between which they are, if there is room for all.

    Example:
        >>> spaced([1.0, 5.0, 1.25], 1.0)
        [0.625, 5.0, 1.625]
    """
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    pools: list[tuple[float, int]] = []  # sums and sizes
    for rank, i in enumerate(order):
        pool = (positions[i] - rank * gap, 1)
        while pools and pools[-1][0] / pools[-1][1] >= pool[0] / pool[1]:
            before = pools.pop()
            pool = (pool[0] + before[0], pool[1] + before[1])
        pools.append(pool)
    means = [total / size for total, size in pools for _ in range(size)]
    highest = max(low, high - (len(means) - 1) * gap)
    found = [0.0] * len(positions)
    for rank, i in enumerate(order):
        found[i] = min(max(means[rank], low), highest) + rank * gap
    return found


def nice_ends(
    values: Sequence[float], *, from_zero: bool = True, steps: int = 5
) -> tuple[float, float]:
    """Round numbers between which all values are, for an axis of about so many steps."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    rough = (high - low) / steps
    if rough <= 0:
        return (0.0, 1.0) if from_zero else (low - 1, high + 1)
    unit = 10.0 ** floor(log10(rough))
    step = next(k * unit for k in (1, 2, 2.5, 5, 10) if k * unit >= rough * (1 - 1e-12))
    return floor(low / step) * step, ceil(high / step * (1 - 1e-12)) * step


def line_height(look: Look) -> float:
    """Points from one line of text to the next."""
    return look.size * LEADING
