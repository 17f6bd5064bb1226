# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `none`: the text is tokenized already."""

from __future__ import annotations

from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class NoneTokenizer(BaseTokenizer):
    """Returns the line itself."""

    def signature(self) -> str:
        """The name in signatures."""
        return "none"

    def __call__(self, line: Any) -> Any:
        """The same line."""
        return line
