# SPDX-License-Identifier: Apache-2.0
"""The base class of the Japanese and Korean tokenizers: MeCab with a fixed dictionary."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class MecabTokenizer(BaseTokenizer):
    """The words that MeCab finds in a line.

    Args:
        tagger: a MeCab tagger that separates words by spaces.
        entries: the size of the dictionary that sacreBLEU 2.6.0 requires.
        name: the name of the dictionary and its MeCab.

    Raises:
        AssertionError: MeCab uses another dictionary.
    """

    def __init__(self, tagger: Any, entries: int, name: str) -> None:
        self.tagger = tagger
        dictionary = tagger.dictionary_info()
        if dictionary.size != entries:
            raise AssertionError(f"Please make sure to use the {name}")
        if dictionary.next is not None:
            raise AssertionError

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The words of a line."""
        words: str = self.tagger.parse(line.strip())
        return words.strip()
