# SPDX-License-Identifier: Apache-2.0
"""Smaller probes on which a scorer and a dialect still differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from truebleu.analysis.identify.probes import Probe


def smallest(probe: Probe, differs: Callable[[Probe], bool], budget: int) -> Probe:
    """A part of a probe on which two scorers differ, found with this many calls of `differs`."""
    queue = _smaller(probe)
    for _ in range(budget):
        shorter = next(queue, None)
        if shorter is None:
            break
        if differs(shorter):
            probe, queue = shorter, _smaller(shorter)
    return probe


def _smaller(probe: Probe) -> Iterator[Probe]:
    """Probes without a segment, a reference, or a run of words; long runs first."""
    pairs = list(zip(probe.hyps, probe.refs, strict=True))
    for fewer in _without(pairs, 1):
        hyps, own = zip(*fewer, strict=True)
        yield replace(probe, hyps=hyps, refs=own)
    for i, (hyp, refs) in enumerate(pairs):
        shorter = [(hyp, fewer) for fewer in _without(refs, 1)]
        words = hyp.split(" ")
        for size in dict.fromkeys((len(words) // 2, len(words) // 4, 1)):
            shorter += [(" ".join(run), refs) for run in _without(words, size)]
            for j, ref in enumerate(refs):
                shorter += [(hyp, (*refs[:j], " ".join(run), *refs[j + 1 :]))
                            for run in _without(ref.split(" "), size)]  # fmt: skip
        for pair in shorter:
            hyps, own = zip(*[*pairs[:i], pair, *pairs[i + 1 :]], strict=True)
            yield replace(probe, hyps=hyps, refs=own)


def _without(items: Any, size: int) -> Iterator[Any]:
    """The items without each run of this many, if others are left."""
    for start in range(0, len(items) if 0 < size < len(items) else 0, max(size, 1)):
        yield items[:start] + items[start + size :]
