# SPDX-License-Identifier: Apache-2.0
"""Segments that are empty, missing, or far from the length of their references."""

from __future__ import annotations

from truebleu.analysis.check.excerpts import excerpt
from truebleu.analysis.check.fault import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from truebleu.analysis.check.texts import Texts

#: How many times as long as all references, or shorter than all of them, a hypothesis is far off,
#: and by how many letters at least. Nearer than that, real systems only put it in other words.
_TIMES, _BY = 3, 60


def find(texts: Texts) -> Iterator[Fault]:
    """Faults of length, of texts that are in step."""
    hyps = texts.segments(texts.hyp)
    columns = [texts.segments(ref) for ref in texts.refs]
    rows: dict[str, list[int]] = {kind: [] for kind in ("empty-hyp", "too-short", "too-long")}
    bare: list[int] = []
    for segment, hyp in enumerate(hyps):
        refs = [ref for column in columns if (ref := column[segment]) is not None]
        if not refs:
            bare.append(segment)
            continue
        row = texts.row(texts.hyp, segment)
        if row is not None and hyp is not None:
            kind = _kind(hyp, refs)
            if kind:
                rows[kind].append(row)
    if bare:
        at = [row for segment in bare if (row := texts.row(texts.refs[0], segment)) is not None]
        yield Fault("missing-reference", texts.refs[0], at, "There is no reference at all.",
                    texts=texts.without(bare))  # fmt: skip
    messages = {
        "empty-hyp": "The hypothesis is empty, its reference is not.",
        "too-short": "The hypothesis is far shorter than each reference.",
        "too-long": "The hypothesis is far longer than each reference.",
    }
    for kind, found in rows.items():
        if found:
            evidence = [
                (texts.hyp.where(row), excerpt(texts.hyp.texts[row] or "")) for row in found[:3]
            ]
            evidence = [] if kind == "empty-hyp" else evidence
            yield Fault(kind, texts.hyp, found, messages[kind], evidence=evidence)
    yield from _empty_references(texts)


def _kind(hyp: str, refs: list[str]) -> str:
    if not hyp.strip():
        return "empty-hyp" if any(ref.strip() for ref in refs) else ""
    # Characters first: they are quick to count, and enough for nearly every segment.
    longest, shortest = max(map(len, refs)), min(map(len, refs))
    if shortest <= len(hyp) * 2 and len(hyp) <= longest * 2:
        return ""
    length, lengths = _width(hyp), [_width(ref) for ref in refs]
    if length * _TIMES < min(lengths) and min(lengths) - length >= _BY:
        return "too-short"
    if length > max(lengths) * _TIMES and length - max(lengths) >= _BY and max(lengths):
        return "too-long"
    return ""


def _width(text: str) -> int:
    """The length of a text in Latin letters; one of Han, kana or Hangul says as much as two."""
    return sum(2 if character >= "\u2e80" else 1 for character in text.strip())


def _empty_references(texts: Texts) -> Iterator[Fault]:
    hyps = texts.segments(texts.hyp)
    for ref in texts.refs:
        found = [
            row for segment, text in enumerate(texts.segments(ref))
            if text is not None and not text.strip() and (hyps[segment] or "").strip()
            and (row := texts.row(ref, segment)) is not None
        ]  # fmt: skip
        if found:
            message = "The reference is empty, the hypothesis is not."
            yield Fault("empty-ref", ref, found, message)
