# SPDX-License-Identifier: Apache-2.0
"""Count, aggregate and combine: from words to a number.

Sources: Papineni et al. 2002 (clipped precision, brevity penalty, geometric mean); Chen and Cherry
2014 (smoothing); the order of arithmetic of each tool.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from truebleu.dialects.decisions import Combine, Count, Dialect

# ---------------------------------------------------------------- 3. count


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """The count of each n-gram."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def simple_precision(hyp: Sequence[str], refs: Sequence[Sequence[str]], n: int = 1) -> float:
    """Share of the hypothesis' n-grams that some reference contains: the baseline of BLEU.

    Example:
        >>> simple_precision(["the"] * 7, ["the cat is on the mat".split()])
        1.0
        >>> [simple_precision(hyp, [["the"]]) for hyp in (["the"], ["a"], [])]
        [1.0, 0.0, 0.0]
    """
    grams = ngrams(hyp, n)
    matchable = set().union(*(ngrams(ref, n) for ref in refs))
    return sum(count for gram, count in grams.items() if gram in matchable) / max(1, grams.total())


def clipped_matches(hyp: Sequence[str], refs: Sequence[Sequence[str]], n: int) -> int:
    """Matches of n-grams, each counted at most as often as it occurs in one reference.

    Example:
        >>> clipped_matches(["the"] * 7, ["the cat is on the mat".split()], 1)
        2
    """
    allowed: Counter[tuple[str, ...]] = Counter()
    for ref in refs:
        allowed |= ngrams(ref, n)  # the larger of both counts
    return (ngrams(hyp, n) & allowed).total()  # the smaller of both counts


def matches_by(measure: str, hyp: Sequence[str], refs: Sequence[Sequence[str]], n: int) -> int:
    """Matches of n-grams: clipped, not clipped, or as often as a reference has them."""
    if measure == "precision":
        return clipped_matches(hyp, refs, n)
    in_hyp, in_ref = ngrams(hyp, n), Counter[tuple[str, ...]]()
    for ref in refs:
        in_ref |= ngrams(ref, n)
    counted = in_hyp if measure == "simple-precision" else in_ref
    return sum(counted[gram] for gram in in_hyp if gram in in_ref)


def reference_length(rule: str, hyp_len: int, ref_lens: Sequence[int]) -> int:
    """The reference length that the hypothesis is compared with."""
    choose: dict[str, Callable[[], int]] = {
        "closest": lambda: min(ref_lens, key=lambda r: (abs(r - hyp_len), r)),
        "closest-first": lambda: min(ref_lens, key=lambda r: abs(r - hyp_len)),
        "shortest": lambda: min(ref_lens),
        "longest": lambda: max(ref_lens),
        "first": lambda: ref_lens[0],
        "pair": lambda: 2,
        "average": lambda: sum(ref_lens) // len(ref_lens),
    }
    return choose[rule]()


def count(dialect: Dialect, hyp: Sequence[str], refs: Sequence[Sequence[str]], hyp_len: int) -> list[int]:
    """The row of a segment: `[hyp_len, ref_len, match_1..N, total_1..N]`."""
    options = dialect.count
    orders = range(1, dialect.orders_read + 1)
    ref_len = reference_length(dialect.aggregate.ref_len, hyp_len, [len(ref) for ref in refs])
    pool = refs[:1] if options.references == "first" else refs
    if options.measure == "recall":
        pairs = [recalled(options.keywords, hyp, pool, n) for n in orders]
        matches, totals = [m for m, _ in pairs], [t for _, t in pairs]
    else:
        pools = [[ref] for ref in pool] if options.references == "best" else [pool]
        matches = [max(matches_by(options.measure, hyp, refs, n) for refs in pools) for n in orders]
        totals = [total(options, len(hyp), n) for n in orders]
    row = [hyp_len, ref_len, *matches, *totals]
    if dialect.aggregate.join == "mean":
        empty = dialect.aggregate.empty
        skipped = [0] if empty.startswith("skip") else []
        score = combine(dialect.combine, row, options.max_ngram_order) / dialect.combine.scale
        if is_empty(empty, hyp_len, ref_len):
            score = 0.0
            if skipped:
                return [0] * (len(row) + 2) + [1, 0]
        return [hyp_len, ref_len, *matches, *skipped, whole(score), *totals, *skipped, 1]
    if dialect.aggregate.join == "smoothed":
        shares = smoothed_shares(dialect.combine, matches[: options.max_ngram_order])
        return [hyp_len, ref_len, *matches, *map(whole, shares), *totals, *[0] * len(shares)]
    return row


