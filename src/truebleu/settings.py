# SPDX-License-Identifier: Apache-2.0
"""A dialect as the names and texts from which the kernel compiles its plan."""

from __future__ import annotations

import os

from truebleu.dialect import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.dialect import Dialect

#: Options that the kernel's plan reads: all but the one that chooses between two plans.
_PLANNED = tuple(name for name in OPTIONS if name != "sentence_effective_order")


def settings(dialect: Dialect, tokenizer: str) -> list[tuple[str, str]]:
    """The settings of a plan, with a tokenizer that the kernel has."""
    options = dialect.options()
    options["smooth_value"] = dialect.combine.effective_smooth_value()
    options["tokenize"] = tokenizer
    given = [(name, _text(options[name])) for name in _PLANNED if options[name] is not None]
    simd = os.environ.get("TRUEBLEU_SIMD")
    return [*given, ("simd", simd)] if simd else given


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(item if isinstance(item, str) else repr(item) for item in value)
    return value if isinstance(value, str) else repr(value)
