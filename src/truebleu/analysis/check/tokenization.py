# SPDX-License-Identifier: Apache-2.0
"""Texts that are tokens already, and tokenizers that do not suit the script."""

from __future__ import annotations

import re
from html import unescape

from truebleu.analysis.check.excerpts import around, excerpt
from truebleu.analysis.check.fault import Fault
from truebleu.analysis.check.scripts import UNSPACED, main_script
from truebleu.errors import MissingExtraError
from truebleu.metrics.tokenizers import find as find_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.analysis.check.texts import Column, Texts

#: Tokenizers that take tokens as they come, between blanks.
_GIVEN = ("none", "space", "words")
#: Tokenizers that leave a sentence without spaces in a piece, or in few.
_AT_SPACES = (*_GIVEN, "13a", "intl", "intl-split", "t2t")
#: What sacreBLEU takes for a language of the script, and `char` for those it has none for.
_SUITED = {"Han": "zh", "Japanese": "ja-mecab", "Hangul": "ko-mecab"}

#: Marks of Moses, BPE (subword-nmt), SentencePiece and WordPiece.
_BPE = re.compile(r"\w@@(?= |$)")
_SUBWORD = re.compile(rf"{_BPE.pattern}|(?:^|\s)▁+\w|\w ##\w")
_HYPHEN = re.compile(r"(?<=\S) @([-/.,:])@ (?=\S)")
_CLITIC = re.compile(
    r"(?<=[A-Za-z]) (?:n't|'(?:s|re|ve|ll|d|m))(?= |$)"
    r"|(?<=[A-Za-z]) (?:'|&apos;) (?=(?:t|s|re|ve|ll|d|m)\b)"
)
_APART = re.compile(r"(?<=[^\W_]) [.,](?= |$)(?! \.)")
_QUOTE = re.compile(r'(?: |^)(?:"|&quot;)(?: |$)')
_ATTACHED = re.compile(r"(?<=[^\W_])[.,](?=\s|$)")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef\u3000-\u3002"
_BETWEEN_CJK = re.compile("(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])")
_ANY = re.compile("|".join(p.pattern for p in (_SUBWORD, _HYPHEN, _CLITIC, _APART, _BETWEEN_CJK)))

#: A column is tokenized if so many of its texts with stops and commas have them apart.
_SHARE = 0.7
_FEWEST = 3


def find(texts: Texts, tokenizer: Any) -> Iterator[Fault]:
    """Tokens where text is expected, and the other way round.

    Args:
        tokenizer: a name or a function; none of a metric that has its own.
    """
    columns = (texts.hyp, *texts.refs)
    marks = {}
    for column in columns:
        subwords = list(_subwords(column))
        yield from subwords
        cut = {row for fault in subwords for row in fault.rows}
        marks[column] = {row: n for row, n in _marks(column).items() if row not in cut}
    whole = {column for column in columns if _is_whole(column, marks[column])}
    given = callable(tokenizer) or tokenizer in _GIVEN
    for column in columns if not given or len(whole) < len(columns) else ():
        if column in whole:
            message = "The text is tokenized: punctuation stands apart from the words."
            yield _fault("tokenized", column, list(marks[column]), message)
            continue
        rows = [row for row, found in marks[column].items() if found > 1]
        if rows:
            message = "These lines are tokenized, the others are not."
            yield _fault("tokenized-lines", column, rows, message)
    yield from _wrong_tokenizer(texts, tokenizer)


def _fault(kind: str, column: Column, rows: list[int], message: str) -> Fault:
    evidence = [(column.where(row), around(column.texts[row] or "", _ANY)) for row in rows[:3]]
    whole = kind == "tokenized"
    return Fault(kind, column, rows, message, evidence=evidence, fix=_detokenized, whole=whole)


def _subwords(column: Column) -> Iterator[Fault]:
    rows = [
        row for row, text in column.rows()
        if ("@@" in text or "▁" in text or "##" in text) and _is_subwords(text)
    ]  # fmt: skip
    if rows:
        evidence = [
            (column.where(row), around(column.texts[row] or "", _SUBWORD)) for row in rows[:3]
        ]
        yield Fault(
            "subwords", column, rows, "Words are cut into subwords (BPE, SentencePiece).",
            evidence=evidence, fix=_joined,
        )  # fmt: skip


