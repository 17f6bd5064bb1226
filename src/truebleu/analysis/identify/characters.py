# SPDX-License-Identifier: Apache-2.0
"""A tokenizer that is none of the table, read from what it does with each character."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from truebleu.analysis.identify.calling import Box
from truebleu.analysis.identify.probes import Probe

#: Marks that are asked about; what most of the others do is the rule for all others.
_ASCII, _OTHERS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "\u2019“—…«°€²。\uff0c☃"
#: A letter of a script without blanks, and the letters of this script.
_HAN, _ALL_HAN = "我", "[一-鿿]"
#: What a tokenizer may do with a character of a word, and the same as text with blanks.
_ACTS = {"deleted": "", "a blank": " ", "a token": " {} ", "kept": "{}"}


class Deleting:
    """A tokenizer that deletes characters before it splits; `repr()` is its Python."""

    def __init__(self, deleted: str, tokens: str) -> None:
        self._deleted, self._tokens = deleted, tokens

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text."""
        return re.findall(self._tokens, re.sub(self._deleted, "", text))

    def __repr__(self) -> str:
        """As an expression."""
        text = f"__import__('re').sub({self._deleted!r}, '', text)"
        return f"lambda text: __import__('re').findall({self._tokens!r}, {text})"


def read_tokenizer(box: Box) -> list[dict[str, Any]]:
    """Tokenizers that do with each character what the scorer does, as changes."""
    if _same(box, "zonvun", "z o n v u n"):
        return [{"tokenize": "re:[^ ]"}, {"tokenize": r"re:\S"}]
    acts = {mark: _act(box, mark) for mark in _ASCII + _OTHERS}
    rule = Counter(acts[mark] for mark in _OTHERS).most_common(1)[0][0]
    parts = {act: _classes(acts, act, rule) for act in _ACTS}
    if _act(box, _HAN) == "a token":
        parts["a token"].append(_ALL_HAN)
    split = "|".join([*parts["a token"], *parts["a blank"]])
    words = rf"(?:(?!{split})\S)+" if split else r"\S+"
    tokens, deleted = "|".join([*parts["a token"], words]), "|".join(parts["deleted"])
    return [{"tokenize": Deleting(deleted, tokens) if deleted else f"re:{tokens}"}]


def _classes(acts: dict[str, str], act: str, rule: str) -> list[str]:
    """Classes of the characters with which a tokenizer does this."""
    marks = "".join(mark for mark in _ASCII if acts[mark] == act)
    if act != rule or act == "kept":
        return [f"[{re.escape(marks)}]"] if marks else []
    others = "".join(mark for mark in _ASCII if acts[mark] != act and mark != "_")
    return [rf"[^\w\s{re.escape(others)}]", *(["_"] if "_" in marks else [])]


def _act(box: Box, character: str) -> str:
    """What the scorer does with a character inside of a word."""
    written = {act: f"zon{text.format(character)}vun" for act, text in _ACTS.items()}
    return next(act for act in _ACTS if act == "kept" or _same(box, written["kept"], written[act]))


def _same(box: Box, text: str, other: str) -> bool:
    """Whether two spellings have the same tokens."""
    pairs = [(f"ba bu di do fa {text} fu ga gi ku", f"ba bu di do fa {ref} fu ga gi ku")
             for ref in (text, other)]  # fmt: skip
    scores = [box.ask(Probe("", (hyp,), ((ref,),))) for hyp, ref in pairs]
    whole, own = (math.nan if score is None else score for score in scores)
    return abs(own - whole) <= 1e-9 * abs(whole)
