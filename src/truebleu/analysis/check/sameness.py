# SPDX-License-Identifier: Apache-2.0
"""Texts that are equal but should differ."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.texts import Column, Texts, excerpt

#: Shorter texts are equal by chance: names, greetings, numbers.
_LETTERS = 20
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
#: The share of longer hypotheses that may equal a reference word for word: up to 0.09 in the best
#: systems of WMT21 and WMT22.
_SHARE = 0.5
#: The fewest long texts that are evidence.
_FEWEST = 5
#: The fewest different references of one repeated output.
_TIMES = 3
#: References of different sources have a lower mean similarity.
_UNLIKE = 0.3


def find(texts: Texts, similarity: Similarity) -> Iterator[Fault]:
    """Columns and lines that repeat others, in aligned texts."""
    copies = list(find_copies(texts))
    yield from copies
    yield from _same_references(texts)
    if texts.src is not None and not any(fault.kind == "hyp-is-src" for fault in copies):
        yield from _untranslated(texts, texts.src)
    repeated = _repeated(texts)
    yield from _duplicates(texts, repeated)
    yield from _repeated_output(texts, repeated, similarity)


def _is_long(text: str | None) -> bool:
    """Whether a text is longer than a greeting. A letter of Han counts as three others."""
    if text is None or len(text) >= _LETTERS:
        return text is not None
    return len(text) + 2 * len(_WIDE.findall(text)) >= _LETTERS


def _long(texts: Texts, column: Column) -> NDArray[np.bool_]:
    """Which segments of a column are long."""
    long = texts.lengths(column) >= _LETTERS
    segments = texts.segments(column)
    for segment in np.flatnonzero(~long).tolist():
        long[segment] = _is_long(segments[segment])
    return long


def find_copies(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that are the references or the sources, or mostly so."""
    hyps, is_long = texts.segments(texts.hyp), _long(texts, texts.hyp)
    long = np.count_nonzero(is_long)
    if long < _FEWEST:
        return
    others = [("hyp-is-ref", ref) for ref in texts.refs]
    others += [] if texts.src is None else [("hyp-is-src", texts.src)]
    same_as_any: set[int] = set()
    for kind, column in others:
        segments = texts.segments(column)
        alike = is_long & (texts.lengths(texts.hyp) == texts.lengths(column))
        same = [i for i in np.flatnonzero(alike).tolist() if hyps[i] == segments[i]]
        # A copy with a few changed lines is still a copy.
        if len(same) * 100 >= long * 98:
            what = "reference" if kind == "hyp-is-ref" else "source"
            yield Fault(
                kind, texts.hyp, texts.rows_of(texts.hyp, same),
                f"The hypotheses are the {what} {column.name}: {len(same)} of {long} longer "
                "texts are equal.", whole=True,
            )  # fmt: skip
            return
        if kind == "hyp-is-ref":
            same_as_any.update(same)
    if len(same_as_any) > _SHARE * long:
        rows = texts.rows_of(texts.hyp, sorted(same_as_any))
        yield Fault(
            "matches-reference", texts.hyp, rows,
            f"{len(rows)} of {long} longer hypotheses equal a reference word for word.",
            evidence=texts.hyp.evidence(rows), whole=True,
        )  # fmt: skip


def _same_references(texts: Texts) -> Iterator[Fault]:
    columns = [(texts.segments(ref), _long(texts, ref)) for ref in texts.refs]
    for at, ref in enumerate(texts.refs):
        for earlier, (others, are_long) in zip(texts.refs[:at], columns, strict=False):
            own, long = columns[at]
            both = long & are_long
            count = np.count_nonzero(both)
            alike = both & (texts.lengths(ref) == texts.lengths(earlier))
            same = sum(own[i] == others[i] for i in np.flatnonzero(alike).tolist())
            if count >= _FEWEST and 100 * same >= 98 * count:
                yield Fault(
                    "same-reference", ref, [],
                    f"The references repeat those of {earlier.name}{earlier.suffix}: "
                    f"{same} of {count} longer texts are equal.",
                    texts=replace(texts, refs=[one for one in texts.refs if one is not ref]),
                    whole=True,
                )  # fmt: skip
                break


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _untranslated(texts: Texts, src: Column) -> Iterator[Fault]:
    columns = [texts.segments(column) for column in (texts.hyp, src, *texts.refs)]
    untranslated = [
        segment for segment, (hyp, source, *refs) in enumerate(zip(*columns, strict=True))
        if hyp is not None and source is not None and _is_long(hyp) and _is_long(source)
        and (plain := _plain(hyp)) == _plain(source)
        and all(plain != _plain(ref or "") for ref in refs)
    ]  # fmt: skip
    rows = texts.rows_of(texts.hyp, untranslated)
    if rows:
        yield Fault(
            "untranslated", texts.hyp, rows, "The hypothesis equals its source.",
            evidence=texts.hyp.evidence(rows),
        )  # fmt: skip


def _duplicates(texts: Texts, repeated: Sequence[int]) -> Iterator[Fault]:
    """Segments whose hypothesis and references equal those of an earlier one."""
    columns = [texts.segments(column) for column in texts.scored]
    first: dict[tuple[str | None, ...], int] = {}
    again: list[int] = []
    evidence: list[tuple[str, str]] = []
    for segment in repeated:
        key = tuple(column[segment] for column in columns)
        if not any(map(_is_long, key)):
            continue
        earlier, row = (texts.row(texts.hyp, i) for i in (first.setdefault(key, segment), segment))
        if earlier != row and earlier is not None and row is not None:
            again.append(segment)
            if len(evidence) < 3:
                place = f"{texts.hyp.where(row)} as {texts.hyp.where(earlier)}"
                evidence.append((place, excerpt(key[0])))
    if again:
        yield Fault(
            "duplicate-segment", texts.hyp, texts.rows_of(texts.hyp, again),
            "Hypothesis and references equal those of an earlier segment.",
            evidence=evidence, removed=again,
        )  # fmt: skip


def _repeated(texts: Texts) -> list[int]:
    """The segments whose hypothesis is that of other segments, too."""
    hyps = texts.segments(texts.hyp)
    several = {hyp for hyp, times in Counter(hyps).items() if times > 1}
    return [segment for segment, hyp in enumerate(hyps) if hyp in several]


def _repeated_output(
    texts: Texts, repeated: Sequence[int], similarity: Similarity
) -> Iterator[Fault]:
    """One output for several unrelated references."""
    hyps = texts.segments(texts.hyp)
    places: dict[str, list[int]] = {}
    for segment in repeated:
        hyp = hyps[segment]
        if hyp is not None and _is_long(hyp):
            places.setdefault(hyp, []).append(segment)
    refs = texts.segments(texts.refs[0])
    found: list[int] = []
    for segments in places.values():
        different = list(dict.fromkeys(ref for i in segments if (ref := refs[i]) and _is_long(ref)))
        if len(different) < _TIMES:
            continue
        if similarity.of_pairs(different[:-1], different[1:]).mean() < _UNLIKE:
            found += segments
    rows = texts.rows_of(texts.hyp, sorted(found))
    if rows:
        yield Fault(
            "repeated-output", texts.hyp, rows,
            "The same hypothesis belongs to unrelated references.",
            evidence=texts.hyp.evidence(rows),
        )  # fmt: skip
