# SPDX-License-Identifier: Apache-2.0
"""BLEU from scratch: the five decisions in plain Python, to be read beside the papers.

This is the judge of the kernel in the tests, and the text of the tutorial. It is slow and never
used at run time. Start reading at the end, with `corpus_bleu`.

Sources: Papineni et al. 2002 (clipped precision, brevity penalty, geometric mean); Chen and Cherry
2014 (smoothing); mteval-v13a.pl and mteval-v14.pl (tokenizers); sacreBLEU 2.6.0 (their Python form
and the order of arithmetic).

Example:
    >>> from truebleu import dialect, spec
    >>> spec.corpus_bleu(dialect("sacrebleu"), ["a b c d e"], [["a b c d f"]])
    66.87403049764218
"""

from __future__ import annotations

import math
import re
import struct
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from truebleu.dialect import Combine, Dialect

# ---------------------------------------------------------------- 1. normalize

ASCII_BLANKS = " \t\n\r\f\v"


def normalize(dialect: Dialect, text: str) -> str:
    """What is done to the text before it is tokenized."""
    if dialect.normalize.lowercase_when == "before":
        text = lower(dialect, text)
    if dialect.normalize.strip == "right":
        text = text.rstrip()
    return text


def lower(dialect: Dialect, text: str) -> str:
    """The text in lower case, if the dialect asks for it."""
    if not dialect.normalize.lowercase:
        return text
    return text.lower() if dialect.normalize.lowercase_rule == "unicode" else lower_ascii(text)


def lower_ascii(text: str) -> str:
    """A to Z in lower case, and nothing else."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


# ---------------------------------------------------------------- 2. tokenize


def tokenize(dialect: Dialect, text: str) -> list[str]:
    """What is a token: put blanks where tokens end, then split at blanks."""
    name = dialect.tokenize.tokenize
    if dialect.normalize.markup == "sgml" and name in ("intl", "intl-split"):
        spaced = TOKENIZERS[name](undo_entities(escape(text)).replace("&apos;", "'"))
    elif dialect.normalize.markup == "sgml" and name == "13a":
        spaced = separate_western(f" {undo_markup(escape(text))} ")
    elif name == "space":
        return text.split(" ")
    else:
        spaced = TOKENIZERS[name](text)
    tokens = split(dialect, spaced)
    if dialect.normalize.lowercase_when == "after":
        return split(dialect, lower(dialect, " ".join(tokens)))
    return tokens


def split(dialect: Dialect, text: str) -> list[str]:
    """The text between blanks."""
    if dialect.tokenize.whitespace == "python":
        return text.split()
    if dialect.tokenize.whitespace == "perl":  # Python takes four control characters for blanks
        return [token for token in re.split(r"(?![\x1c-\x1f])\s", text) if token]
    return [token for token in re.split(f"[{ASCII_BLANKS}]", text) if token]


def escape(text: str) -> str:
    """Text as an SGML file holds it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def undo_markup(text: str) -> str:
    """What mteval-v13a replaces first."""
    return undo_entities(text.replace("<skipped>", "").replace("-\n", "").replace("\n", " "))


def undo_entities(text: str) -> str:
    """In this order, so that `&amp;lt;` ends as `<`."""
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    return text


def tokenize_13a(text: str) -> str:
    """mteval-v13a: undo some markup, then separate Western punctuation."""
    return separate_western(f" {undo_markup(text)} ")


def separate_western(text: str) -> str:
    """The four substitutions of mteval-v13a."""
    # All ASCII punctuation but the apostrophe, comma, hyphen and period.
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", text)
    text = separate(text, lambda a: a not in "0123456789", lambda b: b in ".,", r"{a} {b} ")
    text = separate(text, lambda a: a in ".,", lambda b: b not in "0123456789", r" {a} {b}")
    return re.sub("([0-9])-", r"\1 - ", text)


def separate(
    text: str, first: Callable[[str], bool], second: Callable[[str], bool], form: str
) -> str:
    """Rewrite each pair of neighbors that satisfies both conditions, from left to right.

    A pair uses up both characters: what follows is compared with what follows. So `a..` has one
    pair (`a.`), not two, which is why runs of periods tokenize in surprising ways.
    """
    out = []
    i = 0
    while i < len(text):
        if i + 1 < len(text) and first(text[i]) and second(text[i + 1]):
            out.append(form.format(a=text[i], b=text[i + 1]))
            i += 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def tokenize_intl(text: str) -> str:
    """mteval-v14 --international-tokenization: the same rules by Unicode category."""

    def is_(kind: str) -> Callable[[str], bool]:
        return lambda c: unicodedata.category(c)[0] == kind

    def is_not(kind: str) -> Callable[[str], bool]:
        return lambda c: unicodedata.category(c)[0] != kind

    text = separate(text, is_not("N"), is_("P"), "{a} {b} ")
    text = separate(text, is_("P"), is_not("N"), " {a} {b}")
    return "".join(f" {c} " if unicodedata.category(c)[0] == "S" else c for c in text)


