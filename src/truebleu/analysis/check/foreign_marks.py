# SPDX-License-Identifier: Apache-2.0
"""Marks inside lines that no reference has: line breaks, tags, escapes; and lost spaces."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from string import ascii_letters
from urllib.parse import unquote

import numpy as np

from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.marks import (
    FEWEST,
    ODD,
    alike,
    is_local,
    is_odd,
    only_here,
    plain,
)
from truebleu.analysis.check.scripts import UNSPACED
from truebleu.analysis.check.signs import WIDE, Sign, members
from truebleu.analysis.check.texts import Column, Texts

_NAME = r"</?\w[^<>\s]{0,20}>|\[/?[A-Z]{2,12}\]"
#: A tag, a name in brackets, a backslash and a letter, or a run of other characters up to a tag.
#: Each begins with what `re` compares before it tries the rest: of most characters, none.
_MARK = re.compile(
    rf"{_NAME}|\\[A-Za-z](?:\\[A-Za-z])*|[^\w\s](?:[^\w\s<\[]|(?!{_NAME})[<\[])*|__*"
)
#: Texts without any of these have no such mark.
_ODD = Sign(["⁇", *(other for sign in (*ODD, "[") for other in alike(sign))])
_TAG = re.compile(r"<.*\w.*>|\[/?[A-Z]+\]|\\[A-Za-z].*|⁇")


def find(texts: Texts, similarity: Similarity) -> Iterator[Fault]:
    """Faults of the marks of hypotheses, in aligned texts."""
    hyps, *refs = map(texts.filled, texts.scored)
    escaped: set[int] = set()
    for fault in _escapes(texts, hyps):
        escaped.update(fault.rows)
        yield fault
    if texts.refs[0].script not in UNSPACED:
        yield from _spaces(texts, hyps, refs)
    yield from _marks(texts, hyps, refs, escaped, similarity)


def _fault(
    texts: Texts, kind: str, rows: list[int], message: str, fix: Callable[[str], str] | None,
    pattern: re.Pattern[str] | None = None,
) -> Fault:  # fmt: skip
    own = texts.rows_of(texts.hyp, rows)
    return Fault(
        kind, texts.hyp, own, message, evidence=texts.hyp.evidence(own, pattern), fix=fix
    )  # fmt: skip


# Escapes of JSON, Python and URLs.

_BACKSLASH = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\"'/])")
_BACKSLASH_RUN = re.compile(rf"(?:{_BACKSLASH.pattern})+")
_PERCENT = re.compile(r"%[0-9A-F]{2}")


def _unescaped(run: re.Match[str]) -> str:
    try:
        text = run[0].replace("\\/", "/").encode("latin-1").decode("unicode_escape")
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeError:
        return run[0]


_ESCAPES = {
    _BACKSLASH: (
        Sign("\\"),
        "backslashes, as in JSON",
        1,
        lambda text: _BACKSLASH_RUN.sub(_unescaped, text),
    ),
    _PERCENT: (
        Sign(pairs=product("%", members("0-9A-F"))),
        "percent signs, as in URLs",
        3,
        unquote,
    ),
}


def _escapes(texts: Texts, hyps: Sequence[str]) -> Iterator[Fault]:
    for pattern, (sign, how, fewest, fix) in _ESCAPES.items():
        own, *others = (texts.matching(pattern, sign, column) for column in texts.scored)
        rows = [row for row in own if len(pattern.findall(hyps[row])) >= fewest]
        rows = only_here(rows, set().union(*others))
        if rows:
            yield _fault(
                texts, "escaped", rows, f"Characters are escaped with {how}.", fix, pattern
            )


# Spaces.

#: The stop first, and then what is before it: `re` looks for a set of characters fast.
_CLOSED = re.compile(
    r"[,;:!?.](?:(?<=[^\W\d_]{2}[,;:!?])(?=[^\W\d_]{2})"
    r"|(?<=[^\W\d_A-Z][.])(?=[A-ZÀ-ÞА-Я][^\W\d_]))"
)
_STOPPED = Sign(pairs=product(",;:!?.", (*ascii_letters, *WIDE)))
_GAP = re.compile(r"(?<=\w)([^\w\s]|_)(?=\w)")


def _spaces(texts: Texts, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> Iterator[Fault]:
    """Lines without spaces, with marks instead of them, or without those after punctuation."""
    instead: dict[str, list[int]] = defaultdict(list)
    own, *others = map(texts.blanks, texts.scored)
    for row in np.flatnonzero(4 * own < np.min(others, axis=0)).tolist():
        hyp = hyps[row]
        spaces, length = min((column[row].count(" "), len(column[row])) for column in refs)
        if spaces >= 3 and len(hyp) * 2 > length:
            usual = Counter(_GAP.findall(hyp) if " " not in hyp.strip() else ())
            mark, times = max(usual.items(), key=lambda item: item[1], default=("", 0))
            instead[mark if times * 2 >= spaces else ""].append(row)
    for mark, rows in instead.items():
        if mark and len(rows) >= FEWEST:
            message = f'There is "{mark}" instead of spaces.'
            fix = partial(_with_spaces, mark)
            yield _fault(texts, "missing-spaces", rows, message, fix)
    if len(instead[""]) >= FEWEST:
        message = "There are no spaces between words, unlike in the references."
        yield _fault(texts, "missing-spaces", instead[""], message, None)
    known = {row for rows in instead.values() for row in rows}
    closed, *theirs = (texts.matching(_CLOSED, _STOPPED, column) for column in texts.scored)
    rows = only_here(closed - known, set().union(*theirs) - known)
    if rows:
        message = "There is no space after punctuation, unlike in the references."
        fix = partial(_CLOSED.sub, r"\g<0> ")
        yield _fault(texts, "missing-spaces", rows, message, fix, _CLOSED)


def _with_spaces(mark: str, text: str) -> str:
    return text.replace(mark, " ").strip()


# All other marks.


def _marks(
    texts: Texts, hyps: Sequence[str], refs: Sequence[Sequence[str]], escaped: set[int],
    similarity: Similarity,
) -> Iterator[Fault]:  # fmt: skip
    own = {
        mark: (here, tag) for mark, here in _rows_by_mark(texts, texts.hyp).items()
        if len(here) >= FEWEST and ((tag := _TAG.match(mark)) or any(map(is_odd, mark)))
    }  # fmt: skip
    theirs = [_rows_by_mark(texts, one, own) for one in (texts.columns[1:] if own else ())]
    by_rows: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for mark, (here, tag) in own.items():
        there = set().union(*(rows.get(mark, ()) for rows in theirs))
        # Sources can have other marks, which references leave out, often in one document.
        rows = only_here(here - escaped, there, FEWEST if tag else 2 * FEWEST)
        if rows and not is_local(rows, len(hyps)):
            by_rows[tuple(rows)].append(mark)
    for some, marks in by_rows.items():
        rows = list(some)
        pattern = re.compile(r"[ ]*(?:" + "|".join(map(re.escape, marks)) + ")+[ ]*")
        fix = _better(pattern, hyps, refs[0], rows[:200], similarity)
        shown = ", ".join(f'"{mark}"' for mark in marks[:3])
        message = f"There is {shown}, unlike in the references."
        yield _fault(texts, "foreign-marks", rows, message, fix, pattern)


def _rows_by_mark(
    texts: Texts, column: Column, some: Iterable[str] | None = None
) -> dict[str, set[int]]:
    """The rows of each mark, or of some."""
    rows: dict[str, set[int]] = defaultdict(set)
    segments = texts.filled(column)
    for row in texts.with_sign(_ODD, column):
        text = plain(segments[row])
        if some is None or any(mark in text for mark in some):
            for mark in _MARK.findall(text):
                rows[mark].add(row)
    return rows


def _better(
    pattern: re.Pattern[str], hyps: Sequence[str], refs: Sequence[str], rows: list[int],
    similarity: Similarity,
) -> Callable[[str], str]:  # fmt: skip
    """Delete the marks, or put a space there: whichever makes lines more similar."""
    fixes = [partial(pattern.sub, new) for new in ("", " ")]
    facing = [refs[row] for row in rows]
    alike = [similarity.of_pairs([fix(hyps[row]) for row in rows], facing).sum() for fix in fixes]
    return fixes[int(alike[1] >= alike[0])]
