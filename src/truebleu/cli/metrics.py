# SPDX-License-Identifier: Apache-2.0
"""`-m bleu chrf ter`: the metrics that a command computes, each with options of its own."""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.flags import CHRF_FLAGS, DIALECT_FLAGS, TER_FLAGS, Flag
from truebleu.errors import OptionError
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FLAG = Flag(
    ("-m", "--metrics"), "what to compute", takes="+", choices=("bleu", "chrf", "ter")
)  # fmt: skip
#: For commands that compute one.
ONE = Flag(FLAG.names, "what to compute (bleu)", choices=FLAG.choices)

#: The options of each, as groups of a help page.
GROUPS = (("dialect of BLEU", DIALECT_FLAGS), ("chrF", CHRF_FLAGS), ("TER", TER_FLAGS))

_OPTIONS_OF = {"bleu": (inputs.DIALECT, *DIALECT_FLAGS), "chrf": CHRF_FLAGS, "ter": TER_FLAGS}


def chosen(given: Mapping[str, Any]) -> list[Any]:
    """The metrics that are asked for, each once, with their options.

    Raises:
        OptionError: an option is of a metric that is not asked for, or cannot have its value.
    """
    named = given.get("metrics", "bleu")
    names = [named] if isinstance(named, str) else list(dict.fromkeys(named))
    for name, flags in _OPTIONS_OF.items():
        unread = [flag.names[-1] for flag in flags if flag.key in given and name not in names]
        if unread:
            raise OptionError(f"{unread[0]} says how to compute {name}; name {name} to --metrics")
    return [_made(name, given) for name in names]


def scale_of_one(metrics: list[Any]) -> bool:
    """Whether one digit behind the point would say little."""
    return any(isinstance(one, BLEU) and one.dialect.combine.scale == 1 for one in metrics)


def _made(name: str, given: Mapping[str, Any]) -> Any:
    if name == "bleu":
        return inputs.metric(given)
    options = {
        key.removeprefix(f"{name}_"): value
        for key, value in given.items()
        if key.startswith(f"{name}_")
    }
    if name == "chrf":
        from truebleu.metrics.chrf import CHRF

        return CHRF(threads=given.get("threads"), **options)
    from truebleu.metrics.ter import TER

    return TER(threads=given.get("threads"), **options)
