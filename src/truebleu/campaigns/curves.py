# SPDX-License-Identifier: Apache-2.0
"""Learning curves: the scores of saved runs over their steps, with intervals and tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Unpack

from truebleu.analysis.compare import Pair, compare
from truebleu.analysis.compare.comparison import p_value, percent
from truebleu.dialects.changes import TestOptions
from truebleu.errors import InputError
from truebleu.metrics.intervals import Interval
from truebleu.metrics.metric import Metric
from truebleu.metrics.runs import Run, load_run
from truebleu.text import tables


@dataclass(frozen=True, slots=True)
class Point:
    """A step of a curve.

    Attributes:
        step: the value of the tag.
        score: of the run.
        interval: BCa, of the score.
        best: the step with the best score of all before; None for the first step.
        pair: its comparison with that step, whose `b` is this step.
    """

    step: int | float
    score: float
    interval: Interval
    best: int | float | None = None
    pair: Pair | None = None

    @property
    def verdict(self) -> str | None:
        """Whether the step is significantly `better` or `worse` than the best before, or None."""
        if self.pair is None or self.pair.better is None:
            return None
        return "better" if self.pair.better == self.pair.b else "worse"


@dataclass(frozen=True, slots=True)
class Curve:
    """The scores of a system by step. Prints a table, and the first better and worse step.

    Attributes:
        tag: the name of the steps.
        points: in the order of the steps.
        metric: the name of the score.
        signature: of the scores.
        alpha: level of the tests, which are corrected for all pairs of steps; intervals have the
            level 1 - alpha.
    """

    tag: str
    points: tuple[Point, ...]
    metric: str
    signature: str
    alpha: float

    def first(self, verdict: str) -> Point | None:
        """The first point with a verdict, `better` or `worse`; None if there is none."""
        return next((point for point in self.points if point.verdict == verdict), None)

    @property
    def decimals(self) -> int:
        """Decimals of scores in tables and figures."""
        return next(point.pair.decimals for point in self.points if point.pair)

    def __str__(self) -> str:
        interval = f"{percent(1 - self.alpha)} interval"
        head = (self.tag, self.metric, interval, "best before", "gain", "p", "verdict")
        lines = tables.aligned(tables.padded([head, *map(self._row, self.points)], None))
        return "\n".join([*lines, "", *self.sentences(), f"signature: {self.signature}"])

    def _row(self, point: Point) -> tuple[str, ...]:
        width, pair = self.decimals, point.pair
        row = (f"{point.step}", f"{point.score:.{width}f}", tables.span(point.interval, width))
        if pair is None:
            return (*row, "", "", "", "")
        gain = f"{pair.difference:+.{width}f}"
        return (*row, f"{point.best}", gain, p_value(pair.p_adjusted), point.verdict or "")

    def sentences(self) -> list[str]:
        """The first step that is better than the best before, and the first that is worse."""
        return [
            f"first {verdict} {self.tag}: {point.step}. {point.pair}"
            if (point := self.first(verdict))
            else f"no {self.tag} is significantly {verdict} than the best before"
            for verdict in ("better", "worse")
        ]


def learning_curve(
    runs: Iterable[Run | str | os.PathLike[str]],
    metric: str | Metric | None = None,
    *,
    tag: str = "step",
    alpha: float = 0.05,
    progress: Callable[[float], None] = lambda _: None,
    **options: Unpack[TestOptions],
) -> Curve:
    """The scores of a system over its steps, each compared with the best step before.

    Which step will be the best is not known before, so p-values are corrected for all pairs.

    Args:
        runs: of one system each, or paths of their files; all on one test set.
        metric: a name or a metric (default: the first that all runs have).
        tag: the name of the steps, whose values are numbers.
        alpha: level of the tests; intervals have the level 1 - alpha.
        progress: called with the share of the work that is done.
        options: `test`, `correction`, `resamples` and `seed` of `truebleu.compare`.

    Raises:
        InputError: there is one step, a run has no such tag, or runs have different references.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "a dog ran home", "it is very late now"] * 10
        >>> outputs = {100: ["the cat is on the mat", "a dog ran to home", "it is late now"] * 10,
        ...            200: ["the cat sat on a mat", "a dog ran home", "it is very late"] * 10}
        >>> runs = [tb.save_run(f"{step}.bleu", {"run-7": hyps}, refs, tags={"step": step})
        ...         for step, hyps in outputs.items()]
        >>> tb.learning_curve(runs).first("better").step
        200
    """
    steps: dict[int | float, Run] = {}
    for run in (run if isinstance(run, Run) else load_run(run) for run in runs):
        step = _step(run, tag)
        if step in steps:
            raise InputError(f"{steps[step].path} and {run.path} both have {tag}={step}; omit one")
        steps[step] = run
    systems = {f"{tag}={step}": steps[step] for step in sorted(steps)}
    if len(systems) < 2:
        raise InputError(f"a curve needs at least two steps; got {len(systems)}")
    result = compare(systems, metric=metric, alpha=alpha, progress=progress, **options)
    sign = 1 if result.higher_is_better else -1
    points: list[Point] = []
    best: Point | None = None
    for step, system in zip(sorted(steps), result.systems, strict=True):
        pair = result.pair(f"{tag}={best.step}", system.name) if best else None
        point = Point(step, system.score.value, system.interval, best.step if best else None, pair)
        points.append(point)
        if best is None or sign * point.score > sign * best.score:
            best = point
    return Curve(tag, tuple(points), result.metric, result.signature, alpha)


def _step(run: Run, tag: str) -> int | float:
    """The value of the tag, which may be text."""
    try:
        value = float(run.tags[tag])
        return int(value) if int(value) == value else value
    except (ArithmeticError, LookupError, ValueError):
        raise InputError(f"{run.path}: its tag {tag} is no number; save it with {tag}=N") from None
