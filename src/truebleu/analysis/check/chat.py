# SPDX-License-Identifier: Apache-2.0
"""What chat models write around a translation, or instead of one.

The only detector with lists of words: a single sentence of a chat model shows in nothing else.
"""
# ruff: noqa: RUF001  (quotation marks and dashes of all languages)

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.signs import Sign
from truebleu.analysis.check.texts import Texts

#: The stem of "translation" in many languages.
_STEMS = (
    r"translat|übersetz|tradu[czç]|traduz|vertal|oversæt|oversett|översätt|přek|preklad|prevod|"
    r"prijevod|tłumacz|fordít|käänn|перевод|переклад|превод|ترجم|תרג|अनुवाद|翻译|翻譯|译文|譯文|"
    r"翻訳|訳文|번역|dịch|çevir|terjemah"
)
#: First letters first: `re` tries each stem at each character else.
_TRANSLATION = f"(?=[{''.join(stem[0] for stem in _STEMS.split('|'))}])(?:{_STEMS})"
_ABOUT = re.compile(_TRANSLATION, re.IGNORECASE)
#: A beginning up to a colon that speaks of a translation.
_INTRO = re.compile(
    rf"^[^:：\n]{{0,100}}(?:{_TRANSLATION})[^:：\n]{{0,60}}[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_COLON = Sign(":：")
#: What is asked of a chat model, what it cannot do, and what it wants.
_TASK = re.compile(
    rf"{_TRANSLATION}|\brequest|\bassist|language model|\bA\.?I\b|guideline|polic(?:y|ies)|"
    r"\bcomply|\bprompt\b|\binput\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"\b(?:can(?:no|['’]?)t|could(?:n['’]t| not)|unable|not able|won['’]t|will not|"
    r"not comfortable|not feel comfortable|declin(?:e|ing)|refuse|violat\w+|against)\b",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"\bplease (?:provide|paste|share|send|specify|enter|supply|clarify)\b|"
    r"\b(?:could|can|would) you (?:please )?(?:provide|paste|share|send|specify|clarify)\b|"
    r"\b(?:which|what) (?:target )?language\b|\b(?:no|any) (?:text|sentence|input|source)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\b(?:I|me|my|I['’](?:m|ll|d|ve)|as an AI|you|it)\b", re.IGNORECASE)
#: A hypothesis that says something else than its references is less similar to them.
_UNLIKE = 0.25


def find(texts: Texts, similarity: Similarity, alike: NDArray[np.float64]) -> Iterator[Fault]:
    """Phrases of chat models in hypotheses, in aligned texts.

    Args:
        alike: how similar each hypothesis is to its references.
    """
    hyps = texts.segments(texts.hyp)
    refs = [texts.segments(ref) for ref in texts.refs]
    intros, answers = [], []
    for row in sorted(
        {*texts.with_sign(_COLON, texts.hyp), *np.flatnonzero(alike < _UNLIKE).tolist()}
    ):
        hyp = hyps[row]
        facing = [text for column in refs if (text := column[row])]
        if not hyp or not facing:
            continue
        if _INTRO.match(hyp) and not any(_ABOUT.search(ref) for ref in facing):
            rest = [_without_intro(hyp)] * len(facing)
            if similarity.of_pairs(rest, facing).max() > alike[row]:
                intros.append(row)
        elif alike[row] < _UNLIKE and _is_answer(hyp) and not any(map(_is_answer, facing)):
            answers.append(row)
    for kind, found, message, fix in (
        ("added-text", intros, "A chat model introduces its translation.", _without_intro),
        ("chat", answers, "A chat model answers instead of translating.", None),
    ):
        rows = texts.rows_of(texts.hyp, found)
        if rows:
            yield Fault(kind, texts.hyp, rows, message, evidence=texts.hyp.evidence(rows), fix=fix)


def _is_answer(text: str) -> bool:
    return bool(
        _TASK.search(text) and _SPEAKER.search(text)
        and (_CANNOT.search(text) or _WANTS.search(text))
    )  # fmt: skip


def _without_intro(text: str) -> str:
    return _INTRO.sub("", text)
