# SPDX-License-Identifier: Apache-2.0
"""The rows of the table of normalizations that mend faults of tools, files and chat models.

No row is trusted: `check` applies it and reports it if texts become more similar to those that they
face. So a row may be simple and may overlap others; the one that gains more wins.
"""
# ruff: noqa: RUF001  (quotation marks and dashes of all languages)

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import unquote

from truebleu.text.escaping import columns
from truebleu.text.normalization import CHOSEN_BY_WRITERS, NEVER_WRITTEN, Fix, Normalization, sequence, substitution

SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
#: Shorter texts are equal, or far from the usual length, by chance: names, greetings, numbers.
LONG = 20
LINE_ENDS = "\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
#: Letters of scripts that join them, and marks of Chinese, Japanese and Korean texts.
CJK = "\u3000-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef"


def is_long(text: str | None) -> bool:
    """Whether a text is longer than a greeting: letters of Han, kana and Hangul count as two."""
    return text is not None and (len(text) >= LONG or columns(text) >= LONG)


def tidy(fix: Fix) -> Fix:
    """A function that leaves no double or outer spaces where it changes something."""
    return partial(_tidied, fix)


def _tidied(fix: Fix, text: str) -> str:
    new = fix(text)
    return text if new == text else " ".join(new.split()) or text


# Text in another encoding.


#: The bytes from 128 on, by their characters in Latin-1 and in Windows-1252.
_HIGH = {chr(byte): byte for byte in range(0x80, 0x100)} | {
    character: byte for byte in range(0x80, 0xA0) if (character := bytes([byte]).decode("cp1252", "ignore"))
}
_TAIL = "".join(re.escape(character) for character, byte in _HIGH.items() if byte < 0xC0)
#: UTF-8 read as Latin-1 or Windows-1252, and as pages of DOS, Macintosh and Central Europe.
_UTF8 = f"(?:[\xc2-\xdf][{_TAIL}]|[\xe0-\xef][{_TAIL}]{{2}}|[\xf0-\xf4][{_TAIL}]{{3}})+"
_PAGES = ("cp437", "mac_roman", "cp850", "cp1250")
_OF_PAGES = "".join(sorted({c for page in _PAGES for c in bytes(range(0x80, 0x100)).decode(page, "ignore")}))


def _decoded(run: re.Match[str]) -> str:
    """Characters whose bytes are UTF-8, as UTF-8."""
    for page in ("", *_PAGES):
        with suppress(UnicodeError, KeyError):
            read = run[0].encode(page) if page else bytes(_HIGH[letter] for letter in run[0])
            return read.decode()
    return run[0]


def _page(page: str) -> Fix:
    """Letters of a page of Windows that was read as Latin-1, if nearly all letters are high."""
    table = {ord(c): bytes([byte]).decode(page, "replace") for c, byte in _HIGH.items()}
    return partial(_read_again, table)


def _read_again(table: dict[int, str], text: str) -> str:
    high = sum("\xc0" <= letter <= "\xff" for letter in text)
    return text.translate(table) if high * 10 > 7 * sum(map(str.isalpha, text)) else text


def unescaped(text: str) -> str:
    """Text without HTML entities, also where they were escaped several times."""
    while "&" in text and (new := unescape(text)) != text:
        text = new
    return text


def _unescaped_json(run: re.Match[str]) -> str:
    try:
        text = run[0].replace("\\/", "/").encode("latin-1").decode("unicode_escape")
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeError:
        return run[0]


def _unquoted_url(text: str) -> str:
    return unquote(text) if text.count("%") > 2 else text


# What is around a text.


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    parts = value if isinstance(value, (list, tuple)) else ()
    return [text for part in parts for text in _strings(part)]


def _from_json(text: str) -> str:
    """The longest string of a value of JSON or Python."""
    if text.lstrip()[:1] in ("[", "{", "("):
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
                return max(_strings(read(text.strip().rstrip(","))), key=len, default=text)
    return text


def _field(delimiter: str, place: int, text: str) -> str:
    fields = text.split(delimiter)
    return fields[place].strip() or text if len(fields) > 1 else text


