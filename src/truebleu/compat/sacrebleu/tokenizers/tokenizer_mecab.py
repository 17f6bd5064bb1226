# SPDX-License-Identifier: Apache-2.0
"""What the tokenizers for Japanese and Korean share: MeCab with one certain dictionary."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class MecabTokenizer(BaseTokenizer):
    """What MeCab makes of a line.

    Args:
        tagger: MeCab's, which writes words with blanks between them.
        entries: size of the dictionary that sacreBLEU 2.6.0 insists on.
        name: of the dictionary and of its MeCab.

    Raises:
        AssertionError: the dictionary is another.
    """

    def __init__(self, tagger: Any, entries: int, name: str) -> None:
        self.tagger = tagger
        dictionary = tagger.dictionary_info()
        if dictionary.size != entries:
            raise AssertionError(f"Please make sure to use the {name}")
        if dictionary.next is not None:
            raise AssertionError

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The words of a line."""
        words: str = self.tagger.parse(line.strip())
        return words.strip()
