# SPDX-License-Identifier: Apache-2.0
"""Why two dialects score a corpus differently."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Unpack

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.analysis.diff.waterfall import Step, averages, decisions, path, points_between
from truebleu.analysis.explain.overlap import reference_list, token_reader
from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.dialects.signature import parse_signature
from truebleu.errors import check_bool, check_int, quantity
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.score import Score
from truebleu.text.escaping import visible
from truebleu.text.results import Printed, Record, attributes
from truebleu.text.tables import BOLD, GREEN, PLAIN, RED

#: A dialect: the name of a row, a signature, or the thing itself.
Definition = str | Dialect | BLEU


@dataclass(frozen=True, slots=True)
class Divergence(Record):
    """A segment that is counted differently.

    Attributes:
        segment: its number, from 1.
        reason: the first step at which it differs, in words.
        pairs: the tokens, lengths or counts that differ, in both dialects.
    """

    segment: int
    reason: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Diff(Printed):
    """The path from one dialect's score to another's; `str()` describes it.

    Points are of 100, for dialects of any scale.

    Attributes:
        a: the dialect where the path starts.
        b: the dialect where it ends.
        score_a: the score of a, on its own scale.
        score_b: the score of b, on its own scale.
        steps: from `a` to `b`, one decision at a time, in the order in which BLEU makes them. The
            points after a step are those before the next; the last are those of `b`.
        averages: the effect of each decision, by the name of its option, averaged over orders in
            which they could be made; they sum to the difference. Empty if a score between is NaN.
        averaged: the orders of the averages, in words.
        segments: the number of segments.
        reasons: the number of segments that are counted differently, by reason.
        first: the first of these segments.
    """

    a: Dialect
    b: Dialect
    score_a: Score
    score_b: Score
    steps: tuple[Step, ...]
    averages: dict[str, float]
    averaged: str
    segments: int
    reasons: dict[str, int]
    first: tuple[Divergence, ...]

    @property
    def points_a(self) -> float:
        """The score of `a`, in points of 100."""
        return self.score_a.value * (100 / self.score_a.scale)

    @property
    def points_b(self) -> float:
        """The score of `b`, in points of 100."""
        return self.score_b.value * (100 / self.score_b.scale)

    @property
    def difference(self) -> float:
        """The points of `b` minus those of `a`."""
        return self.points_b - self.points_a

    def format(self, *, color: bool = False) -> str:
        """The path in words; `color` is for terminals."""
        color = check_bool("color", color)
        return "\n".join([*_scores(self, color), "", *_path(self, color), "", *_segments(self)])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        names = (
            "points_a", "points_b", "difference", "steps", "averages", "averaged", "segments",
            "reasons", "first",
        )  # fmt: skip
        return {"a": self.score_a.to_dict(), "b": self.score_b.to_dict(), **attributes(self, names)}


def diff(hyps: Any, refs: Any, a: Definition, b: Definition, *, most: int = 5, **changes: Unpack[BLEUChanges]) -> Diff:
    """Why two dialects score a corpus differently.

    Args:
        hyps, refs: a corpus, as `corpus_bleu` takes it.
        a, b: each the name of a row, a Dialect, a signature or a BLEU.
        most: the largest number of segments to list that are counted differently.
        changes: options to change in both dialects, by name.

    Returns:
        The path from one score to the other, and the first segments that differ.

    Raises:
        InputError: hypotheses and references are not aligned, or not text.
        OptionError: a dialect or an option does not exist, or a signature cannot be read.

    Example:
        >>> from truebleu import diff
        >>> result = diff(["The cat sat."], ["the cat sat."], "sacrebleu", "mteval-v13a")
        >>> [str(step.decisions[0]) for step in result.steps if step.effect > 1]
        ['lowercase: no -> yes, lowercase_rule: unicode -> ascii']
        >>> round(result.difference, 2)
        40.54
        >>> result.reasons
        {'case of the hypothesis': 1}
    """
    corpus = CountedCorpus(hyps, refs)
    metric, other = _metric(a, changes), _metric(b, changes)
    ends = metric.dialect, other.dialect
    way = decisions(*ends), points_between(corpus, *ends)
    first, reasons = _divergences(corpus, metric, other, check_int("most", most, 0))
    scores = corpus.score(metric), corpus.score(other)
    return Diff(*ends, *scores, path(*way), *averages(*way), len(corpus.hyps), reasons, first)


def _metric(dialect: Definition, changes: Mapping[str, Any]) -> BLEU:
    if isinstance(dialect, BLEU):
        return BLEU(dialect.dialect, **changes) if changes else dialect
    # Signatures have colons, those of sacreBLEU 1.x plus signs; names have neither.
    if isinstance(dialect, str) and (":" in dialect or "+" in dialect):
        return BLEU(parse_signature(dialect), **changes)
    return BLEU(dialect, **changes)


def _divergences(corpus: CountedCorpus, a: BLEU, b: BLEU, most: int) -> tuple[tuple[Divergence, ...], dict[str, int]]:
    """The segments whose lengths, matches or n-grams differ.

    Returns:
        The first `most` segments; and the number of segments for each reason, the most frequent
        reason first.
    """
    columns = [corpus.columns(bleu) for bleu in (a, b)]
    orders = a.dialect.counted_orders, b.dialect.counted_orders
    counted = a.dialect.orders_read, b.dialect.orders_read
    sides = [(*texts, token_reader(bleu)) for texts, bleu in zip(columns, (a, b), strict=True)]
    first: list[Divergence] = []
    reasons: Counter[str] = Counter()
    for i, pair in enumerate(zip(a.stats(*columns[0]), b.stats(*columns[1]), strict=True)):
        named = [_named(row, of, min(counted)) for row, of in zip(pair, orders, strict=True)]
        if named[0] == named[1]:
            continue
        tokens = [
            [reader(text) for text in (hyps[i], *reference_list(hyps[i], refs[i]))] for hyps, refs, reader in sides
        ]
        reason, *texts = _reason(tokens, named)
        reasons[reason] += 1
        if len(first) < most:
            first.append(Divergence(i + 1, reason, _changed(*texts) if texts else _numbers(*named)))
    return tuple(first), dict(reasons.most_common())


def _named(row: Sequence[int], counted: int, orders: int) -> dict[str, int]:
    """The numbers of a row of statistics by name."""
    values = {"hypothesis length": row[0], "reference length": row[1]}
    for n in range(1, orders + 1):
        values[f"{n}-gram matches"] = row[1 + n]
        values[f"{n}-grams"] = row[1 + counted + n]
    return values


def _reason(tokens: list[list[list[str]]], named: list[dict[str, int]]) -> tuple[Any, ...]:
    """The reason that a segment differs; if tokens differ, with the tokens in both dialects.

    Args:
        tokens: in both dialects, the tokens of the hypothesis and of each reference.
        named: the counts in both dialects.
    """
    for i, (words, other) in enumerate(zip(*tokens, strict=True)):
        if words != other:
            what = "case" if [word.lower() for word in words] == [word.lower() for word in other] else "tokens"
            return f"{what} of {f'reference {i}' if i else 'the hypothesis'}", words, other
    kind = next(name for name, value in named[0].items() if value != named[1][name])
    return ("counted n-grams" if kind[0].isdigit() else kind,)


def _numbers(counts: dict[str, int], other: dict[str, int]) -> tuple[tuple[str, str], ...]:
    """The counts that differ."""
    pairs = ((f"{name} {value}", f"{name} {other[name]}") for name, value in counts.items())
    return tuple((a, b) for a, b in pairs if a != b)


def _changed(tokens: Sequence[str], other: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The stretches of tokens that differ."""
    codes = SequenceMatcher(None, tokens, other, autojunk=False).get_opcodes()
    return tuple((" ".join(tokens[i:j]), " ".join(other[k:m])) for tag, i, j, k, m in codes if tag != "equal")


