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

#: The share of equal longer lines from which a file is a copy with a few changed lines, and from
#: which a reference was edited from a system: 0.09 in the best systems of WMT21 and WMT22, and 0.25
#: and more where it was.
_COPY, _EDITED = 0.98, 0.25


def _same(texts: Column, others: Column) -> tuple[list[int], int]:
    """The rows of equal long texts, and the number of long texts; none if these are few."""
    long = [row for row, text in enumerate(texts.texts) if is_long(text)]
    if len(long) <= WRITTEN_BY_PROGRAMS or len(texts) != len(others):
        return [], 1
    return [row for row in long if texts.texts[row] == others.texts[row]], len(long)


def copies(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that are the references or the sources, and references given twice."""
    kinds = {**dict.fromkeys(texts.refs, "hyp-is-ref")}
    if texts.src is not None:
        kinds[texts.src] = "hyp-is-src"
    edited = []
    for column, kind in kinds.items():
        rows, long = _same(texts.hyp, column)
        equal = f"{len(rows)} of {long} longer hypotheses equal {column.name}{column.suffix}"
        if len(rows) >= _COPY * long:
            message = f"The hypotheses are those of {column.name}: {equal}."
            yield Fault(kind, texts.hyp, rows, message)
            break
        if len(rows) > _EDITED * long and column.role == "ref":
            message = f"{equal}; of the best systems, fewer than a tenth do."
            edited.append(Fault("matches-reference", texts.hyp, rows, message))
    else:
        yield from edited
    for at, ref in enumerate(texts.refs):
        if earlier := next((other for other in texts.refs[:at] if _is_copy(ref, other)), None):
            message = f"The references repeat those of {earlier.name}{earlier.suffix}."
            left = [column for column in texts.refs if column is not ref]
            new = Texts(texts.hyp, left, texts.src)
            yield Fault("same-reference", ref, message=message, texts=new)


def _is_copy(column: Column, other: Column) -> bool:
    rows, long = _same(column, other)
    return len(rows) >= _COPY * long


def same_system(hyp: Column, earlier: Sequence[Column]) -> list[Fault]:
    """The hypotheses of an earlier system under another name."""
    names = [other.name for other in earlier if _is_copy(hyp, other)]
    message = f"The hypotheses are those of {''.join(names[:1])}."
    return [Fault("same-system", hyp, message=message)] if names else []


def untranslated(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that equal their sources, and no reference does."""
    if texts.src is None:
        return
    columns = [column.filled for column in (texts.hyp, texts.src, *texts.refs)]
    rows = [
        row for row, (hyp, source, *refs) in enumerate(zip(*columns, strict=True))
        if is_long(hyp) and is_long(source) and (plain := _plain(hyp)) == _plain(source)
        and plain not in map(_plain, refs)
    ]  # fmt: skip
    if rows:
        yield Fault("untranslated", texts.hyp, rows)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def repeats(texts: Texts, judge: Judge, similarity: Floats) -> Iterator[Fault]:
    """One text for several unrelated ones, segments that equal an earlier one, and U+FFFD."""
    for kind, column, facing, fewest in (
        ("repeated-reference", texts.refs[0], texts.hyp, CHOSEN_BY_WRITERS),
        ("repeated-output", texts.hyp, texts.refs[0], WRITTEN_BY_PROGRAMS - 1),
    ):
        stuck: list[list[int]] = []
        groups = _groups(column.texts)
        for group in groups:
            there = dict.fromkeys(facing.texts[row] or "" for row in group)
            if len(unlike := [*filter(is_long, there)]) >= fewest:
                among = judge.similarity(unlike[:-1], [unlike[1:]])
                if 2 * max(similarity[group].mean(), among.mean()) < similarity.mean():
                    stuck.append(group)
        if stuck:
            most, what = max(stuck, key=len), "hypothesis" if column is texts.hyp else "reference"
            times = quantity(len(most), "time")
            message = f"One {what} occurs {times} and faces unrelated texts."
            rows = sorted(row for group in stuck for row in group)
            yield Fault(kind, column, rows, message, column.evidence(most))
    earlier: dict[int, int] = {}
    for group in groups:
        first: dict[tuple[str | None, ...], int] = {}
        for row in group:
            before = first.setdefault(tuple(column.texts[row] for column in texts.scored), row)
            if before != row:
                earlier[row] = before
    if again := sorted(earlier):
        evidence = [
            (f"{place} as {texts.hyp.evidence([earlier[row]])[0][0]}", text)
            for row, (place, text) in zip(again, texts.hyp.evidence(again), strict=False)
        ]
        yield Fault("duplicate-segment", texts.hyp, again, evidence=evidence)
    for column in texts.scored:
        if rows := [row for row, text in enumerate(column.texts) if text and "\ufffd" in text]:
            yield Fault("replacement-character", column, rows)


def _groups(texts: Sequence[str | None]) -> list[list[int]]:
    """The rows of each long text that occurs several times."""
    groups: dict[str | None, list[int]] = defaultdict(list)
    for row, text in enumerate(texts) if len(set(texts)) < len(texts) else ():
        groups[text].append(row)
    return [rows for text, rows in groups.items() if len(rows) > 1 and is_long(text)]


def copied_sources(texts: Texts) -> Normalization:
    """Cuts sources in front of hypotheses, where no reference begins with them."""
    without: dict[str, str] = {}
    for hyp, *refs, source in zip(*(column.filled for column in texts.columns), strict=True):
        src = source.strip()
        left = hyp[len(src) :].lstrip(" \t|=>:/\\-")
        if left and hyp.startswith(src) and is_long(src) and src not in refs:
            without[hyp] = left
    return Normalization(
        "copied-sources", "added-text", lambda text: without.get(text, text),
        advice="remove it: score the translations alone", lines=1, side="hyp",
    )  # fmt: skip