def is_empty(empty: str, hyp_len: int, ref_len: int) -> bool:
    """Whether the option `empty` concerns a segment of these lengths."""
    of_hyp, of_ref = empty in ("zero", "skip", "skip-hyp"), empty in ("zero", "skip", "skip-ref")
    return (of_hyp and hyp_len == 0) or (of_ref and ref_len == 0)


def smoothed_shares(options: Combine, matches: Sequence[int]) -> list[float]:
    """The share of a match that exp adds to each order of a segment, or the times floor does."""
    shares = []
    halvings = 0
    for match in matches:
        smoothed = match == 0 and not (options.add_counts and options.add_counts[0])
        halvings += smoothed
        share = {"exp": 0.5**halvings, "floor": 1.0}.get(options.smooth_method, 0.0)
        shares.append(share if smoothed else 0.0)
    return shares


def total(options: Count, tokens: int, n: int) -> int:
    """The n-grams of order n in a hypothesis, or what the tool takes for their number."""
    if options.floor_totals:
        return max(tokens - n + 1, 1)
    return tokens - n + 1 if options.negative_totals else max(tokens - n + 1, 0)


def whole(share: float) -> int:
    """A share as an integer, because rows hold integers; NaN counts as 0, and 1024 is the most."""
    return 0 if math.isnan(share) else math.floor(min(share, 1024) * 2**36 + 0.5)


def recalled(keywords: Sequence[str], hyp: Sequence[str], refs: Sequence[Sequence[str]], n: int) -> tuple[int, int]:
    """CodeBLEU's weighted match: matches and n-grams of all references; single words in fifths."""

    def weigh(grams: Counter[tuple[str, ...]]) -> int:
        return sum((5 if n == 1 and gram[0] in keywords else 1) * times for gram, times in grams.items())

    least = 5 if n == 1 else 1
    matches = sum(weigh(ngrams(ref, n) & ngrams(hyp, n)) for ref in refs)
    return matches, sum(max(weigh(ngrams(ref, n)), least) for ref in refs)


# ---------------------------------------------------------------- 4. aggregate


def aggregate(rows: Sequence[Sequence[int]]) -> list[int]:
    """A corpus is the sum of its segments: precision is not averaged, counts are added."""
    return [sum(column) for column in zip(*rows, strict=True)]


