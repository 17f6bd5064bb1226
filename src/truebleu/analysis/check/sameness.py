# SPDX-License-Identifier: Apache-2.0
"""Texts that are equal but should differ."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

from truebleu.analysis.check.columns import Column, Texts, is_long
from truebleu.analysis.check.judge import Floats, Judge
from truebleu.analysis.check.kinds import Fault
from truebleu.errors import quantity
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    WRITTEN_BY_PROGRAMS,
    Normalization,
)

#: A copy with a few changed lines is still a copy.
_COPY = 0.98
#: The share of longer hypotheses that may equal a reference: 0.09 in the best systems of WMT21 and
#: WMT22, 0.25 and more where it was post-edited from the system.
_EDITED = 0.25


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
    """One text for several unrelated ones, and segments that equal an earlier one."""
    for kind, what, column, facing, fewest in (
        ("repeated-reference", "reference", texts.refs[0], texts.hyp, CHOSEN_BY_WRITERS),
        ("repeated-output", "hypothesis", texts.hyp, texts.refs[0], WRITTEN_BY_PROGRAMS - 1),
    ):
        stuck: list[list[int]] = []
        for group in (groups := _groups(column.texts)):
            texts_there = dict.fromkeys(facing.texts[row] or "" for row in group)
            if len(unlike := [*filter(is_long, texts_there)]) >= fewest:
                there = judge.similarity(unlike[:-1], [unlike[1:]])
                if 2 * max(similarity[group].mean(), there.mean()) < similarity.mean():
                    stuck.append(group)
        if stuck:
            most = max(stuck, key=len)
            yield Fault(
                kind, column, sorted(row for group in stuck for row in group),
                f"One {what} occurs {quantity(len(most), 'time')} and faces unrelated texts.",
                column.evidence(most),
            )  # fmt: skip
    earlier: dict[int, int] = {}
    for group in groups:
        first: dict[tuple[str | None, ...], int] = {}
        for row in group:
            earlier[row] = first.setdefault(
                tuple(column.texts[row] for column in texts.scored), row
            )
    again = sorted(row for row, before in earlier.items() if before != row)
    if again:
        evidence = [
            (f"{place} as {texts.hyp.evidence([earlier[row]])[0][0]}", text)
            for row, (place, text) in zip(again, texts.hyp.evidence(again), strict=False)
        ]
        yield Fault(
            "duplicate-segment", texts.hyp, again,
            "Hypothesis and references equal those of an earlier segment.", evidence,
            removed=True,
        )  # fmt: skip


def _groups(texts: Sequence[str | None]) -> list[list[int]]:
    """The rows of each long text that occurs several times."""
    groups: dict[str | None, list[int]] = defaultdict(list)
    for row, text in enumerate(texts) if len(set(texts)) < len(texts) else ():
        groups[text].append(row)
    return [rows for text, rows in groups.items() if len(rows) > 1 and is_long(text)]


def same_system(hyp: Column, earlier: Sequence[Column]) -> Iterator[Fault]:
    """The hypotheses of an earlier system under another name."""
    for other in earlier:
        if len(other) == len(hyp) and is_copy(hyp.texts, other.texts):
            message = f"The hypotheses are those of {other.name}."
            yield Fault("same-system", hyp, [], message, whole=True)
            return


def lost_characters(texts: Texts) -> Iterator[Fault]:
    """U+FFFD: characters that a decoder lost."""
    message = "There is U+FFFD, which replaces bytes that could not be decoded."
    for column in texts.scored:
        if rows := [row for row, text in enumerate(column.texts) if text and "\ufffd" in text]:
            yield Fault("replacement-character", column, rows, message, column.evidence(rows))


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
