# SPDX-License-Identifier: Apache-2.0
"""How long analyses of a whole corpus take. No peer does them."""

import time
from collections.abc import Iterator
from math import isclose
from typing import Any

from corpora import english
from results import Figure

from truebleu import contrast, explain

#: CPU seconds that an analysis may take.
_SECONDS = 3.0


def analyses(*, quick: bool) -> Iterator[Figure]:
    """CPU seconds of `explain` and of `contrast` with one thread; the parts of results add up."""
    segments = 10_000 if quick else 100_000
    corpus = english().repeated(segments)
    hyps, refs = corpus.hyps, corpus.refs
    other = [hyp.replace("the ", "a ").replace(",", "") for hyp in hyps]
    for name, analyze, adds_up in (
        ("explain", lambda: explain(hyps, refs, threads=1), _losses_add_up),
        ("contrast", lambda: contrast(hyps, other, refs, threads=1), _points_add_up),
    ):
        start = time.process_time()
        result = analyze()
        seconds = time.process_time() - start
        correct = adds_up(result) and seconds < _SECONDS
        yield Figure("analyses", corpus.name, segments, name, seconds, "s", correct)


def _losses_add_up(why: Any) -> bool:
    return isclose(sum(why.worksheet.lost.values()), 100 - why.score.value, rel_tol=1e-12)


def _points_add_up(why: Any) -> bool:
    return bool(sum(group.points for group in why.groups) == why.difference)
