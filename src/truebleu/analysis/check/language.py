# SPDX-License-Identifier: Apache-2.0
"""Lines in another script or language than their counterparts."""

from __future__ import annotations

import re
from collections import Counter

from truebleu.analysis.check.excerpts import excerpt
from truebleu.analysis.check.fault import Fault
from truebleu.analysis.check.scripts import UNSPACED, count, main_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import Any

    from truebleu.analysis.check.similarity import Similarity
    from truebleu.analysis.check.texts import Column, Texts

#: Letters that a text must have before its script says something: names and units are shorter.
_LETTERS = {"Han": 4, "Kana": 4, "Hangul": 4}
_LETTERS_ELSE = 12
#: Letters of a script that no counterpart has: more than a symbol of science or a currency.
_FOREIGN = 3
#: Characters of Han without one of kana that no Japanese sentence has.
_WITHOUT_KANA = 12
#: Different words of two letters or more that a line must have before the lack of all frequent ones
#: says something, words of references that are needed to know which are frequent, and how many
#: are. In slices of 80 lines of WMT22, shorter lines without any are names and recipes.
_WORDS, _ENOUGH, _FREQUENT = 12, 1_300, 50
#: The share of frequent words that the counterparts of a line in the wrong language have.
_USUAL = 0.15
#: The share of known words, and the likeness to counterparts, that a wrong language stays below.
_KNOWN, _ALIKE = 0.35, 0.3
_WORD = re.compile(r"[^\W\d_]{2,}")


def find(
    texts: Texts, similarity: Similarity, damaged: Container[tuple[Any, int]] = ()
) -> Iterator[Fault]:
    """Lines that are in another script or language than the rest, of texts that are in step.

    Args:
        damaged: rows whose letters are known to be wrong, as pairs of a column's place and a row.
    """
    columns = {column: texts.segments(column) for column in (texts.hyp, *texts.refs)}
    for column, segments in columns.items():
        for segment in range(len(segments)):
            if (column.place, texts.row(column, segment)) in damaged:
                segments[segment] = None
    main = main_script(text for ref in texts.refs for text in columns[ref])
    odd = {column: _odd_scripts(columns, column, main) for column in columns if main}
    foreign: dict[Column, list[int]] = {}
    if main == "Japanese":
        foreign = {texts.hyp: _without_kana(columns, texts.hyp)}
    elif main not in ("", *UNSPACED):
        foreign = _without_frequent_words(columns, texts.refs, similarity)
    for column, found_scripts in odd.items():
        rows = {
            row: segment for segment in range(texts.length)
            if (row := texts.row(column, segment)) is not None
        }  # fmt: skip
        scripts = {row: found_scripts[at] for row, at in rows.items() if at in found_scripts}
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
        others = set(foreign.get(column, ()))
        found = [row for row, at in rows.items() if at in others and row not in scripts]
        if found:
            what = "kana" if main == "Japanese" else "frequent words"
            yield Fault(
                "wrong-language", column, found,
                f"There are no {what}, which the counterparts have.",
                evidence=[(column.where(r), excerpt(column.texts[r] or "")) for r in found[:3]],
            )  # fmt: skip


def _from_script(text: str, script: str) -> str:
    """A text from where the first letter of a script stands."""
    at = (i for i, letter in enumerate(text) if script in count(letter))
    return excerpt(text, next(at, 0))


def _counterparts(
    columns: dict[Column, list[str | None]], column: Column, segment: int
) -> list[str]:
    """What a text is compared with: a hypothesis with the references, a reference with all."""
    return [
        text for other, texts in columns.items()
        if other is not column and (text := texts[segment]) is not None and text.strip()
    ]  # fmt: skip


def _odd_scripts(
    columns: dict[Column, list[str | None]], column: Column, main: str
) -> dict[int, str]:
    """Segments of a column with the script that they should not be in."""
    found = {}
    for segment, text in enumerate(columns[column]):
        if not text or (main == "Latin" and text.isascii()):
            continue
        own = count(text)
        if not own or set(own) <= _letters_of(main):
            continue
        others = _counterparts(columns, column, segment)
        script = _odd_script(own, [count(other) for other in others], main, column.role == "hyp")
        if others and script:
            found[segment] = script
    return found


def _letters_of(main: str) -> set[str]:
    return {"Han", "Kana"} if main == "Japanese" else {main}


def _odd_script(own: Counter[str], others: list[Counter[str]], main: str, foreign: bool) -> str:
    """The script that a text is in, or has letters of, and should not; else empty."""
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


def _without_kana(columns: dict[Column, list[str | None]], column: Column) -> list[int]:
    found = []
    for segment, text in enumerate(columns[column]):
        own = count(text or "")
        if own["Kana"] or own["Han"] < _WITHOUT_KANA:
            continue
        others = [count(other) for other in _counterparts(columns, column, segment)]
        if others and all(of["Kana"] >= 3 for of in others):
            found.append(segment)
    return found


def _without_frequent_words(
    columns: dict[Column, list[str | None]], refs: Sequence[Column], similarity: Similarity
) -> dict[Column, list[int]]:
    """Segments of each column that are in another language than their counterparts."""
    lines = {
        column: [set(_WORD.findall(text.lower())) if text else set() for text in texts]
        for column, texts in columns.items()
    }
    if sum(len(words) for ref in refs for words in lines[ref]) < _ENOUGH:
        return {}
    seen = Counter(word for ref in refs for words in lines[ref] for word in words)
    frequent = {word for word, _ in seen.most_common(_FREQUENT)}
    known = {word for word, times in seen.items() if times > 1}
    found: dict[Column, list[int]] = {}
    for column, texts in columns.items():
        others = [lines[other] for other in columns if other is not column]
        suspects = [
            segment for segment, words in enumerate(lines[column])
            if len(words) >= _WORDS and not frequent.intersection(words)
            and _share(words, known) < _KNOWN
            and (there := [of[segment] for of in others if of[segment]])
            and all(_share(other, frequent) > _USUAL for other in there)
        ]  # fmt: skip
        found[column] = [
            segment for segment in suspects
            if all(
                similarity.of_pairs([texts[segment] or ""], [other])[0] < _ALIKE
                for other in _counterparts(columns, column, segment)
            )
        ]  # fmt: skip
    return found


def _share(words: set[str], among: set[str]) -> float:
    return len(words & among) / len(words)
