# SPDX-License-Identifier: Apache-2.0
"""Options as the names and texts from which the kernel compiles its plans and metrics."""

from __future__ import annotations

import os

from truebleu.dialects.decisions import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.dialects.decisions import Dialect

#: Options that the kernel's plan reads: all but the one that chooses between two plans.
_PLANNED = tuple(name for name in OPTIONS if name != "sentence_effective_order")


def plan_options(dialect: Dialect) -> dict[str, Any]:
    """The options that a plan has a value for."""
    options = dialect.options()
    options["smooth_value"] = dialect.combine.effective_smooth_value()
    return {name: options[name] for name in _PLANNED if options[name] is not None}


def settings(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Options as the kernel reads them, with the instruction set if the environment names one."""
    given = [(name, _text(value)) for name, value in options.items()]
    simd = os.environ.get("TRUEBLEU_SIMD")
    return [*given, ("simd", simd)] if simd else given


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(item if isinstance(item, str) else repr(item) for item in value)
    return value if isinstance(value, str) else repr(value)
