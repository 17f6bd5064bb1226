# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `ja-mecab`: MeCab with the IPA dictionary; and the class for any MeCab."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from truebleu.errors import MissingExtraError

FAIL_MESSAGE = str(MissingExtraError.of("tokenize='ja-mecab'", "ja"))


class MecabTokenizer(BaseTokenizer):
    """The words that MeCab finds with a dictionary of `entries`, which sacreBLEU 2.6.0 requires."""

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


class TokenizerJaMecab(MecabTokenizer):
    """The Japanese words that MeCab finds in a line.

    Raises:
        RuntimeError: MeCab or its dictionary is not installed.
        AssertionError: MeCab uses another dictionary.
    """

    def __init__(self) -> None:
        try:
            import ipadic
            import MeCab
        except ImportError:
            raise RuntimeError(FAIL_MESSAGE) from None
        tagger = MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
        super().__init__(tagger, 392126, "IPA dictionary for MeCab")

    def signature(self) -> str:
        """The name in signatures, with MeCab's version."""
        return f"ja-mecab-{self.tagger.version()}-IPA"
