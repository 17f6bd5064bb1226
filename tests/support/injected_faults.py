# SPDX-License-Identifier: Apache-2.0
"""Faults of every kind, put into good files: what `check` must find, and where.

A case changes a copy of the files at seeded random lines and says which finding must follow: its
kind, the column, and the lines (counted from 1).
"""
# ruff: noqa: ARG001  (all injections have one signature)

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass
class Files:
    """Hypotheses, references and sources, as lists of lines."""

    hyp: list[str]
    refs: list[list[str]]
    src: list[str] | None
    script: str

    def copy(self):
        src = None if self.src is None else list(self.src)
        return Files(list(self.hyp), [list(ref) for ref in self.refs], src, self.script)

    def column(self, name):
        return self.hyp if name == "hyp" else self.refs[int(name.removeprefix("ref"))]


@dataclass
class Case:
    """One fault.

    Attributes:
        kind: the finding that must follow.
        inject: changes the files and returns the lines, None if the fault does not fit them.
        column: the column that is changed.
        also: kinds that may follow too, since they are true as well.
        name: tells cases of one kind apart.
    """

    kind: str
    inject: Callable[[Random, Files, list[str]], list[int] | None]
    column: str = "hyp"
    also: tuple[str, ...] = ()
    name: str = ""


def some_rows(random, lines, count, fits=lambda line: len(line) >= 12):
    """Seeded rows whose lines fit, in order; None if there are too few."""
    rows = [row for row, line in enumerate(lines) if fits(line)]
    return sorted(random.sample(rows, count)) if len(rows) >= count else None


def put(column, rows, text):
    """Change lines of the column; their numbers, as `some_rows` has them."""
    for row in rows or ():
        column[row] = text(row)
    return rows and [row + 1 for row in rows]


def each(change, count=3, fits=lambda line: len(line) >= 12):
    """Change some lines one by one."""

    def inject(random, files, column):
        rows = some_rows(random, column, count, fits)
        return put(column, rows, lambda row: change(random, column[row]))

    return inject


def insert_character(character):
    """Put a character between two of a line's."""

    def change(random, line):
        at = random.randrange(2, len(line) - 1)
        return line[:at] + character + line[at:]

    return each(change)


def in_place_of_a_blank(character):
    def change(random, line):
        at = random.choice([i for i, letter in enumerate(line) if letter == " "])
        return line[:at] + character + line[at + 1 :]

    return each(change, fits=lambda line: line.count(" ") >= 3)


def whole(change, scripts=()):
    """Change all lines; all of them are meant, so no lines are compared."""

    def inject(random, files, column):
        if scripts and files.script not in scripts:
            return None
        column[:] = [change(line) for line in column]
        return []

    return inject


# Which lines belong together.


def lose(random, files, column):
    row = random.randrange(1, len(column) - 1)
    del column[row]
    return [row + 1]


def lose_three(random, files, column):
    row = random.randrange(1, len(column) - 4)
    del column[row : row + 3]
    return [row + 1] * 3


