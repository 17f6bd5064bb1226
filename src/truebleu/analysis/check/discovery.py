# SPDX-License-Identifier: Apache-2.0
"""Normalizations that the texts themselves suggest, by counting: affixes, marks, letters, case.

A translation and its reference share names, numbers and symbols. So what many texts of one side
begin or end with, or have inside, and hardly any of the other side, is a candidate; the judge
decides whether it pays. Cutting a wrong translation pays as well, so words without symbols must
also make their lines longer than others are.
"""
# ruff: noqa: RUF001  (quotation marks and dashes of all languages)

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from math import ceil
from os.path import commonprefix

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.signs import alphabet
from truebleu.text.mending import tidy
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    WRITTEN_BY_PROGRAMS,
    Fix,
    Normalization,
)

#: About how many lines are counted: more show the same in more time.
SAMPLE = 4_000
#: Characters at an end that are read, and numbers of them that lines may share.
_WINDOW, _LENGTHS = 64, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
#: The most groups of lines with the same affix to look at, and the most affixes to try.
_GROUPS, _CANDIDATES = 50, 12
#: About how many lines show how an affix goes on.
_SHOWN = 20
#: The share of lines with an affix that go on alike, or lack its symbols: nearly all.
_MOST = 0.8
#: How many times as many lines of one side as of the other have what only one side has.
_TIMES = 8
#: Standard errors by which lines with an affix of words are longer than other lines: of thousands
#: of beginnings that lines share, none is by chance.
_ERRORS = 4

_SENTENCE = frozenset('.,:;!?"-• ')
#: Signs that writers use for words, and brackets.
_SIGNS = _SENTENCE | set("#@&%+/()[]=~$")
#: Symbols of ASCII that no sentence needs.
_ODD = frozenset("*<>\\^_`{|}[]#")
_PLAIN = str.maketrans({
    **dict.fromkeys("-‐‑‒–—―−ー－", "-"), **dict.fromkeys("•·‧∙◦●▪■", "•"),
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("'“”„‟«»‘’‚‹›「」『』《》〈〉″", '"'),
    "…": ".", "。": ".", "、": ",", "【": "[", "】": "]", "\u3000": " ", "।": ".",
})  # fmt: skip
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TAG = r"</?\w[^<>\s]{0,20}>|\[/?[A-Z]{2,12}\]"
_MARK = re.compile(rf"{_TAG}|\\[A-Za-z](?:\\[A-Za-z])*|[^\w\s](?:[^\w\s<\[]|(?!{_TAG})[<\[])*|__*")
_IS_TAG = re.compile(rf"{_TAG}|\\[A-Za-z].*")
_WORD = re.compile(r"[^\W\d_]+")

Rows = Sequence[int]