def tokenize_t2t(text: str) -> str:
    """tensor2tensor's copy of the same rules: its digits are decimal, and the backslash no mark."""

    def is_mark(c: str) -> bool:
        return unicodedata.category(c)[0] == "P" and c != "\\"

    text = separate(text, lambda c: not c.isdecimal(), is_mark, "{a} {b} ")
    text = separate(text, is_mark, lambda c: not c.isdecimal(), " {a} {b}")
    return "".join(f" {c} " if unicodedata.category(c)[0] == "S" else c for c in text)


#: Blocks that count as Chinese (sacreBLEU, tokenizer_zh.py).
CHINESE = (
    (0x3400, 0x4DB5), (0x4E00, 0x9FA5), (0x9FA6, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9), (0xFF00, 0xFFEF), (0x2E80, 0x2EFF), (0x3000, 0x303F), (0x31C0, 0x31EF),
    (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF), (0x3100, 0x312F), (0x31A0, 0x31BF), (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F), (0x2600, 0x26FF), (0x2700, 0x27BF), (0x3200, 0x32FF), (0x3300, 0x33FF),
)  # fmt: skip
#: sacreBLEU writes '\u20000', two characters in Python, so that U+2001..U+2A6D count as Chinese.
QUIRK = ((0x2001, 0x2A6D),)
#: What was meant: extension B and the supplement of compatibility ideographs.
MEANT = ((0x20000, 0x2A6D6), (0x2F800, 0x2FA1D))


def tokenize_zh(text: str, blocks: tuple[tuple[int, int], ...] = CHINESE + QUIRK) -> str:
    """Each Chinese character alone, the rest as mteval-v13a separates it."""

    def is_chinese(c: str) -> bool:
        return any(start <= ord(c) <= end for start, end in blocks)

    return separate_western("".join(f" {c} " if is_chinese(c) else c for c in text.strip()))


TOKENIZERS: dict[Any, Callable[[str], str]] = {
    "none": str,
    "13a": tokenize_13a,
    "intl": tokenize_intl,
    "intl-split": lambda text: tokenize_intl(re.sub(r"([^\x00-\x7f])", r" \1 ", text)),
    "zh": tokenize_zh,
    "zh-fixed": lambda text: tokenize_zh(text, CHINESE + MEANT),
    "char": " ".join,
    "t2t": tokenize_t2t,
    "words": lambda text: " ".join(re.findall(r"\w+", text)),
}

# ---------------------------------------------------------------- 3. count


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def simple_precision(hyp: Sequence[str], refs: Sequence[Sequence[str]], n: int = 1) -> float:
    """Share of the hypothesis' n-grams that some reference has: what BLEU improves on.

    Example:
        >>> simple_precision(["the"] * 7, ["the cat is on the mat".split()])
        1.0
    """
    grams = ngrams(hyp, n)
    known = set().union(*(ngrams(ref, n) for ref in refs))
    return sum(count for gram, count in grams.items() if gram in known) / max(1, grams.total())


def clipped_matches(hyp: Sequence[str], refs: Sequence[Sequence[str]], n: int) -> int:
    """Matches of n-grams, each at most as often as one reference has it.

    Example:
        >>> clipped_matches(["the"] * 7, ["the cat is on the mat".split()], 1)
        2
    """
    allowed: Counter[tuple[str, ...]] = Counter()
    for ref in refs:
        allowed |= ngrams(ref, n)  # the larger of both counts
    return (ngrams(hyp, n) & allowed).total()  # the smaller of both counts


def reference_length(rule: str, hyp_len: int, ref_lens: Sequence[int]) -> int:
    """The reference length that the hypothesis is compared with."""
    choose: dict[str, Callable[[], int]] = {
        "closest": lambda: min(ref_lens, key=lambda r: (abs(r - hyp_len), r)),
        "closest-first": lambda: min(ref_lens, key=lambda r: abs(r - hyp_len)),
        "shortest": lambda: min(ref_lens),
        "longest": lambda: max(ref_lens),
        "first": lambda: ref_lens[0],
        "average": lambda: sum(ref_lens) // len(ref_lens),
    }
    return choose[rule]()


