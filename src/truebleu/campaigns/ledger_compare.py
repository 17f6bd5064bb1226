# SPDX-License-Identifier: Apache-2.0
"""Past runs compared by their rows: tests of every pair, and a gate against a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from truebleu.analysis.compare import SEED, Comparison, Pair, compare
from truebleu.analysis.compare.corrections import CORRECTIONS, holm, resamples_needed
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.campaigns.ledger_runs import Run, labels, newest, title
from truebleu.errors import InputError, quantity
from truebleu.metrics.stats import Rows

#: Reads the statistics of a run.
Reader = Callable[[Run], Rows]


def comparable(selected: Sequence[Sequence[Run]]) -> list[list[list[Run]]]:
    """Runs that have the same references and signature, for each the runs of each selection.

    Of the runs of a system in a selection, the last scored one counts.

    Raises:
        InputError: no two runs can be compared.
    """
    groups: dict[tuple[str, str], list[list[Run]]] = {}
    for place, runs in enumerate(selected):
        for run in newest(runs, lambda run: (run.refs, run.signature, run.name)):
            parts = groups.setdefault((run.refs, run.signature), [[] for _ in selected])
            if all(run not in part for part in parts):
                parts[place].append(run)
    shared = [parts for parts in groups.values() if all(parts) and sum(map(len, parts)) > 1]
    if not shared:
        raise InputError(
            "none of these runs have the same references and settings, so they cannot be "
            "compared; truebleu ledger list shows both"
        )
    return shared


def titled(groups: Sequence[list[Run]]) -> Iterator[tuple[str, list[Run]]]:
    """Groups of runs with a name for the references of each."""
    by_refs: dict[str, list[Run]] = {}
    for runs in groups:
        by_refs.setdefault(runs[0].refs, []).extend(runs)
    names = {refs: title(runs) for refs, runs in by_refs.items()}
    for runs in groups:
        name, refs = names[runs[0].refs], runs[0].refs
        alone = list(names.values()).count(name) == 1
        yield name if alone else f"{name} (references {refs[:8]})", runs


def compare_runs(runs: Sequence[Run], read: Reader, **options: Any) -> Comparison:
    """`compare` of runs that have the same references and signature."""
    systems = dict(zip(labels(runs), map(read, runs), strict=True))
    result = compare(systems, metric=runs[0].make_metric(), **options)
    return with_signature(result, runs[0].signature)


def with_signature(comparison: Comparison, signature: str) -> Comparison:
    """A comparison of statistics with the signature of their scores, which has the references."""
    systems = tuple(
        replace(system, score=system.score.with_signature(signature))
        for system in comparison.systems
    )
    return replace(comparison, systems=systems, signature=signature)


@dataclass(frozen=True, slots=True)
class Gate:
    """Systems against a baseline. Prints one sentence for each comparison, and the result.

    Attributes:
        pairs: the name of the references and the pair, whose `a` is the baseline. p-values are
            corrected for all pairs.
        baseline: how the baseline was selected.
        alpha: the level of the tests.
        missing: test sets of the baseline on which a system was not scored.
    """

    pairs: tuple[tuple[str, Pair], ...]
    baseline: str
    alpha: float
    missing: tuple[str, ...]

    @property
    def worse(self) -> list[tuple[str, Pair]]:
        """The pairs whose system is significantly worse than the baseline."""
        return [(name, pair) for name, pair in self.pairs if pair.better == pair.a]

    def __str__(self) -> str:
        named = len({name for name, _ in self.pairs}) > 1
        lines = [f"{name}: {pair}" if named else str(pair) for name, pair in self.pairs]
        worse = {pair.b for _, pair in self.worse}
        verdict = (
            f"failed: {', '.join(sorted(worse))} significantly worse than {self.baseline}"
            if worse
            else f"passed: no system is significantly worse than {self.baseline}"
        )
        how = f"{quantity(len(self.pairs), 'comparison')}, level {100 * self.alpha:g} %"
        return "\n".join([*lines, *self.missing, f"gate {verdict} ({how})"])

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        return {
            "passed": not self.worse,
            "baseline": self.baseline,
            "alpha": self.alpha,
            "missing": list(self.missing),
            "pairs": [{"references": name, **pair.to_dict()} for name, pair in self.pairs],
        }


def gate(
    runs: Sequence[Run],
    baseline: Sequence[Run],
    read: Reader,
    *,
    name: str,
    test: str = "permutation",
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    progress: Callable[[float], None] = lambda _: None,
) -> Gate:
    """Test each run against the run of the baseline that has the same references.

    If the baseline has several systems there, that with the same name.
    """
    groups: list[list[Run]] = []
    for base, new in comparable([baseline, runs]):
        for one in base:
            others = [run for run in new if len(base) == 1 or run.name == one.name]
            groups += [[one, *others]] if others else []
    if not groups:
        raise InputError(
            f"the baseline {name} has several systems, but none of the names of the others; "
            f"select one, as in name={baseline[0].name},{name}"
        )
    tests = sum(map(len, groups)) - len(groups)
    if resamples is None and test in TESTS and not TESTS[test].sacrebleu:
        resamples = resamples_needed(tests, alpha, TESTS[test].resamples)
    tested: list[tuple[str, Pair, bool]] = []
    named = list(titled(groups))
    for i, (where, some) in enumerate(named):
        alike = (one[0] for name, one in named if (name, one[0].metric) == (where, some[0].metric))
        several = len({run.signature for run in alike}) > 1  # such as BLEU with two tokenizers
        label = f"{where}, {some[0].signature}" if several else where
        result = compare_runs(
            some, read, baseline=labels(some)[0], test=test, correction="holm", seed=seed,
            resamples=resamples, alpha=alpha,
        )  # fmt: skip
        tested += [(label, pair, result.higher_is_better) for pair in result.pairs]
        progress((i + 1) / len(groups))
    adjusted = holm([pair.p for _, pair, _ in tested])
    method = CORRECTIONS["holm"] if len(tested) > 1 else None
    pairs = []
    for (where, pair, higher), p in zip(tested, adjusted, strict=True):
        better = pair.b if (pair.difference > 0) == higher else pair.a
        is_clear = p <= alpha and pair.difference != 0
        winner = better if is_clear else None
        pairs.append((where, replace(pair, p_adjusted=p, correction=method, better=winner)))
    compared = {(run.refs, run.signature, run.name) for _, *new in groups for run in new}
    systems = {system for *_, system in compared}
    missing = []
    for test_set in newest(baseline, lambda run: (run.refs, run.signature)):
        key = test_set.refs, test_set.signature
        base_names = {run.name for run in baseline if (run.refs, run.signature) == key}
        expected = systems if len(base_names) == 1 else systems & base_names
        if absent := sorted(system for system in expected if (*key, system) not in compared):
            missing.append(f"{title([test_set])}: no {test_set.metric} of {', '.join(absent)}")
    return Gate(tuple(pairs), name, alpha, tuple(missing))
