# SPDX-License-Identifier: Apache-2.0
"""Hypotheses that are empty, cut, too long or an answer, and tokenizers that do not suit."""
# ruff: noqa: RUF001  (quotation marks and stops of all languages)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from truebleu.analysis.check.alignment import DOUBTFUL
from truebleu.analysis.check.columns import Texts
from truebleu.analysis.check.judge import Floats, Judge
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.scripts import UNSPACED, script_of_most
from truebleu.errors import MissingExtraError
from truebleu.metrics.tokenizers import find as find_tokenizer
from truebleu.text.mending import STEMS
from truebleu.text.normalization import CHOSEN_BY_WRITERS, WRITTEN_BY_PROGRAMS

#: A hypothesis is too long or too short by this factor from all references, and by this many
#: letters: below that, real systems only choose other words. A letter of Han counts as two.
_FACTOR, _BY = 3, 60
#: A line that was cut has less than this share of the reference's length: few translations do.
_CUT = 0.78

_STOPS = frozenset(".!?…。！？।॥۔؟:;\"'”“»’」』)）]")
#: Tokenizers that split at spaces alone, and those that leave a sentence without spaces in few
#: pieces; sacreBLEU's tokenizer for the languages of a script.
SPLIT = ("none", "space", "words")
_AT_SPACES = (*SPLIT, "13a", "intl", "intl-split", "t2t")
_SUITED = {"Han": "zh", "Japanese": "ja-mecab", "Hangul": "ko-mecab"}

_TASK = re.compile(
    rf"{STEMS}|\brequest|\bassist|language model|\bA\.?I\b|guideline|polic(?:y|ies)|\bcomply|"
    r"\bprompt\b|\binput\b", re.IGNORECASE,
)  # fmt: skip
_CANNOT = re.compile(
    r"\b(?:can(?:no|['’]?)t|could(?:n['’]t| not)|unable|not able|won['’]t|will not|"
    r"not (?:feel )?comfortable|declin(?:e|ing)|refuse|violat\w+|against|please (?:provide|paste|"
    r"share|send|specify|enter|supply|clarify)|(?:could|can|would) you (?:please )?(?:provide|"
    r"paste|share|send|specify|clarify)|(?:which|what) (?:target )?language|"
    r"(?:no|any) (?:text|sentence|input|source))\b", re.IGNORECASE,
)  # fmt: skip
_SPEAKER = re.compile(r"\b(?:I|me|my|I['’](?:m|ll|d|ve)|as an AI|you|it)\b", re.IGNORECASE)


