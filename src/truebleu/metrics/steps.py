# SPDX-License-Identifier: Apache-2.0
"""The calculation of a BLEU score step by step, by the kernel's code for scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from truebleu.dialects.decisions import Dialect
from truebleu.metrics.bleu import plan_options
from truebleu.metrics.kernel import Kernel, compile_metric

#: The kernel's numbers: those of the score, and those of each order.
_SHARED, _OF_ORDER = 7, 11


@dataclass(frozen=True, slots=True)
class OrderSteps:
    """The calculation of the precision of one n-gram order.

    Attributes:
        rule: the formula: `ratio`, `halved`, `floor`, `constant`, `length`; `missing` or `perfect`
            without n-grams.
        after: what is done to the precisions of all orders then: `plain` (nothing), `averaged` or
            `interpolated`.
        match, total: the number of matching n-grams, and of all.
        by_segment: what was added to the matches, segment by segment.
        to_match: what is added to the sum of the matches.
        counted: the number of n-grams that the formula reads, at least as many as the tool has.
        to_total: what is added to it.
        to_precision: what is added to the precision.
        halvings: the divisor of matches that are halved for each order without a match.
        precision: the result, from 0 to 1.
        weight: the exponent of the precision; 0 if the order is left out.
        factor: the precision to the power of the weight.
    """

    rule: str
    after: str
    match: int
    total: int
    by_segment: float
    to_match: float
    counted: float
    to_total: float
    to_precision: float
    halvings: float
    precision: float
    weight: float
    factor: float


@dataclass(frozen=True, slots=True)
class Steps:
    """The calculation of a score.

    Attributes:
        outcome: `product`, or why the score is not the product of scale, penalty and factors:
            `segments` (a mean of scores), `orders` (a sum of scores), `undefined`, `guard`,
            `no-trigram`, `no-order`, `not-a-number`.
        rule: the rule of the brevity penalty: `standard`, `inverted`, `linear`, `longer`;
            `long-enough`, `no-token` or `none` if the lengths are not compared.
        value: the score.
        bp: the brevity penalty.
        hyp_len, ref_len: the lengths that it compares.
        to_hyp_len, to_ref_len: what is added to the lengths.
        power: the exponent of the penalty.
        orders: the orders of the score.
    """

    outcome: str
    rule: str
    value: float
    bp: float
    hyp_len: int
    ref_len: int
    to_hyp_len: float
    to_ref_len: float
    power: float
    orders: tuple[OrderSteps, ...]


def steps(dialect: Dialect, row: Sequence[int]) -> Steps:
    """The calculation of the score of a row of statistics.

    Args:
        dialect: the formula.
        row: hypothesis length, reference length, matches and n-grams, as the dialect counts them.

    Example:
        >>> from truebleu import BLEU
        >>> bleu = BLEU("nltk-method3", max_ngram_order=2)
        >>> calculation = steps(bleu.dialect, [3, 4, 2, 0, 3, 2])
        >>> calculation.outcome, calculation.rule, calculation.bp
        ('product', 'standard', 0.7165313105737893)
        >>> [(order.rule, order.precision, order.weight) for order in calculation.orders]
        [('ratio', 0.6666666666666666, 0.5), ('halved', 0.25, 0.5)]
    """
    words, numbers = _plan(dialect).steps(list(row))
    value, bp, hyp_len, ref_len, to_hyp_len, to_ref_len, power = numbers[:_SHARED]
    orders = []
    for n in range(len(words) // 2 - 1):
        rule, after = words[2 + 2 * n : 4 + 2 * n]
        match, total, *terms = numbers[_SHARED + _OF_ORDER * n :][:_OF_ORDER]
        orders.append(OrderSteps(rule, after, int(match), int(total), *terms))
    return Steps(
        words[0], words[1], value, bp, int(hyp_len), int(ref_len), to_hyp_len, to_ref_len, power, tuple(orders)
    )


@lru_cache(maxsize=16)
def _plan(dialect: Dialect) -> Kernel:
    # The tokenizer does not matter here, and may be a function of the user.
    return compile_metric("bleu", {**plan_options(dialect), "tokenize": "none"})