class Sample:
    """A part of the texts of a column, and what is counted in them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.every = texts
        self.texts = texts[:: max(len(texts) // SAMPLE, 1)]

    @cached_property
    def alphabet(self) -> dict[str, int]:
        """The characters and their numbers."""
        return alphabet(self.texts)

    @cached_property
    def words(self) -> Counter[str]:
        """The words but the first of each text, whose case shows nothing."""
        return Counter(word for text in self.texts for word in _WORD.findall(text)[1:])

    @cached_property
    def symbols(self) -> set[str]:
        """All characters but letters, digits and spaces."""
        return {c for c in alphabet(self.every) if not c.isalnum() and not c.isspace()}

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """The numbers of characters of the texts."""
        return np.fromiter(map(len, self.texts), float, len(self.texts))

    @cached_property
    def windows(self) -> tuple[list[str], list[str]]:
        """The beginnings of texts, and their ends from right to left; numbers are `0`."""
        starts, ends = [], []
        for text in map(str.strip, self.texts):
            plain = _NUMBER.sub("0", _plain(text[:_WINDOW]))
            starts.append(plain)
            if len(text) > _WINDOW:
                plain = _NUMBER.sub("0", _plain(text[-_WINDOW:]))
            ends.append(plain[::-1])
        return starts, ends

    @cached_property
    def hashes(self) -> list[NDArray[np.uint64]]:
        """For both windows, a number of each beginning of each text, by its length."""
        both = []
        for windows in self.windows:
            joined = "".join(window.ljust(_WINDOW, "\0") for window in windows)
            codes = np.frombuffer(joined.encode("utf-32-le"), np.uint32).reshape(-1, _WINDOW)
            factors = np.random.default_rng(1).integers(1, 1 << 62, _WINDOW).astype(np.uint64)
            both.append(np.cumsum(codes * factors, axis=1, dtype=np.uint64))
        return both


def _plain(text: str) -> str:
    """A text in which quotation marks, dashes and stops of all languages are the same."""
    return text.replace("'", '"') if text.isascii() else text.translate(_PLAIN)


def discovered(own: Sample, facing: Sequence[Sample], role: str) -> Iterator[Normalization]:
    """Normalizations of a column that its texts and those that they face suggest.

    What references (`role` is `ref`) have and hypotheses lack may be right, so most must have it.
    """
    fewest = WRITTEN_BY_PROGRAMS if role == "hyp" else max(len(own.texts) // 2, WRITTEN_BY_PROGRAMS)
    yield from _affixes(own, facing, fewest)
    yield from _marks(own, facing, role)
    yield from _letters(own, facing)
    yield from _case(own, facing)


# Beginnings and ends.


def _affixes(own: Sample, facing: Sequence[Sample], fewest: int) -> Iterator[Normalization]:
    affixes: list[tuple[int, str, bool]] = []
    for at_end in (False, True):
        windows = own.windows[at_end]
        taken: set[int] = set()
        for length in _LENGTHS:
            hashes = own.hashes[at_end][:, length - 1]
            others = [column.hashes[at_end][:, length - 1] for column in facing]
            has_too = np.any([hashes == column for column in others], axis=0)
            new = np.flatnonzero(~has_too)
            values, group, counts = np.unique(hashes[new], return_inverse=True, return_counts=True)
            elsewhere = np.sort(np.concatenate(others))
            there = np.searchsorted(elsewhere, values, "right") - np.searchsorted(elsewhere, values)
            is_candidate = (counts >= fewest) & (counts >= _TIMES * there)
            order = np.argsort(group, kind="stable")
            ends = np.cumsum(counts)
            largest = np.argsort(-counts * is_candidate, kind="stable")[:_GROUPS]
            for at in largest[is_candidate[largest]].tolist():
                rows = new[order[ends[at] - counts[at] : ends[at]]].tolist()
                rows = [row for row in rows if row not in taken]
                if len(rows) < fewest or len(windows[rows[0]]) < length:
                    continue
                affix = _closed([windows[row] for row in rows[:: len(rows) // _SHOWN + 1]])
                if _is_added(affix, rows, own, facing, at_end=at_end):
                    affixes.append((len(rows), affix, at_end))
                    taken.update(rows)
    affixes.sort(key=lambda affix: -affix[0] * len(affix[1]))
    for _, affix, at_end in affixes[:_CANDIDATES]:
        yield _cut(affix, at_end=at_end)
        # What is next to the text may be of the sentence.
        shorter = affix.rstrip("".join(_SENTENCE))
        for part in {shorter, affix[: len(shorter) + 1], affix.rstrip()} - {affix, ""}:
            yield _cut(part, at_end=at_end)


def _closed(windows: Sequence[str]) -> str:
    """The longest beginning that most of these texts share."""
    ordered, most = sorted(windows), ceil(_MOST * len(windows))
    pairs = zip(ordered, ordered[most - 1 :], strict=False)
    return max(map(commonprefix, pairs), key=len)


def _is_added(
    affix: str, rows: Rows, own: Sample, facing: Sequence[Sample], *, at_end: bool
) -> bool:
    """Whether an affix was added, not translated: lines lack its symbols, or are shorter."""
    has_words = any(map(str.isalpha, affix))
    marks = {c for c in affix if not (c.isalnum() or c in (_SENTENCE if has_words else _SIGNS))}
    if has_words:
        marks |= {":"} & set(affix)
    others = [[column.texts[row] for column in facing] for row in rows]
    if marks:
        lacking = sum(not any(marks & set(_plain(text)) for text in texts) for texts in others)
        return lacking >= _MOST * len(rows)
    if not has_words:
        numbers = (
            [(_NUMBER.findall(own.texts[row]) or [""])[-at_end] for row in rows]
            if "0" in affix
            else []
        )
        lacking = sum(not any(number in text for text in texts)
                      for number, texts in zip(numbers, others, strict=False))  # fmt: skip
        return bool(numbers) and lacking >= _MOST * len(rows)
    if len(rows) * 2 > len(own.texts):
        return True
    if len(rows) < CHOSEN_BY_WRITERS:
        return False
    sizes = np.mean([column.sizes for column in facing], axis=0)
    usual = sizes > 0
    usual[rows] = False
    ratio = float(np.median(own.sizes[usual] / sizes[usual])) if usual.any() else 1.0
    excess = np.clip((own.sizes - ratio * sizes)[rows], -2 * len(affix), 3 * len(affix))
    error = excess.std() / len(rows) ** 0.5 + 1
    return bool(excess.mean() > len(affix) / 2 and excess.mean() > _ERRORS * error)


def _similar(character: str) -> str:
    """A pattern of the characters that are read as this one."""
    codes = [chr(code) for code, plain in _PLAIN.items() if plain == character]
    return f"[{re.escape(character + ''.join(codes))}]"


def _cut(affix: str, *, at_end: bool) -> Normalization:
    text = affix[::-1] if at_end else affix
    parts = [
        _NUMBER.pattern if c == "0" else r"\s+" if c == " " else c if c.isalnum() else _similar(c)
        for c in text
    ]
    pattern = "".join(parts)
    pattern = rf"\s*(?:{pattern})\s*\Z" if at_end else rf"\A\s*(?:{pattern})\s*"
    return Normalization(
        f"{'ends with' if at_end else 'begins with'} {text.strip()}", "added-text",
        partial(_without, re.compile(pattern)), pattern,
        "remove it: score the translations alone",
    )  # fmt: skip


def _without(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub("", text) or text


# Marks inside of lines.


def _marks(own: Sample, facing: Sequence[Sample], role: str) -> Iterator[Normalization]:
    theirs = set().union(*(column.symbols for column in facing))
    odd = sorted((own.symbols - theirs) | (own.symbols & _ODD))
    if not odd:
        return
    is_odd = re.compile("[" + re.escape("".join(odd)) + "]").search
    others: dict[str, set[int]] = defaultdict(set)
    for column in facing:
        for mark, lines in _rows_by_mark(column.every, is_odd).items():
            others[mark] |= lines
    for mark, lines in _rows_by_mark(own.every, is_odd).items():
        is_tag = _IS_TAG.fullmatch(mark) is not None
        fewest = WRITTEN_BY_PROGRAMS if is_tag else CHOSEN_BY_WRITERS
        lacking = len(lines - others[mark])
        if lacking < max(fewest, _TIMES * len(others[mark] - lines)) or (
            role == "ref" and not is_tag
        ):
            continue
        same = "".join(c if c.isalnum() else _similar(c) for c in mark)
        for new in ("", " "):
            pattern = re.compile(f" ?(?:{same})+ ?")
            kind = "missing-spaces" if new and len(mark) == 1 else "foreign-marks"
            yield Normalization(
                f"{mark} as {new!r}", kind, tidy(partial(pattern.sub, new)), same,
                "remove the marks, and look for the program that wrote them", fewest,
            )  # fmt: skip


def _rows_by_mark(
    texts: Sequence[str], is_odd: Callable[[str], re.Match[str] | None]
) -> dict[str, set[int]]:
    """The rows that have each mark which no sentence needs."""
    by_mark: dict[str, set[int]] = defaultdict(set)
    for row, text in enumerate(texts):
        if is_odd(text):
            for mark in set(_MARK.findall(_plain(text))):
                if not _SENTENCE.issuperset(mark) and (
                    len(mark) > 2 or not _SIGNS.issuperset(mark)
                ):
                    by_mark[mark].add(row)
    return by_mark


# Letters that one side lacks, and letter case.


def _letters(own: Sample, facing: Sequence[Sample]) -> Iterator[Normalization]:
    """Letters that only the facing texts have, and what these texts write instead."""
    there = Counter[str]()
    for column in facing:
        there.update(column.alphabet)
    absent = [
        letter for letter, times in there.items()
        if times >= WRITTEN_BY_PROGRAMS and letter.isalpha()
        and times > _TIMES * own.alphabet.get(letter, 0) * len(facing)
    ]  # fmt: skip
    if not absent:
        return
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    around = re.compile(f"(?<=(..))([{''.join(map(re.escape, absent))}])(?=(..))", re.DOTALL)
    for column in facing:
        for text, line in zip(own.texts, column.texts, strict=True):
            for match in around.finditer(line):
                context = f"{re.escape(match[1])}(.{{1,2}}){re.escape(match[3])}"
                if written := re.search(context, text):
                    votes[match[2]][written[1]] += 1
    instead = {}
    for letter, forms in votes.items():
        form, times = forms.most_common(1)[0]
        if times * 2 > max(forms.total(), 2) and form.lower() != letter.lower():
            instead[letter] = form
    if not instead:
        return
    back = {form: letter for letter, form in instead.items()
            if len(form) == 1 and own.alphabet.get(form, 0) > _TIMES * there[form]}  # fmt: skip
    if len(back) * 2 > len(instead):
        fix: Fix = partial(_translated, str.maketrans(back))
    else:
        usual = _usual_forms(facing, partial(_translated, str.maketrans(instead)))
        fix = partial(_WORD.sub, lambda word: usual.get(word[0], word[0]))
    changes = ", ".join(f"{form} for {letter}" for letter, form in list(instead.items())[:5])
    yield Normalization(
        changes, "letters", fix, "", "write letters as the other side does", CHOSEN_BY_WRITERS
    )


def _translated(table: dict[int, str], text: str) -> str:
    return text.translate(table)


def _usual_forms(facing: Sequence[Sample], fold: Fix) -> dict[str, str]:
    """How the facing texts write words that are the same once they are folded."""
    words = Counter[str]()
    for column in facing:
        words.update(column.words)
    usual: dict[str, str] = {}
    for word, _ in words.most_common():
        usual.setdefault(fold(word), word)
    return {word: form for word, form in usual.items() if word != form}


def _case(own: Sample, facing: Sequence[Sample]) -> Iterator[Normalization]:
    """Lines in small letters or capitals, as the other side writes each word."""
    for case, is_case in (("small letters", str.islower), ("capitals", str.isupper)):
        rows = [row for row, text in enumerate(own.every) if is_case(text)]
        rows = [row for row in rows if not all(is_case(column.every[row]) for column in facing)]
        if len(rows) >= CHOSEN_BY_WRITERS:
            usual = _usual_forms(facing, str.lower)
            first = [text[:1] for column in facing for text in column.texts]
            capital = sum(map(str.isupper, first)) > sum(map(str.islower, first))
            yield Normalization(
                case, "case", partial(_recased, usual, is_case, capital), "",
                "restore the case, or ignore it (lowercase) and report that", CHOSEN_BY_WRITERS,
            )  # fmt: skip


def _recased(
    usual: dict[str, str], is_case: Callable[[str], bool], capital: bool, text: str
) -> str:
    if not is_case(text):
        return text
    new = _WORD.sub(lambda word: usual.get(word[0].lower(), word[0].lower()), text)
    first = _WORD.search(new)
    if first is None or not capital:
        return new
    at = first.start()
    return new[:at] + new[at].upper() + new[at + 1 :]