# ---------------------------------------------------------------- in words

#: Smaller effects come from rounding.
_NOTHING = 1e-9


def _scores(result: Diff, color: bool) -> list[str]:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    lines = [
        f"{label}: {bold}{score.value:.{score._width}f}{plain} of {score.scale}   {score.signature}"
        for label, score in (("a", result.score_a), ("b", result.score_b))
    ]
    if math.isnan(result.difference):
        lines.append("One score is NaN: that tool crashes here.")
    elif result.difference == 0:
        lines.append("Both scores are equal.")
    elif abs(result.difference) < _NOTHING:
        lines.append("Both scores are equal except for rounding in the last digits.")
    else:
        lines.append(f"b - a: {_effect(result.difference, color)} points of 100")
    if result.score_a.scale != result.score_b.scale:
        lines.append("The scales differ; all scores below are in points of 100.")
    return lines


def _effect(points: float, color: bool) -> str:
    text = "NaN".rjust(9) if math.isnan(points) else f"{points:+9.4f}"
    if not color or not abs(points) >= _NOTHING:
        return text
    return f"{GREEN if points > 0 else RED}{text}{PLAIN}"


def _path(result: Diff, color: bool) -> list[str]:
    """Steps with an effect, on the path or on average; then those without."""
    if not result.steps:
        return ["The dialects make the same decisions."]
    shown, idle = [], []
    for step in result.steps:
        averages = [result.averages.get(d.name, 0.0) for d in step.decisions]
        if not abs(step.effect) < _NOTHING or any(abs(value) >= _NOTHING for value in averages):
            shown.append((step, math.fsum(averages)))
        else:
            idle += [str(decision) for decision in step.decisions]
    lines = []
    several = len(result.averages) > 1  # the average of one decision is its effect
    if shown:
        lines = [
            "From a to b, one decision at a time, in the order in which BLEU makes them:",
            "    score     effect" + "  averaged" * several,
            f"{result.points_a:9.4f}{' ' * 12}a",
        ]
        for step, average in shown:
            columns = [f"{step.after:9.4f}", _effect(step.effect, color)]
            columns += [_effect(average, color)] * several
            lines.append(f"{'  '.join(columns)}  {', '.join(map(str, step.decisions))}")
        if several:
            lines.append(f"Averages are over {result.averaged}.")
        elif not result.averages:
            lines.append(f"No averages: {result.averaged}.")
    if idle:
        lines += ["Differences without an effect on this corpus:", *(f"  {name}" for name in idle)]
    return lines


def _segments(result: Diff) -> list[str]:
    count = sum(result.reasons.values())
    if not count:
        return ["No segment is counted differently; the scores differ only in their formulas."]
    reasons = ", ".join(f"{number} by {reason}" for reason, number in result.reasons.items())
    number = f"{count} of {quantity(result.segments, 'segment')} {'is' if count == 1 else 'are'}"
    lines = [f"{number} counted differently: {reasons}."]
    for divergence in result.first:
        lines.append(f"  segment {divergence.segment}: {divergence.reason}")
        for a, b in divergence.pairs[:3]:
            lines += [f"    a  {visible(a) or '(none)'}", f"    b  {visible(b) or '(none)'}"]
        if (more := len(divergence.pairs) - 3) > 0:
            lines.append(f"    (and {quantity(more, 'more difference')}, see JSON)")
    return lines
