# SPDX-License-Identifier: Apache-2.0
"""The parts of an explanation as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from truebleu.analysis.explain.influence import NgramCost
from truebleu.analysis.explain.overlap import Ngram, Overlap
from truebleu.analysis.explain.worksheet import Worksheet, figure
from truebleu.errors import check_bool, check_int
from truebleu.metrics.score import Score
from truebleu.text.escaping import columns, visible
from truebleu.text.tables import BOLD, DIM, PLAIN, padded

#: Tokens by the longest match that covers them: none, 1, 2, 3, and 4 or more.
_COVERED = ("\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[32m", "\x1b[1;32m")

#: The largest width of lines with tokens.
_WIDTH = 100

#: The largest number of n-grams of a kind in a line.
_NAMED = 12


def title(number: str, score: Score, scored: str, *, color: bool) -> list[str]:
    """The score and its signature."""
    bold, dim, plain = (BOLD, DIM, PLAIN) if check_bool("color", color) else ("", "", "")
    value = f"BLEU = {bold}{score.value:.{score._width}f}{plain} of {score.scale}"
    if isnan(score.value):
        value = f"BLEU is {bold}NaN{plain}"
    return [f"{number}{value}, as {scored}", f"{dim}signature: {score.signature}{plain}"]


def sections(parts: Mapping[str, Iterable[str]], *, color: bool) -> list[str]:
    """Lines below headings."""
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    return [line for title, lines in parts.items() for line in ("", f"{bold}{title}{plain}", *lines)]


def legend(orders: int, *, color: bool) -> list[str]:
    """The meaning of the colors, or of the numbers without colors."""
    if not color:
        return ["  Number below a token: length of the longest match that covers it."]
    shown = [f"{_COVERED[n]}{n}{'+' * (n == 4 < orders)}{PLAIN}" for n in range(min(orders, 4) + 1)]
    return [f"  Color of a token: length of the longest match that covers it: {' '.join(shown)}"]


def tokens(
    label: str, tokens: Sequence[str], covered: Sequence[int] | None, *, color: bool, terminal: int | None = None
) -> list[str]:
    """Tokens with the length of the longest match, if any, as a color or as a number below."""
    indent = " " * 16
    most = _WIDTH if terminal is None else min(check_int("terminal", terminal, 0), _WIDTH)
    most = max(most, 2 * len(indent))
    lines, above, below, filled = [], "", "", 0
    color = color and covered is not None
    for token, length in zip(tokens, covered or [0] * len(tokens), strict=True):
        shown, mark = visible(token) or "''", str(length) if length else "."
        width = max(columns(shown), len(mark))
        if filled and filled + width > most - len(indent):
            lines += [above, below]
            above, below, filled = "", "", 0
        fill = " " * (width + 1 - columns(shown))
        above += f"{_COVERED[min(length, 4)]}{shown}{PLAIN} " if color else shown + fill
        below += mark.ljust(width + 1)
        filled += width + 1
    lines += [above, below] if tokens else ["(no tokens)", ""]
    if color or covered is None:
        lines = lines[::2]
    heads = [f"  {label}".ljust(len(indent)), *[indent] * (len(lines) - 1)]
    return [(head + line).rstrip() for head, line in zip(heads, lines, strict=True) if line]


def ngrams(shared: Overlap, sheet: Worksheet) -> list[str]:
    """The matched, clipped, unmatched and missed n-grams of each order."""
    several = len(shared.refs) > 1
    lines = []
    for n, grams in enumerate(shared.ngrams, start=1):
        term = sheet.terms[n - 1]
        lines.append(f"  {n}-grams: {term.match} of {term.total} match")
        if any(gram.weight > 1 for gram in grams):
            lines[-1] += " (in fifths: keywords weigh 5, other words 1)"
        if term.total and not any(gram.possible for gram in grams):
            lines[-1] += " (none, but the tool counts one)"
        for label in ("matched", "clipped", "unmatched", "missed"):
            having = [gram for gram in grams if getattr(gram, label)]
            shown = [_entry(label, gram, several) for gram in having[:_NAMED]]
            if len(having) > _NAMED:
                shown.append(f"(and {len(having) - _NAMED} more, see JSON)")
            if shown:
                lines.append(f"    {label:10} {' | '.join(shown)}")
    if several:
        lines.append("  In brackets: the references that contain the matches.")
    return lines


def _entry(label: str, gram: Ngram, several: bool) -> str:
    if label == "clipped":
        return f"{_words(gram)} ({gram.in_hyp}, a reference has {gram.allowed})"
    count = getattr(gram, label)
    by = f" [{' '.join(map(str, gram.allowed_by))}]" if several and label == "matched" else ""
    return f"{f'{count} x ' if count > 1 else ''}{_words(gram)}{by}"


def _words(gram: Ngram | NgramCost) -> str:
    return visible(" ".join(gram.words)) or "''"


# ---------------------------------------------------------------- the calculation


def precisions(sheet: Worksheet) -> list[str]:
    """The calculation of each precision."""
    if sheet.outcome:
        return [f"  not computed: the score is {sheet.outcome}"]
    lines = []
    for term in sheet.terms:
        remark = f"   ({term.remark})" if term.remark else ""
        lines.append(f"  p{term.order} = {_equals(term.derivation, term.precision)}{remark}")
    if any("smoothed" in t.remark or "interpolated" in t.remark for t in sheet.terms):
        lines.append(f"  smoothing {sheet.smoothing}")
    return lines


def _equals(derivation: str, value: float) -> str:
    shown = figure(value)
    return derivation if derivation.partition(",")[0] == shown else f"{derivation} = {shown}"


def brevity(sheet: Worksheet) -> str:
    """The calculation of the brevity penalty."""
    return f"  brevity penalty BP = {_equals(sheet.bp_derivation, sheet.bp)}"


def product(sheet: Worksheet) -> list[str]:
    """The product of the factors, and the points lost to each."""
    if sheet.outcome:
        return [f"  {sheet.outcome}"]
    powers = [f"p{term.order}^{_exponent(term.weight)}" for term in sheet.terms if term.weight]
    factors = [figure(term.factor) for term in sheet.terms if term.weight]
    lines = [
        f"  BLEU = {' * '.join([str(sheet.scale), 'BP', *powers])}",
        f"       = {' * '.join([str(sheet.scale), figure(sheet.bp), *factors])}",
        f"       = {figure(sheet.value)}",
    ]
    if sheet.lost:
        width = 2 if sheet.scale > 1 else 4
        parts = [
            f"{'+' if points < 0 else '-'} {abs(points):.{width}f} ({name})"
            for name, points in sheet.lost.items()
            if name.startswith("order") or f"{abs(points):.{width}f}" != f"{0:.{width}f}"
        ]
        shown = " ".join([str(sheet.scale), *parts])
        lines += [
            "  Points lost to each factor, in proportion to the logarithms of the factors:",
            f"  {shown} = {sheet.value:.{width}f}",
        ]
    return lines


def _exponent(weight: float) -> str:
    part = round(1 / weight) if weight > 1e-3 else 0
    return f"(1/{part})" if part > 1 and abs(1 / weight - part) < 1e-9 else figure(weight)


def cost(points: float, sheet: Worksheet) -> str:
    """Points with their sign."""
    return f"{points:+.{4 if sheet.scale > 1 else 6}f}"


def orders(score: Score, sheet: Worksheet) -> list[str]:
    """The matches of each order, and the scores of each order alone and up to it."""
    width = score._width
    rows: list[tuple[str, ...]] = [("order", "matches", "n-grams", "alone", "up to here")]
    rows += [
        (*map(str, (term.order, term.match, term.total)), f"{alone:.{width}f}", f"{upto:.{width}f}")
        for term, alone, upto in zip(sheet.terms, score.individual, score.cumulative, strict=True)
    ]
    return table(rows)


def costly(unmatched: Sequence[NgramCost], missed: Sequence[NgramCost], sheet: Worksheet) -> dict[str, list[str]]:
    """The tables of n-grams that are not empty, by their titles."""
    kinds = (
        ("unmatched n-grams", "all occurrences matched", unmatched,
         {"cost": "cost", "unmatched": "unmatched", "occur": "in_hyps"}),
        ("missed n-grams of references", "they replaced unmatched n-grams", missed,
         {"cost": "missed_cost", "missed": "missed", "matched": "matched"}),
    )  # fmt: skip
    tables = {}
    for title, change, grams, names in kinds:
        rows: list[tuple[str, ...]] = [("n-gram", *names)]
        for gram in grams:
            points, *counts = (getattr(gram, name) for name in names.values())
            rows.append((_words(gram), cost(points, sheet), *map(str, counts)))
        if grams:
            tables[f"costliest {title}"] = [f"  cost: change of the corpus score if {change}", *table(rows)]
    return tables


def table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Columns, of which the first is aligned to the left."""
    return [f"  {'  '.join(row)}".rstrip() for row in padded(rows)]
