# SPDX-License-Identifier: Apache-2.0
"""Text around translations: tags, numbers, quotes, labels, phrases of chat models, the source."""
# ruff: noqa: RUF001  (quotation marks and dashes of all languages)

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.marks import (
    FEWEST,
    SENTENCE,
    TIMES,
    alike,
    is_local,
    is_odd,
    only_here,
    plain,
)
from truebleu.analysis.check.signs import Sign, members
from truebleu.analysis.check.texts import Column, Texts
from truebleu.metrics.kernel import end_tokens, end_words, shared_ends

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: How many letters of a line to compare.
_LETTERS = 40
#: The longest affix.
_LONGEST = 200
#: The share of lines that must go on alike for a longer text to be the one that was added.
_ALIKE = 0.9
#: Words in front of so many lines are an addition if they are this long, if the lines are longer
#: than others by this share of them, by so many standard errors, and if their references are no
#: more alike there than this, and so many times more than others: translations of one phrase are.
_LINES, _LONG, _LONGER, _ERRORS, _ONE_PHRASE, _UNUSUAL = 8, 16, 0.6, 4.0, 0.4, 3
#: A sentence of so many letters is no accident: a smaller share and fewer errors are enough.
_SENTENCE, _LITTLE = 25, (0.3, 1.5)
#: The highest usual ratio of lengths: if other lines are longer, they have additions as well.
_MOST = 1.05
#: The fewest lines with a label, a word and a colon, or with quotes around them, unless most have
#: them: systems copy those of their sources, which references leave out.
_LABELS, _QUOTES = 16, 8

#: About how many lines show what was added; then it is looked for in all.
_SAMPLE = 10_000

#: Signs around additions that sentences have too, but few of them. Brackets can be quotation marks.
_SIGNS = "#="

#: A translation has more letters than this share of its source: Chinese has a quarter of English.
_AFTER = 0.1

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Affix:
    """Tokens at one end of lines; those at the end of lines are backwards."""

    tokens: Tokens
    rows: list[int]


def find(texts: Texts) -> Iterator[Fault]:
    """Text around hypotheses that references lack, in aligned texts."""
    hyps, *refs = map(texts.filled, texts.scored)
    copied = [] if texts.src is None else _sources_in_front(texts, hyps, refs, texts.src)
    if copied:
        src = dict(zip(copied, (texts.segments(texts.src)[i] for i in copied), strict=True))  # type: ignore[arg-type]
        known = {hyps[i]: _after_source(hyps[i], src[i] or "") for i in copied}
        yield _fault(texts, copied, "The hypotheses begin with their sources.", known.__getitem__)
    excess = _Excess(texts)
    if texts.src is not None:  # what sources have was not added
        refs.append(texts.filled(texts.src))
    before = _affixes(hyps, refs, excess, at_end=False)
    after = _affixes(hyps, refs, excess, at_end=True)
    taken: set[int] = set(copied)
    in_quotes, *others = (
        {row for row in texts.with_sign(_QUOTE, place) if _is_quoted(column[row])}
        for place, column in zip(texts.columns, (hyps, *refs), strict=True)
    )
    theirs = set().union(*others)
    quoted = _quoted(hyps, in_quotes - taken, theirs)
    if 2 * len(quoted) > len(hyps):  # what is alike inside of the quotes is the translation
        taken.update(quoted)
        yield _unquote(texts, quoted)
    for first in before:
        rows = [row for row in first.rows if row not in taken]
        last = next((one for one in after if _share(one.rows, first.rows) >= _ALIKE), None)
        if last is not None:
            after.remove(last)
        if len(rows) >= FEWEST:
            taken.update(rows)
            yield from _cut(texts, hyps, rows, first, last)
    for last in after:
        rows = [row for row in last.rows if row not in taken]
        if len(rows) >= FEWEST:
            taken.update(rows)
            yield from _cut(texts, hyps, rows, None, last)
    if quoted := _quoted(hyps, in_quotes - taken, theirs):
        yield _unquote(texts, quoted)


