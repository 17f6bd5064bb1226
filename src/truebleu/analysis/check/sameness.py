# SPDX-License-Identifier: Apache-2.0
"""Texts that are the same where they should differ."""

from __future__ import annotations

import re
import unicodedata

from truebleu.analysis.check.excerpts import excerpt
from truebleu.analysis.check.fault import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.check.similarity import Similarity
    from truebleu.analysis.check.texts import Column, Texts

#: Shorter texts are the same by chance or need: names, greetings, numbers.
_LETTERS = 20
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
#: How many of the longer hypotheses may be a reference, word for word. The best systems of WMT21
#: and WMT22 have up to 9 in 100.
_SHARE = 0.5
#: Texts of which fewer are long say nothing.
_FEWEST = 5
#: How often one output must stand for different references.
_TIMES = 3
#: The mean likeness of references that are translations of different sources.
_UNLIKE = 0.3


def find(texts: Texts, similarity: Similarity) -> Iterator[Fault]:
    """Columns and lines that repeat others, of texts that are in step."""
    copies = list(find_copies(texts))
    yield from copies
    yield from _same_references(texts)
    if texts.src is not None and not any(fault.kind == "hyp-is-src" for fault in copies):
        yield from _untranslated(texts, texts.src)
    yield from _duplicates(texts)
    yield from _repeated_output(texts, similarity)


def _is_long(text: str | None) -> bool:
    """Whether a text says more than a greeting. A letter of Han says as much as three others."""
    if text is None or len(text) >= _LETTERS:
        return text is not None
    return len(text) + 2 * len(_WIDE.findall(text)) >= _LETTERS


