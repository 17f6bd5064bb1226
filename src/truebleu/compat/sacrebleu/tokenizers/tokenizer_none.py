# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `none`: tokens are what white space separates already."""

from __future__ import annotations

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NoneTokenizer(BaseTokenizer):
    """Gives the line back."""

    def signature(self) -> str:
        """The name in signatures."""
        return "none"

    def __call__(self, line: Any) -> Any:
        """The same line."""
        return line

    _native = ("none", __call__)
