# SPDX-License-Identifier: Apache-2.0
"""Characters that do not belong in a segment, and text in another encoding than the rest.

Marks, separators, controls, spaces, invisibles; entities, wrong decoding, NFD.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from html import unescape
from itertools import product
from operator import methodcaller
from string import ascii_letters

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.scripts import UNSPACED, count
from truebleu.analysis.check.signs import WIDE, Sign, members
from truebleu.analysis.check.texts import Column, Texts, excerpt

#: `str.splitlines` ends a line at these, as at \n and \r; so do tools that use it to read files.
_SEPARATORS = "\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f"
#: After these letters a joiner or a zero width space has no use: Latin, Greek, Cyrillic, Han,
#: kana, Hangul. Persian and the scripts of India need joiners, Thai and Khmer zero width spaces.
_PLAIN = r"\s\x00-\u058f\u2010-\u205e\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3"

#: For each kind a pattern, the replacement that repairs it (None: unknown), and its description.
_PATTERNS: dict[str, tuple[re.Pattern[str], str | None, str]] = {
    "carriage-return": (re.compile(r"\r"), " ", "a carriage return"),
    "tab": (re.compile(r"\t"), " ", "a tab"),
    "line-separator": (re.compile(f"[{_SEPARATORS}]"), " ", "a character that ends lines"),
    "control-character": (
        re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"), "", "a control character"
    ),
    "replacement-character": (re.compile("\ufffd"), None, "U+FFFD, left by a failed decoding"),
    "odd-space": (re.compile(f"[{_SPACES}\u3000]"), " ", "a space that is not U+0020"),
    "invisible-character": (
        re.compile(
            f"[\xad\u180e\u2060-\u2064\ufeff\ufff9-\ufffb]|(?:^|(?<=[{_PLAIN}]))[\u200b-\u200d]"
        ),
        "",
        "an invisible character",
    ),
}  # fmt: skip

#: The full-width space is the usual one in Han, kana and Hangul.
_ODD_IN_CJK = re.compile(f"[{_SPACES}]")
#: Marks of direction, which belong where letters run from right to left.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
#: All of these.
_ANY = (
    "\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
    "\ufff9-\ufffd"
)
_ODD = Sign(members(_ANY))
_IS_ODD = re.compile(f"[{_ANY}]")


def find(texts: Texts) -> Iterator[Fault]:
    """Faults of single characters, then of encodings."""
    for column in texts.columns:
        odd = [(row, text) for row, text in column.with_sign(_ODD) if _IS_ODD.search(text)]
        if odd and odd[0][0] == 0 and odd[0][1].startswith("\ufeff"):
            yield Fault(
                "byte-order-mark",
                column,
                [0],
                "The first text begins with a byte order mark.",
                evidence=column.evidence([0], _IS_ODD),
                fix=lambda text: text.removeprefix("\ufeff"),
            )
            odd[0] = (0, odd[0][1].removeprefix("\ufeff"))
        for kind, (pattern, replacement, what) in _PATTERNS.items() if odd else ():
            if kind == "odd-space" and column.script in (*UNSPACED, "Hangul"):
                pattern = _ODD_IN_CJK  # noqa: PLW2901
            yield from _faults(column, odd, kind, pattern, replacement, what)
        odd = [(row, text) for row, text in odd if not _RIGHT_TO_LEFT.search(text)]
        what = "a mark of direction, but all letters run from left to right"
        yield from _faults(column, odd, "invisible-character", _DIRECTIONS, "", what)
    for column in texts.columns:
        yield from _entities(column)
    yield from _mojibake(texts)
    yield from _misread(texts)
    yield from _read_as_dos(texts)
    yield from _mixed_normalization(texts)


def _faults(
    column: Column,
    odd: list[tuple[int, str]],
    kind: str,
    pattern: re.Pattern[str],
    replacement: str | None,
    what: str,
) -> Iterator[Fault]:
    codes = {row: codes for row, text in odd if (codes := pattern.findall(text))}
    if codes:
        different = sorted({code for row in codes for code in codes[row]})
        names = ", ".join(f"U+{ord(code):04X}" for code in different[:5])
        more = ", …" if len(different) > 5 else ""
        yield Fault(
            kind, column, list(codes), f"There is {what} ({names}{more}).",
            evidence=column.evidence(codes, pattern),
            fix=None if replacement is None else partial(pattern.sub, replacement),
        )  # fmt: skip


_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_AMPERSAND = Sign(pairs=product("&", f"#{ascii_letters}"))


def _entities(column: Column) -> Iterator[Fault]:
    texts = {
        row: text for row, text in column.with_sign(_AMPERSAND)
        if any(unescape(entity) != entity for entity in _ENTITY.findall(text))
    }  # fmt: skip
    if texts:
        twice = sum(unescape(text) != _unescaped(text) for text in texts.values())
        more = f"; texts that were escaped twice: {twice}" if twice else ""
        yield Fault(
            "html-entity", column, list(texts), f"There are HTML entities{more}.",
            evidence=column.evidence(texts, _ENTITY), fix=_unescaped,
        )  # fmt: skip


def _unescaped(text: str) -> str:
    for _ in range(8):
        text = unescape(text)
    return text


# UTF-8 read as Latin-1 or Windows-1252: each byte became a character.

_BYTES = {chr(byte): byte for byte in range(0x80, 0x100)}
_BYTES |= {bytes([byte]).decode("cp1252", "ignore"): byte for byte in range(0x80, 0xA0)}
del _BYTES[""]

_TAIL = "".join(re.escape(character) for character, byte in _BYTES.items() if byte < 0xC0)
#: The set in front is what `re` looks for fast.
_SEQUENCE = re.compile(
    f"[\xc2-\xf4](?:(?<=[\xc2-\xdf])[{_TAIL}]|(?<=[\xe0-\xef])[{_TAIL}]{{2}}"
    f"|(?<=[\xf0-\xf4])[{_TAIL}]{{3}})"
)
_FIRST_TWO = Sign(
    pairs=product(map(chr, range(0xC2, 0xF5)), [one for one, byte in _BYTES.items() if byte < 0xC0])
)
#: No writer puts four sequences in a row.
_RUN = re.compile(f"(?:{_SEQUENCE.pattern}){{4}}")


def _decoded(sequence: re.Match[str]) -> str:
    try:
        return bytes(_BYTES[character] for character in sequence[0]).decode()
    except UnicodeDecodeError:
        return sequence[0]


def _mojibake(texts: Texts) -> Iterator[Fault]:
    suspects = {
        column: [
            (row, text) for row, text in column.with_sign(_FIRST_TWO) if _SEQUENCE.search(text)
        ]
        for column in texts.columns
    }  # fmt: skip
    if not any(suspects.values()):
        return
    known = _characters(texts)
    for column, suspected in suspects.items():
        rows = [row for row, text in suspected if _is_mojibake(text, known)]
        if rows:
            yield Fault(
                "mojibake", column, rows, "UTF-8 was decoded as if each byte were a character.",
                evidence=column.evidence(rows, _SEQUENCE), fix=partial(_SEQUENCE.sub, _decoded),
            )  # fmt: skip


def _is_mojibake(text: str, known: set[str]) -> bool:
    r"""Whether the sequences of a text are bytes of UTF-8.

    A capital before a quotation mark or an ellipsis ("É…") and "à" before a guillemet look like
    bytes of UTF-8 too, but decode to characters that no other text has.
    """
    if _RUN.search(text):
        return True
    for match in _SEQUENCE.finditer(text):
        character = _decoded(match)
        if character == match[0]:
            continue
        before = text[match.start() - 1] if match.start() else " "
        inside_a_word = before.islower() or (before == " " and match[0][0] in "\xc2\xe2")
        plausible = character in known or "\xa0" <= character <= "\xff" or character in _COMMON
        if plausible and inside_a_word:
            return True
    return False


#: Common punctuation: dashes, quotation marks, bullet, ellipsis, euro, trade mark.
_COMMON = "\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2022\u2026\u20ac\u2122"


def _characters(texts: Texts) -> set[str]:
    """All characters of the texts that do not look like bytes of UTF-8."""
    return {
        character
        for column in texts.columns
        for _, text in column.rows()
        if not text.isascii()
        for character in _SEQUENCE.sub("", text)
    }


# A code page of one byte for each letter read as Latin-1 or Windows-1252.

#: The Windows code page of each script; ISO 8859 has most letters at the same codes.
_CODE_PAGES = {"Cyrillic": "cp1251", "Greek": "cp1253", "Hebrew": "cp1255", "Arabic": "cp1256"}
#: The fewest letters of such a text, and their share of all its letters.
_LETTERS, _SHARE = 6, 0.7
_HIGH = re.compile("[\xc0-\xff]")
_ANY_HIGH = Sign(members("\xc0-\xff"))


def _misread(texts: Texts) -> Iterator[Fault]:
    scripts = {column.script for column in texts.scored} & set(_CODE_PAGES)
    for script in sorted(scripts):
        page = _CODE_PAGES[script]
        letters = {
            character: bytes([byte]).decode(page, "replace") for character, byte in _BYTES.items()
        }
        table = str.maketrans(letters)
        for column in texts.scored:
            rows = [
                row for row, text in column.with_sign(_ANY_HIGH)
                if _is_misread(text, table, script)
            ]  # fmt: skip
            if rows:
                yield Fault(
                    "mojibake", column, rows, f"{page} was decoded as Latin-1 or Windows-1252.",
                    evidence=column.evidence(rows),
                    fix=methodcaller("translate", table),
                )  # fmt: skip


def _is_misread(text: str, table: dict[int, str], script: str) -> bool:
    high = len(_HIGH.findall(text))
    if high < _LETTERS or high < _SHARE * sum(map(str.isalpha, text)):
        return False
    letters = count(text.translate(table))
    return letters[script] >= _SHARE * letters.total()


# UTF-8 read as the code page of DOS: each letter became a piece of a frame and another character.

_DOS = bytes(range(0x80, 0x100)).decode("cp437")
_DOS_RUN = re.compile(f"[{_DOS}]{{2,}}")
_FRAME_CHARACTERS = "\u2550-\u256c┬├─┼πΓΣ"
_FRAME = Sign(members(_FRAME_CHARACTERS))
_FRAMES = re.compile(f"[{_FRAME_CHARACTERS}][^\x00-\x7f]")


def _undosed(run: re.Match[str]) -> str:
    try:
        return run[0].encode("cp437").decode()
    except UnicodeDecodeError:
        return run[0]


def _read_as_dos(texts: Texts) -> Iterator[Fault]:
    for column in texts.scored:
        rows = [
            row for row, text in column.with_sign(_FRAME)
            if _FRAMES.search(text) and _DOS_RUN.sub(_undosed, text) != text
        ]  # fmt: skip
        if rows:
            yield Fault(
                "mojibake", column, rows, "UTF-8 was decoded as cp437.",
                evidence=column.evidence(rows, _FRAMES), fix=partial(_DOS_RUN.sub, _undosed),
            )  # fmt: skip


# The same letter as one character and as several.

#: Characters from U+0300 on: all others are the same in NFC.
_AFTER_LATIN = Sign(wide=(one for one in WIDE if one >= "\u0300"))


def _mixed_normalization(texts: Texts) -> Iterator[Fault]:
    decomposed = {
        column: [
            (row, text) for row, text in column.with_sign(_AFTER_LATIN)
            if not unicodedata.is_normalized("NFC", text)
        ]
        for column in texts.columns
    }  # fmt: skip
    if not any(decomposed.values()):
        return
    known = _characters(texts)
    for column, suspected in decomposed.items():
        places = {row: at for row, text in suspected if (at := _other_form(text, known)) >= 0}
        if places:
            yield Fault(
                "mixed-normalization", column, list(places),
                "Letters are decomposed that elsewhere are one character (NFD and NFC).",
                evidence=[
                    (column.where(row), excerpt(column.texts[row], at))
                    for row, at in list(places.items())[:3]
                ],
                fix=lambda text: unicodedata.normalize("NFC", text),
            )  # fmt: skip


def _other_form(text: str, known: set[str]) -> int:
    """The place of the first letter whose composed form is among `known`, or -1."""
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and _joins(text[end]):
            end += 1
        composed = unicodedata.normalize("NFC", text[start:end])
        if composed != text[start:end] and composed[0] != text[start] and composed[0] in known:
            return start
        start = end
    return -1


def _joins(character: str) -> bool:
    """Whether a character can compose with the one before: marks, and vowels of Hangul."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"
