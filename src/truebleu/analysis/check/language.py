# SPDX-License-Identifier: Apache-2.0
"""Lines in another script or language than their counterparts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.letter_model import LetterModel, Letters
from truebleu.analysis.check.scripts import (
    UNSPACED,
    count,
    letters_by_script,
    script_of,
    script_of_most,
)
from truebleu.analysis.check.signs import WIDE, Sign, members
from truebleu.analysis.check.texts import Column, Texts, excerpt

#: For each column the texts of all segments.
Segments = dict[Column, Sequence[str | None]]

#: The fewest letters whose script is evidence: names and units are shorter.
_LETTERS = {"Han": 4, "Kana": 4, "Hangul": 4}
_LETTERS_ELSE = 12
#: The fewest letters of a script that no counterpart has: scientific symbols and currencies are
#: fewer.
_FOREIGN = 3
#: No Japanese sentence has this many characters of Han and no kana.
_WITHOUT_KANA = 12
#: The fewest letters of a line that show its language, alone and among other such lines, and of the
#: texts that teach it.
_ALONE, _SHORTEST, _ENOUGH = 24, 12, 4_000
#: A line in another language fits worse than its counterparts by this much for each letter, plus
#: this much for a whole line (logarithms of probabilities), and is less similar to them than this.
_WORSE, _WORSE_LINE, _ALIKE = 0.85, 8.0, 0.2
#: Lines that fit the sources better than the counterparts, or such lines, which teach less, by
#: these: with 32 English lines of 320 in German, half are such lines and 9 of 10 fit those.
_WORSE_SOMEHOW, _BETTER, _BETTER_BY_FEW, _ALIKE_SOMEHOW = 0.15, 0.3, 0.1, 0.35
#: About how many texts teach a language.
_LESSONS = 10_000
#: The fewest such lines that teach their language, and how often they are looked for.
_FEWEST, _ROUNDS = 3, 3


def find(
    texts: Texts,
    similarity: Similarity,
    alike: NDArray[np.float64],
    damaged: Iterable[tuple[Any, int]] = (),
) -> Iterator[Fault]:
    """Lines in another script or language than the rest, in aligned texts.

    Args:
        alike: how similar each hypothesis is to its references.
        damaged: rows whose letters are known to be wrong, as pairs of a column's place and a row.
    """
    columns = {column: texts.segments(column) for column in texts.scored}
    intact = set(columns)
    for column in texts.scored:
        bad = {row for place, row in damaged if place == column.place}
        if bad:
            intact.remove(column)
            columns[column] = segments = list(columns[column])
            for segment in texts.segments_of(column, bad):
                segments[segment] = None
    main = script_of_most(sum((letters_by_script(columns[ref]) for ref in texts.refs), Counter()))
    foreign: dict[Column, list[int]] = {}
    if main == "Japanese":
        foreign = {texts.hyp: _without_kana(columns, texts.hyp)}
    elif main not in ("", *UNSPACED):
        foreign = _in_another_language(columns, texts, intact, main, similarity, alike)
    for column in columns if main else ():
        odd = _odd_scripts(texts, columns, column, main)
        scripts = {row: odd[i] for i in odd if (row := texts.row(column, i)) is not None}
        if scripts:
            names = ", ".join(sorted(set(scripts.values())))
            yield Fault(
                "wrong-script", column, list(scripts),
                f"There are letters of a script ({names}) that the counterparts do not have.",
                evidence=[
                    (column.where(row), _from_script(column.texts[row] or "", script))
                    for row, script in list(scripts.items())[:3]
                ],
            )  # fmt: skip
        rows = [row for row in texts.rows_of(column, foreign.get(column, ())) if row not in scripts]
        if rows:
            side = "references" if column is texts.hyp else "counterparts"
            message = (
                f"There is no kana, but the {side} have it: wrong language?" if main == "Japanese"
                else f"The letters are not those of the {side}' language."
            )  # fmt: skip
            yield Fault("wrong-language", column, rows, message, evidence=column.evidence(rows))


def _from_script(text: str, script: str) -> str:
    """A text from the first letter of a script."""
    at = (i for i, letter in enumerate(text) if script in count(letter))
    return excerpt(text, next(at, 0))


def _counterparts(columns: Segments, column: Column, segment: int) -> list[str]:
    """The texts to compare with: the references of a hypothesis, all others of a reference."""
    return [
        text for other, texts in columns.items()
        if other is not column and (text := texts[segment]) is not None and text.strip()
    ]  # fmt: skip


#: The first bytes of other letters than Latin, but for E2, with which punctuation begins, too.
_BEYOND_LATIN = Sign(
    members("\u2e80-\u2fdf"), wide=(one for one in WIDE if one >= "\u0340" and one != "\u2000")
)


def _odd_scripts(texts: Texts, columns: Segments, column: Column, main: str) -> dict[int, str]:
    """The segments of a column in a wrong script, and that script."""
    odd: dict[int, str] = {}
    usual = {"", *_letters_of(main)}
    segments = columns[column]
    rows = texts.with_sign(_BEYOND_LATIN, column) if main == "Latin" else range(len(segments))
    joined = "".join(segments[row] or "" for row in rows)
    codes = np.frombuffer(joined.encode("utf-32-le"), np.uint32)
    letters = map(chr, np.flatnonzero(np.bincount(codes)).tolist())
    foreign = "".join(letter for letter in letters if script_of(letter) not in usual)
    if not foreign:
        return {}
    is_foreign = re.compile(f"[{re.escape(foreign)}]")
    for segment in rows:
        if not is_foreign.search(segments[segment] or ""):
            continue
        own = count(segments[segment] or "")
        others = _counterparts(columns, column, segment)
        script = _odd_script(own, [count(other) for other in others], main, column.role == "hyp")
        if others and script:
            odd[segment] = script
    return odd


def _letters_of(main: str) -> set[str]:
    return {"Han", "Kana"} if main == "Japanese" else {main}


def _odd_script(own: Counter[str], others: list[Counter[str]], main: str, foreign: bool) -> str:
    """The wrong script of a text or of some of its letters; else empty."""
    usual = _letters_of(main)
    script = max(own, key=lambda script: own[script])
    if (
        not any(own[name] for name in usual)
        and own[script] >= _LETTERS.get(script, _LETTERS_ELSE)
        and all(sum(of[name] for name in usual) * 2 > of.total() for of in others)
    ):
        return script
    if foreign:
        for script, letters in own.items():
            known = script in usual or script == "Latin"
            if not known and letters >= _FOREIGN and not any(of[script] for of in others):
                return script
    return ""


def _without_kana(columns: Segments, column: Column) -> list[int]:
    """Segments of Han alone whose counterparts have kana."""
    segments = []
    for segment, text in enumerate(columns[column]):
        own = count(text or "")
        if own["Kana"] or own["Han"] < _WITHOUT_KANA:
            continue
        others = [count(other) for other in _counterparts(columns, column, segment)]
        if others and all(of["Kana"] >= 3 for of in others):
            segments.append(segment)
    return segments


def _in_another_language(
    columns: Segments,
    texts: Texts,
    intact: Container[Column],
    script: str,
    similarity: Similarity,
    unlike: NDArray[np.float64],
) -> dict[Column, list[int]]:
    """Segments of each column in another language than their counterparts."""
    some = slice(None, None, max(texts.length // _LESSONS, 1))
    lessons = {column: Letters(segments[some], script) for column, segments in columns.items()}
    src = None if texts.src is None else Letters(texts.segments(texts.src)[some], script)

    @cache
    def models(*others: Column) -> list[LetterModel]:
        # The counterparts fit a model that has not seen them: of one half of the letters.
        codes = np.concatenate([lessons[other].codes for other in others])
        parts = (slice(None), slice(len(codes) // 2), slice(len(codes) // 2, None))
        return [LetterModel(codes[part]) for part in parts]

    filled = {
        column: texts.filled(column) if column in intact else [text or "" for text in segments]
        for column, segments in columns.items()
    }
    foreign: dict[Column, list[int]] = {}
    for column, segments in columns.items():
        others = [texts.hyp] if column is not texts.hyp else list(texts.refs)
        if sum(int(lessons[other].count.sum()) for other in others) < _ENOUGH:
            continue
        alike = unlike
        if column is not texts.hyp:
            alike = similarity.of_columns(filled[texts.hyp], filled[column])
        suspects = np.flatnonzero(alike < _ALIKE_SOMEHOW)
        own = Letters([segments[i] for i in suspects.tolist()], script)
        model, *halves = models(*others)
        fit = model.means(own)
        usual = np.full(len(suspects), -np.inf)
        for other in others:
            facing = Letters([columns[other][i] for i in suspects.tolist()], script)
            held_out = np.min([half.means(facing) for half in halves], axis=0)
            usual = np.maximum(usual, np.where(facing.count, held_out, -np.inf))
        is_suspect = (own.count >= _SHORTEST) & (usual - fit > _WORSE_SOMEHOW) & np.isfinite(usual)
        alike, worse, count = alike[suspects], usual - fit, own.count
        found = (
            is_suspect
            & (worse > _WORSE + _WORSE_LINE / np.maximum(count, 1))
            & (alike < _ALIKE)
            & (count >= _ALONE)
        )
        if src is not None and column is texts.hyp:
            found |= is_suspect & (LetterModel(src.codes).means(own) - fit > _BETTER)
        for _ in range(_ROUNDS if found.sum() >= _FEWEST else 0):
            codes = own.codes[np.isin(own.rows, np.flatnonzero(found))]
            found |= is_suspect & (LetterModel(codes).means(own) - fit > _BETTER_BY_FEW)
        foreign[column] = suspects[found].tolist()
    return foreign
