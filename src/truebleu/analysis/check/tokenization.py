# SPDX-License-Identifier: Apache-2.0
"""Texts that are already tokenized, and tokenizers that do not suit the script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.marks import only_here
from truebleu.analysis.check.scripts import UNSPACED
from truebleu.analysis.check.signs import Sign
from truebleu.analysis.check.texts import Column, Texts
from truebleu.errors import MissingExtraError
from truebleu.metrics.tokenizers import find as find_tokenizer

#: Tokenizers that split at spaces alone.
_SPLIT = ("none", "space", "words")
#: Tokenizers that leave a sentence without spaces in one piece, or in few.
_AT_SPACES = (*_SPLIT, "13a", "intl", "intl-split", "t2t")
#: sacreBLEU's tokenizer for the languages of a script; `char` for scripts without one.
_SUITED = {"Han": "zh", "Japanese": "ja-mecab", "Hangul": "ko-mecab"}

#: Marks of BPE (subword-nmt, OpenNMT), SentencePiece, WordPiece and BPE of bytes.
_BPE = re.compile(r"\w@@(?= |$)|\w￭ | ￭\w")
_SUBWORD = re.compile(rf"{_BPE.pattern}|(?:^|\s)▁+\w|\w▁\w|\w ##\w|Ġ\w")
#: These begin with what `re` finds fast, and then look at what is before it.
_HYPHEN = re.compile(r" @(?<=\S @)([-/.,:])@ (?=\S)")
_CLITIC = re.compile(
    r" (?<=[A-Za-z] )(?:n't|'(?:s|re|ve|ll|d|m))(?= |$)"
    r"| (?<=[A-Za-z] )(?:'|&apos;) (?=(?:t|s|re|ve|ll|d|m)\b)"
)
_APART = re.compile(r" [.,](?<=[^\W_] [.,])(?= |$)(?! \.)")
_ATTACHED = re.compile(r"[.,](?<=[^\W_][.,])(?=\s|$)")
_QUOTE = re.compile(r'(?: |^)(?:"|&quot;)(?: |$)')
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef\u3000-\u3002"
_BYTES = re.compile("Ġ[\u3040-\u30ff\u3400-\u9fff]")
_BETWEEN_CJK = re.compile("(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])")
#: Brackets and quotation marks of the Penn Treebank.
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PENN = re.compile(r"-[LR][RSC]B-|``(?<!```)(?!`)")
#: Any mark of tokens; if references lack it, one in a line is enough.
_TOKENS = re.compile(
    rf"{_PENN.pattern}|''|{_HYPHEN.pattern}|{_CLITIC.pattern}| [.,;:!?)\]](?<=\w .)(?= |$)"
    r"|\((?<!\S.) (?=\w)|\[(?<!\S.) (?=\w)"
)
_ANY = re.compile("|".join(p.pattern for p in (_SUBWORD, _TOKENS, _BETWEEN_CJK)))
_SUBWORDS = Sign("▁￭Ġ", pairs=("@@", "##"))
_SUSPECT = Sign(
    "@`",
    pairs=(
        *(" .", " ,", " ;", " :", " !", " ?", " )", " ]", "( ", "[ ", " '", " &", "''", "B-"),
        *((" ", letter) for letter in "\u3040\u4000\u5000\u6000\u7000\u8000\u9000"),
    ),
)
_NEGATION = Sign(pairs=["n'"])

#: A column is tokenized if this share of its texts with stops and commas has them apart.
_SHARE = 0.7
_FEWEST = 3


def find(texts: Texts, tokenizer: Any) -> Iterator[Fault]:
    """Tokens instead of text, and a tokenizer that does not suit the script.

    Args:
        tokenizer: a name or a callable; None for a metric with its own.
    """
    suspects, marks, ignored = {}, {}, {}
    for column in texts.scored:
        subwords = [row for row, text in column.with_sign(_SUBWORDS) if _is_subwords(text)]
        if subwords:
            yield Fault(
                "subwords", column, subwords, "Words are split into subwords (BPE, SentencePiece).",
                evidence=column.evidence(subwords, _SUBWORD), fix=_joined,
            )  # fmt: skip
        negated = ((row, text) for row, text in column.with_sign(_NEGATION) if " n't" in text)
        suspects[column] = dict(sorted((*column.with_sign(_SUSPECT), *negated)))
        ignored[column] = set(subwords)
        marks[column] = {
            row: n
            for row, text in suspects[column].items()
            if " " in text and row not in ignored[column] and (n := _marks(text))
        }
    whole = {column for column in texts.scored if _is_whole(column, marks[column])}
    wants_tokens = callable(tokenizer) or tokenizer in _SPLIT
    for column in texts.scored if not wants_tokens or len(whole) < len(texts.scored) else ():
        if column in whole:
            kind, found = "tokenized", set(marks[column])
            message = "The text is tokenized: punctuation is separated from the words."
        else:
            kind, found = "tokenized-lines", {row for row, n in marks[column].items() if n > 1}
            message = "These lines are tokenized, the others are not."
        if column is texts.hyp and texts.paired:
            own, *others = (
                {row for row, text in suspects[one].items() if _TOKENS.search(text)}
                for one in texts.scored
            )
            # References lack such a mark: one in a line is enough.
            found.update(only_here(own - ignored[column], set().union(*others)))
        rows = sorted(found)
        if rows:
            yield Fault(
                kind, column, rows, message, evidence=column.evidence(rows, _ANY),
                fix=_detokenized, whole=kind == "tokenized",
            )  # fmt: skip
    yield from _wrong_tokenizer(texts, tokenizer)


def _is_subwords(text: str) -> bool:
    """One `@@` is enough, or a `▁` at the start; a single `##` or `▁` can have other reasons.

    Ġ is a letter of Maltese, but not of every other word, nor before Han and kana.
    """
    if "Ġ" in text:
        return bool(_BYTES.search(text)) or text.count("Ġ") > max(2, len(text.split()) // 2)
    return len(_SUBWORD.findall(text)) >= (1 if text[0] == "▁" or _BPE.search(text) else 2)


def _joined(text: str) -> str:
    for mark in "▁Ġ":
        if mark in text:
            return text.replace(" ", "").replace(mark, " ").strip()
    return re.sub(r"@@(?: |$)| ##(?=\w)| ?￭ ?", "", text)


def _marks(text: str) -> int:
    """0 for a text without marks of a tokenizer, 1 for a single mark, 2 for more."""
    if _HYPHEN.search(text) or _CLITIC.search(text) or _PENN.search(text):
        return 2
    if _APART.search(text) and not _ATTACHED.search(text):
        # One in a line can be a typing error. Three stops in a row are an ellipsis.
        return min(len(_APART.findall(text)) + len(_QUOTE.findall(text)), 2)
    blanks = len(_BETWEEN_CJK.findall(text))
    return 2 if blanks >= 2 and blanks * 4 >= len(re.findall(f"[{_CJK}]", text)) else 0


def _is_whole(column: Column, marks: dict[int, int]) -> bool:
    if len(marks) < _FEWEST:
        return False
    if column.script in UNSPACED:
        is_other = (row not in marks and len(text) > 6 for row, text in column.rows())
    else:
        is_other = (_ATTACHED.search(text) is not None for _, text in column.rows())
    for others, _ in enumerate(filter(None, is_other), 1):
        if len(marks) <= _SHARE * (len(marks) + others):
            return False
    return True


def _detokenized(text: str) -> str:
    """Text from tokens of Moses or the Penn Treebank, by simple rules."""
    for name, bracket in _BRACKETS.items():
        text = text.replace(name, bracket)
    text = re.sub(r"`` ?", '"', re.sub(r" ?''", '"', text))
    text = _HYPHEN.sub(r"\1", unescape(text))
    text = re.sub(r"(?<=[A-Za-z]) ' (?=(?:t|s|re|ve|ll|d|m)\b)", "'", text)
    text = re.sub(r"(?<=[A-Za-z]) (n't|'(?:s|re|ve|ll|d|m))(?= |$)", r"\1", text)
    text = re.sub(r'(^| )" ([^"]*?) "(?= |$|[.,;:!?)])', r'\1"\2"', text)
    text = re.sub(r"(?<=\S) ([.,;:!?%)\]}])(?= |$|[\"'.,;:!?)\]])", r"\1", text)
    text = re.sub(r"([(\[{$]) (?=\S)", r"\1", text)
    return re.sub(f"(?<=[{_CJK}]) (?=[{_CJK}])", "", text)


def _wrong_tokenizer(texts: Texts, tokenizer: Any) -> Iterator[Fault]:
    script = texts.script
    if tokenizer not in _AT_SPACES or script not in (*UNSPACED, "Hangul"):
        return
    joined = "".join(text for ref in texts.refs for text in ref.texts if text)
    if tokenizer in _SPLIT and joined.count(" ") * 8 >= len(joined):
        return  # the references separate words: one space or more per eight letters
    suited = _SUITED.get(script, "char")
    try:
        find_tokenizer(suited)
    except MissingExtraError:
        suited = "char"
    ref = texts.refs[0]
    rows = [row for row, text in ref.rows() if text.strip()]
    why = (
        "joins particles to their words"
        if script == "Hangul"
        else "makes whole phrases tokens, because there are no spaces between words"
    )
    yield Fault(
        "wrong-tokenizer", ref, rows,
        f"The script is {script}; the tokenizer {tokenizer} {why}. Repair uses {suited}.",
        evidence=ref.evidence(rows[:1]), changes={"tokenize": suited}, whole=True,
    )  # fmt: skip