def insert(random, files, column):
    row = random.randrange(1, len(column) - 1)
    column.insert(row, column[(row + len(column) // 2) % len(column)][::-1])
    return [row + 1]


def shift(random, files, column):
    """Lose a line, and gain another twenty lines below."""
    row = random.randrange(1, len(column) - 22)
    column.insert(row + 20, "0 1 2 3 4 5")
    del column[row]
    return list(range(row + 1, row + 20))


def shuffle(random, files, column):
    random.shuffle(column)
    return []


def blanks_at_the_end(random, files, column):
    column += ["", ""]
    return [len(column) - 1, len(column)]


# Characters.


def nfd(random, files, column):
    """Decompose lines that have a letter which other lines have composed."""
    composed = [
        row for row, line in enumerate(column) if line != unicodedata.normalize("NFD", line)
    ]
    if len(composed) < 2:
        return None
    row = random.choice(composed)
    letters = {letter for other in composed if other != row for letter in column[other]}
    letters |= {letter for ref in files.refs for line in ref for letter in line}
    odd = [letter for letter in column[row] if unicodedata.normalize("NFD", letter) != letter]
    if not set(odd) & letters:
        return None
    column[row] = unicodedata.normalize("NFD", column[row])
    return [row + 1]


def mojibake(random, line):
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in line.encode())


def misread(encoding, page):
    def change(random, line):
        return "".join(
            bytes([byte]).decode(page, "ignore") or chr(byte)
            for byte in line.encode(encoding, "ignore")
        )

    def is_russian(line):
        return sum("а" <= letter <= "я" for letter in line.lower()) > 12

    return each(change, fits=is_russian)


def has_accents(line):
    return sum("\xc0" <= letter <= "\u017f" or letter > "\u3000" for letter in line) >= 2


def escape(random, line):
    return line.replace(" ", " &lt;b&gt; ", 1) if " " in line else line[:3] + "&#39;" + line[3:]


def escape_twice(random, line):
    return line[:4] + "&amp;quot;" + line[4:]


# Tokens and case.

SPACED = ("Latin", "Cyrillic")


def tokenize(line):
    for mark in (",", ".", "!", "?", ":", ";"):
        line = line.replace(f"{mark} ", f" {mark} ")
        line = line.removesuffix(mark) + f" {mark}" if line.endswith(mark) else line
    return line.replace("-", " @-@ ").replace("'s ", " 's ").replace('"', ' " ').replace("  ", " ")


def is_punctuated(line):
    return re.search(r"\w, .*\w\.$", line) is not None


def bpe(line):
    return " ".join(w[:3] + "@@ " + w[3:] if len(w) > 5 else w for w in line.split(" "))


def sentencepiece(line):
    return " ".join(f"▁{w[:4]} {w[4:]}".strip() for w in line.split(" "))


def in_pairs(line):
    return " ".join(line[at : at + 2] for at in range(0, len(line), 2))


def has_long_words(line):
    return sum(len(word) > 5 for word in line.split(" ")) >= 2


# Texts that are what they should not be.


def copy_reference(random, files, column):
    column[:] = files.refs[0]
    return []


def copy_source(random, files, column):
    if files.src is None:
        return None
    column[:] = files.src
    return []


def copy_most_references(random, files, column):
    for row in range(len(column)):
        if row % 10 < 8:
            column[row] = files.refs[row % len(files.refs)][row]
    return []


def leave_untranslated(random, files, column):
    if files.src is None:
        return None
    rows = some_rows(random, files.src, 3, lambda line: len(line) >= 40)
    return put(column, rows, files.src.__getitem__)


def repeat_segments(random, files, column):
    row = random.choice([row for row, line in enumerate(column) if len(line) >= 40])
    for lines in (column, *files.refs, *([files.src] if files.src else [])):
        lines.append(lines[row])
    return [len(column)]


def repeat_output(random, files, column):
    rows = some_rows(
        random, files.refs[0], 5, lambda line: len(line) >= (15 if line > "\u3000" else 45)
    )
    text = "I am sorry, but as a language model I cannot translate this text for you."
    text = "对不起，作为一个语言模型，我不能为您翻译这段文字。" if files.script == "Han" else text
    return put(column, rows, lambda _: text) if files.script in ("Latin", "Han") else None


def empty(random, files, column):
    return put(column, some_rows(random, column, 2), lambda _: random.choice(["", "  "]))


def is_long(line):
    return len(line) >= (60 if line > "\u2e80" else 120)


def cut_off(random, files, column):
    rows = some_rows(random, files.refs[0], 2, is_long)
    rows = [row for row in rows or () if all(is_long(ref[row]) for ref in files.refs)]
    ref = files.refs[0]
    return put(column, rows, lambda row: ref[row][: len(ref[row]) // 6]) or None


def run_on(random, files, column):
    rows = some_rows(random, column, 2, lambda line: len(line) >= 40)
    texts = list(column)
    return put(column, rows, lambda row: " ".join(texts[row:] + texts[:row])[: 6 * len(texts[row])])


RUSSIAN = "Городской совет во вторник вечером единогласно решил отремонтировать старый мост."
FRENCH = (
    "Le conseil municipal a décidé mardi soir de rénover entièrement le vieux pont sur la rivière."
)
ENGLISH = "The city council decided on Tuesday evening that the old bridge is to be closed."
CHINESE = "市议会周二晚上一致决定在明年春季之前彻底翻新这座古老的桥梁并且重新向公众开放"


def in_another_script(random, files, column):
    rows = some_rows(random, files.refs[0], 3, lambda line: len(line) >= 30)
    return put(column, rows, lambda _: ENGLISH if files.script == "Cyrillic" else RUSSIAN)


def in_another_language(random, files, column):
    if files.script not in ("Latin", "Japanese"):
        return None
    text, least = (CHINESE, 40) if files.script == "Japanese" else (FRENCH, 90)
    rows = some_rows(random, files.refs[0], 3, lambda line: len(line) >= least)
    return put(column, rows, lambda _: text)


def is_cased(line):
    return line.lower() != line and sum(map(str.islower, line)) >= 20


#: Lines far from their references are of another length too.
_ELSE = ("too-short", "too-long")

CASES = [
    Case("lost-line", lose),
    Case("lost-line", lose_three, name="three"),
    Case("lost-line", lose, column="ref1", name="reference"),
    Case("inserted-line", insert),
    Case("inserted-line", insert, column="ref1", name="reference"),
    Case("shifted-lines", shift),
    Case("shifted-lines", shift, column="ref1", name="reference"),
    Case("unrelated-lines", shuffle, also=_ELSE),
    Case("trailing-blank-line", blanks_at_the_end),
    Case("trailing-blank-line", blanks_at_the_end, column="ref0", name="reference"),
    Case("carriage-return", whole(lambda line: line + "\r"), name="file"),
    Case("carriage-return", insert_character("\r")),
    Case("tab", insert_character("\t")),
    Case("line-separator", insert_character("\u2028")),
    Case("line-separator", insert_character("\x85"), column="ref0", name="reference"),
    Case("line-separator", insert_character("\x0c"), name="form feed"),
    Case("control-character", insert_character("\x1b")),
    Case("control-character", insert_character("\x00"), name="nul"),
    Case("replacement-character", insert_character("\ufffd")),
    Case("odd-space", insert_character("\xa0")),
    Case("odd-space", in_place_of_a_blank("\u202f"), column="ref0", name="reference"),
    Case("odd-space", insert_character("\u2003"), name="em space"),
    Case("invisible-character", insert_character("\u200b")),
    Case("invisible-character", insert_character("\xad"), name="soft hyphen"),
    Case("invisible-character", insert_character("\u200e"), name="direction"),
    Case("invisible-character", insert_character("\ufeff"), name="inner mark"),
    Case("mixed-normalization", nfd),
    Case("mixed-normalization", nfd, column="ref0", name="reference"),
    Case("html-entity", each(escape)),
    Case("html-entity", each(escape_twice), column="ref0", name="reference"),
    Case("mojibake", each(mojibake, fits=lambda line: len(line) >= 12 and has_accents(line)),
         also=(*_ELSE, "invisible-character", "odd-space", "control-character",
               "line-separator")),
    Case("mojibake", misread("cp1251", "cp1252"), name="cp1251", also=("invisible-character",)),
    Case("tokenized", whole(tokenize, SPACED)),
    Case("tokenized", whole(tokenize, SPACED), column="ref0", name="reference"),
    Case("tokenized", whole(in_pairs, ("Han", "Japanese")), name="unspaced script"),
    Case("tokenized-lines", each(lambda _, line: tokenize(line), fits=is_punctuated)),
    Case("subwords", whole(bpe), name="bpe"),
    Case("subwords", whole(sentencepiece), name="sentencepiece"),
    Case("subwords", each(lambda _, line: bpe(line), fits=has_long_words)),
    Case("case", whole(str.lower, SPACED), name="lower"),
    Case("case", whole(str.upper, SPACED), name="upper"),
    Case("case", whole(str.lower, SPACED), column="ref0", name="reference"),
    Case("case-lines", each(lambda _, line: line.upper(), fits=is_cased)),
    Case("hyp-is-ref", copy_reference),
    Case("hyp-is-src", copy_source, also=("wrong-script", "wrong-language", *_ELSE,
         "unrelated-lines", "wrong-tokenizer")),
    Case("matches-reference", copy_most_references),
    Case("same-reference", copy_reference, column="ref1"),
    Case("untranslated", leave_untranslated, also=("wrong-language", "wrong-script", *_ELSE)),
    Case("repeated-output", repeat_output, also=(*_ELSE, "wrong-language", "chat")),
    Case("duplicate-segment", repeat_segments),
    Case("empty-hyp", empty),
    Case("empty-ref", empty, column="ref0"),
    Case("too-short", cut_off),
    Case("too-long", run_on),
    Case("wrong-script", in_another_script, also=(*_ELSE, "repeated-output")),
    Case("wrong-language", in_another_language, also=(*_ELSE, "repeated-output")),
]  # fmt: skip
