# SPDX-License-Identifier: Apache-2.0
"""The table of dialects: one row for each BLEU tool. Rows are values; none holds code."""

from __future__ import annotations

from truebleu.dialect import Aggregate, Combine, Count, Dialect, Normalize, Tokenize
from truebleu.errors import OptionError, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_ROWS = (
    Dialect(
        "sacrebleu",
        Normalize(lowercase_rule="unicode", strip="right"),
        Tokenize(tokenize="13a", whitespace="python"),
        Count(max_ngram_order=4),
        Aggregate(ref_len="closest"),
        Combine(
            smooth_method="exp",
            effective_order=False,
            sentence_effective_order=True,
            summation="naive",
        ),
        version="2.6.0",
        source="sacrebleu 2.6.0, metrics/bleu.py (Post 2018, arXiv:1804.08771)",
        exact="to the last bit, under Python up to 3.11; from 3.12 on with summation=compensated",
    ),
)

#: Every dialect by name.
DIALECTS: Mapping[str, Dialect] = {row.name: row for row in _ROWS}


def dialect(name: str | Dialect, **changes: Any) -> Dialect:
    """The dialect called `name`, with options changed.

    Raises:
        OptionError: no dialect has this name, or a change is not possible.

    Example:
        >>> from truebleu import dialect
        >>> dialect("sacrebleu", smooth_method="floor").combine.smooth_method
        'floor'
    """
    if isinstance(name, Dialect):
        row = name
    elif isinstance(name, str) and name in DIALECTS:
        row = DIALECTS[name]
    else:
        raise OptionError(f"no dialect is named {suggest(str(name), DIALECTS)}")
    return row.replace(**changes) if changes else row