def _share(rows: Sequence[int], others: Sequence[int]) -> float:
    """How much two sets of rows have in common."""
    return len({*rows} & {*others}) / len({*rows} | {*others})


def _fault(texts: Texts, rows: list[int], message: str, fix: Callable[[str], str]) -> Fault:
    own = texts.rows_of(texts.hyp, rows)
    return Fault(
        "added-text", texts.hyp, own, message, evidence=texts.hyp.evidence(own), fix=fix
    )  # fmt: skip


# Sources.


def _sources_in_front(
    texts: Texts, hyps: Sequence[str], refs: Sequence[Sequence[str]], src: Column
) -> list[int]:
    """The segments whose hypothesis goes on after its source."""
    return [
        i for i, (hyp, source) in enumerate(zip(hyps, texts.segments(src), strict=True))
        if source and len(source) >= FEWEST and hyp.startswith(source.strip())
        and len(after := _after_source(hyp, source)) > _AFTER * len(source)
        and re.search(r"\w", after) and not any(ref[i].startswith(source.strip()) for ref in refs)
    ]  # fmt: skip


def _after_source(hyp: str, source: str) -> str:
    return re.sub(r"^[\s|=>:/\\-]+", "", hyp.removeprefix(source.strip()))


# Affixes.


class _Excess:
    """How much longer hypotheses are than their references, in letters."""

    def __init__(self, texts: Texts) -> None:
        hyps, *refs = map(texts.lengths, texts.scored)
        self._hyps = hyps.astype(float)
        self._refs = np.array(refs).mean(axis=0)

    def is_longer(
        self, rows: Sequence[int], by: int, share: float = _LONGER, errors: float = _ERRORS
    ) -> bool:
        """Whether these lines are longer than the others are, by about so many letters."""
        rest = np.ones(len(self._hyps), dtype=bool)
        rest[rows] = False
        rest &= self._refs > 0
        ratios = self._hyps[rest] / self._refs[rest]
        ratio = float(np.clip(np.median(ratios), 0.85, _MOST)) if len(ratios) else 1.0
        excess = self._hyps[rows] - ratio * self._refs[rows]
        mean, error = excess.mean(), excess.std() / len(rows) ** 0.5 + 1
        return bool(mean > share * by and mean > errors * error)


class _Words:
    """The longer words at one end of a column's lines, by their first letters: endings differ."""

    def __init__(self, column: Sequence[str], rows: range, *, at_end: bool) -> None:
        self._column = column
        self._rows = rows
        self._at_end = at_end

    @cached_property
    def _of_lines(self) -> NDArray[np.uint32]:
        """A row for each line: the numbers of its words, and zeros."""
        lines = [self._column[row] for row in self._rows]
        words = end_words(lines, _LETTERS, self._at_end, _character)
        return np.frombuffer(words, np.uint32).reshape(len(lines), -1)

    @cached_property
    def _usual(self) -> NDArray[np.int64]:
        """How many lines have each word."""
        return np.bincount(self._of_lines.ravel())

    def are_one_phrase(self, rows: Sequence[int]) -> bool:
        """Whether these lines begin or end alike, unlike others."""
        own = self._of_lines[[self._rows.index(row) for row in rows]]
        here = np.bincount(own.ravel(), minlength=len(self._usual))
        alike = here > _ONE_PHRASE * len(rows)
        unusual = here * len(self._rows) > _UNUSUAL * self._usual * len(rows)
        return bool((alike & unusual)[1:].any())


