# SPDX-License-Identifier: Apache-2.0
"""Normalizations that the texts themselves suggest, by counting: affixes, marks, letters, case.

A translation and its reference share names, numbers and symbols. So what many texts of one side
begin or end with, or have inside, and few of the other side, is a candidate; the judge decides
whether it pays. Cutting a wrong translation pays as well, so words without symbols must also make
their lines longer than others are.
"""
# ruff: noqa: RUF001  (quotation marks and dashes of all languages)

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from os.path import commonprefix

import numpy as np

from truebleu.analysis.check.judge import LINES, NEARLY
from truebleu.text.escaping import LONGEST
from truebleu.text.mending import is_long, tidy
from truebleu.text.normalization import CHOSEN_BY_WRITERS, WRITTEN_BY_PROGRAMS, Fix, Normalization, characters
from truebleu.text.signs import alphabet

#: How many times as many lines of one side as of the other have what only one side has.
_OFTEN = 8

_SENTENCE = frozenset('.,:;!?"-• ')
#: Signs that writers use for words, and brackets.
_SIGNS = _SENTENCE | set("#@&%+/()[]=~$")
#: Symbols of ASCII that no sentence needs.
_ODD = frozenset("*<>\\^_`{|}[]#")
#: Quotation marks, dashes and stops of all languages, each as a mark of ASCII.
_PLAIN = {
    **dict.fromkeys("‐‑‒–—―−ー－", "-"), **dict.fromkeys("·‧∙◦●▪■", "•"),
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("'“”„‟«»‘’‚‹›「」『』《》〈〉″", '"'),
    "…": ".", "。": ".", "、": ",", "【": "[", "】": "]", "\u3000": " ", "।": ".",
}  # fmt: skip
_plain = characters(_PLAIN)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TAG = r"</?\w[^<>\s]{0,20}>|\[/?[A-Z]{2,12}\]"
_MARK = re.compile(rf"{_TAG}|\\[A-Za-z](?:\\[A-Za-z])*|[^\w\s](?:[^\w\s<\[]|(?!{_TAG})[<\[])*|__*")
_IS_TAG = re.compile(rf"{_TAG}|\\[A-Za-z].*")
_WORD = re.compile(r"[^\W\d_]+")


