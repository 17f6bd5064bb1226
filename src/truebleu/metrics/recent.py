# SPDX-License-Identifier: Apache-2.0
"""Scores in one call: metrics of recent calls are kept, or given."""

from __future__ import annotations

from truebleu.errors import OptionError, describe
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.score import Score


def corpus_bleu(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    threads: int | None = None,
    **changes: Any,
) -> Score:
    """Score a corpus; see `BLEU.corpus`.

    Example:
        >>> from truebleu import corpus_bleu
        >>> corpus_bleu(["the cat sat"], [["the cat sat", "a cat sat"]], max_ngram_order=2).value
        100.00000000000004
    """
    return compiled(dialect, threads, changes).corpus(hyps, refs)


def sentence_bleu(
    hyp: Any, refs: Any, dialect: str | Dialect = "sacrebleu", **changes: Any
) -> Score:
    """Score one segment, with effective order as sacreBLEU's sentence mode; see `BLEU.sentence`.

    Example:
        >>> from truebleu import sentence_bleu
        >>> sentence_bleu("the cat", ["the cat", "a cat"]).value
        100.00000000000004
    """
    return compiled(dialect, 1, changes).sentence(hyp, refs)


def chosen(
    metric: Any, dialect: str | Dialect, threads: int | None, changes: dict[str, Any]
) -> Any:
    """`metric` if one is given, else the BLEU that the other arguments describe.

    Raises:
        OptionError: `metric` is no metric, or others of the arguments are given, too.
    """
    if metric is None:
        return compiled(dialect, threads, changes)
    checked(metric)
    is_named = not isinstance(dialect, str) or dialect != "sacrebleu"
    if is_named or threads is not None or changes:
        names = ["dialect"] * is_named + ["threads"] * (threads is not None)
        given = ", ".join([*names, *changes])
        raise OptionError(f"metric has options of its own; give {given} to it when it is made")
    return metric


def checked(metric: Any) -> Any:
    """`metric`.

    Raises:
        OptionError: it is none.
    """
    if not hasattr(metric, "higher_is_better"):
        raise OptionError(f"metric cannot be {describe(metric)}; give a BLEU, a CHRF or a TER")
    return metric


#: Compiled metrics of recent calls.
_recent: dict[Any, BLEU] = {}


def compiled(dialect: str | Dialect, threads: int | None, changes: dict[str, Any]) -> BLEU:
    """`BLEU(dialect, threads=threads, **changes)`, kept for the next call."""
    # With types: 2.0 equals 2, and is no n-gram order.
    key = (dialect, threads, type(threads), *changes.items(), *map(type, changes.values()))
    try:
        found = _recent.get(key)
    except TypeError:  # a list of weights: no key
        return BLEU(dialect, threads=threads, **changes)
    if found is None:
        found = BLEU(dialect, threads=threads, **changes)
        if len(_recent) >= 64:
            _recent.clear()
        _recent[key] = found
    return found
