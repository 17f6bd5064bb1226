# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `13a`: that of mteval-v13a.pl, which WMT uses."""

from __future__ import annotations

from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp


class Tokenizer13a(KernelTokenizer):
    """Splits off ASCII punctuation, after replacing four entities and `<skipped>`."""

    _NAME = "13a"

    _post_tokenizer = TokenizerRegexp()

    def _refuse(self, line: Any) -> None:
        line.replace("<skipped>", "")
