# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `ja-mecab`: MeCab with the IPA dictionary."""

from __future__ import annotations

from truebleu.compat.sacrebleu.tokenizers.tokenizer_mecab import MecabTokenizer
from truebleu.errors import MissingExtraError

FAIL_MESSAGE = str(MissingExtraError.of("tokenize='ja-mecab'", "ja"))


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
