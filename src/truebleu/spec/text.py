# SPDX-License-Identifier: Apache-2.0
"""Normalize and tokenize: from a text to its words.

Sources: mteval-v13a.pl and mteval-v14.pl, in Python in sacreBLEU 2.6.0; tensor2tensor 1.15.7.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import takewhile
from typing import Any

from truebleu.dialects.decisions import Dialect

# ---------------------------------------------------------------- 1. normalize

ASCII_SPACES = " \t\n\r\f\v"


def normalize(dialect: Dialect, text: str) -> str:
    """The text as the tokenizer reads it."""
    if dialect.normalize.normalize:
        from truebleu.text.normalizations import normalizer

        text = normalizer(dialect.normalize.normalize)(text)
    if dialect.normalize.lowercase_when == "before":
        text = lower(dialect, text)
    if dialect.normalize.strip == "right":
        text = text.rstrip()
    return text


def lower(dialect: Dialect, text: str) -> str:
    """The text in lower case, if the dialect asks for it."""
    if not dialect.normalize.lowercase:
        return text
    if dialect.normalize.lowercase_rule == "unicode":
        return text.lower()
    return re.sub("[A-Z]", lambda letter: letter[0].lower(), text)


# ---------------------------------------------------------------- 2. tokenize


def tokenize(dialect: Dialect, text: str) -> list[str]:
    """The tokens: put spaces where tokens end, then split at white space."""
    name = dialect.tokenize.tokenize
    if dialect.normalize.markup == "sgml" and name in ("intl", "intl-split"):
        spaced = TOKENIZERS[name](undo_entities(escape(text)).replace("&apos;", "'"))
    elif dialect.normalize.markup == "sgml" and name in ("13a", "13a-cjk"):
        spaced = separate_western(f" {undo_markup(escape(text))} ")
        spaced = spaced if name == "13a" else separate_unspaced(spaced)
    elif isinstance(name, str) and name.startswith("re:"):
        spaced = re.findall(name.removeprefix("re:"), text)
    else:
        spaced = TOKENIZERS[name](text)
    tokens = spaced if isinstance(spaced, list) else split(dialect, spaced)
    if dialect.normalize.lowercase_when == "after":
        return split(dialect, lower(dialect, " ".join(tokens)))
    return tokens


def split(dialect: Dialect, text: str) -> list[str]:
    """The parts between white space."""
    if dialect.tokenize.whitespace == "python":
        return text.split()
    # In Perl, four control characters are not white space.
    space = r"(?![\x1c-\x1f])\s" if dialect.tokenize.whitespace == "perl" else f"[{ASCII_SPACES}]"
    return [token for token in re.split(space, text) if token]


def escape(text: str) -> str:
    """Text as in an SGML file."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def undo_markup(text: str) -> str:
    """The first replacements of mteval-v13a."""
    return undo_entities(text.replace("<skipped>", "").replace("-\n", "").replace("\n", " "))


def undo_entities(text: str) -> str:
    """In this order, so that `&amp;lt;` ends as `<`."""
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    return text


def tokenize_13a(text: str) -> str:
    """mteval-v13a: undo some markup, then separate Western punctuation."""
    return separate_western(f" {undo_markup(text)} ")


def separate_western(text: str) -> str:
    """The four substitutions of mteval-v13a."""
    # All ASCII punctuation except the apostrophe, comma, hyphen and period.
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", text)
    text = separate(text, lambda a: a not in "0123456789", lambda b: b in ".,", r"{a} {b} ")
    text = separate(text, lambda a: a in ".,", lambda b: b not in "0123456789", r" {a} {b}")
    return re.sub("([0-9])-", r"\1 - ", text)


def separate(text: str, first: Callable[[str], bool], second: Callable[[str], bool], form: str) -> str:
    """Rewrite each pair of neighbors that satisfies both conditions, from left to right.

    A pair consumes both characters, and the search continues after them. So `a..` has one pair
    (`a.`), not two, which is why runs of periods tokenize in surprising ways.
    """
    out = []
    i = 0
    while i < len(text):
        if i + 1 < len(text) and first(text[i]) and second(text[i + 1]):
            out.append(form.format(a=text[i], b=text[i + 1]))
            i += 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def tokenize_intl(text: str, *, is_t2t: bool = False) -> str:
    """mteval-v14 --international-tokenization: the same rules by Unicode category.

    In tensor2tensor's copy digits are decimal, and a backslash is not a mark.
    """

    def is_other(c: str) -> bool:
        return not c.isdecimal() if is_t2t else unicodedata.category(c)[0] != "N"

    def is_mark(c: str) -> bool:
        return unicodedata.category(c)[0] == "P" and not (is_t2t and c == "\\")

    text = separate(text, is_other, is_mark, "{a} {b} ")
    text = separate(text, is_mark, is_other, " {a} {b}")
    return "".join(f" {c} " if unicodedata.category(c)[0] == "S" else c for c in text)


