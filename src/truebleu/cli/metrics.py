# SPDX-License-Identifier: Apache-2.0
"""The flags that select metrics and their options, and the metrics they give."""

from __future__ import annotations

from truebleu.cli.flags import CHRF_FLAGS, DIALECT_FLAGS, TER_FLAGS, Args, Flag
from truebleu.dialects.decisions import OPTIONS
from truebleu.errors import OptionError
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DIALECT = Flag(
    ("-d", "--dialect"), "compute BLEU as this tool does; `truebleu dialects` lists the tools",
    default="sacrebleu", common=True,
)  # fmt: skip
METRICS = Flag(
    ("-m", "--metrics"), "metrics to compute (default: bleu)", takes="+",
    choices=("bleu", "chrf", "ter"), common=True,
)  # fmt: skip
#: For commands that compute one metric.
METRIC = Flag(
    METRICS.names, "metric to compute", choices=METRICS.choices, default="bleu", common=True
)
WIDTH = Flag(
    ("-w", "--width"), "decimals of scores, not in JSON and TSV (default: 1, or 4 on a scale of 1)",
    kind=int, range=(0, 100),
)  # fmt: skip

#: The options of each metric, as groups of a help page.
BLEU_GROUP = ("options of BLEU, with sacreBLEU's defaults", DIALECT_FLAGS)
GROUPS = (
    BLEU_GROUP,
    ("options of chrF", CHRF_FLAGS),
    ("options of TER", TER_FLAGS),
)

_FLAGS_OF = {"bleu": (DIALECT, *DIALECT_FLAGS), "chrf": CHRF_FLAGS, "ter": TER_FLAGS}


def make_metrics(args: Args) -> list[Any]:
    """The metrics of --metrics, each once, with their options."""
    named = args.get("metrics", "bleu")
    names = [named] if isinstance(named, str) else list(dict.fromkeys(named))
    for name, flags in _FLAGS_OF.items():
        unused = [flag.names[-1] for flag in flags if flag.key in args and name not in names]
        if unused:
            raise OptionError(f"{unused[0]} is an option of {name}; add {name} to --metrics")
    return [_make(name, args) for name in names]


def make_bleu(args: Args) -> BLEU:
    """The dialect of --dialect with the options that the flags change."""
    changes = {name: args[name] for name in args if name in OPTIONS}
    return BLEU(args["dialect"], threads=args.get("threads"), **changes)


def decimals(args: Args, metrics: list[Any]) -> int:
    """The number of decimals of --width; without it, 4 if a metric is on a scale of 1."""
    if "width" in args:
        return int(args["width"])
    small = any(isinstance(one, BLEU) and one.dialect.combine.scale == 1 for one in metrics)
    return 4 if small else 1


def _make(name: str, args: Args) -> Any:
    if name == "bleu":
        return make_bleu(args)
    prefix = f"{name}_"
    options = {key.removeprefix(prefix): args[key] for key in args if key.startswith(prefix)}
    if name == "chrf":
        from truebleu.metrics.chrf import CHRF

        return CHRF(threads=args.get("threads"), **options)
    from truebleu.metrics.ter import TER

    return TER(threads=args.get("threads"), **options)
