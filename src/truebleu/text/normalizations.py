# SPDX-License-Identifier: Apache-2.0
"""The table of normalizations: changes of text that some tools, writers or corpora make.

A normalization is a row, as a dialect is: a function from text to text, the fault that it mends,
and advice. `check` applies the rows that mend faults and reports those that pay, `compare` asks
which verdicts survive the typographic ones, `contrast` which share of a difference they explain,
`reconcile` whether one was applied before scoring; `normalize=` applies them before tokenization.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

from truebleu.errors import OptionError, suggest
from truebleu.text.checksum import checksum

#: From text to text.
Fix = Callable[[str], str]

#: The fewest lines that must improve before `check` reports a row: marks that no writer writes,
#: marks that programs write, and marks that writers may choose.
NEVER_WRITTEN, WRITTEN_BY_PROGRAMS, CHOSEN_BY_WRITERS = 1, 4, 8


@dataclass(frozen=True, slots=True, eq=False)  # a copy from another process is equal
class Normalization:
    """A change of text. Frozen.

    Attributes:
        name: as in `normalize=`, `--normalize` and signatures.
        kind: the fault that it mends: a heading of docs/check.md.
        fix: from text to text. In `TYPOGRAPHY`, applying it twice changes nothing more.
        pattern: a regular expression; text without a match stays as it is. Empty: any text may
            change.
        advice: what to do about the fault.
        lines: the fewest lines that must become more similar before `check` reports it.
        side: which texts can have the fault: `hyp`, `ref` or `both`.
        typographic: whether it writes alike what readers take for the same, so that a difference
            between systems should not depend on it.
        shared: whether the marks are never text, so that they are a fault on both sides as well.

    Example:
        >>> from truebleu.text.normalizations import Normalization
        >>> plain = Normalization("ae", "ae-letter", lambda text: text.replace("æ", "ae"), "æ")
        >>> plain("Cæsar")
        'Caesar'
    """

    name: str
    kind: str
    fix: Fix
    pattern: str = ""
    advice: str = ""
    lines: int = WRITTEN_BY_PROGRAMS
    side: str = "both"
    typographic: bool = False
    shared: bool = False

    def __call__(self, text: str) -> str:
        """The normalized text."""
        return self.fix(text)

    def __str__(self) -> str:
        """A value of your own in signatures: its name with a checksum of its function."""
        return f"python[{quote(self.name, safe='')}-{checksum((self.pattern, self.fix))}]"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Normalization) and str(self) == str(other))

    def __hash__(self) -> int:
        return hash((self.name, self.pattern))


def substitution(
    pattern: str, new: str | Callable[[re.Match[str]], str] = "", flags: int = 0
) -> Fix:
    """Replaces each match of a regular expression."""
    return partial(re.compile(pattern, flags).sub, new)


def characters(table: dict[str, str]) -> Fix:
    """Replaces each of these characters."""
    return partial(_translated, str.maketrans(table))


def _translated(table: dict[int, str], text: str) -> str:
    return text if text.isascii() else text.translate(table)


def sequence(*fixes: Fix) -> Fix:
    """Applies functions in turn."""
    return partial(_in_turn, fixes)


def _in_turn(fixes: Iterable[Fix], text: str) -> str:
    for fix in fixes:
        text = fix(text)
    return text


SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_DOUBLE_QUOTES = "“”„‟「」『』〝〞〟″＂"
_SINGLE_QUOTES = "’‘‚‛‹›ʼ´`ʹ′＇"
_DASHES = "‐‑‒–—―−－"
_WIDE = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_WIDE |= {
    "、": ",",
    "。": ".",
    "｡": ".",
    "､": ",",
    "【": "[",
    "】": "]",
    "〈": "<",
    "〉": ">",
    "《": "<",
    "》": ">",
}
_STOPS = {"।": ".", "॥": ".", "۔": ".", "،": ",", "؛": ";", "؟": "?", "٪": "%", "٫": ".", "٬": ","}
#: Decimal digits of all scripts but the ASCII ones.
_DIGITS = r"[^\x00-\x7f\D]"
_VOWEL_MARKS = "\u064b-\u0652\u0640\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_INVISIBLE = "\xad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"

#: Rows that write alike what readers take for the same, in the order in which `typography` applies
#: them.
TYPOGRAPHY = (
    Normalization(
        "nfc", "mixed-normalization", partial(unicodedata.normalize, "NFC"), "[^\x00-\u02ff]",
        "normalize all files to NFC: the same letter in two encodings does not match",
        NEVER_WRITTEN, typographic=True,
    ),
    Normalization(
        "invisible", "invisible-character", substitution(f"[{_INVISIBLE}{_DIRECTIONS}{_CONTROLS}]"),
        f"[{_INVISIBLE}{_DIRECTIONS}{_CONTROLS}]",
        "delete them in hypotheses and references alike", NEVER_WRITTEN, typographic=True,
    ),
    Normalization(
        "spaces", "odd-space", substitution(f"[{SPACES}]", " "), f"[{SPACES}]",
        "replace them with ordinary spaces in hypotheses and references alike", NEVER_WRITTEN,
        typographic=True,
    ),
    Normalization(
        "quotes", "quotation-marks",
        sequence(substitution(f"«[ {SPACES}]?|[ {SPACES}]?»|<<|>>|``|''|,,", '"'),
                 characters(dict.fromkeys(_DOUBLE_QUOTES, '"')),
                 characters(dict.fromkeys(_SINGLE_QUOTES, "'"))),
        f"[«»{_DOUBLE_QUOTES}{_SINGLE_QUOTES}]|<<|>>|''|,,",
        "write quotation marks alike in hypotheses and references", CHOSEN_BY_WRITERS,
        typographic=True,
    ),
    Normalization(
        "dashes", "dashes", substitution(f"[{_DASHES}]|--+", "-"), f"[{_DASHES}]|--",
        "write dashes alike in hypotheses and references", CHOSEN_BY_WRITERS, typographic=True,
    ),
    Normalization(
        "ellipses", "ellipses", substitution("…+|。。+|\\.\\.\\.+", "..."), "…|。。|\\.\\.\\.\\.",
        "write ellipses alike in hypotheses and references", CHOSEN_BY_WRITERS, typographic=True,
    ),
    Normalization(
        "width", "width", characters(_WIDE), f"[{''.join(_WIDE)}]",
        "write full-width and half-width marks alike in hypotheses and references",
        CHOSEN_BY_WRITERS, typographic=True,
    ),
    Normalization(
        "stops", "stops", characters(_STOPS), f"[{''.join(_STOPS)}]",
        "write the stops of the script alike in hypotheses and references", CHOSEN_BY_WRITERS,
        typographic=True,
    ),
    Normalization(
        "digits", "digits",
        substitution(_DIGITS, lambda digit: str(unicodedata.decimal(digit[0]))), _DIGITS,
        "write digits alike in hypotheses and references", CHOSEN_BY_WRITERS, typographic=True,
    ),
    Normalization(
        "vowel-marks", "vowel-marks", substitution(f"[{_VOWEL_MARKS}]"), f"[{_VOWEL_MARKS}]",
        "leave vowel marks out of hypotheses and references", CHOSEN_BY_WRITERS, typographic=True,
    ),
    Normalization(
        "nfkc", "compatibility", partial(unicodedata.normalize, "NFKC"), "[^\x00-\x7f]",
        "normalize all files to NFKC", CHOSEN_BY_WRITERS, typographic=True,
    ),
)  # fmt: skip

#: What Moses' normalize-punctuation.perl (version of 2019) does for every language. \xa0 is a
#: no-break space.
_MOSES = (
    ("\r", ""), (r"\(", " ("), (r"\)", ") "), (" +", " "), (r"\) ([.!:?;,])", r")\1"),
    (r"\( ", "("), (r" \)", ")"), ("([0-9]) %", r"\1%"), (" ([:;])", r"\1"), ("`", "'"),
    ("''", ' " '), ("[„“”]", '"'), ("–", "-"), ("—", " - "), (" +", " "), ("´", "'"),
    ("([a-zA-Z])‘([a-zA-Z])", r"\1'\2"), ("([a-zA-Z])’([a-zA-Z])", r"\1'\2"), ("[‘‚]", "'"),
    ("’|''", '"'), ("…", "..."), ("\xa0«\xa0", ' "'), ("«\xa0?", '"'), ("\xa0»\xa0", '" '),
    ("\xa0?»", '"'), ("\xa0([%:?!;])", r"\1"), ("nº\xa0", "nº "), ("\xa0(ºC|cm)", r" \1"),
    (",\xa0", ", "), (" +", " "),
)  # fmt: skip


#: What the rules change, in any language.
_MOSES_MARKS = "[()\r`´„“”‘’‚–—…«»\xa0]| [ :;%]|''|\"[,.]|[,.]\""


def _moses(*language: tuple[str, str]) -> Fix:
    return sequence(*(substitution(*rule, flags=re.ASCII) for rule in (*_MOSES, *language)))


def _split_hyphens(text: str) -> str:
    """As get_ende_bleu.sh of tensor2tensor and compound_split_bleu.sh of fairseq do, but once."""
    if "##AT##" in text:
        return text
    data = text.encode(errors="surrogatepass")  # Perl reads bytes
    split = re.sub(rb"(\S)-(\S)", rb"\1 ##AT##-##AT## \2", data)
    return split.decode(errors="surrogatepass")


#: Rows that programs apply to whole files before they are scored.
PREPROCESSING = (
    Normalization(
        "moses-punctuation", "quotation-marks",
        _moses(('"([,.]+)', r'\1"'), ("([0-9])\xa0([0-9])", r"\1.\2")),
        _MOSES_MARKS, "apply the script to hypotheses and references alike, or to neither",
    ),
    Normalization(
        "moses-punctuation-de", "quotation-marks",
        _moses((',"', '",'), (r'(\.+)"(\s*(?:[^<]|\Z))', r'"\1\2'),
               ("([0-9])\xa0([0-9])", r"\1,\2")),
        _MOSES_MARKS, "apply the script to hypotheses and references alike, or to neither",
    ),
    Normalization(
        "at-splits", "tokenized", _split_hyphens, "-",
        "split hyphens in hypotheses and references alike, or in neither",
    ),
)  # fmt: skip

#: All rows by name.
NORMALIZATIONS = {row.name: row for row in (*TYPOGRAPHY, *PREPROCESSING)}


def normalizations(
    names: str | Normalization | Iterable[str | Normalization],
) -> tuple[Normalization, ...]:
    """The rows with these names; `typography` stands for all typographic rows, in their order.

    Args:
        names: names, or values of your own.

    Raises:
        OptionError: there is no such name.
    """
    rows: list[Normalization] = []
    is_single = isinstance(names, (str, Normalization)) or not hasattr(names, "__iter__")
    listed: Any = [names] if is_single else names
    for name in listed:
        if isinstance(name, Normalization):
            rows.append(name)
        elif name == "typography":
            rows += TYPOGRAPHY
        elif isinstance(name, str) and name in NORMALIZATIONS:
            rows.append(NORMALIZATIONS[name])
        else:
            raise OptionError(
                f"normalize cannot be {suggest(name, ['typography', *NORMALIZATIONS])}"
            )
    return tuple(dict.fromkeys(rows))


def names_of(names: Any) -> tuple[str | Normalization, ...]:
    """The normalizations as the option `normalize` stores them: names, and values of your own."""
    rows = normalizations(names)
    if rows == TYPOGRAPHY:
        return ("typography",)
    return tuple(row.name if NORMALIZATIONS.get(row.name) == row else row for row in rows)


def unicode_version(names: Iterable[str | Normalization]) -> str:
    """The Unicode version that these normalizations depend on, for signatures; empty if none."""
    reads = {row.name for row in normalizations(names)} & {"nfc", "nfkc", "digits"}
    return f"normalize-{unicodedata.unidata_version}" if reads else ""


@lru_cache(maxsize=64)
def normalizer(names: tuple[str | Normalization, ...]) -> Fix:
    """A function that applies normalizations in turn, each to texts with a match of its pattern."""
    steps = [(re.compile(row.pattern).search, row.fix) for row in normalizations(names)]

    def normalized(text: str) -> str:
        for search, fix in steps:
            if search(text):
                text = fix(text)
        return text

    return normalized
