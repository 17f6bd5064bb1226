# SPDX-License-Identifier: Apache-2.0
"""NLTK's counts and formula by the kernel, for input that it treats exactly as NLTK does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from truebleu.dialects.tools import dialect
from truebleu.errors import InputError
from truebleu.inputs.corpus import PLAIN
from truebleu.metrics.bleu import BLEU, plan_options
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.kernel import Kernel, Words, compile_metric, hold_words

#: The highest n-gram order for the kernel, whose memory grows with the order.
HIGHEST_ORDER = 64

#: Segments at a time. Their strings stay in the processor's cache from the check to the count,
#: which saves a third of the time.
_SLICE = 256


def count(list_of_references: Any, hypotheses: Any, orders: int) -> tuple[list[int], list[int], int, int] | None:
    """Sums over a corpus, counted as NLTK counts.

    Args:
        list_of_references: one list of references for each hypothesis.
        hypotheses: lists of tokens.
        orders: the highest n-gram order.

    Returns:
        Matches of each order, n-grams of each order, hypothesis length and reference length; None
        if the input is not lists of strings or of ints. Iterators have not advanced then, and
        Python counts them or raises the error.
    """
    if not 1 <= orders <= HIGHEST_ORDER:
        return None
    row = total(_metric(orders), list_of_references, hypotheses)
    return None if row is None else (row[2 : 2 + orders], row[2 + orders :], row[0], row[1])


def total(metric: BLEU | GLEU, list_of_references: Any, hypotheses: Any) -> list[int] | None:
    """The sum of the statistics of a corpus; None as for `count`, or without segments."""
    if not {type(list_of_references), type(hypotheses)} <= {list, tuple}:
        return None
    rows = []
    for at in range(0, len(hypotheses), _SLICE):
        hyps, refs = (column[at : at + _SLICE] for column in (hypotheses, list_of_references))
        if not hold_words(hyps, refs):
            hyps, refs = _ids_as_words(hyps, refs)
            if not hold_words(hyps, refs):
                return None
        try:
            rows.append(metric.plan.total(Words(hyps), Words(refs), metric.threads, PLAIN)[0])
        except InputError:  # a lone surrogate, which has no UTF-8 form
            return None
    return [sum(column) for column in zip(*rows, strict=True)] or None


def _ids_as_words(hyps: Any, refs: Any) -> tuple[Any, Any]:
    """Lists of token ids as lists of words; anything else as it is."""
    rows = [hyps, *refs]
    segments = [segment for row in rows if type(row) in (list, tuple) for segment in row]
    are_lists = {*map(type, (*rows, *segments))} <= {list, tuple}
    if are_lists and all(type(token) is int for segment in segments for token in segment):
        hyps, *refs = ([[*map(str, segment)] for segment in row] for row in rows)
    return hyps, refs


def mean_of_counts(
    method: int, value: float, weights: Iterable[float], matches: list[int], totals: list[int], hyp_len: int
) -> float:
    """The weighted mean of the precisions after one of the methods 0 to 4 with its value."""
    # The row of a hypothesis that is as long as its reference: its score is the mean.
    row = [hyp_len, hyp_len, *matches, *totals]
    return _weighted(method, value, tuple(weights), len(matches)).score(row)[0]


@lru_cache(maxsize=256)
def _weighted(method: int, value: float, weights: tuple[float, ...], orders: int) -> Kernel:
    """The plan of a method with its value, and with weights of the first orders."""
    name = f"nltk-method{method}" if method else "nltk"
    options = plan_options(dialect(name, max_ngram_order=orders))
    if method in (1, 4):
        options["smooth_value"] = value
    return compile_metric("bleu", {**options, "weights": (*weights, *[0.0] * (orders - len(weights)))})


@cache
def _metric(orders: int) -> BLEU:
    return BLEU("nltk", max_ngram_order=orders)
