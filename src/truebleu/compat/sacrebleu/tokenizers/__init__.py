# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's tokenizers: functions from a line to its tokens, joined by spaces."""

from __future__ import annotations

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
