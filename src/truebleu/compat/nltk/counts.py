# SPDX-License-Identifier: Apache-2.0
"""NLTK's counts by the kernel, for input that it counts exactly as NLTK does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import chain, islice
from typing import Any

from truebleu.errors import InputError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.kernel import hold_words

#: The highest n-gram order for the kernel, whose memory grows with the order.
HIGHEST_ORDER = 64

#: Segments at a time. Their strings stay in the processor's cache from the check to the count,
#: which saves a third of the time.
_SLICE = 256

#: Types that compare by value, so that equal tokens can share a name.
_PLAIN = frozenset((str, int, float, complex, bool, bytes, type(None)))

_SEQUENCES = frozenset((list, tuple))
_SEGMENTS = frozenset((list, tuple, str))


def count(
    list_of_references: Any, hypotheses: Any, orders: int
) -> tuple[list[int], list[int], int, int] | None:
    """Sums over a corpus, counted as NLTK counts.

    Args:
        list_of_references: one list of references for each hypothesis.
        hypotheses: lists of tokens.
        orders: the highest n-gram order.

    Returns:
        Matches of each order, n-grams of each order, hypothesis length and reference length; None
        if the input is not lists of tokens that compare by value. Iterators have not advanced then,
        and Python counts them or raises the error.
    """
    if not 1 <= orders <= HIGHEST_ORDER or not hypotheses:
        return None
    metric = _metric(orders)

    def total(hyps: Any, refs: Any) -> list[int]:
        return metric.plan.total(hyps, refs, metric.threads)[0]

    if len(hypotheses) <= _SLICE:
        row = _counted(total, hypotheses, list_of_references)
    else:
        rows = []
        for at in range(0, len(hypotheses), _SLICE):
            part = slice(at, at + _SLICE)
            rows.append(_counted(total, hypotheses[part], list_of_references[part]))
            if rows[-1] is None:
                return None
        row = [sum(column) for column in zip(*rows, strict=True)]
    if row is None:
        return None
    return row[2 : 2 + orders], row[2 + orders :], row[0], row[1]


def rows_of_pairs(
    list_of_references: Any, hypotheses: Any, orders: int
) -> list[list[tuple[int, ...]]] | None:
    """For each segment, the statistics with each of its references alone.

    Args:
        list_of_references, hypotheses, orders: as for `count`.

    Returns:
        Hypothesis length, reference length, matches and n-grams; or None, as `count` does.
    """
    if not (
        _are(_SEQUENCES, (hypotheses, list_of_references))
        and _are(_SEQUENCES, list_of_references)
        and all(list_of_references)
    ):
        return None
    segments = list(zip(list_of_references, hypotheses, strict=False))
    pairs = [(hyp, [ref]) for references, hyp in segments for ref in references]
    rows: list[tuple[int, ...]] = []
    for at in range(0, len(pairs), _SLICE):
        hyps, refs = map(list, zip(*pairs[at : at + _SLICE], strict=True))
        some = _counted(_metric(orders).stats, hyps, refs)
        if some is None:
            return None
        rows += some
    each = iter(rows)
    return [list(islice(each, len(references))) for references, _ in segments]


@cache
def _metric(orders: int) -> BLEU:
    return BLEU("nltk", max_ngram_order=orders)


def _counted(count: Callable[[Any, Any], Any], hypotheses: Any, list_of_references: Any) -> Any:
    """What a function of the kernel counts, or None."""
    if hold_words(hypotheses, list_of_references):
        try:
            return count(hypotheses, list_of_references)
        except InputError:  # a lone surrogate, which has no UTF-8 form
            pass
    named = _named(list_of_references, hypotheses)
    return None if named is None else count(*named)


def _named(list_of_references: Any, hypotheses: Any) -> tuple[Any, Any] | None:
    """The corpus with each token replaced by a string, the same for equal tokens; or None."""
    if not (
        _are(_SEQUENCES, (hypotheses, list_of_references))
        and _are(_SEQUENCES, list_of_references)
        and all(list_of_references)
        and len(hypotheses) == len(list_of_references)  # else under `python -O`
    ):
        return None
    segments = [*hypotheses, *chain.from_iterable(list_of_references)]
    if not _are(_SEGMENTS, segments) or not _compare_by_value(chain.from_iterable(segments)):
        return None
    names: defaultdict[Any, str] = defaultdict(lambda: str(len(names)))
    name = names.__getitem__
    return (
        [[*map(name, hypothesis)] for hypothesis in hypotheses],
        [[[*map(name, reference)] for reference in row] for row in list_of_references],
    )


def _are(kinds: Collection[type], items: Iterable[Any]) -> bool:
    return {*map(type, items)} <= kinds  # type: ignore[operator]


def _compare_by_value(tokens: Iterable[Any]) -> bool:
    tokens = list(tokens)
    kinds = {*map(type, tokens)}
    if tuple in kinds:  # such as a word and its part of speech
        kinds.remove(tuple)
        inner = chain.from_iterable(token for token in tokens if type(token) is tuple)
        return kinds <= _PLAIN and _compare_by_value(inner)
    return kinds <= _PLAIN
