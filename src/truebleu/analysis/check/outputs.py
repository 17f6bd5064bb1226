# SPDX-License-Identifier: Apache-2.0
"""Hypotheses that are empty, cut, too long or an answer."""
# ruff: noqa: RUF001  (quotation marks and stops of all languages)

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from truebleu.analysis.check.columns import EXCERPTS, LONG, Texts, width
from truebleu.analysis.check.judge import NEARLY, TIMES, UNLIKE, Floats, Judge
from truebleu.analysis.check.kinds import Fault
from truebleu.text.mending import STEMS
from truebleu.text.normalization import CHOSEN_BY_WRITERS, WRITTEN_BY_PROGRAMS

_STOPS = frozenset(".!?…。！？।॥۔؟:;\"'”“»’」』)）]")

#: What an answer of a chat model has, of each: a task, a refusal or a question, a speaker. Single
#: sentences show in nothing else than a list of words.
_ANSWER = [re.compile(pattern, re.IGNORECASE) for pattern in (
    rf"{STEMS}|\b(?:request|assist|AI\b|comply|prompt\b|input\b)|guideline|polic(?:y|ies)|A\.I\.",
    (r"\b(?:can(?:no|['’]?)t|could(?:n['’]t| not)|unable|not able|won['’]t|will not|"
    r"not (?:feel )?comfortable|declin(?:e|ing)|refuse|violat\w+|against|please (?:provide|paste|"
    r"share|send|specify|enter|supply|clarify)|(?:could|can|would) you (?:please )?(?:provide|"
    r"paste|share|send|specify|clarify)|(?:which|what) (?:target )?language|"
    r"(?:no|any) (?:text|sentence|input|source))\b"),
    r"\b(?:I|me|my|I['’](?:m|ll|d|ve)|as an AI|you|it)\b",
)]  # fmt: skip


def refusals(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> list[Fault]:
    """Answers of a chat model."""
    unlike = np.flatnonzero(similarity < UNLIKE).tolist()
    rows = [row for row in unlike if _is_answer(columns[0][row])
            and not any(_is_answer(refs[row]) for refs in columns[1:])]  # fmt: skip
    return [Fault("refusal", texts.hyp, rows)] if rows else []


def _is_answer(text: str) -> bool:
    return all(pattern.search(text) for pattern in _ANSWER)


def lengths(texts: Texts, columns: Sequence[Sequence[str]], judge: Judge) -> Iterator[Fault]:
    """Segments that are empty, missing, cut, or far from the length of their references."""
    own, *others = (np.fromiter(map(len, column), np.int64, len(column)) for column in columns)
    shortest, longest = np.min(others, axis=0), np.max(others, axis=0)
    missing = [row for row in np.flatnonzero(longest == 0).tolist()
               if all(ref.texts[row] is None for ref in texts.refs)]  # fmt: skip
    if missing:
        yield Fault("missing-reference", texts.refs[0], missing, texts=texts.without(missing))
    cut = _cut(columns, judge)
    rows = defaultdict[str, list[int]](list, truncated=cut)
    odd = np.flatnonzero((shortest > 2 * own) | (own > 2 * longest) | (own < TIMES)).tolist()
    for row in sorted({*odd} - {*cut, *missing}):
        facing = [width(column[row]) for column, ref in zip(columns[1:], texts.refs, strict=True)
                  if ref.texts[row] is not None]  # fmt: skip
        if texts.hyp.row(row) is not None:
            rows[_length(width(columns[0][row]), min(facing), max(facing))].append(row)
    for kind in ("empty-hyp", "too-short", "too-long", "truncated"):
        if rows[kind]:
            ends = [(place, f"…{columns[0][row][-60:]}") for row, (place, _) in
                    zip(cut[:EXCERPTS], texts.hyp.evidence(cut), strict=True)]  # fmt: skip
            yield Fault(kind, texts.hyp, rows[kind], evidence=ends if kind == "truncated" else ())
    for ref, column in zip(texts.refs, columns[1:], strict=True):
        blank = [row for row, text in enumerate(column) if not text.strip()]
        empty = [row for row in blank if ref.texts[row] is not None and columns[0][row].strip()]
        if empty:
            yield Fault("empty-ref", ref, empty)


def _length(own: int, shortest: int, longest: int) -> str:
    if not own:
        return "empty-hyp" if longest else ""
    if own * TIMES < shortest and shortest - own >= TIMES * LONG:
        return "too-short"
    return "too-long" if own > longest * TIMES > 0 and own - longest >= TIMES * LONG else ""


def _cut(columns: Sequence[Sequence[str]], judge: Judge) -> list[int]:
    """The rows of hypotheses that stop without a stop, unlike all of their references.

    A limit of tokens shows as the length that most of them have.
    """
    hyps, *refs = columns
    ends = [[text.rstrip()[-1:] in _STOPS for text in column] for column in columns]
    pairs = [*zip(*ends, strict=True)]
    open_ended = [row for row, (own, *others) in enumerate(pairs)
                  if not own and all(others) and hyps[row].strip()]  # fmt: skip
    short = [row for row in open_ended
             if len(hyps[row]) < NEARLY * min(len(column[row]) for column in refs)]  # fmt: skip
    if not short:
        return []
    # A short translation is like all of its reference, a cut one like its beginning.
    own = [hyps[row] for row in short]
    first = [[column[row][: len(hyps[row])] for row in short] for column in refs]
    last = [[column[row][-len(hyps[row]) :] for row in short] for column in refs]
    is_cut = judge.similarity(own, first) > judge.similarity(own, last)
    cut = [row for row, at_end in zip(short, is_cut, strict=True) if at_end]
    others_end = sum(own and not any(others) for own, *others in pairs)
    if len(cut) < max(CHOSEN_BY_WRITERS, 2 * (len(short) - len(cut)), others_end // 8):
        return []
    for length in (lambda text: len(text.split()), len):
        ((limit, times),) = Counter(length(hyps[row]) for row in cut).most_common(1)
        if limit > WRITTEN_BY_PROGRAMS and times * 2 > len(cut):
            return [row for row in open_ended if length(hyps[row]) == limit]
    return cut
