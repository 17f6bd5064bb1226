# SPDX-License-Identifier: Apache-2.0
"""Texts that are equal but should differ."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from truebleu.analysis.check.columns import Column, Texts, excerpt
from truebleu.analysis.check.judge import Floats, Judge
from truebleu.analysis.check.kinds import Fault
from truebleu.errors import quantity
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    WRITTEN_BY_PROGRAMS,
    Normalization,
)

#: Shorter texts are equal by chance: names, greetings, numbers. A letter of Han, kana or Hangul
#: counts as three others.
_LETTERS = 20
#: A copy with a few changed lines is still a copy.
_COPY = 0.98
#: The share of longer hypotheses that may equal a reference: 0.09 in the best systems of WMT21 and
#: WMT22, 0.25 and more where it was post-edited from the system.
_EDITED = 0.25


def is_long(text: str | None) -> bool:
    """Whether a text is longer than a greeting."""
    text = text or ""
    return len(text) >= _LETTERS or len(text) + 2 * sum(c > "\u2e80" for c in text) >= _LETTERS


def same(texts: Sequence[str | None], others: Sequence[str | None]) -> tuple[list[int], int]:
    """The rows of equal long texts, and the number of long texts."""
    long = [row for row, text in enumerate(texts) if is_long(text)]
    return [row for row in long if texts[row] == others[row]], len(long)


def is_copy(texts: Sequence[str | None], others: Sequence[str | None]) -> bool:
    """Whether texts are those of another column of the same length."""
    rows, long = same(texts, others)
    return long > WRITTEN_BY_PROGRAMS and len(rows) >= _COPY * long


def copies(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that are the references or the sources, and references given twice."""
    hyp = texts.hyp
    others = [("hyp-is-ref", ref) for ref in texts.refs]
    others += [] if texts.src is None else [("hyp-is-src", texts.src)]
    for kind, column in others:
        if is_copy(hyp.texts, column.texts):
            rows, long = same(hyp.texts, column.texts)
            yield Fault(
                kind, hyp, rows, f"The hypotheses are those of {column.name}: {len(rows)} of "
                f"{long} longer texts are equal.", whole=True,
            )  # fmt: skip
            break
    else:
        for ref in texts.refs:
            rows, long = same(hyp.texts, ref.texts)
            if long > WRITTEN_BY_PROGRAMS and len(rows) > _EDITED * long:
                yield Fault(
                    "matches-reference", hyp, rows,
                    f"{len(rows)} of {long} longer hypotheses equal {ref.name}{ref.suffix}; of the "
                    "best systems, fewer than a tenth do.",
                    hyp.evidence(rows), whole=True,
                )  # fmt: skip
    for at, ref in enumerate(texts.refs):
        for earlier in texts.refs[:at]:
            if is_copy(ref.texts, earlier.texts):
                left = [column for column in texts.refs if column is not ref]
                yield Fault(
                    "same-reference", ref, [],
                    f"The references repeat those of {earlier.name}{earlier.suffix}.",
                    texts=Texts(hyp, left, texts.src), whole=True,
                )  # fmt: skip
                break


