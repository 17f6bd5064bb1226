# SPDX-License-Identifier: Apache-2.0
"""The base class of tokenizers, and that of the tokenizers of the kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from truebleu.errors import InputError
from truebleu.metrics.bleu import BLEU


class BaseTokenizer:
    """A function from a line to its tokens, joined by spaces, with a name for signatures."""

    def signature(self) -> Any:
        """The name in signatures."""
        raise NotImplementedError

    def __call__(self, line: Any) -> Any:
        """The tokens of a line."""
        raise NotImplementedError


class KernelTokenizer(BaseTokenizer):
    """A tokenizer of the kernel, under its name there."""

    _NAME: str

    def __init__(self) -> None:
        pass

    def signature(self) -> str:
        """The name in signatures."""
        return self._NAME

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        if not isinstance(line, str):
            self._refuse(line)
        return joined(_bleu(self._NAME).tokens, line)

    def _refuse(self, line: Any) -> None:
        """Raise sacreBLEU's error for a line that is not a string."""


@cache
def _bleu(tokenizer: str) -> BLEU:
    return BLEU("sacrebleu", tokenize=tokenizer, strip="none")


def joined(tokens: Callable[[str], list[str]], line: str) -> str:
    """The tokens of a line that may have lone surrogates, which the kernel does not read.

    They are replaced by private-use characters: for every tokenizer, neither is a letter, digit,
    punctuation, symbol or space.
    """
    try:
        return " ".join(tokens(line))
    except InputError:
        surrogates = sorted({ord(char) for char in line if "\ud800" <= char <= "\udfff"})
        if not surrogates:
            raise
    private = (code for code in range(0x100000, 0x10FFFE) if chr(code) not in line)
    codes = dict(zip(surrogates, private, strict=False))
    back = {code: surrogate for surrogate, code in codes.items()}
    return " ".join(tokens(line.translate(codes))).translate(back)
