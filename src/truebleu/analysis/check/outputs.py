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
_TASK = re.compile(
    rf"{STEMS}|\brequest|\bassist|language model|\bA\.?I\b|guideline|polic(?:y|ies)|\bcomply|"
    r"\bprompt\b|\binput\b", re.IGNORECASE,
)  # fmt: skip
_CANNOT = re.compile(
    r"\b(?:can(?:no|['’]?)t|could(?:n['’]t| not)|unable|not able|won['’]t|will not|"
    r"not (?:feel )?comfortable|declin(?:e|ing)|refuse|violat\w+|against|please (?:provide|paste|"
    r"share|send|specify|enter|supply|clarify)|(?:could|can|would) you (?:please )?(?:provide|"
    r"paste|share|send|specify|clarify)|(?:which|what) (?:target )?language|"
    r"(?:no|any) (?:text|sentence|input|source))\b", re.IGNORECASE,
)  # fmt: skip
_SPEAKER = re.compile(r"\b(?:I|me|my|I['’](?:m|ll|d|ve)|as an AI|you|it)\b", re.IGNORECASE)


def refusals(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> list[Fault]:
    """Answers of a chat model. Single sentences show in nothing else than a list of words."""
    unlike = np.flatnonzero(similarity < UNLIKE).tolist()
    rows = [row for row in unlike if _is_answer(columns[0][row])
            and not any(_is_answer(refs[row]) for refs in columns[1:])]  # fmt: skip
    message = "A chat model answers instead of translating."
    return [Fault("refusal", texts.hyp, rows, message, texts.hyp.evidence(rows))] if rows else []


def _is_answer(text: str) -> bool:
    return all(pattern.search(text) for pattern in (_CANNOT, _TASK, _SPEAKER))


def lengths(texts: Texts, columns: Sequence[Sequence[str]], judge: Judge) -> Iterator[Fault]:
    """Segments that are empty, missing, cut, or far from the length of their references."""
    hyp, refs = texts.hyp, texts.refs
    own, *others = (np.fromiter(map(len, column), np.int64, len(column)) for column in columns)
    shortest, longest = np.min(others, axis=0), np.max(others, axis=0)
    missing = [row for row in np.flatnonzero(longest == 0).tolist()
               if all(ref.texts[row] is None for ref in refs)]  # fmt: skip
    if missing:
        yield Fault(
            "missing-reference", refs[0], missing, "There is no reference.",
            texts=texts.without(missing),
        )  # fmt: skip
    cut = _cut(columns, judge)
    excused, rows = {*cut, *missing}, defaultdict[str, list[int]](list)
    for row in np.flatnonzero((shortest > 2 * own) | (own > 2 * longest) | (own < 3)).tolist():
        if row not in excused and hyp.row(row) is not None:
            facing = [width(column[row]) for column, ref in zip(columns[1:], refs, strict=True)
                      if ref.texts[row] is not None]  # fmt: skip
            rows[_length(width(columns[0][row]), min(facing), max(facing))].append(row)
    for kind, message in (
        ("empty-hyp", "The hypothesis is empty, its reference is not."),
        ("too-short", "The hypothesis is far shorter than each reference."),
        ("too-long", "The hypothesis is far longer than each reference."),
    ):
        if rows[kind]:
            evidence = hyp.evidence(rows[kind]) if kind != "empty-hyp" else []
            yield Fault(kind, hyp, rows[kind], message, evidence)
    if cut:
        message = "The hypothesis stops before the end of its reference."
        evidence = [(hyp.where(number), f"…{columns[0][row][-60:]}") for row, number in
                    zip(cut[:EXCERPTS], hyp.numbers(cut), strict=False)]  # fmt: skip
        yield Fault("truncated", hyp, cut, message, evidence)
    for ref, column in zip(refs, columns[1:], strict=True):
        blank = [row for row, text in enumerate(column) if not text.strip()]
        empty = [row for row in blank if ref.texts[row] is not None and columns[0][row].strip()]
        if empty:
            yield Fault("empty-ref", ref, empty, "The reference is empty, the hypothesis is not.")


def _length(own: int, shortest: int, longest: int) -> str:
    if not own:
        return "empty-hyp" if longest else ""
    if own * TIMES < shortest and shortest - own >= TIMES * LONG:
        return "too-short"
    return "too-long" if own > longest * TIMES and own - longest >= TIMES * LONG and longest else ""


def _ends(text: str) -> bool:
    return text.rstrip()[-1:] in _STOPS


def _cut(columns: Sequence[Sequence[str]], judge: Judge) -> list[int]:
    """The rows of hypotheses that stop without a stop, unlike all of their references.

    A limit of tokens shows as the length that most of them have.
    """
    hyps, *refs = columns
    ends = [[_ends(text) for text in column] for column in columns]
    open_ended = [row for row, (own, *others) in enumerate(zip(*ends, strict=True))
                  if not own and all(others) and hyps[row].strip()]  # fmt: skip
    short = [row for row in open_ended
             if len(hyps[row]) < NEARLY * min(len(column[row]) for column in refs)]  # fmt: skip
    # A short translation is like all of its reference, a cut one like its beginning.
    own = [hyps[row] for row in short]
    sizes = list(map(len, own))
    if not short:
        return []
    first, last = (
        judge.similarity(own, [[column[row][part] for row, part in zip(short, parts, strict=True)]
                               for column in refs])
        for parts in ([slice(size) for size in sizes], [slice(-size, None) for size in sizes])
    )  # fmt: skip
    cut = [row for row, start, end in zip(short, first, last, strict=True) if start > end]
    against = len(short) - len(cut)
    others_end = sum(own and not any(others) for own, *others in zip(*ends, strict=True))
    if len(cut) < max(CHOSEN_BY_WRITERS, 2 * against, others_end // 8):
        return []
    for length in (lambda text: len(text.split()), len):
        ((limit, times),) = Counter(length(hyps[row]) for row in cut).most_common(1)
        if limit > WRITTEN_BY_PROGRAMS and times * 2 > len(cut):
            return [row for row in open_ended if length(hyps[row]) == limit]
    return cut