def untranslated(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that equal their sources, and no reference does."""
    if texts.src is None:
        return
    columns = [column.texts for column in (texts.hyp, texts.src, *texts.refs)]
    rows = [
        row for row, (hyp, source, *refs) in enumerate(zip(*columns, strict=True))
        if is_long(hyp) and is_long(source) and (plain := _plain(hyp)) == _plain(source)
        and all(plain != _plain(ref) for ref in refs)
    ]  # fmt: skip
    if rows:
        yield Fault(
            "untranslated",
            texts.hyp,
            rows,
            "The hypothesis equals its source.",
            texts.hyp.evidence(rows),
        )


def _plain(text: str | None) -> str:
    return " ".join(unicodedata.normalize("NFKC", text or "").casefold().split())


def repeats(texts: Texts, judge: Judge, similarity: Floats) -> Iterator[Fault]:
    """One text for several unrelated ones: a placeholder as reference, an output that is stuck."""
    for kind, column, facing, fewest in (
        ("repeated-reference", texts.refs[0], texts.hyp, CHOSEN_BY_WRITERS),
        ("repeated-output", texts.hyp, texts.refs[0], WRITTEN_BY_PROGRAMS - 1),
    ):
        others = facing.filled
        rows: list[int] = []
        for group in _groups(column.filled):
            different = list(dict.fromkeys(others[row] for row in group if is_long(others[row])))
            if len(different) < fewest or float(similarity[group].mean()) * 2 > float(
                similarity.mean()
            ):
                continue
            if judge.similarity(different[:-1], [different[1:]]).mean() * 2 < similarity.mean():
                rows += group
        if rows:
            what = "reference" if column.role == "ref" else "hypothesis"
            most = max(
                (group for group in _groups(column.filled) if group[0] in set(rows)), key=len
            )
            yield Fault(
                kind, column, sorted(rows),
                f"One {what} occurs {quantity(len(most), 'time')} and faces unrelated texts.",
                column.evidence(most),
            )  # fmt: skip


def _groups(texts: Sequence[str]) -> list[list[int]]:
    """The rows of each long text that occurs several times."""
    if len(set(texts)) == len(texts):
        return []
    groups: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        groups[text].append(row)
    return [rows for text, rows in groups.items() if len(rows) > 1 and is_long(text)]


def duplicates(texts: Texts) -> Iterator[Fault]:
    """Segments whose hypothesis and references equal those of an earlier one."""
    columns = [column.texts for column in texts.scored]
    again: list[int] = []
    evidence: list[tuple[str, str]] = []
    for group in _groups(texts.hyp.filled):
        first: dict[tuple[str | None, ...], int] = {}
        for row in group:
            earlier = first.setdefault(tuple(column[row] for column in columns), row)
            if earlier != row:
                again.append(row)
                if len(evidence) == 3:
                    continue
                own, (before,) = texts.hyp.numbers([row]), texts.hyp.numbers([earlier])
                place = f"{texts.hyp.where(own[0])} as {texts.hyp.where(before)}"
                evidence.append((place, excerpt(columns[0][row])))
    if again:
        yield Fault(
            "duplicate-segment", texts.hyp, sorted(again),
            "Hypothesis and references equal those of an earlier segment.", evidence,
            removed=True,
        )  # fmt: skip


def same_system(hyp: Column, earlier: Sequence[Column]) -> Iterator[Fault]:
    """The hypotheses of an earlier system under another name."""
    for other in earlier:
        if len(other) == len(hyp) and is_copy(hyp.texts, other.texts):
            message = f"The hypotheses are those of {other.name}."
            yield Fault("same-system", hyp, [], message, whole=True)
            return


def lost_characters(texts: Texts) -> Iterator[Fault]:
    """U+FFFD: characters that a decoder lost."""
    for column in texts.scored:
        rows = np.flatnonzero(["\ufffd" in (text or "") for text in column.texts]).tolist()
        if rows:
            yield Fault(
                "replacement-character", column, rows,
                "There is U+FFFD, which replaces bytes that could not be decoded.",
                [(place, text) for place, text in column.evidence(rows)],
            )  # fmt: skip


def copied_sources(texts: Texts) -> Normalization:
    """Cuts sources in front of hypotheses, where no reference begins with them."""
    without: dict[str, str] = {}
    columns = [column.filled for column in texts.columns]
    for hyp, *refs, source in zip(*columns, strict=True):
        src = source.strip()
        left = hyp[len(src) :].lstrip(" \t|=>:/\\-")
        if left and hyp.startswith(src) and is_long(src) and not any(map(src.__eq__, refs)):
            without[hyp] = left
    return Normalization(
        "copied-sources", "added-text", lambda text: without.get(text, text),
        advice="remove it: score the translations alone", lines=1, side="hyp",
    )  # fmt: skip