def count(
    dialect: Dialect, hyp: Sequence[str], refs: Sequence[Sequence[str]], hyp_len: int
) -> list[int]:
    """The row of a segment: `[hyp_len, ref_len, match_1..N, total_1..N]`."""
    how = dialect.count
    orders = range(1, dialect.counted_orders + 1)
    ref_len = reference_length(dialect.aggregate.ref_len, hyp_len, [len(ref) for ref in refs])
    pool = refs[:1] if how.references == "first" else refs
    matches = [clipped_matches(hyp, pool, n) for n in orders]
    totals = [max(ngrams(hyp, n).total(), how.floor_totals) for n in orders]
    return [hyp_len, ref_len, *matches, *totals]


# ---------------------------------------------------------------- 4. aggregate


def aggregate(rows: Sequence[Sequence[int]]) -> list[int]:
    """A corpus is the sum of its segments: precision is not averaged, counts are added."""
    return [sum(column) for column in zip(*rows, strict=True)]


# ---------------------------------------------------------------- 5. combine


def brevity_penalty(how: Combine, hyp_len: int, ref_len: int) -> float:
    """1 for a hypothesis as long as its reference, e^(1 - r/c) for a shorter one."""
    if hyp_len >= ref_len or how.brevity == "none":
        return 1.0
    if how.brevity == "inverted":
        return math.exp(1 - hyp_len / ref_len)
    if hyp_len == 0:
        return 0.0
    if how.brevity == "ratio":
        return math.exp(1 - 1 / (hyp_len / ref_len))
    return math.exp(1 - ref_len / hyp_len)


