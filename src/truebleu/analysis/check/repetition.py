# SPDX-License-Identifier: Apache-2.0
"""Hypotheses that repeat themselves, and hypotheses that stop before the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.marks import STOPS, alike
from truebleu.analysis.check.texts import Texts

#: Only lines this much longer than their references can repeat themselves.
_LONGER = 1.15
#: The longest text, in tokens, that is repeated at the end of a line, and the fewest times.
_PERIOD, _TIMES = 12, 4
_TOKEN = re.compile(r"[^\W\d_]+|\d+|\S")
#: A line that was cut has less than this share of the reference's length.
_CUT = 0.78
#: It is more similar to the beginning of its reference than to the end by this. That must be so
#: often: in so many lines, and so many times as often as the opposite. Of 632 systems of WMT21 to
#: WMT23, 14 have that; sources show that their lines were cut. 6 have 5 to 7 such lines, most of
#: them short translations of headlines.
_MORE, _CUT_LINES, _OFTENER = 0.1, 8, 2.5
#: A limit of fewer words is none: texts without spaces have one word.
_LIMIT = 5
_BACKWARDS = slice(None, None, -1)
#: What ends a sentence; nothing ends an empty one.
_STOPS = frozenset(other for stop in STOPS for other in alike(stop))


def find(texts: Texts, similarity: Similarity) -> Iterator[Fault]:
    """Repetition and truncation of hypotheses, in aligned texts."""
    hyps, *refs = map(texts.filled, texts.scored)
    sizes, *others = map(texts.lengths, texts.scored)
    repeated = [
        row for row in np.flatnonzero(sizes > _LONGER * np.max(others, axis=0)).tolist()
        if (short := _once(hyp := hyps[row])) != hyp
        and all(_once(column[row]) == column[row] for column in refs)
        and len(short) < len(hyp)
    ]  # fmt: skip
    rows = texts.rows_of(texts.hyp, repeated)
    if rows:
        yield Fault(
            "repeated-text", texts.hyp, rows, "The hypothesis repeats itself.",
            evidence=texts.hyp.evidence(rows), fix=_once,
        )  # fmt: skip
    rows = texts.rows_of(texts.hyp, _cut(hyps, refs, similarity))
    if rows:
        yield Fault(
            "truncated", texts.hyp, rows, "The hypothesis stops before the end of its reference.",
            evidence=[(texts.hyp.where(row), f"…{(texts.hyp.texts[row] or '')[-60:]}")
                      for row in rows[:3]],
        )  # fmt: skip


def _once(text: str) -> str:
    """A text without repeats of itself or of its end."""
    start = text[:8]
    at = text.find(start, 1) if len(start) == 8 else -1
    while at > 0:
        unit = text[:at].rstrip(" \t|/-")
        if not re.search(r"\w", text.replace(unit, "")):
            return unit
        at = text.find(start, at + 1)
    tokens = _TOKEN.findall(text)
    for period in range(1, min(_PERIOD, len(tokens) // _TIMES) + 1):
        same = 0
        while same + period < len(tokens) and tokens[-1 - same] == tokens[-1 - same - period]:
            same += 1
        last = tokens[len(tokens) - period :]
        if same >= (_TIMES - 1) * period and any(map(str.isalnum, last)):
            places = list(_TOKEN.finditer(text))
            return text[: places[len(tokens) - same - 1].end()]
    return text


def _cut(hyps: Sequence[str], refs: Sequence[Sequence[str]], similarity: Similarity) -> list[int]:
    """The rows of hypotheses that stop without a stop, unlike all of their references.

    A limit of tokens shows as the length that most of the cut ones have.
    """
    open_ended = [
        row for row, hyp in enumerate(hyps)
        if not _ends(hyp) and hyp.strip() and all(_ends(column[row]) for column in refs)
    ]  # fmt: skip
    short = [
        row for row in open_ended
        if len(hyps[row]) < _CUT * min(len(column[row]) for column in refs) - 3
    ]  # fmt: skip
    # A short translation is like all of its reference, a cut one like its beginning.
    alike = [_alike(similarity, short, hyps, refs, side) for side in (slice(None), _BACKWARDS)]
    cut = [row for row, start, end in zip(short, *alike, strict=True) if start > end + _MORE]
    against = sum(1 for start, end in zip(*alike, strict=True) if end > start + _MORE)
    if len(cut) < max(_CUT_LINES, _OFTENER * against):
        return []
    ended = sum(
        _ends(hyp) and not any(_ends(column[row]) for column in refs)
        for row, hyp in enumerate(hyps)
    )
    if len(cut) < ended // 8:
        return []
    for length in (_words, len):
        limit, times = Counter(length(hyps[row]) for row in cut).most_common(1)[0]
        if limit >= _LIMIT and times * 2 > len(cut):
            return [row for row in open_ended if length(hyps[row]) == limit]
    # There are cut lines, so less shows that a line is one of them.
    return [row for row, start, end in zip(short, *alike, strict=True) if start > end]


def _alike(
    similarity: Similarity, rows: list[int], hyps: Sequence[str], refs: Sequence[Sequence[str]],
    side: slice,
) -> list[float]:  # fmt: skip
    """How similar hypotheses are to the beginnings, or the ends, of their references."""
    own = [hyps[row][side] for row in rows]
    parts = [[column[row][side][: len(hyps[row])] for row in rows] for column in refs]
    return [
        max(scores)
        for scores in zip(*(similarity.of_pairs(own, one) for one in parts), strict=True)
    ]


def _words(text: str) -> int:
    return len(text.split())


def _ends(text: str) -> bool:
    return text[-1:] in _STOPS or text.rstrip()[-1:] in _STOPS
