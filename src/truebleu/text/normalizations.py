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
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any

from truebleu.errors import OptionError, needing, suggest
from truebleu.text.mending import MENDING, SPACES
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    NEVER_WRITTEN,
    Fix,
    Normalization,
    characters,
    sequence,
    substitution,
)

__all__ = [
    "MESSAGES", "NORMALIZATIONS", "PREPROCESSING", "TYPOGRAPHY", "Fix", "Normalization",
    "names_of", "normalizations", "normalizer", "substitution", "unicode_version",
]  # fmt: skip

_DOUBLE_QUOTES = "“”„‟「」『』〝〞〟″＂"
_SINGLE_QUOTES = "’‘‚‛‹›ʼ´`ʹ′＇"
_DASHES = "‐‑‒–—―−－"
_WIDE = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_WIDE |= dict(zip("、。｡､【】〈〉《》", ",..,[]<><>", strict=True))
_STOPS = {"।": ".", "॥": ".", "۔": ".", "،": ",", "؛": ";", "؟": "?", "٪": "%", "٫": ".", "٬": ","}
#: Characters of blocks in which all are NFC and none joins the one before it.
_COMPOSED = (
    "\x00-\u02ff\u0400-\u0482\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff"
    "\uac00-\ud7a3\uff00-\uffef"
)
#: Decimal digits of all scripts but the ASCII ones.
_DIGITS = r"[^\x00-\x7f\D]"
_VOWEL_MARKS = "\u064b-\u0652\u0640\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_INVISIBLE = "\xad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
_UNSEEN = f"[{_INVISIBLE}{_DIRECTIONS}{_CONTROLS}]"

_ALIKE = "write {} alike in hypotheses and references"
_typographic = partial(Normalization, lines=CHOSEN_BY_WRITERS, typographic=True)

#: Rows that write alike what readers take for the same, in the order in which `typography` applies
#: them.
TYPOGRAPHY = (
    _typographic("nfc", "mixed-normalization", partial(unicodedata.normalize, "NFC"),
                 f"[^{_COMPOSED}]",
                 "normalize all files to NFC: the same letter in two encodings does not match",
                 lines=NEVER_WRITTEN),
    _typographic("invisible", "invisible-character", substitution(_UNSEEN), _UNSEEN,
                 "delete them in hypotheses and references alike", lines=NEVER_WRITTEN),
    _typographic("spaces", "odd-space", substitution(f"[{SPACES}]", " "), f"[{SPACES}]",
                 "replace them with ordinary spaces in hypotheses and references alike",
                 lines=NEVER_WRITTEN),
    _typographic("quotes", "quotation-marks",
                 sequence(characters({**dict.fromkeys(_DOUBLE_QUOTES, '"'),
                                      **dict.fromkeys(_SINGLE_QUOTES, "'")}),
                          substitution(f"«[ {SPACES}]?|[ {SPACES}]?»|<<|>>|''|,,", '"')),
                 f"[«»{_DOUBLE_QUOTES}{_SINGLE_QUOTES}]|<<|>>|''|,,",
                 _ALIKE.format("quotation marks")),
    _typographic("dashes", "dashes", substitution(f"[{_DASHES}]|--+", "-"), f"[{_DASHES}]|--",
                 _ALIKE.format("dashes")),
    _typographic("ellipses", "ellipses", substitution("…+|。。+|\\.\\.\\.+", "..."),
                 "…|。。|\\.\\.\\.\\.", _ALIKE.format("ellipses")),
    _typographic("width", "width", characters(_WIDE), f"[{''.join(_WIDE)}]",
                 _ALIKE.format("full-width and half-width marks")),
    _typographic("stops", "stops", characters(_STOPS), f"[{''.join(_STOPS)}]",
                 _ALIKE.format("the stops of the script")),
    _typographic("digits", "digits",
                 substitution(_DIGITS, lambda digit: str(unicodedata.decimal(digit[0]))), _DIGITS,
                 _ALIKE.format("digits")),
    _typographic("vowel-marks", "vowel-marks", substitution(f"[{_VOWEL_MARKS}]"),
                 f"[{_VOWEL_MARKS}]", "leave vowel marks out of hypotheses and references"),
    _typographic("nfkc", "compatibility", partial(unicodedata.normalize, "NFKC"), "[^\x00-\x7f]",
                 "normalize all files to NFKC"),
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
    *(
        Normalization(name, "quotation-marks", _moses(*rules), _MOSES_MARKS,
                      "apply the script to hypotheses and references alike, or to neither")
        for name, rules in (
            ("moses-punctuation", (('"([,.]+)', r'\1"'), ("([0-9])\xa0([0-9])", r"\1.\2"))),
            ("moses-punctuation-de", ((',"', '",'), (r'(\.+)"(\s*(?:[^<]|\Z))', r'"\1\2'),
                                      ("([0-9])\xa0([0-9])", r"\1,\2"))),
        )
    ),
    Normalization("at-splits", "tokenized", _split_hyphens, "-",
                  "split hyphens in hypotheses and references alike, or in neither"),
)  # fmt: skip