class Sample:
    """A part of the texts of a column, and what is counted in them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts[:: len(texts) // LINES + 1]
        self.alphabet = alphabet(self.texts)
        self.symbols = {c for c in self.alphabet if not c.isalnum() and not c.isspace()}
        self.sizes = np.fromiter(map(len, self.texts), float, len(self.texts))

    @cached_property
    def windows(self) -> tuple[list[str], list[str]]:
        """The beginnings of texts, and their ends from right to left; numbers are `0`."""
        lines = [text.strip().replace("\n", " ") for text in self.texts]
        parts = [line[:LONGEST] for line in lines], [line[-LONGEST:] for line in lines]
        begins, ends = (_NUMBER.sub("0", _plain("\n".join(part))).split("\n") for part in parts)
        return begins, [line[::-1] for line in ends]

    def marks(self, odd: Callable[[str], object]) -> dict[str, set[int]]:
        """The rows that have each mark which no sentence needs."""
        rows: dict[str, set[int]] = defaultdict(set)
        for row, text in enumerate(self.texts):
            for mark in set(_MARK.findall(_plain(text))) if odd(text) else ():
                if not (_SENTENCE if len(mark) > 2 else _SIGNS).issuperset(mark):
                    rows[mark].add(row)
        return rows


def discovered(own: Sample, facing: Sequence[Sample], *, is_ref: bool) -> Iterator[Normalization]:
    """Normalizations of a column that its texts and those that they face suggest.

    What references have and hypotheses lack may be right, so most must have it.
    """
    fewest = max(len(own.texts) // 2 if is_ref else 0, WRITTEN_BY_PROGRAMS)
    affixes = (_affixes(own, facing, fewest, at_end=at_end) for at_end in (False, True))
    others = _marks(own, facing, is_ref=is_ref), _letters(own, facing), _case(own, facing)
    for row in chain(*affixes, *others):
        yield replace(row, name=f"discovered: {row.name}")


# Beginnings and ends.


def _affixes(own: Sample, facing: Sequence[Sample], fewest: int, *, at_end: bool) -> Iterator[Normalization]:
    """Affixes by the lines and characters that they cover: sorted lines show what they share."""
    windows = own.windows[at_end]
    theirs = sorted(text for column in facing for text in column.windows[at_end])
    left = sorted(range(len(windows)), key=windows.__getitem__)
    while True:
        texts = [windows[row] for row in left]
        shared = set(map(commonprefix, zip(texts, texts[fewest - 1 :], strict=False)))
        covered = {affix: _begin(texts, affix) for affix in shared if affix.strip()}
        for affix, (first, end) in sorted(covered.items(), key=lambda item: -len(item[0]) * (item[1][1] - item[1][0])):
            there, last = _begin(theirs, affix)
            rows = left[first:end]
            if len(rows) >= _OFTEN * (last - there) and _is_added(affix, rows, own, facing, at_end=at_end):
                break
        else:
            return
        left[first:end] = []
        # What is next to the text may be of the sentence.
        shorter = affix.rstrip("".join(_SENTENCE))
        for part in dict.fromkeys(filter(None, (affix, shorter, affix[: len(shorter) + 1], affix.rstrip()))):
            yield _cut(part, at_end=at_end)


def _begin(texts: Sequence[str], affix: str) -> tuple[int, int]:
    """The place of the first of some sorted texts that begins so, and that after the last."""
    return bisect_left(texts, affix), bisect_left(texts, affix + chr(0x10FFFF))


def _is_added(affix: str, rows: Sequence[int], own: Sample, facing: Sequence[Sample], *, at_end: bool) -> bool:
    """Whether an affix was added, not translated: lines lack its symbols, or are shorter."""
    has_words = any(map(str.isalpha, affix))
    odd = {c for c in affix if not c.isalnum()} - (_SENTENCE - {":"} if has_words else _SIGNS)
    if odd or not has_words:
        lacking = 0
        for row in rows:
            signs = odd or {(_NUMBER.findall(own.texts[row]) or [""])[-at_end]}
            texts = [_plain(column.texts[row]) for column in facing]
            lacking += not any(sign in text for sign in signs for text in texts)
        return bool(odd or "0" in affix) and lacking >= NEARLY * len(rows)
    if len(rows) * 2 > len(own.texts) or len(rows) < CHOSEN_BY_WRITERS:
        return len(rows) * 2 > len(own.texts)
    sizes = np.mean([column.sizes for column in facing], axis=0) + 1
    ratio = np.median(np.delete(own.sizes / sizes, rows))
    excess = np.clip((own.sizes - ratio * sizes)[rows], -2 * len(affix), 3 * len(affix))
    error = excess.std() / len(rows) ** 0.5 + 1
    return bool(excess.mean() > max(len(affix) / 2, 4 * error))  # by chance: one in 30,000


def _similar(character: str) -> str:
    """A pattern of the characters that are read as this one."""
    if character.isalnum():
        return character
    return f"[{re.escape(character + ''.join(form for form, plain in _PLAIN.items() if plain == character))}]"


def _cut(affix: str, *, at_end: bool) -> Normalization:
    text = affix[::-1] if at_end else affix
    forms = {"0": _NUMBER.pattern, " ": r"\s+"}
    pattern = f"(?:{''.join(forms.get(c) or _similar(c) for c in text)})"
    pattern = rf"\s*{pattern}\s*\Z" if at_end else rf"\A\s*{pattern}\s*"
    cut = partial(re.compile(pattern).sub, "")
    name, advice = f"{'ends' if at_end else 'begins'} with {text.strip()}", "remove it: score the translations alone"
    return Normalization(name, "added-text", lambda line: cut(line) or line, pattern, advice)


# Marks inside of lines.


def _marks(own: Sample, facing: Sequence[Sample], *, is_ref: bool) -> Iterator[Normalization]:
    odd = own.symbols.difference(*(column.symbols for column in facing)) | (own.symbols & _ODD)
    if not odd:
        return
    search = re.compile("[" + re.escape("".join(sorted(odd))) + "]").search
    others = [column.marks(search) for column in facing]
    for mark, lines in own.marks(search).items():
        there = set().union(*(column[mark] for column in others))
        is_tag = _IS_TAG.fullmatch(mark) is not None
        fewest = WRITTEN_BY_PROGRAMS if is_tag else CHOSEN_BY_WRITERS
        if len(lines - there) < max(fewest, _OFTEN * len(there - lines)) or (is_ref and not is_tag):
            continue
        same = "".join(map(_similar, mark))
        for new in ("", " "):
            kind = "missing-spaces" if new and len(mark) == 1 else "foreign-marks"
            fix = tidy(partial(re.compile(f" ?(?:{same})+ ?").sub, new))
            advice = "remove the marks, and look for the program that wrote them"
            yield Normalization(f"{mark} as {new!r}", kind, fix, same, advice, fewest)


# Letters that one side lacks, and letter case.


def _letters(own: Sample, facing: Sequence[Sample]) -> Iterator[Normalization]:
    """Letters that only the facing texts have, and what these texts write instead."""
    there = sum((column.alphabet for column in facing), Counter[str]())
    least = {letter: max(WRITTEN_BY_PROGRAMS, _OFTEN * own.alphabet[letter] * len(facing) + 1) for letter in there}
    absent = [letter for letter, times in there.items() if letter.isalpha() and times >= least[letter]]
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    around = re.compile(f"(?<=(..))([{''.join(absent)}])(?=(..))" if absent else "(?!)", re.DOTALL)
    for column in facing:
        for text, line in zip(own.texts, column.texts, strict=True):
            for match in around.finditer(line):
                context = f"{re.escape(match[1])}(.{{1,2}}){re.escape(match[3])}"
                if written := re.search(context, text):
                    votes[match[2]][written[1]] += 1
    instead = {
        letter: form
        for letter, (form, times) in {letter: forms.most_common(1)[0] for letter, forms in votes.items()}.items()
        if times * 2 > max(votes[letter].total(), 2) and form.lower() != letter.lower()
    }
    if not instead:
        return
    back = {
        form: letter for letter, form in instead.items() if len(form) == 1 and own.alphabet[form] > _OFTEN * there[form]
    }
    fix = characters(back) if len(back) * 2 > len(instead) else _respelled(facing, characters(instead))
    changes = ", ".join(f"{form} for {letter}" for letter, form in list(instead.items())[:5])
    yield Normalization(changes, "letters", fix, "", "write letters as the other side does", CHOSEN_BY_WRITERS)


def _respelled(facing: Sequence[Sample], fold: Fix) -> Fix:
    """Writes words as the facing texts do, if they are the same once they are folded."""
    # The case of first words shows nothing.
    words = Counter(word for column in facing for text in column.texts for word in _WORD.findall(text)[1:])
    usual = {fold(word): word for word, _ in reversed(words.most_common())}
    return partial(_WORD.sub, lambda word: usual.get(fold(word[0]), fold(word[0])))


def _case(own: Sample, facing: Sequence[Sample]) -> Iterator[Normalization]:
    """Lines in small letters or capitals, as the other side writes each word."""
    for case, is_case in (("small letters", str.islower), ("capitals", str.isupper)):
        rows = [row for row, text in enumerate(own.texts) if is_case(text) and is_long(text)]
        rows = [row for row in rows if not all(is_case(column.texts[row]) for column in facing)]
        if len(rows) >= CHOSEN_BY_WRITERS:
            fix = partial(_recased, _respelled(facing, str.lower), is_case)
            advice = "restore the case, or ignore it (lowercase) and report that"
            yield Normalization(case, "case", fix, "", advice, CHOSEN_BY_WRITERS)


def _recased(spelled: Fix, is_case: Callable[[str], bool], text: str) -> str:
    if not is_case(text):
        return text
    return _WORD.sub(lambda word: word[0][0].upper() + word[0][1:], spelled(text), 1)
