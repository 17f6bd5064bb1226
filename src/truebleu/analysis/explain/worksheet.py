# SPDX-License-Identifier: Apache-2.0
"""The calculation of a score: each factor with its derivation and the points lost to it.

score = scale x brevity penalty x p_1^w_1 x ... x p_N^w_N

Precisions, penalty and score are the kernel's numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from truebleu.dialects.decisions import Combine, Dialect
from truebleu.errors import quantity
from truebleu.metrics.score import Score
from truebleu.spec.numbers import added, gives_up, is_undefined, log, shares, smoothed_counts
from truebleu.text.json_text import for_json


@dataclass(frozen=True, slots=True)
class Term:
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
class Worksheet:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        entry = asdict(self)
        for values in (entry, entry["lost"], *entry["terms"]):
            for name, value in values.items():
                if isinstance(value, float):
                    values[name] = for_json(value)
        return entry


def worksheet(dialect: Dialect, score: Score) -> Worksheet:
    """The calculation of a score."""
    how, row, orders = dialect.combine, score.stats[0], dialect.count.max_ngram_order
    hyp_len, ref_len = row[:2]
    outcome = _outcome(dialect, score)
    precisions = [precision / 100 for precision in score.precisions]
    steps = _derivations(how, row, orders, precisions, shares(dialect, row))
    weights = _weights(dialect, score)
    unit = 100.0 if how.arithmetic == "percent" else 1.0
    terms, logs = [], {"brevity": math.log(score.bp) if score.bp else -math.inf}
    for n, (derivation, remarked) in enumerate(steps, start=1):
        precision = score.precisions[n - 1] / 100
        weight = weights[n - 1]
        exponent = weight * (log(how, precision * unit) - math.log(unit)) if weight else 0.0
        remarks = [remarked] * bool(remarked)
        if precision == 0 and how.zero_precision == "skip":
            remarks.append("skipped")
        if not weight and not outcome:
            remarks.append("left out")
        # Smoothing values may be as large as the largest float.
        factor = math.exp(exponent) if exponent < 709 else math.inf
        logs[f"order {n}"] = -math.inf if precision == 0 and exponent < -1e6 else exponent
        terms.append(
            Term(
                n, row[1 + n], row[1 + len(row) // 2 - 1 + n], derivation,
                math.nan if outcome else precision, weight,
                math.nan if outcome else factor, "; ".join(remarks),
            )
        )  # fmt: skip
    smoothing = SMOOTHINGS[how.smooth_method].format(figure(how.effective_smooth_value()))
    return Worksheet(
        score.value, score.scale, hyp_len, ref_len, score.bp,
        _penalty(how, hyp_len, ref_len), tuple(terms), f"{how.smooth_method}: {smoothing}",
        outcome, _lost(how, score, outcome, logs, weights),
    )  # fmt: skip


def _outcome(dialect: Dialect, score: Score) -> str:
    """The reason that the score is not a product of factors; empty if it is one."""
    how, row, orders = dialect.combine, score.stats[0], dialect.count.max_ngram_order
    if dialect.aggregate.join == "mean" and row[-1] > 1:
        return f"the mean of the scores of {quantity(row[-1], 'segment')} (join=mean)"
    if is_undefined(how, row[0], row[1], row[1 + len(row) // 2 :][:orders]):
        what = "without n-grams of each order" if how.undefined == "missing-order" else "empty"
        return f"NaN: the tool crashes on texts that are {what} (undefined={how.undefined})"
    if gives_up(how, row[0], row[2 : 2 + orders], row[1 + len(row) // 2 :][:orders]):
        return f"0 despite smoothing: {_GUARDS[how.guard]} (guard={how.guard})"
    if math.isnan(score.value):
        needs_trigram = how.smooth_method == "interpolate"
        reason = "this smoothing needs a matching 3-gram"
        return f"NaN: {reason if needs_trigram else 'an order of the average has no n-grams'}"
    if how.cumulative_weights is not None:
        factors = ", ".join(map(figure, how.cumulative_weights))
        return f"the sum of the scores up to each order, times {factors} (cumulative_weights)"
    return "" if score.value or any(_weights(dialect, score)) else "0: no order is left"


_GUARDS = {
    "no-match": "no n-gram matches",
    "no-unigram": "no word matches",
    "any-order": "some order has no match",
    "empty-hyp": "the hypothesis is empty",
    "short-hyp": "the hypothesis has fewer tokens than there are orders",
    "missing-order": "some order has no n-grams",
}


def _weights(dialect: Dialect, score: Score) -> list[float]:
    """The exponent of each order; 0 for orders that are left out."""
    how, row, orders = dialect.combine, score.stats[0], dialect.count.max_ngram_order
    totals = row[1 + len(row) // 2 :][:orders]
    used = orders
    if how.effective_order:
        present = [smoothed_counts(how, n, 0, t)[1] > 0 for n, t in enumerate(totals, start=1)]
        if how.missing_order == "stop" and not all(present):
            present = present[: present.index(False)]
        used = max((n for n, one in enumerate(present, start=1) if one), default=0)
    weights = how.weights or (1 / orders,) * orders
    if how.zero_precision == "drop":
        weights = tuple(w if p else 0.0 for w, p in zip(weights, score.precisions, strict=True))
        total = sum(weights[:used])
        weights = tuple(weight / total if total else 0.0 for weight in weights)
    elif how.arithmetic == "weighted":
        if how.auto_reweigh and row[0] < 4 and weights == (0.25,) * 4:
            weights = tuple(1 / row[0] if n < row[0] else 0.0 for n in range(4))
    else:
        total = sum(weights[:used])
        weights = tuple(weight / total if total else 0.0 for weight in weights)
    return [weight if n < used else 0.0 for n, weight in enumerate(weights)]


def _penalty(how: Combine, hyp_len: int, ref_len: int) -> str:
    """The derivation of the brevity penalty."""
    derivation = _bp_derivation(how, hyp_len, ref_len)
    if how.brevity_power == 1 or derivation[:2] in ("1,", "0,"):
        return derivation
    return f"({derivation})^{figure(how.brevity_power)}"


def _bp_derivation(how: Combine, hyp_len: int, ref_len: int) -> str:
    if how.brevity == "none":
        return "1, as this dialect has none"
    more_c, more_r = how.add_lengths or (0.0, 0.0)
    c = f"({hyp_len} + {figure(more_c)})" if more_c else f"{hyp_len}"
    r = f"({ref_len} + {figure(more_r)})" if more_r else f"{ref_len}"
    both = hyp_len + more_c and ref_len + more_r
    if hyp_len + more_c >= ref_len + more_r and not (how.brevity == "symmetric" and both):
        return f"1, as {c} is not less than {r}"
    if not hyp_len + more_c and how.brevity != "inverted":
        return "0, as there is no token"
    longer = hyp_len + more_c >= ref_len + more_r
    return BREVITY["longer" if longer else how.brevity].format(c=c, r=r)


#: The brevity penalty of hypotheses that are shorter than their references, by its rule, and the
#: symmetric one of those that are longer.
BREVITY = {
    "standard": "e^(1 - {r} / {c})",
    "ratio": "e^(1 - {r} / {c})",
    "inverted": "e^(1 - {c} / {r})",
    "linear": "{c} / {r}",
    "symmetric": "e^(1 - {r} / {c})",
    "longer": "e^({r} / {c} - 1)",
}


# ---------------------------------------------------------------- precisions


def figure(value: float) -> str:
    """A number with six significant digits."""
    return f"{value:.6g}"


def _derivations(
    how: Combine,
    row: Sequence[int],
    orders: int,
    smoothed: Sequence[float],
    before_sums: Sequence[float],
) -> list[tuple[str, str]]:
    """The formula of each precision with a remark.

    Args:
        smoothed: the results.
        before_sums: what was added to the matches of each order, segment by segment.
    """
    plain, reached = _plain(how, row, orders, before_sums)
    matches, totals = row[2 : 1 + len(row) // 2], row[1 + len(row) // 2 :]
    percent = how.arithmetic == "percent"
    if how.smooth_method in ("average", "length-average"):
        # The order after the last and the 1 are not percentages, even if the others are.
        one, unit = ("0.01", " / 100") if percent else ("1", "")
        texts = [text for text, _ in plain] + [f"{matches[orders]} / {totals[orders]}{unit}"]
        before = [f"{texts[0]} + {one}", *map(figure, smoothed)]
        return [
            (f"({before[n]} + {texts[n]} + {texts[n + 1]}) / 3", remark)
            for n, (_, remark) in enumerate(plain)
        ]
    if how.smooth_method == "interpolate" and smoothed[2:] and smoothed[2]:
        alpha = figure(how.effective_smooth_value())
        for n in range(2, reached):
            match = f"{matches[n]} / 100" if percent else str(matches[n])
            expected = "0"
            if smoothed[n - 2]:
                expected = f"{figure(smoothed[n - 1])}^2 / {figure(smoothed[n - 2])}"
            total = totals[n] if row[0] > n else 0
            plain[n] = (f"({match} + {alpha} * {expected}) / ({total} + {alpha})", "interpolated")
    return plain


def _plain(
    how: Combine, row: Sequence[int], orders: int, before_sums: Sequence[float]
) -> tuple[list[tuple[str, str]], int]:
    """Derivations before averaging, and the number of orders that are reached."""
    matches, totals = row[2 : 1 + len(row) // 2], row[1 + len(row) // 2 :]
    method, value = how.smooth_method, how.effective_smooth_value()
    share = figure(value) if how.arithmetic != "percent" else f"{figure(value)} / 100"
    to_match, to_total, to_precision = how.add_counts or (0.0, 0.0, 0.0)
    tail = f" + {figure(to_precision)}" if to_precision else ""
    terms: list[tuple[str, str]] = []
    zeros = 0
    for n in range(1, orders + 1):
        match, more = matches[n - 1], added(how, n)
        before = before_sums[n - 1] if before_sums else 0.0
        total = max(totals[n - 1], how.least_total)
        above, below = _sum(match, before, more, to_match), _sum(total, more, to_total)
        unmatched = match + before + more + to_match == 0
        if total + more + to_total == 0:
            if how.missing_order == "stop":
                rest = orders - len(terms)
                return terms + [("0", "no n-grams")] * rest, n - 1
            instead = share if method == "constant" else "0"
            one = how.missing_order == "one"
            terms.append(("1", "no n-grams: perfect") if one else (instead, "no n-grams"))
            continue
        if unmatched and method == "exp":
            zeros += 1
            text = f"1 / (2^{zeros} * {below})"
        elif unmatched and method == "floor":
            text = f"{figure(value)} / {below}"
        elif unmatched and method == "constant":
            text = share
        elif unmatched and method in ("length", "length-average") and row[0] > 1:
            zeros += 1
            text = f"ln({row[0]}) / (2^{zeros} * {figure(value)}) / {below}"
        else:
            text, unmatched = f"{above} / {below}", False
        smoothed = unmatched or before or more or how.add_counts or total != totals[n - 1]
        terms.append((text + tail, "smoothed" if smoothed else ""))
    return terms, orders


def _sum(*terms: float) -> str:
    """The sum of a count and what is added to it, which may be nothing."""
    shown = [str(term) if isinstance(term, int) else figure(term) for term in terms if term]
    return f"({' + '.join(shown)})" if len(shown) > 1 else "".join(shown) or "0"


_LENGTH = (
    "an order without a match counts ln(tokens of the hypothesis) / (2 * {}) of a match, the next "
    "such order half of that, and so on"
)
_AVERAGE = (
    "each precision is the mean of the smoothed one before it (before the first: the first "
    "and 1), itself and the next"
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
    "interpolate": "from order 3 on, the two precisions before predict one, which counts like {} "
    "n-grams",
    "length-average": f"{_LENGTH}; then {_AVERAGE}",
}


# ---------------------------------------------------------------- points


def _lost(
    how: Combine, score: Score, outcome: str, logs: dict[str, float], weights: Sequence[float]
) -> dict[str, float]:
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
    if outcome:
        # A mean of segments or a sum over orders has no factors of its own.
        kind = "segments" if how.cumulative_weights is None else "orders"
        name = kind if score.value else "guard"
        return {**dict.fromkeys(logs, 0.0), name: missing}
    zero = [name for name, value in logs.items() if value == -math.inf]
    if zero:
        parts = (
            {"brevity": 1.0} if "brevity" in zero else dict(zip(logs, (0.0, *weights), strict=True))
        )
        parts = {name: parts.get(name, 0.0) * (name in zero) for name in logs}
        whole = sum(parts.values())
        return {name: missing * part / whole for name, part in parts.items()}
    total = sum(logs.values())
    mean = score.scale * (math.expm1(total) / total if total else 1.0)
    lost = {name: -value * mean if value else 0.0 for name, value in logs.items()}
    if how.precision == "single":
        lost["rounding"] = missing - math.fsum(lost.values())
    return lost
