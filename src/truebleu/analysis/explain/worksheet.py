# SPDX-License-Identifier: Apache-2.0
"""The calculation of a score: each factor with its derivation and the points lost to it.

score = scale x brevity penalty x p_1^w_1 x ... x p_N^w_N

The kernel computes the steps; this module writes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from truebleu.dialects.decisions import Combine, Dialect
from truebleu.errors import quantity
from truebleu.metrics.score import Score
from truebleu.metrics.steps import OrderSteps, Steps, steps
from truebleu.text.results import Record


@dataclass(frozen=True, slots=True)
class Term(Record):
    """One n-gram order of the calculation.

    Attributes:
        order: the length of the n-grams in tokens.
        match, total: the number of matching n-grams, and of all.
        derivation: the precision as a fraction of these, with smoothing.
        precision: from 0 to 1, after smoothing.
        weight: the exponent; 0 if the order is left out.
        factor: the precision to the power of the weight.
        remark: a special case, in words.
    """

    order: int
    match: int
    total: int
    derivation: str
    precision: float
    weight: float
    factor: float
    remark: str


@dataclass(frozen=True, slots=True)
class Worksheet(Record):
    """The calculation of a score from statistics.

    Attributes:
        value: the score, as the kernel computes it.
        scale: the score of a perfect hypothesis.
        hyp_len, ref_len: the lengths that the brevity penalty compares.
        bp: the brevity penalty.
        bp_derivation: the formula of the brevity penalty, with its numbers.
        terms: the orders.
        smoothing: the smoothing, in words.
        outcome: why the score is not a product: 0 by a guard, NaN, or a mean. Empty for a product.
        lost: points lost to each factor; `scale` minus their sum is the score. Empty for NaN.
    """

    value: float
    scale: int
    hyp_len: int
    ref_len: int
    bp: float
    bp_derivation: str
    terms: tuple[Term, ...]
    smoothing: str
    outcome: str
    lost: dict[str, float]

    @property
    def product(self) -> float:
        """The product of scale, penalty and factors: the score except for the last digits."""
        if self.outcome:
            return self.value
        return self.scale * self.bp * math.prod(term.factor for term in self.terms)


def worksheet(dialect: Dialect, score: Score) -> Worksheet:
    """The calculation of a score."""
    options, row = dialect.combine, score.stats[0]
    calculation = steps(dialect, row)
    outcome = _outcome(options, calculation, row[-1])
    terms = []
    for n, derivation in enumerate(_derivations(options, calculation, row), start=1):
        order = calculation.orders[n - 1]
        precision, factor = (math.nan, math.nan) if outcome else (order.precision, order.factor)
        remark = "; ".join(_remarks(options, order, is_product=not outcome))
        terms.append(Term(n, order.match, order.total, derivation, precision, order.weight, factor, remark))
    smoothing = SMOOTHINGS[options.smooth_method].format(figure(options.effective_smooth_value()))
    smoothing, penalty = f"{options.smooth_method}: {smoothing}", _penalty(calculation)
    lost = _lost(options, score, calculation)
    return Worksheet(
        score.value, score.scale, row[0], row[1], score.bp, penalty, tuple(terms), smoothing, outcome, lost
    )


def _outcome(options: Combine, calculation: Steps, segments: int) -> str:
    """The reason that the score is not a product of factors; empty if it is one."""
    return OUTCOMES[calculation.outcome].format(
        segments=quantity(segments, "segment"),
        factors=", ".join(map(figure, options.cumulative_weights or ())),
        fault="without n-grams of each order" if options.undefined == "missing-order" else "empty",
        undefined=options.undefined,
        reason=GUARDS.get(options.guard, ""),
        guard=options.guard,
    )


#: Why a score is not the product of its factors.
OUTCOMES = {
    "product": "",
    "segments": "the mean of the scores of {segments} (join=mean)",
    "orders": "the sum of the scores up to each order, times {factors} (cumulative_weights)",
    "undefined": "NaN: the tool crashes on texts that are {fault} (undefined={undefined})",
    "guard": "0 despite smoothing: {reason} (guard={guard})",
    "no-trigram": "NaN: this smoothing needs a matching 3-gram",
    "not-a-number": "NaN: an order of the average has no n-grams",
    "no-order": "0: no order is left",
}

GUARDS = {
    "no-match": "no n-gram matches",
    "no-unigram": "no word matches",
    "any-order": "some order has no match",
    "empty-hyp": "the hypothesis is empty",
    "short-hyp": "the hypothesis has fewer tokens than there are orders",
    "missing-order": "some order has no n-grams",
}


def _penalty(calculation: Steps) -> str:
    """The derivation of the brevity penalty."""
    lengths = {"c": (calculation.hyp_len, calculation.to_hyp_len), "r": (calculation.ref_len, calculation.to_ref_len)}
    shown = {name: f"({length} + {figure(more)})" if more else length for name, (length, more) in lengths.items()}
    derivation = PENALTIES[calculation.rule].format(**shown)
    if calculation.power == 1 or derivation[:2] in ("1,", "0,"):
        return derivation
    return f"({derivation})^{figure(calculation.power)}"


#: The brevity penalty by its rule; c and r are the lengths with what is added to them.
PENALTIES = {
    "none": "1, as this dialect has none",
    "long-enough": "1, as {c} is not less than {r}",
    "no-token": "0, as there is no token",
    "standard": "e^(1 - {r} / {c})",
    "inverted": "e^(1 - {c} / {r})",
    "linear": "{c} / {r}",
    "longer": "e^({r} / {c} - 1)",
}


# ---------------------------------------------------------------- precisions


def figure(value: float) -> str:
    """A number with six significant digits."""
    return f"{value:.6g}"


#: The precision of an order by its rule: matches and n-grams with what is added to them, the
#: smoothing value and the number of orders without a match so far.
PRECISIONS = {
    "ratio": "{matches} / {ngrams}",
    "halved": "1 / (2^{zeros} * {ngrams})",
    "floor": "{value} / {ngrams}",
    "constant": "{share}",
    "length": "ln({tokens}) / (2^{zeros} * {value}) / {ngrams}",
    "missing": "0",
    "perfect": "1",
}


def _remarks(options: Combine, order: OrderSteps, *, is_product: bool) -> list[str]:
    """The special cases of an order."""
    remarks = []
    if order.after == "interpolated":
        remarks.append("interpolated")
    elif order.rule in ("missing", "perfect"):
        remarks.append("no n-grams" + ": perfect" * (order.rule == "perfect"))
    elif (
        order.rule != "ratio"
        or order.counted != order.total
        or any((order.by_segment, order.to_match, order.to_total, order.to_precision))
    ):
        remarks.append("smoothed")
    if order.precision == 0 and options.zero_precision == "skip":
        remarks.append("skipped")
    if not order.weight and is_product:
        remarks.append("left out")
    return remarks


def _derivations(options: Combine, calculation: Steps, row: Sequence[int]) -> list[str]:
    """The formula of each precision with its numbers."""
    orders = calculation.orders
    value = figure(options.effective_smooth_value())
    percent = options.arithmetic == "percent"
    texts = [_plain(order, value, row[0], percent=percent) for order in orders]
    results = [order.precision for order in orders]
    if orders[0].after == "averaged":
        # The order after the last and the 1 are not percentages, even if the others are.
        whole, unit = ("0.01", " / 100") if percent else ("1", "")
        matches, totals = row[2 : 1 + len(row) // 2], row[1 + len(row) // 2 :]
        following = [*texts[1:], f"{matches[len(orders)]} / {totals[len(orders)]}{unit}"]
        before = [f"{texts[0]} + {whole}", *map(figure, results)]
        return [f"({start} + {text} + {end}) / 3" for start, text, end in zip(before, texts, following, strict=False)]
    for n, order in enumerate(orders):
        if order.after == "interpolated":
            match = f"{order.match} / 100" if percent else str(order.match)
            expected = "0"
            if results[n - 2]:
                expected = f"{figure(results[n - 1])}^2 / {figure(results[n - 2])}"
            texts[n] = f"({match} + {value} * {expected}) / ({int(order.counted)} + {value})"
    return texts


def _plain(order: OrderSteps, value: str, tokens: int, *, percent: bool) -> str:
    """The formula of a precision before precisions are averaged or interpolated."""
    counted = order.total if order.counted == order.total else order.counted  # 3, not 3.0
    # Without n-grams, smoothing by a constant gives the constant.
    is_constant = order.rule == "missing" and order.after == "plain" and order.precision
    text = PRECISIONS["constant" if is_constant else order.rule].format(
        matches=_sum(order.match, order.by_segment, order.to_match),
        ngrams=_sum(counted, order.to_total),
        zeros=int(math.log2(order.halvings)),
        value=value,
        share=f"{value} / 100" if percent else value,
        tokens=tokens,
    )
    adds = order.to_precision and order.rule not in ("missing", "perfect")
    return f"{text} + {figure(order.to_precision)}" if adds else text


def _sum(*terms: float) -> str:
    """The sum of a count and what is added to it, which may be nothing."""
    shown = [str(term) if isinstance(term, int) else figure(term) for term in terms if term]
    return f"({' + '.join(shown)})" if len(shown) > 1 else "".join(shown) or "0"


_LENGTH = (
    "an order without a match counts ln(tokens of the hypothesis) / (2 * {}) of a match, the next "
    "such order half of that, and so on"
)
_AVERAGE = (
    "each precision is the mean of the smoothed one before it (before the first: the first and 1), itself and the next"
)
#: Each smoothing method in words; the place is that of its value.
SMOOTHINGS = {
    "exp": "an order without a match counts 1/2 of a match, the next such order 1/4, and so on",
    "floor": "an order without a match counts {} of a match",
    "add-k": "{} is added to the matches and the n-grams of each order from 2 on",
    "add-k-all": "{} is added to the matches and the n-grams of each order",
    "none": "an order without a match has precision 0",
    "constant": "an order without a match has the precision {}",
    "length": _LENGTH,
    "average": _AVERAGE,
    "interpolate": "from order 3 on, the two precisions before predict one, which counts like {} n-grams",
    "length-average": f"{_LENGTH}; then {_AVERAGE}",
}


# ---------------------------------------------------------------- points


def _lost(options: Combine, score: Score, calculation: Steps) -> dict[str, float]:
    """Points lost to each factor.

    The logarithm of score / scale is the sum of the logarithms of the factors. Points are shared
    in proportion to these: each factor has its logarithm times the logarithmic mean of scale and
    score, (scale - score) / (ln scale - ln score), so that all points sum to scale - score,
    independent of the order of the factors (LMDI: Ang 2004, Energy Policy 32:1131).

    If the score is 0, the factors that are 0 share all points: the brevity penalty has them if it
    is 0, else the orders in proportion to their weights.
    """
    missing = score.scale - score.value
    if not math.isfinite(missing):
        return {}
    orders = calculation.orders
    factors = {"brevity": score.bp}
    factors |= {f"order {n}": order.factor for n, order in enumerate(orders, start=1)}
    if calculation.outcome != "product":
        # A mean of segments or a sum over orders has no factors of its own.
        name = calculation.outcome if score.value else "guard"
        return {**dict.fromkeys(factors, 0.0), name: missing}
    if not all(factors.values()):
        weights = {f"order {n}": order.weight for n, order in enumerate(orders, start=1)}
        weights = weights if score.bp else {"brevity": 1.0}
        parts = {name: weights.get(name, 0.0) * (not factor) for name, factor in factors.items()}
        whole = sum(parts.values())
        return {name: missing * part / whole for name, part in parts.items()}
    logs = {name: math.log(factor) for name, factor in factors.items()}
    total = sum(logs.values())
    mean = score.scale * (math.expm1(total) / total if total else 1.0)
    lost = {name: -value * mean if value else 0.0 for name, value in logs.items()}
    if options.precision == "single":
        lost["rounding"] = missing - math.fsum(lost.values())
    return lost