def find_copies(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that are the references or the sources, or mostly."""
    hyps = texts.segments(texts.hyp)
    long = [i for i, hyp in enumerate(hyps) if _is_long(hyp)]
    if len(long) < _FEWEST:
        return
    others = [("hyp-is-ref", ref) for ref in texts.refs]
    others += [] if texts.src is None else [("hyp-is-src", texts.src)]
    same_as_any: set[int] = set()
    for kind, column in others:
        segments = texts.segments(column)
        same = [i for i in long if hyps[i] == segments[i]]
        # A copy with a line or two touched up is still a copy.
        if len(same) * 100 >= len(long) * 98:
            what = "reference" if kind == "hyp-is-ref" else "source"
            yield Fault(
                kind, texts.hyp, _rows(texts, texts.hyp, same),
                f"The hypotheses are the {what} {column.name}: {len(same)} of {len(long)} longer "
                "texts are equal.", whole=True,
            )  # fmt: skip
            return
        if kind == "hyp-is-ref":
            same_as_any.update(same)
    if len(same_as_any) > _SHARE * len(long):
        rows = _rows(texts, texts.hyp, sorted(same_as_any))
        yield Fault(
            "matches-reference", texts.hyp, rows,
            f"{len(rows)} of {len(long)} longer hypotheses are a reference word for word.",
            evidence=_evidence(texts.hyp, rows), whole=True,
        )  # fmt: skip


def _rows(texts: Texts, column: Column, segments: list[int]) -> list[int]:
    return [row for segment in segments if (row := texts.row(column, segment)) is not None]


def _evidence(column: Column, rows: list[int]) -> list[tuple[str, str]]:
    return [(column.where(row), excerpt(column.texts[row] or "")) for row in rows[:3]]


def _same_references(texts: Texts) -> Iterator[Fault]:
    codes = _codes([texts.segments(ref) for ref in texts.refs])
    for at, ref in enumerate(texts.refs):
        own = codes[at]
        pairs = ((codes[:at] > 0) & (own > 0)).sum(axis=1)
        same = ((codes[:at] == own) & (own > 0)).sum(axis=1)
        alike = ((pairs >= _FEWEST) & (100 * same >= 98 * pairs)).nonzero()[0].tolist()
        if alike:
            first = alike[0]
            earlier = texts.refs[first]
            rest = [other for other in texts.refs if other is not ref]
            yield Fault(
                "same-reference", ref, [],
                f"The references are those of {earlier.name}{earlier.suffix} again: "
                f"{same[first]} of {pairs[first]} longer texts are equal.",
                texts=texts.with_refs(rest), whole=True,
            )  # fmt: skip


def _codes(columns: list[list[str | None]]) -> NDArray[np.int32]:
    """For each column a number for each text, the same for the same text of a segment.

    Texts that are not long have 0. Each column is compared with all others, maybe thousands.
    """
    import numpy as np

    codes = np.zeros((len(columns), len(columns[0]) if columns else 0), dtype=np.int32)
    for segment, row in enumerate(zip(*columns, strict=True)):
        known: dict[str | None, int] = {}
        codes[:, segment] = [
            known.setdefault(text, len(known) + 1) if _is_long(text) else 0 for text in row
        ]
    return codes


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _untranslated(texts: Texts, src: Column) -> Iterator[Fault]:
    sources = texts.segments(src)
    columns = {ref: texts.segments(ref) for ref in texts.refs}
    hyps = texts.segments(texts.hyp)
    refs_of = [[column[i] for column in columns.values()] for i in range(len(hyps))]
    found = []
    for segment, (hyp, source) in enumerate(zip(hyps, sources, strict=True)):
        if not _is_long(hyp) or not _is_long(source) or hyp is None or source is None:
            continue
        plain = _plain(hyp)
        if plain == _plain(source) and all(plain != _plain(ref or "") for ref in refs_of[segment]):
            found.append(segment)
    rows = _rows(texts, texts.hyp, found)
    if rows:
        yield Fault(
            "untranslated", texts.hyp, rows, "The hypothesis is its source.",
            evidence=_evidence(texts.hyp, rows),
        )  # fmt: skip


def _duplicates(texts: Texts) -> Iterator[Fault]:
    """Segments that are all the same: hypothesis and each reference."""
    columns = [texts.segments(column) for column in (texts.hyp, *texts.refs)]
    first: dict[tuple[str | None, ...], int] = {}
    again: list[int] = []
    evidence: list[tuple[str, str]] = []
    for segment, key in enumerate(zip(*columns, strict=True)):
        if not any(map(_is_long, key)):
            continue
        before = first.setdefault(key, segment)
        row = texts.row(texts.hyp, segment)
        if before != segment and row is not None:
            again.append(segment)
            earlier = texts.row(texts.hyp, before)
            if len(evidence) < 3 and earlier is not None:
                place = f"{texts.hyp.where(row)} as {texts.hyp.where(earlier)}"
                evidence.append((place, excerpt(key[0] or "")))
    if again:
        yield Fault(
            "duplicate-segment", texts.hyp, _rows(texts, texts.hyp, again),
            "Hypothesis and references are those of an earlier segment.",
            evidence=evidence, texts=texts.without(again),
        )  # fmt: skip


def _repeated_output(texts: Texts, similarity: Similarity) -> Iterator[Fault]:
    """One output for several references that have nothing in common."""
    places: dict[str, list[int]] = {}
    for segment, hyp in enumerate(texts.segments(texts.hyp)):
        if hyp is not None and _is_long(hyp):
            places.setdefault(hyp, []).append(segment)
    refs = texts.segments(texts.refs[0])
    found: list[int] = []
    for segments in places.values():
        different = list({refs[i]: i for i in segments if _is_long(refs[i])}.values())
        if len(different) < _TIMES:
            continue
        there = [refs[i] or "" for i in different]
        alike = similarity.of_pairs(there[:-1], there[1:])
        if alike.mean() < _UNLIKE:
            found += segments
    if found:
        rows = _rows(texts, texts.hyp, sorted(found))
        yield Fault(
            "repeated-output", texts.hyp, rows,
            "The same hypothesis stands for references that have nothing in common.",
            evidence=_evidence(texts.hyp, rows),
        )  # fmt: skip