def _whisper(module: str, kind: str) -> Normalization:
    """A normalizer of the package whisper-normalizer, which is imported when it is used."""
    advice = "normalize hypotheses and references alike, or neither"

    @lru_cache(maxsize=1)
    def made() -> Any:
        with needing(f"normalize=whisper-{module}", "whisper"):
            package = __import__(f"whisper_normalizer.{module}", fromlist=[kind])
        return getattr(package, kind)()

    return Normalization(f"whisper-{module}", "case", lambda text: str(made()(text)), "(?s:.)", advice)


#: Normalizers of speech recognition, which change words. They are applied by name only.
WHISPER = (_whisper("basic", "BasicTextNormalizer"), _whisper("english", "EnglishTextNormalizer"))

#: All rows by name that `check` and `reconcile` try.
NORMALIZATIONS = {row.name: row for row in (*TYPOGRAPHY, *PREPROCESSING, *MENDING)}

#: What is wrong with texts, by the kinds of normalizations, and of those that `check` discovers.
MESSAGES = {
    "byte-order-mark": "The text begins with a byte order mark (U+FEFF).",
    "carriage-return": "There is a carriage return (U+000D).",
    "line-separator": "There is a character that ends a line for some tools.",
    "html-entity": "There are HTML entities.",
    "mojibake": "The text was decoded with the wrong encoding.",
    "foreign-marks": "There are marks inside lines that their counterparts lack.",
    "repeated-text": "The text repeats itself.",
    "escaped": "There are escapes, as in JSON or URLs.",
    "added-text": "There is text around translations that their counterparts lack.",
    "subwords": "Words are split into subwords (BPE, SentencePiece).",
    "tokenized": "The text is tokenized: punctuation is separated from the words.",
    "missing-spaces": "There are other characters, or none, instead of spaces.",
    "tab": "There is a tab (U+0009).",
    "mixed-normalization": "Letters are encoded in another form than NFC.",
    "invisible-character": "There are invisible or control characters.",
    "odd-space": "There are spaces other than U+0020.",
    "quotation-marks": "Hypotheses and references write quotation marks differently.",
    "dashes": "Hypotheses and references write dashes differently.",
    "ellipses": "Hypotheses and references write ellipses differently.",
    "width": "Hypotheses and references write full-width marks differently.",
    "stops": "Hypotheses and references write stops differently.",
    "digits": "Hypotheses and references write digits differently.",
    "vowel-marks": "Hypotheses and references write vowel marks differently.",
    "compatibility": "Hypotheses and references use different forms of characters (NFKC).",
    "case": "Lines are in small letters or capitals, unlike their counterparts.",
    "letters": "Letters are written differently than in their counterparts.",
}


def normalizations(names: str | Normalization | Iterable[str | Normalization]) -> tuple[Normalization, ...]:
    """The rows with these names; `typography` stands for all typographic rows, in their order.

    Args:
        names: names, or values of your own.

    Raises:
        OptionError: there is no such name.
    """
    rows: list[Normalization] = []
    named = {row.name: (row,) for row in (*NORMALIZATIONS.values(), *WHISPER)}
    groups = {"typography": TYPOGRAPHY, **named}
    is_single = isinstance(names, (str, Normalization)) or not hasattr(names, "__iter__")
    listed: Any = [names] if is_single else names
    for name in listed:
        if isinstance(name, Normalization):
            rows.append(name)
        elif isinstance(name, str) and name in groups:
            rows += groups[name]
        else:
            raise OptionError(f"normalize cannot be {suggest(name, groups)}")
    return tuple(dict.fromkeys(rows))


def names_of(names: Any) -> tuple[str | Normalization, ...]:
    """The normalizations as the option `normalize` stores them: names, and values of your own."""
    rows = normalizations(names)
    if rows == TYPOGRAPHY:
        return ("typography",)
    return tuple(row.name if row in WHISPER or NORMALIZATIONS.get(row.name) == row else row for row in rows)


def unicode_version(names: Iterable[str | Normalization]) -> str:
    """Versions that these normalizations depend on, for signatures; empty if none."""
    reads = {row.name for row in normalizations(names)}
    versions = []
    if reads & {"nfc", "nfkc", "digits"}:
        versions.append(f"normalize-{unicodedata.unidata_version}")
    if reads & {row.name for row in WHISPER}:
        from importlib.metadata import version

        with needing("normalize=whisper", "whisper"):
            versions.append(f"whisper-normalizer-{version('whisper-normalizer')}")
    return ",".join(versions)


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
