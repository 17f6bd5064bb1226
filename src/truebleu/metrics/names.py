# SPDX-License-Identifier: Apache-2.0
"""Metrics by their names, as arguments and on the command line."""

from __future__ import annotations

from truebleu.dialects.options import OPTIONS_OF
from truebleu.errors import OptionError, describe
from truebleu.metrics.bleu import BLEU, cached_bleu
from truebleu.metrics.metric import Metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from truebleu.dialects.decisions import Dialect

NAMES = ("bleu", *OPTIONS_OF)


def metric_class(name: str) -> Callable[..., Metric]:
    """The class of the metric with one of the `NAMES`, in the module of this name."""
    # Importing `importlib` takes 0.4 ms of each command.
    module = __import__(f"truebleu.metrics.{name}", fromlist=[name])
    kind: type[Metric] = getattr(module, "CodeBLEU" if name == "codebleu" else name.upper())
    return kind


def choose_metric(metric: Any, dialect: str | Dialect, threads: int | None, changes: Mapping[str, Any]) -> Any:
    """`metric`; if it is None or a name, the metric that the other arguments describe."""
    name = metric if isinstance(metric, str) else None
    if name == "chrf++":
        name, changes = "chrf", {"word_order": 2, **changes}
    if metric is None or name == "bleu":
        return cached_bleu(dialect, threads, changes)
    if not isinstance(dialect, str) or dialect != "sacrebleu":
        changes = {"dialect": dialect, **changes}
    if name in NAMES:
        return metric_class(name)(threads=threads, **changes)
    check_metric(metric)
    if names := [*["threads"] * (threads is not None), *changes]:
        raise OptionError(f"metric has its own options; pass {', '.join(names)} to its constructor instead")
    return metric


def check_metric(metric: Any) -> Any:
    """`metric`; raises OptionError if it is not a metric."""
    if not isinstance(metric, Metric):
        raise OptionError(
            f"metric cannot be {describe(metric)}; give one of {', '.join(NAMES)}, or a metric such as BLEU()"
        )
    return metric


def label(metric: Any) -> str:
    """The kind of a metric and the parts of its signature that differ from the default.

    Example:
        >>> from truebleu import BLEU
        >>> label(BLEU("nltk", lowercase=True))
        'bleu_nltk_case-lc'
    """
    import re

    dialect = [metric.dialect.name] if isinstance(metric, BLEU) else []
    lang = {} if dialect or not hasattr(metric.options, "lang") else {"lang": metric.options.lang}
    default = type(metric)(*dialect, **lang)
    parts = [type(metric).__name__.lower(), *(name for name in dialect if name != "sacrebleu")]
    parts += lang.values()
    parts += [metric.name] if metric.name.rstrip("+") != default.name else []  # chrF's beta
    for line in ("signature", "sentence_signature")[: 1 + len(dialect)]:
        usual = [*getattr(default, line).split("|"), *parts]
        parts += [part for part in getattr(metric, line).split("|") if part not in usual]
    clean = (re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts if "unicode:" not in part)
    return "_".join(clean)