def precisions(how: Combine, row: Sequence[int], orders: int) -> list[float]:
    """Share of the n-grams that match, smoothed; up to the first order without any, if it stops."""
    hyp_len, matches, totals = row[0], row[2 : 2 + len(row) // 2 - 1], row[1 + len(row) // 2 :]
    method, value = how.smooth_method, how.effective_smooth_value()
    one = 100.0 if how.arithmetic == "percent" else 1.0
    found = []
    zeros = 0
    for n in range(1, orders + 1):
        correct, possible = matches[n - 1] + added(how, n), totals[n - 1] + added(how, n)
        if possible == 0:
            if how.missing_order == "stop":
                break
            instead = value if method == "constant" else 0.0
            found.append(one if how.missing_order == "one" else instead)
        elif correct == 0 and method == "exp":
            zeros += 1
            found.append(one / (2**zeros * possible))
        elif correct == 0 and method == "floor":
            found.append(one * value / possible)
        elif correct == 0 and method == "constant":
            found.append(value)
        elif correct == 0 and method in ("length", "length-average") and hyp_len > 1:
            zeros += 1
            found.append(one * (1 / (2**zeros * value / math.log(hyp_len))) / possible)
        else:
            found.append(one * correct / possible)
    if method in ("average", "length-average"):
        return averaged(found, matches[orders] / totals[orders])
    if method == "interpolate" and found[2:] and found[2] > 0:
        return interpolated(value, found, row)
    return found


def added(how: Combine, n: int) -> float:
    """What smoothing adds to both counts of order n."""
    adds = how.smooth_method == "add-k-all" or (how.smooth_method == "add-k" and n > 1)
    return how.effective_smooth_value() if adds else 0.0


def averaged(found: Sequence[float], next_order: float) -> list[float]:
    """Chen and Cherry's method 5 as NLTK has it: a mean with the order before and behind."""
    result = [found[0] + 1]
    for plain, behind in zip(found, [*found[1:], next_order], strict=True):
        result.append((result[-1] + plain + behind) / 3)
    return result[1:]


def interpolated(alpha: float, found: Sequence[float], row: Sequence[int]) -> list[float]:
    """Their method 6: from order 3 on, drawn to what the two orders before foretell."""
    matches, totals = row[2 : 2 + len(row) // 2 - 1], row[1 + len(row) // 2 :]
    result = list(found[:2])
    for n in range(2, len(found)):
        expected = result[n - 1] * result[n - 1] / result[n - 2] if result[n - 2] else 0.0
        total = totals[n] if row[0] > n else 0
        result.append((matches[n] + alpha * expected) / (total + alpha))
    return result


def log(how: Combine, precision: float) -> float:
    """The logarithm, with sacreBLEU's stand-in for that of zero: e to it is 0."""
    if precision == 0:
        return -9999999999 if how.zero_precision == "zero" else 0.0
    return math.log(precision)


def gives_up(how: Combine, hyp_len: int, matches: Sequence[int]) -> bool:
    """Whether the score is 0 whatever the smoothing."""
    reasons = {
        "none": False,
        "no-match": not any(matches),
        "no-unigram": matches[0] == 0,
        "any-order": not all(matches),
        "empty-hyp": hyp_len == 0,
        "short-hyp": hyp_len < len(matches),
    }
    return reasons[how.guard]


def is_undefined(how: Combine, hyp_len: int, ref_len: int) -> bool:
    """Whether the tool fails: it divides by zero, or says that it will not."""
    reasons = {
        "never": False,
        "empty-hyp": hyp_len == 0,
        "empty-either": hyp_len == 0 or ref_len == 0,
        "empty-both": hyp_len == 0 and ref_len == 0,
    }
    return reasons[how.undefined]


def combine(how: Combine, row: Sequence[int], orders: int) -> float:
    """Brevity penalty times geometric mean of the precisions."""
    hyp_len, ref_len = row[0], row[1]
    if is_undefined(how, hyp_len, ref_len):
        return math.nan
    if gives_up(how, hyp_len, row[2 : 2 + orders]):
        return 0.0
    found = precisions(how, row, orders)
    if how.smooth_method == "interpolate" and not (found[2:] and found[2] > 0):
        return math.nan
    if how.effective_order:
        totals = row[1 + len(row) // 2 :][:orders]
        found = found[: sum(total + added(how, n) > 0 for n, total in enumerate(totals, start=1))]
    else:
        found += [0.0] * (orders - len(found))
    mean = mean_of_logs(how, [log(how, p) for p in found], hyp_len, orders)
    factor = how.scale / 100 if how.arithmetic == "percent" else how.scale
    product = math.exp(mean) if mean is not None else 0.0
    score = brevity_penalty(how, hyp_len, ref_len) * product * factor
    return struct.unpack("f", struct.pack("f", score))[0] if how.precision == "single" else score


def mean_of_logs(how: Combine, logs: list[float], hyp_len: int, orders: int) -> float | None:
    """The weighted mean; None if the weights sum to nothing."""
    weights = how.weights
    if not logs:
        return None
    if how.arithmetic == "weighted":
        weights = weights or (1 / orders,) * orders
        if how.auto_reweigh and hyp_len < 4 and weights == (0.25,) * 4:
            return add(how, [1 / hyp_len * log for log in logs[:hyp_len]])
        return add(how, [weight * log for weight, log in zip(weights, logs, strict=True)])
    if weights is None:
        return add(how, logs) / len(logs)
    weights = weights[: len(logs)]
    total = sum_in_order(weights)
    terms = [log * weight for log, weight in zip(logs, weights, strict=True)]
    return add(how, terms) / total if total else None


def add(how: Combine, terms: Sequence[float]) -> float:
    """The sum of `terms`; how they add decides its last bit."""
    ways = {"naive": sum_in_order, "compensated": sum_compensated, "exact": math.fsum}
    return ways[how.summation](terms)


def sum_in_order(terms: Sequence[float]) -> float:
    """One after the other, as Python's `sum` did up to 3.11."""
    total = 0.0
    for term in terms:
        total += term
    return total


def sum_compensated(terms: Sequence[float]) -> float:
    """With Neumaier's correction, as Python's `sum` does since 3.12."""
    total = lost = 0.0
    for term in terms:
        new = total + term
        lost += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
        total = new
    return total + lost


# ---------------------------------------------------------------- all five


def segment_stats(dialect: Dialect, hyp: str, refs: Sequence[str]) -> list[int]:
    """Normalize, tokenize and count one segment."""

    def tokens(text: str) -> list[str]:
        return tokenize(dialect, normalize(dialect, text))

    words = tokens(hyp)
    characters = dialect.count.length_unit == "characters"
    hyp_len = len(normalize(dialect, hyp)) if characters else len(words)
    return count(dialect, words, [tokens(ref) for ref in refs], hyp_len)


def sentence_bleu(dialect: Dialect, hyp: str, refs: Sequence[str]) -> float:
    """The score of one segment by itself."""
    row = segment_stats(dialect, hyp, refs)
    return combine(dialect.combine, row, dialect.count.max_ngram_order)


def corpus_bleu(dialect: Dialect, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> float:
    """The score of a corpus; `refs[i]` are the references of `hyps[i]`."""
    rows = [segment_stats(dialect, hyp, list(ref)) for hyp, ref in zip(hyps, refs, strict=True)]
    return combine(dialect.combine, aggregate(rows), dialect.count.max_ngram_order)