def score_of_sum(dialect: Dialect, row: Sequence[int]) -> float:
    """The score of a sum of rows, or the mean of the scores that they hold."""
    empty = dialect.aggregate.empty
    is_zero = empty == "zero" and row[-1] == 1 and is_empty(empty, row[0], row[1])
    if dialect.aggregate.join == "mean" and (row[-1] > 1 or is_zero):
        return row[len(row) // 2] / row[-1] / 2**36 * dialect.combine.scale
    return combine(dialect.combine, row, dialect.count.max_ngram_order, shares(dialect, row))


def shares(dialect: Dialect, row: Sequence[int]) -> list[float]:
    """What smoothing added to the matches of each order, segment by segment."""
    if dialect.aggregate.join != "smoothed":
        return []
    options = dialect.combine
    factor = options.effective_smooth_value() if options.smooth_method == "floor" else 1.0
    noted = row[2 + dialect.orders_read : 1 + len(row) // 2]
    return [share / 2**36 * factor for share in noted]


# ---------------------------------------------------------------- 5. combine


def brevity_penalty(options: Combine, hyp_len: int, ref_len: int) -> float:
    """1 for a hypothesis at least as long as its reference, else e^(1 - r/c)."""
    more_c, more_r = options.add_lengths or (0.0, 0.0)
    c, r = hyp_len + more_c, ref_len + more_r
    symmetric = options.brevity == "symmetric" and r > 0
    if (c >= r and not symmetric) or options.brevity == "none":
        return 1.0
    if c == 0 and options.brevity != "inverted":
        return float(0.0**options.brevity_power)
    shapes: dict[str, Callable[[], float]] = {
        "standard": lambda: math.exp(1 - r / c),
        "ratio": lambda: math.exp(1 - 1 / (c / r)),
        "inverted": lambda: math.exp(1 - c / r),
        "linear": lambda: c / r,
        "symmetric": lambda: math.exp(-abs(1 - r / c)),
    }
    penalty: float = shapes[options.brevity]() ** options.brevity_power
    return penalty


def precisions(options: Combine, row: Sequence[int], orders: int, shares: Sequence[float] = ()) -> list[float]:
    """The smoothed share of matching n-grams per order; may stop at an order without n-grams.

    Args:
        shares: what was added to the matches before.
    """
    hyp_len, matches, totals = row[0], row[2 : 2 + len(row) // 2 - 1], row[1 + len(row) // 2 :]
    method, value = options.smooth_method, options.effective_smooth_value()
    perfect = 100.0 if options.arithmetic == "percent" else 1.0
    smoothed = []
    zeros = 0
    for n in range(1, orders + 1):
        match = matches[n - 1] + (shares[n - 1] if shares else 0)
        correct, possible = smoothed_counts(options, n, match, totals[n - 1])
        if possible == 0:
            if options.missing_order == "stop":
                break
            instead = value if method == "constant" else 0.0
            smoothed.append(perfect if options.missing_order == "one" else instead)
        elif correct == 0 and method == "exp":
            zeros += 1
            smoothed.append(perfect / (2**zeros * possible))
        elif correct == 0 and method == "floor":
            smoothed.append(perfect * value / possible)
        elif correct == 0 and method == "constant":
            smoothed.append(value)
        elif correct == 0 and method in ("length", "length-average") and hyp_len > 1:
            zeros += 1
            smoothed.append(perfect * (1 / (2**zeros * value / math.log(hyp_len))) / possible)
        else:
            smoothed.append(perfect * correct / possible)
        if possible > 0 and options.add_counts is not None:
            smoothed[-1] += perfect * options.add_counts[2]
    if method in ("average", "length-average"):
        return averaged(smoothed, matches[orders] / totals[orders])
    if method == "interpolate" and smoothed[2:] and smoothed[2] > 0:
        return interpolated(value, smoothed, row)
    return smoothed


def added(options: Combine, n: int) -> float:
    """The number that smoothing adds to both counts of order n."""
    adds = options.smooth_method == "add-k-all" or (options.smooth_method == "add-k" and n > 1)
    return options.effective_smooth_value() if adds else 0.0


def smoothed_counts(options: Combine, n: int, match: float, total: int) -> tuple[float, float]:
    """The matches and the n-grams of order n with everything that is added to them."""
    to_match, to_total, _ = options.add_counts or (0.0, 0.0, 0.0)
    more = added(options, n)
    return match + more + to_match, max(total, options.least_total) + more + to_total


def averaged(values: Sequence[float], next_order: float) -> list[float]:
    """Chen and Cherry's method 5 as in NLTK: a mean with the order before and the order after."""
    result = [values[0] + 1]
    for value, following in zip(values, [*values[1:], next_order], strict=True):
        result.append((result[-1] + value + following) / 3)
    return result[1:]


def interpolated(alpha: float, values: Sequence[float], row: Sequence[int]) -> list[float]:
    """Their method 6: from order 3 on, mixed with a prediction from the two orders before."""
    matches, totals = row[2 : 2 + len(row) // 2 - 1], row[1 + len(row) // 2 :]
    result = list(values[:2])
    for n in range(2, len(values)):
        expected = result[n - 1] * result[n - 1] / result[n - 2] if result[n - 2] else 0.0
        total = max(totals[n], 0) if row[0] > n else 0
        result.append((matches[n] + alpha * expected) / (total + alpha))
    return result


def log(options: Combine, precision: float) -> float:
    """The logarithm, with sacreBLEU's value for that of zero: e to its power is 0."""
    if precision == 0:
        return -9999999999 if options.zero_precision == "zero" else 0.0
    return math.log(precision)


def gives_up(options: Combine, hyp_len: int, matches: Sequence[int], totals: Sequence[int]) -> bool:
    """Whether the score is 0 despite smoothing."""
    reasons = {
        "none": False,
        "no-match": not any(matches),
        "no-unigram": matches[0] == 0,
        "any-order": not all(matches),
        "empty-hyp": hyp_len == 0,
        "short-hyp": hyp_len < len(matches),
        "missing-order": any(total <= 0 for total in totals),
    }
    return reasons[options.guard]


def is_undefined(options: Combine, hyp_len: int, ref_len: int, totals: Sequence[int]) -> bool:
    """Whether the tool crashes or refuses the input."""
    reasons = {
        "never": False,
        "empty-hyp": hyp_len == 0,
        "empty-hyp-only": hyp_len == 0 < ref_len,
        "empty-either": hyp_len == 0 or ref_len == 0,
        "empty-both": hyp_len == 0 and ref_len == 0,
        "missing-order": any(total <= 0 for total in totals),
    }
    return reasons[options.undefined]


def combine(options: Combine, row: Sequence[int], orders: int, shares: Sequence[float] = ()) -> float:
    """Brevity penalty times geometric mean of the precisions.

    Args:
        shares: what was added to the matches before.
    """
    hyp_len, ref_len = row[0], row[1]
    totals = row[1 + len(row) // 2 :][:orders]
    if is_undefined(options, hyp_len, ref_len, totals):
        return math.nan
    if gives_up(options, hyp_len, row[2 : 2 + orders], totals):
        return 0.0
    values = precisions(options, row, orders, shares)
    if options.smooth_method == "interpolate" and not (values[2:] and values[2] > 0):
        return math.nan
    if options.effective_order:
        present = [n for n, t in enumerate(totals, start=1) if smoothed_counts(options, n, 0, t)[1] > 0]
        values = values[: max(present, default=0)]
    else:
        values += [0.0] * (orders - len(values))
    factor = options.scale / 100 if options.arithmetic == "percent" else options.scale
    product = geometric_mean(options, values, orders)
    if options.cumulative_weights is not None:
        product = sum_in_order(
            weight * geometric_mean(options, values[:n], n)
            for n, weight in enumerate(options.cumulative_weights, start=1)
            if weight
        )
    score = brevity_penalty(options, hyp_len, ref_len) * product * factor
    return struct.unpack("f", struct.pack("f", score))[0] if options.precision == "single" else score


def geometric_mean(options: Combine, precisions: Sequence[float], orders: int) -> float:
    """The weighted geometric mean of the precisions; 0 if the weights sum to 0."""
    is_root = options.arithmetic == "root" and options.zero_precision == "zero"
    if is_root and options.weights is None and precisions:
        return float(math.prod(precisions) ** (1 / len(precisions)))
    mean = mean_of_logs(options, precisions, orders)
    return math.exp(mean) if mean is not None else 0.0


def mean_of_logs(options: Combine, precisions: Sequence[float], orders: int) -> float | None:
    """The weighted mean of the logarithms; None if the weights sum to 0."""
    weights = options.weights
    if not precisions:
        return None
    if options.zero_precision == "drop":
        present = [n for n, precision in enumerate(precisions) if precision > 0]
        own = [weights[n] if weights else 1.0 for n in present]
        sum_of_weights = sum_in_order(own)
        terms = [w * math.log(precisions[n]) for n, w in zip(present, own, strict=True)]
        return add(options, terms) / sum_of_weights if sum_of_weights else None
    logs = [log(options, precision) for precision in precisions]
    if options.arithmetic == "weighted":
        weights = weights or (1 / orders,) * orders
        return add(options, [weight * log for weight, log in zip(weights, logs, strict=False)])
    if weights is None:
        return add(options, logs) / len(logs)
    weights = weights[: len(logs)]
    total = sum_in_order(weights)
    terms = [log * weight for log, weight in zip(logs, weights, strict=True)]
    return add(options, terms) / total if total else None


def add(options: Combine, terms: Sequence[float]) -> float:
    """The sum of `terms`; the order of additions decides the last bit."""
    ways = {"naive": sum_in_order, "compensated": sum_compensated, "exact": math.fsum}
    return ways[options.summation](terms)


def sum_in_order(terms: Iterable[float]) -> float:
    """From left to right, like Python's `sum` up to 3.11."""
    total = 0.0
    for term in terms:
        total += term
    return total


def sum_compensated(terms: Sequence[float]) -> float:
    """With Neumaier's correction, like Python's `sum` since 3.12."""
    total = lost = 0.0
    for term in terms:
        new = total + term
        lost += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
        total = new
    return total + lost