#: Blocks that count as Chinese (sacreBLEU, tokenizer_zh.py).
CHINESE = (
    (0x3400, 0x4DB5), (0x4E00, 0x9FA5), (0x9FA6, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9), (0xFF00, 0xFFEF), (0x2E80, 0x2EFF), (0x3000, 0x303F), (0x31C0, 0x31EF),
    (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF), (0x3100, 0x312F), (0x31A0, 0x31BF), (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F), (0x2600, 0x26FF), (0x2700, 0x27BF), (0x3200, 0x32FF), (0x3300, 0x33FF),
)  # fmt: skip
#: sacreBLEU writes '\u20000', two characters in Python, so that U+2001..U+2A6D count as Chinese.
QUIRK = ((0x2001, 0x2A6D),)
#: The intended blocks: extension B and the supplement of compatibility ideographs.
MEANT = ((0x20000, 0x2A6D6), (0x2F800, 0x2FA1D))


def tokenize_zh(text: str, blocks: tuple[tuple[int, int], ...] = CHINESE + QUIRK) -> str:
    """Splits off each Chinese character; tokenizes the rest like mteval-v13a."""
    return separate_western(separate_unspaced(text.strip(), blocks))


#: Han, kana and Thai in Marian (`isContinuousScript`).
UNSPACED = (
    (0x0E00, 0x0E7F), (0x2E80, 0x2E99), (0x2E9B, 0x2EF3), (0x2F00, 0x2FD5), (0x3005, 0x3005),
    (0x3007, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3040, 0x30FF), (0x3200, 0x32FF),
    (0x3400, 0x4DB5), (0x4E00, 0x9FEF), (0xF900, 0xFA6D), (0xFA70, 0xFAD9), (0x1B000, 0x1B0FF),
    (0x1B130, 0x1B16F), (0x20000, 0x2A6D6), (0x2A700, 0x2B734), (0x2B740, 0x2B81D),
    (0x2B820, 0x2CEA1), (0x2CEB0, 0x2EBE0), (0x2F800, 0x2FA1D),
)  # fmt: skip


def separate_unspaced(text: str, blocks: tuple[tuple[int, int], ...] = UNSPACED) -> str:
    """Each character of some blocks alone; of Marian's scripts without spaces by default."""

    def is_unspaced(c: str) -> bool:
        return any(start <= ord(c) <= end for start, end in blocks)

    return "".join(f" {c} " if is_unspaced(c) else c for c in text)


#: What .NET's tokenizer replaces.
ENTITIES_OF_DOTNET = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}


def tokenize_dotnet(text: str) -> list[str]:
    """Microsoft.Extensions.AI.Evaluation: capitals, marks alone, numbers with marks after them."""

    def kind(c: str) -> str:
        if ord(c) > 0xFFFF:  # two units of 16 bits, which have no category
            return "L"
        if c.isspace() and not "\x1c" <= c <= "\x1f":
            return " "
        return unicodedata.category(c)[0]

    tokens = [""]  # the last one is a word that may go on
    while text:
        entity = next((name for name in ENTITIES_OF_DOTNET if text.startswith(name)), "")
        number = "" if tokens[-1] else "".join(takewhile(lambda c: kind(c) in "NP", text))
        if text.startswith(("-\n", "-\r\n")):
            text = text[text.index("\n") + 1 :]
        elif entity:
            tokens += [ENTITIES_OF_DOTNET[entity], ""]
            text = text.removeprefix(entity)
        elif kind(text[0]) == " ":
            tokens.append("")
            text = text[1:]
        elif number and kind(text[0]) == "N":
            tokens += [number, ""]
            text = text.removeprefix(number)
        elif kind(text[0]) in "PS":
            tokens += [text[0], ""]
            text = text[1:]
        else:
            tokens[-1] += text[0] if kind(text[0]) == "N" else upper_one(text[0])
            text = text[1:]
    return [token for token in tokens if token]


def upper_one(c: str) -> str:
    """.NET's `char.ToUpperInvariant`: never more than one letter, and never a new ASCII letter."""
    if ord(c) > 0xFFFF or c in "\u0131\u017f":
        return c
    # Of a Greek letter with iota below, the letter with the iota beside it, which is titlecase.
    upper = c.upper() if len(c.upper()) == 1 else c.title()
    return upper if len(upper) == 1 else c


#: Text with spaces where tokens end, or the tokens if spaces may be in them.
TOKENIZERS: dict[Any, Callable[[str], str | list[str]]] = {
    "none": str,
    "13a": tokenize_13a,
    "intl": tokenize_intl,
    "intl-split": lambda text: tokenize_intl(re.sub(r"([^\x00-\x7f])", r" \1 ", text)),
    "zh": tokenize_zh,
    "zh-fixed": lambda text: tokenize_zh(text, CHINESE + MEANT),
    "char": " ".join,
    "markers": lambda text: f"<s> {text} </s>",
    "space": lambda text: text.split(" "),
    "13a-cjk": lambda text: separate_unspaced(tokenize_13a(text)),
    "dotnet": tokenize_dotnet,
    "t2t": lambda text: tokenize_intl(text, is_t2t=True),
    "words": lambda text: " ".join(re.findall(r"\w+", text)),
}