def _is_subwords(text: str) -> bool:
    """A word with `@@` behind it is enough; `##` and one block can be something else."""
    return len(_SUBWORD.findall(text)) >= (1 if _BPE.search(text) else 2)


def _joined(text: str) -> str:
    if "▁" in text:
        return text.replace(" ", "").replace("▁", " ").strip()
    return re.sub(r"@@(?: |$)| ##(?=\w)", "", text)


def _marks(column: Column) -> dict[int, int]:
    """How many marks of a tokenizer a row has: 1 or, for any more, 2. Rows without are left out."""
    rows = ((row, text) for row, text in column.rows() if " " in text)
    return {row: found for row, text in rows if (found := _marks_of(text))}


def _marks_of(text: str) -> int:
    if _HYPHEN.search(text) or _CLITIC.search(text):
        return 2
    if _APART.search(text) and not _ATTACHED.search(text):
        # One in a line can be a slip of the typist. Three stops in a row are an ellipsis.
        return min(len(_APART.findall(text)) + len(_QUOTE.findall(text)), 2)
    blanks = len(_BETWEEN_CJK.findall(text))
    return 2 if blanks >= 2 and blanks * 4 >= len(re.findall(f"[{_CJK}]", text)) else 0


def _is_whole(column: Column, marks: dict[int, int]) -> bool:
    if len(marks) < _FEWEST:
        return False
    if main_script(column.texts) in UNSPACED:
        others = sum(1 for row, text in column.rows() if row not in marks and len(text) > 6)
    else:
        others = sum(1 for _, text in column.rows() if _ATTACHED.search(text))
    return len(marks) > _SHARE * (len(marks) + others)


def _detokenized(text: str) -> str:
    """Text from tokens of Moses' kind, as far as rules of a line each go."""
    text = _HYPHEN.sub(r"\1", unescape(text))
    text = re.sub(r"(?<=[A-Za-z]) ' (?=(?:t|s|re|ve|ll|d|m)\b)", "'", text)
    text = re.sub(r"(?<=[A-Za-z]) (n't|'(?:s|re|ve|ll|d|m))(?= |$)", r"\1", text)
    text = re.sub(r'(^| )" ([^"]*?) "(?= |$|[.,;:!?)])', r'\1"\2"', text)
    text = re.sub(r"(?<=\S) ([.,;:!?%)\]}])(?= |$|[\"'.,;:!?)\]])", r"\1", text)
    text = re.sub(r"([(\[{$]) (?=\S)", r"\1", text)
    return re.sub(f"(?<=[{_CJK}]) (?=[{_CJK}])", "", text)


def _wrong_tokenizer(texts: Texts, chosen: Any) -> Iterator[Fault]:
    script = main_script(text for ref in texts.refs for text in ref.texts)
    if chosen not in _AT_SPACES or script not in (*UNSPACED, "Hangul"):
        return
    if chosen in _GIVEN and _has_words(texts):
        return
    suited = _SUITED.get(script, "char")
    try:
        find_tokenizer(suited)
    except MissingExtraError:
        suited = "char"
    ref = texts.refs[0]
    rows = [row for row, text in ref.rows() if text.strip()]
    why = (
        "puts particles in one token with their words"
        if script == "Hangul"
        else "takes whole phrases for tokens, because there are no spaces between words"
    )
    yield Fault(
        "wrong-tokenizer", ref, rows,
        f"The script is {script}, where the tokenizer {chosen} {why}; measured with {suited}.",
        evidence=[(ref.where(row), excerpt(ref.texts[row] or "")) for row in rows[:1]],
        changes={"tokenize": suited}, whole=True,
    )  # fmt: skip


def _has_words(texts: Texts) -> bool:
    """Whether the references have their words apart: a blank for each eight letters."""
    joined = "".join(text for ref in texts.refs for text in ref.texts if text)
    return joined.count(" ") * 8 >= len(joined)