_TOKEN = re.compile(r"[^\W\d_]+|\d+|\S")
#: A text that ends in four copies of the same words, up to so many, repeats itself.
_PERIOD, _TIMES = 12, 4


def once(text: str) -> str:
    """A text without repeats of itself or of its end."""
    start = text[:8]
    at = text.find(start, 1) if len(start) == 8 else -1
    while at > 0:
        unit = text[:at].rstrip(" \t|/-–—")
        if not re.search(r"\w", text.replace(unit, "")):
            return unit
        at = text.find(start, at + 1)
    if text.count(text[-3:]) < _TIMES:
        return text
    places = list(_TOKEN.finditer(text))
    tokens = [place[0] for place in places]
    for period in range(1, min(_PERIOD, len(tokens) // _TIMES) + 1):
        same = 0
        while same + period < len(tokens) and tokens[-1 - same] == tokens[-1 - same - period]:
            same += 1
        if same >= (_TIMES - 1) * period and any(map(str.isalnum, tokens[-period:])):
            return text[: places[len(tokens) - same - 1].end()]
    return text


# Tokens.

_PENN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_CLOSING = r".,;:!?)\]}»”’…।॥۔،؛؟。、，！？：；」』】》"
_OPENING = r"(\[{$€£¿¡«„“‘「『【《"
_SUFFIXES = "(?:t|s|re|ve|ll|d|m)"


def _pairs(text: str) -> str:
    """Quotation marks that stand alone, joined with what they enclose."""
    for first, last in ('""', "“”", "„“", "''", "«»"):
        if f" {last}" in text:
            text = re.sub(rf"(^|[ (]){first} ([^{first}{last}]*?) {last}(?= |$|[.,;:!?)])", rf"\1{first}\2{last}", text)
    return text


def detokenizer(*, elided: bool = False, apart: str = "", inner: bool = False) -> Fix:
    """Joins the tokens of Moses, the Penn Treebank or 13a.

    Args:
        elided: whether an apostrophe joins the next word, as in l'homme.
        apart: marks that keep their space, as in French.
        inner: whether signs such as slashes join the words around them.
    """
    closing = "".join(mark for mark in _CLOSING if mark not in apart)
    steps = [
        ("@", r" @([-/.,:])@ ", r"\1"),
        ("'’", r" (?<=\w )([nN]['’][tT])\b", r"\1"),  # do n't
        ("'’", rf" (?<=\w )(['’]) ?(?=(?i:{_SUFFIXES})\b)", r"\1"),  # it 's, it ' s
        ("'’", r" (?<=s )(['’])(?= \w)", r"\1"),  # parents ' house
        ("'’" * elided, r"(['’])(?<=[^\W\d_].) (?=\w)", r"\1"),
        ("'’" * elided, r" (?<=[^\W\d_] )(['’]) (?=\w)", r"\1"),
        (":/", r"(?<=\d) ?([:/]) ?(?=\d)", r"\1"),  # 14: 37
        (" " * inner, r" (?:(?<=\w )([/&=@#_|~+*<>\\^]) (?=\w)|(?<=\d )(-) (?=\d)|(?<=\d )(%))",
         r"\1\2\3"),
        (" ", "", ""),
        (" ", rf" (?<=\S )([{closing}])(?= |$|[\"'“”».,;:!?)\]])", r"\1"),
        (" ", rf"([{_OPENING}])(?<!\S.) (?=\S)", r"\1"),
        (" ", f" (?<=[{CJK}] )(?=[{CJK}])", ""),
    ]  # fmt: skip
    return partial(_detokenized, [(marks, re.compile(step), new) for marks, step, new in steps])


def _detokenized(steps: list[tuple[str, re.Pattern[str], str]], text: str) -> str:
    for name, bracket in _PENN.items() if "-" in text else ():
        text = text.replace(name, bracket)
    if "``" in text or "''" in text:
        text = re.sub(r"`` ?|(?<![^\s(])''(?=\w)", '"', re.sub(r" ?''", '"', text))
    text = unescaped(text)
    for marks, pattern, new in steps:
        if not pattern.pattern:
            text = _pairs(text)
        elif any(mark in text for mark in marks):
            text = pattern.sub(new, text)
    return text


def _from_pieces(mark: str, text: str) -> str:
    return text.replace(" ", "").replace(mark, " ").strip() if mark in text else text


# The table.

#: The stem of "translation" in many languages.
STEMS = (
    r"translat|übersetz|tradu[czç]|traduz|vertal|oversæt|oversett|översätt|přek|preklad|prevod|"
    r"prijevod|tłumacz|fordít|käänn|перевод|переклад|превод|ترجم|תרג|अनुवाद|翻译|翻譯|译文|譯文|"
    r"翻訳|訳文|번역|dịch|çevir|terjemah"
)
#: What an answer of a chat model has, of each: a task, a refusal or a question, a speaker. Single
#: sentences show in nothing else than a list of words.
ANSWER = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{STEMS}|\b(?:request|assist|AI\b|comply|prompt\b|input\b)|guideline|polic(?:y|ies)|A\.I\.",
        (
            r"\b(?:can(?:no|['’]?)t|could(?:n['’]t| not)|unable|not able|won['’]t|will not|"
            r"not (?:feel )?comfortable|declin(?:e|ing)|refuse|violat\w+|against|please (?:provide|paste|"
            r"share|send|specify|enter|supply|clarify)|(?:could|can|would) you (?:please )?(?:provide|"
            r"paste|share|send|specify|clarify)|(?:which|what) (?:target )?language|"
            r"(?:no|any) (?:text|sentence|input|source))\b"
        ),
        r"\b(?:I|me|my|I['’](?:m|ll|d|ve)|as an AI|you|it)\b",
    )
]
_TAG = r"</?[A-Za-z][^<>]{0,80}>|<\|[^<>|]{1,30}\|>|\[/?[A-Z]{2,12}\]"
_UNKNOWN = r"<*</?unk>>*|<*<UNK>>*|\[UNK\]|_UNK_|⁇"
#: What shows tokens, next to a space: a pattern that begins with one letter is searched fast.
_TOKENS = (
    rf" (?:[{_CLOSING}{_OPENING}'’@\"“„”`-](?:(?<=[{_CLOSING}'])(?= |$)|(?<=['’])[a-zA-Z]"
    rf"|(?<=@)[-/.,:]@|(?<=[{_OPENING}\"“„”]) |(?<=`)`|(?<=-)[LR][RSC]B-)"
    r"|n['’]t|\d(?<=\d: .)|(?<=['’] )(?<=[a-zA-Z]. ))"
)


