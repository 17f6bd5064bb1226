# SPDX-License-Identifier: Apache-2.0
"""Learning curves: the scores of a system over its steps, with intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.analysis.compare import Pair, score_intervals
from truebleu.analysis.compare.intervals import Interval
from truebleu.campaigns.ledger_compare import Reader, compare_runs, titled
from truebleu.campaigns.ledger_runs import Run, newest
from truebleu.errors import InputError


@dataclass(frozen=True, slots=True)
class Point:
    """A step of a curve.

    Attributes:
        step: the value of the tag.
        run: the last scored run of the step.
        interval: BCa, of its score.
        best: the step with the best score of all before; None for the first step.
        pair: its comparison with that step, whose `b` is this step.
        verdict: `better` or `worse` than that step, or None: no significant difference.
    """

    step: int | float
    run: Run
    interval: Interval | None
    best: int | float | None = None
    pair: Pair | None = None

    @property
    def verdict(self) -> str | None:
        """Whether the step is significantly `better` or `worse` than the best before, or None."""
        if self.pair is None or self.pair.better is None:
            return None
        return "better" if self.pair.better == self.pair.b else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        pair = None if self.pair is None else self.pair.to_dict()
        return {"step": self.step, "run": self.run.id, "score": self.run.to_dict()["score"],
                "interval": self.interval and list(self.interval), "best": self.best,
                "verdict": self.verdict, "pair": pair}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Curve:
    """The scores of a system on one test set, by step.

    Attributes:
        name: of the system.
        references: a name for the references.
        tag: the name of the steps.
        points: in the order of the steps.
        metric: the name of the score.
        signature: of the scores.
        alpha: level of the tests, which are corrected for all pairs of steps; intervals have the
            level 1 - alpha.
    """

    name: str
    references: str
    tag: str
    points: tuple[Point, ...]
    metric: str
    signature: str
    alpha: float

    def first(self, verdict: str) -> Point | None:
        """The first point with a verdict, `better` or `worse`; None if there is none."""
        return next((point for point in self.points if point.verdict == verdict), None)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("name", "references", "tag", "metric", "signature", "alpha")
        firsts = {one: self.first(one) for one in ("better", "worse")}
        return {
            **{name: getattr(self, name) for name in names},
            **{f"first_{one}": point and point.step for one, point in firsts.items()},
            "points": [point.to_dict() for point in self.points],
        }


def curves(
    runs: Sequence[Run],
    read: Reader,
    tag: str = "step",
    *,
    alpha: float = 0.05,
    progress: Callable[[float], None] = lambda _: None,
    **options: Any,
) -> list[Curve]:
    """A curve for each name, references and signature of the runs that have the tag.

    Which step was the best is not known before, so p-values are corrected for all pairs of steps.

    Raises:
        InputError: no run has the tag, or its value is not a number.
    """
    tagged = [run for run in runs if tag in run.tags]
    if not tagged:
        raise InputError(f"no run has the tag {tag}; name the tag of the steps")
    series: dict[tuple[str, str, str], list[Run]] = {}
    for run in newest(tagged, lambda run: (run.name, run.refs, run.signature, _step(run, tag))):
        series.setdefault((run.name, run.refs, run.signature), []).append(run)
    result = []
    for i, (references, some) in enumerate(titled(list(series.values()))):

        def step(share: float, before: int = i) -> None:
            progress((before + share) / len(series))

        points = _points(some, read, tag, alpha, progress=step, **options)
        first = some[0]
        result.append(
            Curve(first.name, references, tag, points, first.metric, first.signature, alpha)
        )
    return result


def _step(run: Run, tag: str) -> int | float:
    """The value of the tag; text such as 1.0 is a number, too."""
    value = run.tags[tag]
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        raise InputError(f"run {run.id}: {tag}={value} is not a number") from None


def _points(
    runs: list[Run], read: Reader, tag: str, alpha: float, **options: Any
) -> tuple[Point, ...]:
    runs = sorted(runs, key=lambda run: _step(run, tag))
    steps = [_step(run, tag) for run in runs]
    if len(runs) == 1:
        intervals = score_intervals(runs[0].make_metric(), [read(runs[0])], alpha=alpha)
        return (Point(steps[0], runs[0], None if intervals is None else intervals[0]),)
    comparison = compare_runs(runs, read, alpha=alpha, **options)
    sign = 1 if comparison.higher_is_better else -1
    points: list[Point] = []
    best = 0
    for i, (run, system) in enumerate(zip(runs, comparison.systems, strict=True)):
        if i == 0:
            points.append(Point(steps[0], run, system.interval))
            continue
        pair = comparison.pair(comparison.systems[best].name, system.name)
        points.append(Point(steps[i], run, system.interval, steps[best], pair))
        if sign * run.score > sign * runs[best].score:
            best = i
    return tuple(points)