def _affixes(
    hyps: Sequence[str], refs: Sequence[Sequence[str]], excess: _Excess, *, at_end: bool
) -> list[_Affix]:
    everywhere = range(0, len(hyps), max(len(hyps) // _SAMPLE, 1))
    columns = [column[:: everywhere.step] for column in (hyps, *refs)]
    shared = shared_ends(columns, _LETTERS, at_end, _character, (FEWEST, TIMES))
    words = [_Words(column, everywhere, at_end=at_end) for column in refs]
    found: list[_Affix] = []
    at = 0
    while at < len(shared):
        tokens, places, after = shared[at]
        new = [everywhere[place] for place in places]
        new = _added(tokens, new, everywhere, hyps, refs, words, excess, at_end=at_end)
        if new:
            whole = _tokens(hyps, new, _LONGEST, at_end=at_end)
            found += [
                _trimmed(one, at_end=at_end) for one in _closed(_Affix(tuple(tokens), new), whole)
                if not _is_translated(one, len(everywhere), excess)
            ]  # fmt: skip
        at = after if new else at + 1  # what goes on with it was added as well
    if len(everywhere) < len(hyps):
        found = _in_all_lines(found, hyps, refs, at_end=at_end)
    return [one for one in found if not is_local(one.rows, len(hyps))]


def _in_all_lines(
    affixes: Sequence[_Affix], hyps: Sequence[str], refs: Sequence[Sequence[str]], *, at_end: bool
) -> list[_Affix]:
    """Affixes of some lines, with all lines that have them, unlike their references."""
    patterns = [_pattern(one, hyps, at_end=at_end) for one in affixes]
    tests = [one.search if at_end else one.match for one in patterns]
    any_of = re.compile("|".join(one.pattern for one in patterns), re.DOTALL)
    has_any = any_of.search if at_end else any_of.match
    some = [row for row, hyp in enumerate(hyps) if has_any(hyp)] if affixes else []
    rows = ([row for row in some if has(hyps[row])] for has in tests)
    return [
        _Affix(one.tokens, [row for row in own if not any(has(ref[row]) for ref in refs)])
        for one, has, own in zip(affixes, tests, rows, strict=True)
    ]


def _tokens(
    texts: Sequence[str], rows: Iterable[int], letters: int, *, at_end: bool
) -> dict[int, list[str]]:
    """The first or last tokens of some rows, numbers as 0 and blanks as one; the last backwards.

    A token is an escaped line break, a word, a number, blanks, or one other character.
    """
    some = [texts[row] for row in rows]
    return dict(zip(rows, end_tokens(some, letters, at_end, _character), strict=True))


def _character(character: str) -> tuple[str, int, bool]:
    """The character to read; 1 for a letter, 2 for a decimal digit, 3 for a blank; if a digit."""
    character = plain(character)
    kind = 2 if character.isdecimal() else 1 if character.isalnum() else 3 * character.isspace()
    return character, kind, character.isdigit()


def _next(
    own: Mapping[int, Sequence[str]], rows: Sequence[int], depth: int
) -> dict[str, list[int]]:
    """The rows by the token at this depth."""
    longer: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if len(own[row]) > depth:
            longer[own[row][depth]].append(row)
    return longer


def _closed(affix: _Affix, own: Mapping[int, Sequence[str]]) -> list[_Affix]:
    """The longest text that nearly all these lines share, or several if they go on differently."""
    longer = _next(own, affix.rows, len(affix.tokens))
    token = max(longer, key=lambda token: len(longer[token]), default=None)
    if token is not None and len(longer[token]) >= _ALIKE * len(affix.rows):
        return _closed(_Affix((*affix.tokens, token), longer[token]), own)
    odd = {token: rows for token, rows in longer.items() if len(rows) >= FEWEST}
    if len(affix.tokens) == 1 and sum(map(len, odd.values())) >= _ALIKE * len(affix.rows):
        parts = [_Affix((*affix.tokens, token), rows) for token, rows in odd.items()]
        return [one for part in parts for one in _closed(part, own)]
    return [affix]


def _trimmed(affix: _Affix, *, at_end: bool) -> _Affix:
    """Without the stop of the sentence before it, which most lines have."""
    tokens = affix.tokens
    while at_end and len(tokens) > 1 and tokens[-1] in (*".!?,", " "):
        tokens = tokens[:-1]
    return _Affix(tokens, affix.rows)


def _added(
    tokens: Sequence[str],
    rows: list[int],
    everywhere: Sequence[int],
    hyps: Sequence[str],
    refs: Sequence[Sequence[str]],
    words: Sequence[_Words],
    excess: _Excess,
    *,
    at_end: bool,
) -> list[int]:
    """The rows in which tokens that only hypotheses have were added, not translated."""
    text = "".join(tokens)
    new = _with_signs(text, rows, everywhere, hyps, refs)
    if new or any(map(is_odd, text)):
        return new
    if all(character in SENTENCE or character == " " for character in text):
        return []
    if "0" in tokens:
        are_row_numbers = not at_end and _are_row_numbers(rows, hyps)
        if are_row_numbers or not any(token.isalpha() for token in tokens):
            return rows if are_row_numbers else []
    is_label = len(rows) * 2 > len(everywhere) and any(token.isalpha() for token in tokens)
    is_long = len(text.strip()) >= _LONG
    if (
        len(rows) < _LINES or not (is_label or is_long)
        or any(column.are_one_phrase(rows) for column in words)
    ):  # fmt: skip
        return []
    if is_label:
        return rows
    evidence = _LITTLE if len(text.strip()) >= _SENTENCE else ()
    return rows if excess.is_longer(rows, len(text), *evidence) else []


def _with_signs(
    text: str,
    rows: list[int],
    everywhere: Iterable[int],
    hyps: Sequence[str],
    refs: Sequence[Sequence[str]],
) -> list[int]:
    """The rows whose references lack the signs of an affix, if it is not a mark inside lines."""
    odd = set(filter(is_odd, text))
    signs = odd or {sign for sign in text if sign in _SIGNS}
    if not signs:
        is_label = ":" in text and any(map(str.isalpha, text))
        new = _lacking({":"}, rows, refs) if is_label else []
        return new if len(new) >= max(_LABELS, 0.8 * len(rows)) else []
    new = _lacking(signs, rows, refs)
    if len(new) < (FEWEST if odd else max(_LINES, 0.8 * len(rows))):
        return []
    has = list(everywhere)
    for sign in signs:
        has = [row for row in has if sign in hyps[row]]
    return new if len(new) * 2 >= len(_lacking(signs, has, refs)) else []


def _is_translated(affix: _Affix, lines: int, excess: _Excess) -> bool:
    """Whether a mark is around words that some lines share, which are not longer for them."""
    words = sum(len(token) for token in affix.tokens if token.isalpha())
    few = 2 * len(affix.rows) <= lines
    return few and words >= _LONG and not excess.is_longer(affix.rows, words, errors=0)


def _lacking(signs: set[str], rows: Sequence[int], refs: Sequence[Sequence[str]]) -> list[int]:
    """The rows whose references have none of these signs."""
    have = re.compile("|".join(re.escape(one) for sign in signs for one in alike(sign))).search
    return [row for row in rows if not any(have(column[row]) for column in refs)]


def _are_row_numbers(rows: list[int], hyps: Sequence[str]) -> bool:
    """Whether the first numbers of lines count them."""
    offsets: dict[int, int] = defaultdict(int)
    for row in rows:
        number = _NUMBER.search(hyps[row])
        if number and number[0].isdecimal():
            offsets[int(number[0]) - row] += 1
    return max(offsets.values(), default=0) >= _ALIKE * len(rows)


def _cut(
    texts: Texts, hyps: Sequence[str], rows: list[int], first: _Affix | None, last: _Affix | None
) -> Iterator[Fault]:
    start, end = (
        None if one is None else _pattern(one, hyps, at_end=one is last) for one in (first, last)
    )
    parts = []
    if first is not None:
        parts.append(f"begin with {_shown(first.tokens)}")
    if last is not None:
        parts.append(f"end with {_shown(last.tokens[::-1])}")
    shown = " and ".join(parts)
    fix = partial(_without, start, end)
    # Nothing was added to a line of nothing else: that is another fault.
    rows = [row for row in rows if re.search(r"\w", fix(hyps[row]))]
    if len(rows) >= FEWEST:
        yield _fault(texts, rows, f"Lines {shown}, unlike the references.", fix)


def _shown(tokens: Sequence[str]) -> str:
    return json.dumps("".join(tokens).strip(), ensure_ascii=False)


_TAG = re.compile(r"^\s*[<\[](\w+)[>\]]\s*$")


def _pattern(affix: _Affix, hyps: Sequence[str], *, at_end: bool) -> re.Pattern[str]:
    """What to cut: these tokens, or all up to the end tag if there is one before the end."""
    tokens = affix.tokens[::-1] if at_end else affix.tokens
    text = "".join(_any_of(token) for token in tokens)
    if at_end:
        return re.compile(rf"\s*{text}\s*\Z")
    tag = _TAG.match("".join(tokens))
    if tag:
        closed = re.compile(rf"\s*[<\[]{tag[1]}[>\]].*?[<\[]/{tag[1]}[>\]]\s*(?=\S)", re.DOTALL)
        if sum(bool(closed.match(hyps[row])) for row in affix.rows) >= _ALIKE * len(affix.rows):
            return closed
    return re.compile(rf"\s*{text}\s*")


def _any_of(token: str) -> str:
    """A pattern for all that is the same token."""
    if token == "0":  # noqa: S105
        return _NUMBER.pattern
    if token == " ":  # noqa: S105
        return r"\s+"
    if len(token) == 1 and not token.isalnum():
        return f"[{re.escape(alike(token))}]"
    return re.escape(token)


def _without(start: re.Pattern[str] | None, end: re.Pattern[str] | None, text: str) -> str:
    """A text without what was added; quoting inside goes with its quotes."""
    first = start.match(text) if start else None
    inner = text[first.end() :] if first else text
    last = end.search(inner) if end else None
    inner = inner[: last.start()] if last else inner
    quoted = '"' in (first[0] if first else "") and '"' in (last[0] if last else "")
    return _unquoted(inner) if quoted else inner


def _unquoted(text: str) -> str:
    """The text in a string of JSON or CSV."""
    if "\\" in text:
        try:
            return str(json.loads(f'"{text}"'))
        except ValueError:
            return text.replace('\\"', '"')
    return text.replace('""', '"') if text.replace('""', "").count('"') == 0 else text


# Quotes around whole lines, which often are in pairs with other quotes inside.

_OPEN = re.compile(r"^\s*(\[[\"']|[*_`~]+|[\"'“„«‘‹(（\[{「『])")
_CLOSED = re.compile(r"([\"']\]|[*_`~]+|[\"'”“»’›)）\]}」』])(?:[.,;。、]?)\s*$")


_QUOTE = Sign(starts=members("*_`~[\"'“„«‘‹(（{「『\t-\r\x1c- \xa0\u1680\u2000\u3000"))


def _quoted(hyps: Sequence[str], own: set[int], theirs: set[int]) -> list[int]:
    """The lines that are quoted as a whole, unlike their references."""
    doubled = {row for row in own if '""' in hyps[row][1:-1]}
    new = set(only_here(own, theirs, _QUOTES)) | (doubled if len(doubled) >= FEWEST else set())
    return [] if is_local(sorted(new), len(hyps)) else sorted(new)


def _unquote(texts: Texts, rows: list[int]) -> Fault:
    return _fault(texts, rows, "Lines are quoted, unlike the references.", _strip_quotes)


def _is_quoted(text: str) -> bool:
    # At most a bracket, a quotation mark and a stop are at the end: `re` looks for them everywhere.
    return bool(len(text) > 2 and _OPEN.match(text) and _CLOSED.search(text.rstrip()[-3:]))


def _strip_quotes(text: str) -> str:
    first, last = _OPEN.match(text), _CLOSED.search(text)
    if not first or not last or first.end() > last.start():
        return text
    return _unquoted(text[first.end() : last.start()])
