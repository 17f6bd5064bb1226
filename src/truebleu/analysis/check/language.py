# SPDX-License-Identifier: Apache-2.0
"""Lines in another script or language than their counterparts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.scripts import UNSPACED, count, main_script
from truebleu.analysis.check.texts import Column, Texts, excerpt

#: For each column the texts of all segments.
Segments = dict[Column, list[str | None]]

#: The fewest letters whose script is evidence: names and units are shorter.
_LETTERS = {"Han": 4, "Kana": 4, "Hangul": 4}
_LETTERS_ELSE = 12
#: The fewest letters of a script that no counterpart has: scientific symbols and currencies are
#: fewer.
_FOREIGN = 3
#: No Japanese sentence has this many characters of Han and no kana.
_WITHOUT_KANA = 12
#: The fewest different words of a line in which the lack of all frequent words is evidence, the
#: fewest words of the references that show which are frequent, and how many count as frequent. In
#: slices of 80 lines of WMT22, shorter lines without any are names and recipes.
_WORDS, _ENOUGH, _FREQUENT = 12, 1_300, 50
#: The share of frequent words in the counterparts of a line in the wrong language.
_USUAL = 0.15
#: A wrong language stays below this share of known words and this similarity to counterparts.
_KNOWN, _ALIKE = 0.35, 0.3
_WORD = re.compile(r"[^\W\d_]{2,}")


def find(
    texts: Texts, similarity: Similarity, damaged: Container[tuple[Any, int]] = ()
) -> Iterator[Fault]:
    """Lines in another script or language than the rest, in aligned texts.

    Args:
        damaged: rows whose letters are known to be wrong, as pairs of a column's place and a row.
    """
    columns = {column: texts.segments(column) for column in texts.scored}
    for column, segments in columns.items():
        for segment in range(len(segments)):
            if (column.place, texts.row(column, segment)) in damaged:
                segments[segment] = None
    main = main_script(text for ref in texts.refs for text in columns[ref])
    foreign: dict[Column, list[int]] = {}
    if main == "Japanese":
        foreign = {texts.hyp: _without_kana(columns, texts.hyp)}
    elif main not in ("", *UNSPACED):
        foreign = _without_frequent_words(columns, texts, similarity)
    for column in columns if main else ():
        odd = _odd_scripts(columns, column, main)
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
                else f"None of the {side}' frequent words occur: wrong language?"
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


def _odd_scripts(columns: Segments, column: Column, main: str) -> dict[int, str]:
    """The segments of a column in a wrong script, and that script."""
    odd = {}
    for segment, text in enumerate(columns[column]):
        if not text or (main == "Latin" and text.isascii()):
            continue
        own = count(text)
        if not own or set(own) <= _letters_of(main):
            continue
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


def _without_frequent_words(
    columns: Segments, texts: Texts, similarity: Similarity
) -> dict[Column, list[int]]:
    """Segments of each column in another language than their counterparts."""
    lines = {
        column: [set(_WORD.findall(text.lower())) if text else set() for text in segments]
        for column, segments in columns.items()
    }
    in_refs = Counter(word for ref in texts.refs for words in lines[ref] for word in words)
    if in_refs.total() < _ENOUGH:
        return {}
    frequent = {word for word, _ in in_refs.most_common(_FREQUENT)}
    known = {word for word, times in in_refs.items() if times > 1}
    foreign: dict[Column, list[int]] = {}
    for column, segments in columns.items():
        others = [lines[other] for other in columns if other is not column]
        foreign[column] = [
            segment for segment, words in enumerate(lines[column])
            if len(words) >= _WORDS and not frequent.intersection(words)
            and _share(words, known) < _KNOWN
            and (there := [of[segment] for of in others if of[segment]])
            and all(_share(other, frequent) > _USUAL for other in there)
            and all(
                similarity.of_pairs([segments[segment] or ""], [other])[0] < _ALIKE
                for other in _counterparts(columns, column, segment)
            )
        ]  # fmt: skip
    return foreign


def _share(words: set[str], among: set[str]) -> float:
    return len(words & among) / len(words)
