# SPDX-License-Identifier: Apache-2.0
"""Segments that are empty, missing, or far from the length of their references."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.signs import Sign, members
from truebleu.analysis.check.texts import Texts

#: A hypothesis is too long or short by this factor from all references, and by this many letters.
#: Below that, real systems only choose other words.
_TIMES, _BY = 3, 60
#: Texts with any of these are not blank.
_GRAPHIC = Sign(members("!-~"))

_MESSAGES = {
    "empty-hyp": "The hypothesis is empty, its reference is not.",
    "too-short": "The hypothesis is far shorter than each reference.",
    "too-long": "The hypothesis is far longer than each reference.",
}


def find(texts: Texts) -> Iterator[Fault]:
    """Faults of length, in aligned texts."""
    hyps = texts.segments(texts.hyp)
    columns = [texts.segments(ref) for ref in texts.refs]
    segments: dict[str, list[int]] = {kind: [] for kind in ("", *_MESSAGES)}
    without_reference: list[int] = []
    # Characters first: counting them is quick, and enough for nearly every segment.
    own, *others = map(texts.lengths, texts.scored)
    shortest, longest = np.min(others, axis=0), np.max(others, axis=0)
    doubtful = (shortest == 0) | (shortest > 2 * own) | (own > 2 * longest)
    doubtful[texts.with_sign(_GRAPHIC, texts.hyp, present=False)] = True
    for segment in np.flatnonzero(doubtful).tolist():
        hyp = hyps[segment]
        refs = [text for column in columns if (text := column[segment]) is not None]
        if not refs:
            without_reference.append(segment)
        elif hyp is not None:
            segments[_kind(hyp, refs)].append(segment)
    if without_reference:
        ref = texts.refs[0]
        yield Fault(
            "missing-reference", ref, texts.rows_of(ref, without_reference),
            "There is no reference.", texts=texts.without(without_reference),
        )  # fmt: skip
    for kind, message in _MESSAGES.items():
        rows = texts.rows_of(texts.hyp, segments[kind])
        if rows:
            evidence = [] if kind == "empty-hyp" else texts.hyp.evidence(rows)
            yield Fault(kind, texts.hyp, rows, message, evidence=evidence)
    for ref, column in zip(texts.refs, columns, strict=True):
        empty = [
            segment for segment in texts.with_sign(_GRAPHIC, ref, present=False)
            if (text := column[segment]) is not None and not text.strip()
            and (hyps[segment] or "").strip()
        ]  # fmt: skip
        rows = texts.rows_of(ref, empty)
        if rows:
            yield Fault("empty-ref", ref, rows, "The reference is empty, the hypothesis is not.")


def _kind(hyp: str, refs: list[str]) -> str:
    if not hyp.strip():
        return "empty-hyp" if any(ref.strip() for ref in refs) else ""
    length, lengths = _width(hyp), [_width(ref) for ref in refs]
    if length * _TIMES < min(lengths) and min(lengths) - length >= _BY:
        return "too-short"
    if length > max(lengths) * _TIMES and length - max(lengths) >= _BY and max(lengths):
        return "too-long"
    return ""


def _width(text: str) -> int:
    """The length of a text in Latin letters; a letter of Han, kana or Hangul counts as two."""
    return sum(2 if character >= "\u2e80" else 1 for character in text.strip())
