# SPDX-License-Identifier: Apache-2.0
"""The segments that two dialects count differently, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.analysis.explain.overlap import reference_list, token_reader
from truebleu.metrics.bleu import BLEU
from truebleu.text.results import Record


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


def divergences(corpus: CountedCorpus, a: BLEU, b: BLEU, most: int) -> tuple[tuple[Divergence, ...], dict[str, int]]:
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
