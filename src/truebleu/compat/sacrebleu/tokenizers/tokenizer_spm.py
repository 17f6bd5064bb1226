# SPDX-License-Identifier: Apache-2.0
"""The tokenizers of SentencePiece models: `flores101`, `flores200` and `spBLEU-1K`.

Models are read from sacreBLEU's cache. They are not downloaded.
"""

from __future__ import annotations

import logging
import os
from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from truebleu.compat.sacrebleu.utils import SACREBLEU_DIR

_FLORES = "https://dl.fbaipublicfiles.com/fairseq/models/flores/"

#: sacreBLEU's addresses of the models, whose last part names the file in the cache.
SPM_MODELS = {
    "spm": {"url": f"{_FLORES}sacrebleu_tokenizer_spm.model", "signature": "flores101"},
    "flores101": {"url": f"{_FLORES}sacrebleu_tokenizer_spm.model", "signature": "flores101"},
    "flores200": {"url": "https://tinyurl.com/flores200sacrebleuspm", "signature": "flores200"},
    "spBLEU-1K": {
        "url": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
        "signature": "spBLEU-1K",
    },
}


class TokenizerSPM(BaseTokenizer):
    """The pieces of a line by a model.

    Raises:
        ImportError: sentencepiece is not installed.
        FileNotFoundError: the model is not in sacreBLEU's cache.
    """

    def signature(self) -> str:
        """The name in signatures."""
        return self.name

    def __init__(self, key: str = "spm") -> None:
        model = SPM_MODELS[key]
        self.name = model["signature"]
        if key == "spm":
            logging.getLogger("sacrebleu").warning(
                "Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future."
            )
        try:
            import sentencepiece
        except ImportError:
            raise ImportError(
                "\n\nPlease install the sentencepiece library for SPM tokenization:"
                "\n\n  pip install sentencepiece "
            ) from None
        self.sp = sentencepiece.SentencePieceProcessor()
        path = os.path.join(SACREBLEU_DIR, "models", os.path.basename(model["url"]))
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path}: model not found; download it from {model['url']}")
        self.sp.Load(path)

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The pieces of a line."""
        return " ".join(self.sp.EncodeAsPieces(line))


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801  # sacreBLEU's name
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
