# SPDX-License-Identifier: Apache-2.0
"""The flags that select metrics and their options, and the metrics they give."""

from __future__ import annotations

from truebleu.cli.flags import DIALECT_FLAGS, NORMALIZE, OWN_FLAGS, READING_FLAGS, Args, Flag
from truebleu.errors import OptionError
from truebleu.metrics.names import NAMES, metric_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


DIALECT = Flag(
    "-d, --dialect NAME",
    "compute BLEU as this tool does; `truebleu dialects` lists the tools",
    default="sacrebleu",
    common=True,
)
METRICS = Flag(
    "-m, --metrics NAME...",
    "metrics to compute (default: bleu; for run files, their metrics)",
    choices=NAMES,
    common=True,
)
FLAGS = (METRICS, DIALECT)
#: For commands that compute one metric.
METRIC = Flag("-m, --metrics", "metric to compute", choices=NAMES, default="bleu", common=True)
WIDTH = Flag(
    "-w, --width N", "decimals of scores, not in JSON and TSV (default: 1, or 4 on a scale of 1)", range=(0, 100)
)

CITE = Flag("--cite", "print BibTeX for TrueBLEU, the metrics, their tokenizers and the test, and end")

#: The options of each metric, as groups of a help page.
BLEU_GROUP = ("options of BLEU, with sacreBLEU's defaults", DIALECT_FLAGS)
GROUPS = (
    BLEU_GROUP,
    ("options of chrF", OWN_FLAGS["chrf"]),
    ("options of TER", OWN_FLAGS["ter"]),
    ("options of GLEU and NIST; --dialect, --tokenize and so on are theirs too",
     (*OWN_FLAGS["gleu"], *OWN_FLAGS["nist"])),
    ("options of CodeBLEU", OWN_FLAGS["codebleu"]),
)  # fmt: skip

_READING = (DIALECT, *READING_FLAGS)
_FLAGS_OF = {
    "bleu": (DIALECT, *DIALECT_FLAGS),
    **OWN_FLAGS,
    **{name: (NORMALIZE, *OWN_FLAGS[name]) for name in ("chrf", "ter")},
    **{name: (*_READING, *OWN_FLAGS[name]) for name in ("gleu", "nist")},
}


def make_metrics(args: Args) -> list[Any]:
    """The metrics of --metrics (BLEU without this flag), each once, with their options."""
    named = args.get("metrics", "bleu")
    names = [named] if isinstance(named, str) else list(dict.fromkeys(named))
    used = {flag.key for name in names for flag in _FLAGS_OF[name]}
    for name, flags in _FLAGS_OF.items():
        unused = [flag.names[-1] for flag in flags if flag.key in args and flag.key not in used]
        if unused:
            raise OptionError(f"{unused[0]} is an option of {name}; add {name} to --metrics")
    return [_make(name, args) for name in names]


def decimals(args: Args, metrics: list[Any]) -> int:
    """The number of decimals of --width; without it, 4 if a metric is on a scale of 1."""
    if "width" in args:
        return int(args["width"])
    return 4 if any(metric.scale == 1 for metric in metrics) else 1


def _tokenizer(args: Args) -> dict[str, str]:
    """The language of --language-pair, for sacreBLEU's dialect or the tokenizer auto."""
    follows = args["dialect"] == "sacrebleu" or args.get("tokenize") == "auto"
    if "language_pair" not in args or not follows:
        return {}
    from truebleu.dialects.languages import check_pair  # not needed by most runs

    return {"target_language": check_pair(args["language_pair"])}


def _make(name: str, args: Args) -> Any:
    options = _tokenizer(args) if DIALECT in _FLAGS_OF[name] else {}
    keys = (flag.key for flag in _FLAGS_OF[name] if flag.key in args)
    options |= {key.removeprefix(f"{name}_"): args[key] for key in keys}
    return metric_class(name)(threads=args.get("threads"), **options)
