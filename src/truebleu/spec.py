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
    how = dialect.normalize
    if how.lowercase:
        text = text.lower() if how.lowercase_rule == "unicode" else lower_ascii(text)
    if how.strip == "right":
        text = text.rstrip()
    return text


def lower_ascii(text: str) -> str:
    """A to Z in lower case, and nothing else."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


# ---------------------------------------------------------------- 2. tokenize


def tokenize(dialect: Dialect, text: str) -> list[str]:
    """What is a token: put blanks where tokens end, then split at blanks."""
    spaced = TOKENIZERS[dialect.tokenize.tokenize](text)
    if dialect.tokenize.whitespace == "python":
        return spaced.split()
    return [token for token in re.split(f"[{ASCII_BLANKS}]", spaced) if token]


def tokenize_13a(text: str) -> str:
    """mteval-v13a: undo some markup, then separate Western punctuation."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    return separate_western(f" {text} ")


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
    "zh": tokenize_zh,
    "zh-fixed": lambda text: tokenize_zh(text, CHINESE + MEANT),
    "char": " ".join,
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
    }
    return choose[rule]()


def count(dialect: Dialect, hyp: Sequence[str], refs: Sequence[Sequence[str]]) -> list[int]:
    """The row of a segment: `[hyp_len, ref_len, match_1..N, total_1..N]`."""
    orders = range(1, dialect.count.max_ngram_order + 1)
    ref_len = reference_length(dialect.aggregate.ref_len, len(hyp), [len(ref) for ref in refs])
    matches = [clipped_matches(hyp, refs, n) for n in orders]
    totals = [ngrams(hyp, n).total() for n in orders]
    return [len(hyp), ref_len, *matches, *totals]


# ---------------------------------------------------------------- 4. aggregate


def aggregate(rows: Sequence[Sequence[int]]) -> list[int]:
    """A corpus is the sum of its segments: precision is not averaged, counts are added."""
    return [sum(column) for column in zip(*rows, strict=True)]


# ---------------------------------------------------------------- 5. combine


def brevity_penalty(hyp_len: int, ref_len: int) -> float:
    """1 for a hypothesis as long as its reference, e^(1 - r/c) for a shorter one."""
    if hyp_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / hyp_len) if hyp_len else 0.0


def precisions(how: Combine, matches: Sequence[int], totals: Sequence[int]) -> list[float]:
    """Percent of n-grams that match, smoothed, up to the first order without n-grams."""
    found = []
    value = how.effective_smooth_value()
    zeros = 0
    for n, (match, total) in enumerate(zip(matches, totals, strict=True), start=1):
        correct, possible = float(match), float(total)
        if how.smooth_method == "add-k" and n > 1:
            correct, possible = correct + value, possible + value
        if possible == 0:
            break
        if correct == 0 and how.smooth_method == "exp":
            zeros += 1
            found.append(100 / (2**zeros * possible))
        elif correct == 0 and how.smooth_method == "floor":
            found.append(100 * value / possible)
        else:
            found.append(100 * correct / possible)
    return found


def log(precision: float) -> float:
    """The logarithm, with sacreBLEU's stand-in for that of zero: e to it is 0."""
    return math.log(precision) if precision > 0 else -9999999999


def combine(how: Combine, row: Sequence[int]) -> float:
    """Brevity penalty times geometric mean of the precisions, 0 to 100."""
    orders = (len(row) - 2) // 2
    hyp_len, ref_len, matches, totals = row[0], row[1], row[2 : 2 + orders], row[2 + orders :]
    if not any(matches):
        return 0.0
    found = precisions(how, matches, totals)
    if not how.effective_order:
        found += [0.0] * (orders - len(found))
    if how.weights is None:
        mean = add(how, [log(p) for p in found]) / len(found)
    else:
        weights = how.weights[: len(found)]
        weight = sum_in_order(weights)
        if weight == 0:
            return 0.0
        mean = add(how, [log(p) * w for p, w in zip(found, weights, strict=True)]) / weight
    return brevity_penalty(hyp_len, ref_len) * math.exp(mean)


def add(how: Combine, terms: Sequence[float]) -> float:
    """The sum of `terms`; how they add decides its last bit."""
    return sum_in_order(terms) if how.summation == "naive" else sum_compensated(terms)


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

    return count(dialect, tokens(hyp), [tokens(ref) for ref in refs])


def sentence_bleu(dialect: Dialect, hyp: str, refs: Sequence[str]) -> float:
    """The score of one segment by itself."""
    return combine(dialect.combine, segment_stats(dialect, hyp, refs))


def corpus_bleu(dialect: Dialect, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> float:
    """The score of a corpus; `refs[i]` are the references of `hyps[i]`."""
    rows = [segment_stats(dialect, hyp, list(ref)) for hyp, ref in zip(hyps, refs, strict=True)]
    return combine(dialect.combine, aggregate(rows))
