# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `ja-mecab`: MeCab with the IPA dictionary."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAIL_MESSAGE = """
Japanese tokenization requires extra dependencies, but you do not have them installed.
Please install them like so.

    pip install sacrebleu[ja]
"""


class TokenizerJaMecab(BaseTokenizer):
    """What MeCab makes of a line.

    Raises:
        RuntimeError: MeCab or its dictionary is not installed.
        AssertionError: the dictionary is another.
    """

    def __init__(self) -> None:
        try:
            import ipadic
            import MeCab
        except ImportError:
            raise RuntimeError(FAIL_MESSAGE) from None
        self.tagger = MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
        dictionary = self.tagger.dictionary_info()
        if dictionary.size != 392126:
            raise AssertionError("Please make sure to use the IPA dictionary for MeCab")
        if dictionary.next is not None:
            raise AssertionError

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The words of a line."""
        words: str = self.tagger.parse(line.strip())
        return words.strip()

    def signature(self) -> str:
        """The name in signatures, with MeCab's version."""
        return f"ja-mecab-{self.tagger.version()}-IPA"
