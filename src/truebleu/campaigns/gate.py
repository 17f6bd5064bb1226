# SPDX-License-Identifier: Apache-2.0
"""A gate: are systems significantly worse than a baseline, on any test set and by any metric?"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from truebleu.analysis.compare import SEED, Pair, compare
from truebleu.analysis.compare.corrections import CORRECTIONS, holm, resamples_needed
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.errors import InputError, quantity, within
from truebleu.metrics.runs import Run, load_run, record
from truebleu.text.escaping import visible
from truebleu.text.results import attributes

#: Runs of one system and one metric by the system's name.
Systems = dict[str, Run]
#: The hash of the references and the signature that runs must share to be compared.
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Gate:
    """Systems against a baseline. Prints one sentence for each comparison, and the result.

    Attributes:
        pairs: the name of the test set and the pair, whose `a` is the baseline. p-values are
            corrected for all pairs.
        baseline: its name.
        alpha: the level of the tests.
        missing: what the baseline was scored on and a system was not.
        robust: whether only verdicts that survive count.
        people: for each pair why agreement with people is unknown, or its source.
    """

    pairs: tuple[tuple[str, Pair], ...]
    baseline: str
    alpha: float
    missing: tuple[str, ...]
    robust: bool
    people: tuple[str, ...]

    @property
    def worse(self) -> list[tuple[str, Pair]]:
        """The pairs whose system is significantly worse than the baseline."""
        worse = [(name, pair) for name, pair in self.pairs if pair.better == pair.a]
        return [own for own in worse if own[1].survives is not False or not self.robust]

    def __str__(self) -> str:
        has_names = len({name for name, _ in self.pairs}) > 1
        lines = [f"{name}: {pair}" if has_names else str(pair) for name, pair in self.pairs]
        for i, (_, pair) in enumerate(self.pairs):
            lines[i] += "".join(f"; {line[0].lower()}{line[1:]}" for line in pair.survival(pair.decimals)[:1])
        worse = {pair.b for _, pair in self.worse}
        verdict = f"passed: no system is significantly worse than {self.baseline}"
        verdict += " by a verdict that survives" * self.robust
        if worse:
            verdict = f"failed: {', '.join(sorted(worse))} significantly worse than {self.baseline}"
        tests = f"{quantity(len(self.pairs), 'comparison')}, level {100 * self.alpha:g} %"
        people = (f"agreement with people: {text}" for text in dict.fromkeys(self.people))
        lines += [*self.missing, *people, f"gate {verdict} ({tests})"]
        return "\n".join(map(visible, lines))

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        return {
            "passed": not self.worse,
            **attributes(self, ("baseline", "alpha", "robust", "missing")),
            "pairs": [
                {"set": name, **pair.to_dict(), "people": text}
                for (name, pair), text in zip(self.pairs, self.people, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True)
class TextFiles:
    """Texts that are scored for a gate, instead of run files.

    Attributes:
        refs: the references of all systems.
        metrics: each with a signature of its own.
        read: reads the lines of a file.
        texts: the lines of files that were read, by their paths.
    """

    refs: Any
    metrics: Sequence[Any]
    read: Callable[[str], Any]
    texts: dict[str, Any] = field(default_factory=dict)

    def run(self, path: str) -> Run:
        """The run of a file of text."""
        self.texts[path] = lines = self.read(path)
        with within(path):
            run = record([(Path(path).stem, lines)], self.refs, self.metrics, {})
        return replace(run, path=path)

    def metric(self, run: Run) -> Any:
        """The metric of a run with one."""
        lines = [metric._score_signature(run.nrefs) for metric in self.metrics]
        return self.metrics[lines.index(run.scorings[0].signature)]


def read_systems(paths: Sequence[str], files: TextFiles | None = None) -> dict[Key, Systems]:
    """The systems of run files, or of all those in folders; with `files`, those of texts.

    The only system of a file has the name of the file, in a folder its own name.

    Raises:
        InputError: a folder has no run file, or two files have the same.
    """
    by_key: dict[Key, Systems] = {}
    for path in paths:
        is_folder = os.path.isdir(path)
        names = sorted(map(str, Path(path).rglob("*.bleu"))) if is_folder else [path]
        if not names:
            raise InputError(f"{path}: no file ends in .bleu; write some with --save")
        for run in map(files.run if files else load_run, names):
            for system in run.systems:
                is_alone = len(run.systems) == 1 and not is_folder
                name = Path(run.path).stem if is_alone else system
                for scoring in run.scorings:
                    systems = by_key.setdefault((run.references, scoring.signature), {})
                    if name in systems:
                        raise InputError(
                            f"{systems[name].path} and {run.path} have the same test set, metric "
                            f"and system {name}; leave out one"
                        )
                    systems[name] = run[system].by(scoring.signature)
    return by_key


def gate(
    baseline: Mapping[Key, Systems],
    new: Mapping[Key, Systems],
    name: str,
    *,
    test: str = "permutation",
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    files: TextFiles | None = None,
    robust: bool = False,
    progress: Callable[[float], None] = lambda _: None,
) -> Gate:
    """Test each system against the baseline on every test set and by every metric of both.

    If the baseline has several systems on a test set, each is compared with that of its name.

    Args:
        baseline, new: what `read_systems` returns.
        name: of the baseline, for the sentence.
        test, resamples, seed, alpha: as for `compare`; p-values are corrected by Holm's method.
        files: from which the systems were read, if not from run files.
        robust: whether only verdicts that survive count; needs `files`.
        progress: called with the share of the work that is done.

    Raises:
        InputError: there is nothing to compare.
    """
    tasks: list[tuple[Key, str, Systems]] = []
    for key, bases in baseline.items():
        for base in bases:
            systems = new.get(key, {})
            others = {name: run for name, run in systems.items() if len(bases) == 1 or name == base}
            tasks += [(key, base, others)] if others else []
    if not tasks:
        raise InputError(f"nothing to compare: no system has references and settings of {name}")
    count = sum(len(others) for _, _, others in tasks)
    if resamples is None and not TESTS[test].sacrebleu:
        resamples = resamples_needed(count, alpha, TESTS[test].resamples)
    tests: dict[str, Any] = {"test": test, "correction": "holm", "resamples": resamples, "seed": seed}
    tests |= {"alpha": alpha, "robustness": robust or None}
    tested: list[tuple[str, Pair]] = []
    people: list[str] = []
    for i, (key, base, others) in enumerate(tasks):
        label = base if base not in others else f"{base} (baseline)"
        runs = {label: baseline[key][base], **others}
        compared: dict[str, Any] = {**runs}
        metric = refs = None
        if files:
            compared = {system: files.texts[run.path] for system, run in runs.items()}
            metric, refs = files.metric(runs[label]), files.refs
        result = compare(compared, refs, metric=metric, baseline=label, **tests)
        tested += [(_title(baseline, key), pair) for pair in result.pairs]
        people += [result.people] * len(result.pairs)
        progress((i + 1) / len(tasks))
    adjusted = holm([pair.p for _, pair in tested])
    method = CORRECTIONS["holm"] if len(tested) > 1 else None
    pairs = []
    for (title, pair), p in zip(tested, adjusted, strict=True):
        better = pair.better if p <= alpha else None  # p is not below that of its own comparison
        trials = pair.trials if better == pair.better else ()
        corrected = replace(pair, p_adjusted=p, correction=method, tests=1, better=better, trials=trials)
        pairs.append((title, corrected))
    names = {system for systems in new.values() for system in systems}
    missing = []
    for key, bases in baseline.items():
        on_set = {name for other, own in new.items() if other[0] == key[0] for name in own}
        expected = on_set if len(bases) == 1 else names & bases.keys()
        absent = sorted(expected - new.get(key, {}).keys())
        if absent or key not in new:
            metric = next(iter(bases.values())).scorings[0].metric().name
            of = f" of {', '.join(absent)}" if absent else ""
            missing.append(f"{_title(baseline, key)}: no {metric}{of}")
    return Gate(tuple(pairs), name, alpha, tuple(missing), robust, tuple(people))


def _title(baseline: Mapping[Key, Systems], key: Key) -> str:
    """The name of a test set: its tags `set` and `pair`, or the name of the baseline's file.

    If the baseline has several scores by one metric, such as BLEU with two tokenizers, the
    signature follows.
    """
    run = next(iter(baseline[key].values()))
    title = " ".join(str(run.tags[tag]) for tag in ("set", "pair") if tag in run.tags)
    kind = run.scorings[0].kind
    same_set = (next(iter(other.values())) for (hashed, _), other in baseline.items() if hashed == key[0])
    kinds = [other.scorings[0].kind for other in same_set]
    return (title or Path(run.path).stem) + (f", {key[1]}" if kinds.count(kind) > 1 else "")