def refusals(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> list[Fault]:
    """Answers of a chat model. Single sentences show in nothing else than a list of words."""
    unlike = np.flatnonzero(similarity < DOUBTFUL / 2).tolist()
    rows = [row for row in unlike if _is_answer(columns[0][row])
            and not any(_is_answer(refs[row]) for refs in columns[1:])]  # fmt: skip
    message = "A chat model answers instead of translating."
    return [Fault("refusal", texts.hyp, rows, message, texts.hyp.evidence(rows))] if rows else []


def _is_answer(text: str) -> bool:
    return all(pattern.search(text) for pattern in (_CANNOT, _TASK, _SPEAKER))


def lengths(texts: Texts, columns: Sequence[Sequence[str]], judge: Judge) -> Iterator[Fault]:
    """Segments that are empty, missing, cut, or far from the length of their references."""
    hyp, refs = texts.hyp, texts.refs
    own, *others = (np.fromiter(map(len, column), np.int64, len(column)) for column in columns)
    shortest, longest = np.min(others, axis=0), np.max(others, axis=0)
    rows: dict[str, list[int]] = {"empty-hyp": [], "too-short": [], "too-long": [], "": []}
    missing = [row for row in np.flatnonzero(longest == 0).tolist()
               if all(ref.texts[row] is None for ref in refs)]  # fmt: skip
    if missing:
        yield Fault(
            "missing-reference", refs[0], missing, "There is no reference.",
            texts=texts.without(missing),
        )  # fmt: skip
    for row in np.flatnonzero((shortest > 2 * own) | (own > 2 * longest) | (own < 3)).tolist():
        present = [
            column[row]
            for column, ref in zip(columns[1:], refs, strict=True)
            if ref.texts[row] is not None
        ]
        if present and hyp.row(row) is not None:
            rows[_length(columns[0][row], present)].append(row)
    cut = _cut(columns, judge)
    rows["too-short"] = [row for row in rows["too-short"] if row not in set(cut)]
    for kind, message in (
        ("empty-hyp", "The hypothesis is empty, its reference is not."),
        ("too-short", "The hypothesis is far shorter than each reference."),
        ("too-long", "The hypothesis is far longer than each reference."),
    ):
        if rows[kind]:
            yield Fault(
                kind,
                hyp,
                rows[kind],
                message,
                [] if kind == "empty-hyp" else hyp.evidence(rows[kind]),
            )
    if cut:
        evidence = [(hyp.where(number), f"…{columns[0][row][-60:]}") for row, number in
                    zip(cut[:3], hyp.numbers(cut), strict=False)]  # fmt: skip
        yield Fault(
            "truncated", hyp, cut, "The hypothesis stops before the end of its reference.", evidence
        )
    for ref, column in zip(refs, columns[1:], strict=True):
        empty = [row for row, (text, given) in enumerate(zip(column, ref.texts, strict=True))
                 if not text.strip() and given is not None and columns[0][row].strip()]  # fmt: skip
        if empty:
            yield Fault("empty-ref", ref, empty, "The reference is empty, the hypothesis is not.")


def _length(hyp: str, refs: Sequence[str]) -> str:
    if not hyp.strip():
        return "empty-hyp" if any(ref.strip() for ref in refs) else ""
    length, others = _width(hyp), [_width(ref) for ref in refs]
    if length * _FACTOR < min(others) and min(others) - length >= _BY:
        return "too-short"
    is_longer = length > max(others) * _FACTOR and length - max(others) >= _BY and max(others) > 0
    return "too-long" if is_longer else ""


def _width(text: str) -> int:
    return sum(2 if character >= "\u2e80" else 1 for character in text.strip())


def _ends(text: str) -> bool:
    return text.rstrip()[-1:] in _STOPS


def _cut(columns: Sequence[Sequence[str]], judge: Judge) -> list[int]:
    """The rows of hypotheses that stop without a stop, unlike all of their references.

    A limit of tokens shows as the length that most of them have.
    """
    hyps, *refs = columns
    ended = [[_ends(text) for text in column] for column in columns]
    pairs = list(zip(*ended, strict=True))
    open_ended = [
        row
        for row, (own, *others) in enumerate(pairs)
        if not own and all(others) and hyps[row].strip()
    ]
    short = [
        row
        for row in open_ended
        if len(hyps[row]) < _CUT * min(len(column[row]) for column in refs)
    ]
    # A short translation is like all of its reference, a cut one like its beginning.
    own = [hyps[row] for row in short]
    sizes = list(map(len, own))
    starts, ends = (
        judge.similarity(own, [[column[row][part] for row, part in zip(short, parts, strict=True)]
                               for column in refs])
        for parts in ([slice(size) for size in sizes], [slice(-size, None) for size in sizes])
    )  # fmt: skip
    cut = [row for row, start, end in zip(short, starts, ends, strict=True) if start > end]
    against = len(short) - len(cut)
    others_end = sum(own and not any(others) for own, *others in pairs)
    if len(cut) < max(CHOSEN_BY_WRITERS, 2 * against, others_end // 8):
        return []
    for length in (lambda text: len(text.split()), len):
        ((limit, times),) = Counter(length(hyps[row]) for row in cut).most_common(1)
        if limit > WRITTEN_BY_PROGRAMS and times * 2 > len(cut):
            return [row for row in open_ended if length(hyps[row]) == limit]
    return cut


def lost_spaces(texts: Texts, columns: Sequence[Sequence[str]]) -> list[Fault]:
    """Lines with hardly any spaces, unlike what they face."""
    if script_of_most(columns[1]) in (*UNSPACED, "Hangul"):
        return []
    own, *others = ([text.count(" ") for text in column] for column in columns)
    rows = [
        row for row, (spaces, *facing) in enumerate(zip(own, *others, strict=True))
        if 4 * spaces < min(facing) and min(facing) >= 3
        and 2 * len(columns[0][row]) > min(len(column[row]) for column in columns[1:])
    ]  # fmt: skip
    message = "There are no spaces between words."
    if len(rows) < WRITTEN_BY_PROGRAMS:
        return []
    return [Fault("lost-spaces", texts.hyp, rows, message, texts.hyp.evidence(rows))]


def wrong_tokenizer(texts: Texts, tokenizer: Any) -> Iterator[Fault]:
    """A tokenizer that splits at spaces, for a script without spaces."""
    ref = texts.refs[0]
    script = script_of_most(ref.filled)
    if tokenizer not in _AT_SPACES or script not in (*UNSPACED, "Hangul"):
        return
    joined = "".join(ref.filled)
    if tokenizer in SPLIT and joined.count(" ") * 8 >= len(joined):
        return  # the references separate words: one space or more per eight letters
    suited = _SUITED.get(script, "char")
    try:
        find_tokenizer(suited)
    except MissingExtraError:
        suited = "char"
    why = (
        "joins particles to their words" if script == "Hangul"
        else "makes whole phrases tokens, because there are no spaces between words"
    )  # fmt: skip
    yield Fault(
        "wrong-tokenizer", ref, [],
        f"The script is {script}; the tokenizer {tokenizer} {why}. Repair uses {suited}.",
        ref.evidence([0]), changes={"tokenize": suited}, whole=True,
    )  # fmt: skip
