# SPDX-License-Identifier: Apache-2.0
"""Changes of dialects that are tried.

There is no list of settings here: `reconcile` lists the common ones, options declare their values,
rows of the table show which values belong together, and orders and weights are measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from truebleu.analysis.identify.candidates import Candidate, Scorer
from truebleu.analysis.identify.mistakes import Array
from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.candidates import is_installed
from truebleu.dialects.decisions import EACH_CHARACTER, OPTIONS, READING, Dialect
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError

Changes = dict[str, Any]

#: Options whose values belong together.
_TOGETHER = (
    ("smooth_method", "smooth_value"), ("lowercase", "lowercase_rule", "lowercase_when"),
    ("max_ngram_order", "weights", "cumulative_weights"), ("brevity", "brevity_power"),
    ("guard", "missing_order", "zero_precision"),
    ("floor_totals", "guard", "zero_precision", "smooth_method", "smooth_value"),
)  # fmt: skip
#: Options that change no score by more than a rounding error, and the scale, which is measured.
NEUTRAL = ("summation", "precision", "scale", "sentence_effective_order")


def table_changes(*, tokens: bool, corpora: bool) -> list[Changes]:
    """Changes that `reconcile` tries, that options declare, and that rows have.

    Those of reading are left out for tokens, those of aggregation if there are no corpora.
    """
    rows = [row.options() for row in DIALECTS.values()]
    changes = [change.options for row in DIALECTS.values() for change in penalties.singles(row)]
    for option in OPTIONS.values():
        values = (False, True) if option.kind is bool else option.choices
        own = dict.fromkeys((*values, *(row[option.name] for row in rows)))
        changes += [{**_WITH.get(option.name, {}), option.name: value} for value in own]
    changes += [{name: row[name] for name in names} for names in _TOGETHER for row in rows]
    numbers = [(0.0, 0.0, 10.0**-place) for place in range(1, 16)]
    changes += [{"smooth_method": "none", "add_counts": added} for added in numbers]
    skipped = {*NEUTRAL, "keywords", *(READING if tokens else ()), *(() if corpora else ("join",))}
    different = {repr(change): change for change in changes if skipped.isdisjoint(change)}
    return [c for c in different.values() if "tokenize" not in c or is_installed(c["tokenize"])]


#: Options that a change of another makes meaningless, or that it needs.
_WITH: dict[str, Changes] = {
    "smooth_method": {"smooth_value": None},
    "lowercase_rule": {"lowercase": True},
    "max_ngram_order": {"weights": None, "cumulative_weights": None},
}


def changed(dialect: Dialect, changes: Changes) -> Dialect | None:
    """A dialect with changes; None if they do not fit it, or change nothing."""
    own = dialect.options()
    if all(own[name] == value for name, value in changes.items()):
        return None
    try:
        return dialect.replace(**changes)
    except OptionError:
        return None


#: Numbers that are added to matches and totals.
_ADDED = (0, 1, 0.5, 0.1, 0.01, 2, 5, 0.2, 0.05, 0.001)


def measured(scorer: Scorer, answers: Array) -> list[Changes]:
    """Orders, weights and added counts, solved from pairs that match in all orders.

    The logarithm of a score is linear in those of the precisions; the weights are its slopes.
    """
    topics = np.array([probe.topic for probe in scorer.probes])
    uses = (topics == "precisions") & (np.nan_to_num(answers) > 0)
    target, solutions = np.log(answers[uses]), {}
    for tokenize in ("none",) if scorer.tokens else ("none", "char", EACH_CHARACTER):
        row = DIALECTS["papineni-2002"].replace(tokenize=tokenize, max_ngram_order=6)
        counts = np.add.reduceat(scorer.rows(row), scorer.starts)[uses]
        for added, first in product(_ADDED, (0, 1)) if len(counts) > 7 else ():
            more = np.array([added * (order >= first) for order in range(6)])
            with np.errstate(all="ignore"):
                logs = np.log((counts[:, 2:8] + more) / (counts[:, 8:] + more))
            slopes = np.linalg.lstsq(logs, target, rcond=None)[0] if logs.min() > -99 else [-1.0]
            if min(slopes) > -1e-4 and np.abs(logs @ slopes - target).max() < 1e-5:
                change = _of_weights([_short(float(slope)) for slope in slopes])
                if added:
                    change["smooth_method"] = ("add-k-all", "add-k")[first]
                    change["smooth_value"] = None if added == 1 else added
                solutions[repr(change)] = change
    return list(solutions.values())


def smoothed(scorer: Scorer, answers: Array, dialects: Iterable[Dialect]) -> list[Changes]:
    """Values of smoothing, solved from pairs without matches: logarithms are linear in its own."""
    topics, values = (
        np.array([probe.topic for probe in scorer.probes]),
        Counter[tuple[str, float]](),
    )
    methods: Any = ("floor", "constant")
    for dialect, method in product(dialects, methods):
        pair = [dialect.replace(smooth_method=method, smooth_value=v) for v in (1e-3, 1e-6)]
        with np.errstate(all="ignore"):
            large, small = (np.log(scorer.values(Candidate(dialect))) for dialect in pair)
            own = 1e-3 ** (1 - (np.log(answers) - large) / (large - small))
        for value in own[(topics == "no matches") & np.isfinite(own) & (own > 0) & (own < 2)]:
            values[method, float(f"{value:.3g}")] += 1
    common = values.most_common(4)
    return [{"smooth_method": m, "smooth_value": v} for (m, v), count in common if count > 1]


def _of_weights(weights: list[float]) -> Changes:
    while len(weights) > 1 and not weights[-1]:
        weights.pop()
    order: Changes = {"max_ngram_order": len(weights), "cumulative_weights": None}
    if len({*weights}) == 1 and abs(sum(weights) - 1) < 1e-3:
        return order | {"weights": None}
    return order | {"weights": tuple(weights), "arithmetic": "weighted"}


def _short(number: float) -> float:
    """A number as people write it: with few decimals, or a third."""
    thirds = round(number * 3) / 3
    return thirds if abs(number - thirds) < 1e-4 else round(number, 4)