def _row(kind: str, advice: str, name: str, pattern: str, fix: Fix, **fields: Any) -> Normalization:
    return Normalization(name, kind, fix, pattern, advice, **fields)


_added = partial(_row, "added-text", "remove it: score the translations alone")
_escaped = partial(_row, "escaped", "unescape the text: read it with the format's own reader")
_marks = partial(_row, "foreign-marks", "remove the marks, and look for the program that wrote them")
_mojibake = partial(
    _row, "mojibake", "decode the original bytes with the right encoding, not as Latin-1 or Windows-1252"
)
_pieces = partial(_row, "subwords", "join the subwords before scoring", lines=NEVER_WRITTEN, shared=True)
_tokens = partial(_row, "tokenized", "score detokenized text against unchanged references: dialects tokenize both")

#: Rows that mend faults. Of two that gain nearly the same, the first is reported.
MENDING = (
    Normalization(
        "byte-order-mark", "byte-order-mark", substitution("^\ufeff"), "^\ufeff",
        "save the file as UTF-8 without it: most tools score it as a part of the first word",
        NEVER_WRITTEN, sign="\ufeff",
    ),
    Normalization("carriage-returns", "carriage-return",
                  substitution("\r+$|(\r+)", lambda match: " " if match[1] else ""), "\r",
                  "convert the file to Unix line ends (\\n)", NEVER_WRITTEN, sign="\r"),
    *(
        Normalization(
            name, "line-separator", substitution(f"[{LINE_ENDS}]", new), f"[{LINE_ENDS}]",
            "replace them with spaces: some tools end a line there, and all later lines are "
            "misaligned", NEVER_WRITTEN, sign=f"[{LINE_ENDS}]",
        ) for name, new in (("line-separators", " "), ("inner-line-separators", ""))
    ),
    Normalization(
        "html-entities", "html-entity", unescaped, "&[#A-Za-z]",
        "unescape them in hypotheses and references alike", NEVER_WRITTEN, shared=True, sign="&",
    ),
    _mojibake(
        "mojibake", "[\xc2-\xf4├┬╬╨╤π─ΓΣ√‚„ă][^\\x00-\\x7f]",
        sequence(substitution(_UTF8, _decoded), substitution(f"[{_OF_PAGES}]{{2,}}", _decoded)),
        lines=NEVER_WRITTEN, sign="[\xc2-\xf4├┬╬╨╤π─ΓΣ√‚„ă]",
    ),
    *(
        _mojibake(f"mojibake-{script}", "[\xc0-\xff][\xc0-\xff]{2}", _page(page), sign="[\xc0-\xff]")
        for script, page in (("cyrillic", "cp1251"), ("greek", "cp1253"), ("hebrew", "cp1255"),
                             ("arabic", "cp1256"))
    ),
    _marks("unknown-words", r"unk>|UNK>|\[UNK]|_UNK_|⁇", tidy(substitution(_UNKNOWN)), shared=True,
           lines=NEVER_WRITTEN, sign=r"[>\[_⁇]"),
    Normalization("repeats", "repeated-text", once, "",
                  "keep each text once, and look why decoding does not stop", NEVER_WRITTEN),
    _escaped("backslashes", r"\\",
             substitution(r"(?:\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\"'/]))+", _unescaped_json), sign=r"\\"),
    _escaped("percent-escapes", "%[0-9A-F]", _unquoted_url, sign="%"),
    _marks("newlines", r"\\[nr]", tidy(substitution(r"(?:\\[rn])+", " ")), sign=r"\\"),
    _added("thoughts", "</", substitution(r"^\s*<(\w+)>.*?</\1>\s*(?=\S)"), sign="<"),
    *(
        _added(name, "```|~~~", substitution(
            rf"^\s*(```|~~~){tag}(?:\\n|\s)*(.*?)(?:\\n|\s)*\1\s*$", r"\2"), sign="[`~]")
        for name, tag in (("code-fences", ""), ("named-code-fences", r"\w*(?=\\n|\s)"))
    ),
    _added("emphasis", "^[*_`]", substitution(r"^\s*(\*{1,3}|__|[_`])(.*)\1\s*$", r"\2"),
           sign="[*_`]"),
    _added("list-marks", "^[*#>+•·-]", substitution(r"^\s*(?:#+|[*>+•·-]) +"),
           sign="[*#>+•·-]"),
    _added("json", r"^[\[{(]", _from_json, shared=True, sign=r"[\[{(]"),
    _added("csv", '^"', substitution(r'^\s*"((?:[^"]|"")*)"[,;]?\s*$',
                                     lambda match: match[1].replace('""', '"')),
           shared=True, sign='"'),
    _added("outer-quotes", "^[\"'“„«‘‹「『]",
           substitution(r"^\s*[\"'“„«‘‹「『]\s*(.*?)\s*[\"'”“»’›」』]([.,;。、]?)\s*$", r"\1\2"),
           lines=CHOSEN_BY_WRITERS, side="hyp", sign="[\"'“„«‘‹「『]"),
    _added("chat-intros", r"^[^:：\n]{5,160}[:：]", substitution(
        rf"^(?=[^:：\n]{{5,160}}[:：])[^:：\n]{{0,100}}(?:{STEMS})[^:：\n]{{0,60}}[:：]\s*(?=\S)",
        "", re.IGNORECASE), lines=NEVER_WRITTEN, side="hyp", sign="[:：]"),
    _added("notes", r"[:：].*[)\]）】]\s*$", substitution(
        r"\s*[(\[（【][^()\[\]（）【】]*[:：][^()\[\]（）【】]*[)\]）】]\s*$"), side="hyp",
        sign="[:：]"),
    *(
        _added(name, re.escape(mark), partial(_field, mark, place), shared="|||" in mark,
               sign=re.escape(mark.strip(" ")[:1] or mark))
        for form, mark in (("nbest", "|||"), ("tabs", "\t"), ("arrows", "=>"), ("bars", " | "))
        for name, place in ((f"last-of-{form}", -1), (f"second-of-{form}", 1),
                            (f"first-of-{form}", 0))
    ),
    _marks("line-tags", "<(?:br|p|BR)",
           tidy(substitution(r" ?(?:</?(?:br|p|BR|P) ?/?>)+ ?", " ")), sign="<"),
    _marks("joining-line-tags", "<(?:br|p|BR)",
           tidy(substitution(r"(?:</?(?:br|p|BR|P) ?/?>)+")), sign="<"),
    _added("tags", r"[<\[]", tidy(substitution(_TAG)), shared=True, sign=r"[<\[]"),
    _added("separating-tags", r"[<\[]", tidy(substitution(_TAG, " ")), sign=r"[<\[]"),
    _pieces("sentencepiece", "▁", partial(_from_pieces, "▁"), sign="▁"),
    _pieces("sentencepiece-marks", "▁", substitution(" *▁+ *", " "), sign="▁"),
    _pieces("byte-bpe", "Ġ", partial(_from_pieces, "Ġ"), lines=4, sign="Ġ"),
    _pieces("bpe", "@@", substitution(r"@@(?: |$)"), sign="@"),
    _pieces("bpe-ends", "</w>", partial(_from_pieces, "</w>"), sign="<"),
    _pieces("wordpiece", " ##", substitution(" ##"), lines=4, sign="#"),
    _pieces("opennmt-pieces", "￭", substitution(r" ?￭ ?"), sign="￭"),
    *(
        _tokens(name, _TOKENS, fix, shared=True)
        for name, fix in (
            ("tokens", detokenizer()), ("elided-tokens", detokenizer(elided=True)),
            ("french-tokens", detokenizer(elided=True, apart=";:!?»")),
            ("split-tokens", detokenizer(inner=True)),
        )
    ),
    _tokens("penn-quotes", "``|''", substitution("`` ?| ?''", '"'), sign="``|''"),
    _tokens("cjk-tokens", f"[{CJK}] ",
            substitution(f"(?<=[{CJK}]) +(?=[{CJK}\\w])|(?<=\\w) +(?=[{CJK}])"), sign=f"[{CJK}]"),
    Normalization("spaces-after-stops", "missing-spaces",
                  substitution(r"([,;:!?.])(?<=[^\W\d_]{2}.)(?=[^\W\d_]{2})", r"\1 "),
                  r"[,;:!?.](?=[^\W\d_])(?<=[^\W\d_].)",
                  "write spaces as the references do, and look for the program that dropped them"),
    Normalization("tabs", "tab", substitution("\t", " "), "\t",
                  "replace them with spaces: tools that read tab-separated references split there",
                  NEVER_WRITTEN, sign="\t"),
)  # fmt: skip


def copied_sources(hyps: Sequence[str], refs: Sequence[Sequence[str]], srcs: Sequence[str]) -> Normalization:
    """Cuts sources in front of hypotheses, where no reference (of these columns) is one."""
    without: dict[str, str] = {}
    for hyp, source, *facing in zip(hyps, srcs, *refs, strict=True):
        src = source.strip()
        left = hyp[len(src) :].lstrip(" \t|=>:/\\-")
        if left and hyp.startswith(src) and is_long(src) and src not in facing:
            without[hyp] = left
    return _added("copied-sources", "", lambda text: without.get(text, text), lines=NEVER_WRITTEN, side="hyp")
