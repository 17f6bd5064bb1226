# SPDX-License-Identifier: Apache-2.0
"""How long analyses of a whole corpus take. No peer does them."""

import time
from collections.abc import Iterator
from math import isclose
from typing import Any

from corpora import english
from results import Figure

from truebleu import contrast, corpus_bleu, explain, survey

#: Seconds that an analysis may take.
_SECONDS = 3.0


def analyses(*, quick: bool) -> Iterator[Figure]:
    """CPU seconds of `explain` and `contrast`, whose parts add up, and seconds of `survey`."""
    segments = 10_000 if quick else 100_000
    corpus = english().repeated(segments)
    hyps, refs = corpus.hyps, corpus.refs
    other = [hyp.replace("the ", "a ").replace(",", "") for hyp in hyps]

    def has_the_score(standings: Any) -> bool:
        scores = {standing.name: standing.score for standing in standings}
        return bool(scores["sacrebleu"] == corpus_bleu(hyps, refs))

    of_cpu, on_all_cores = time.process_time, time.perf_counter
    for name, clock, analyze, is_right in (
        ("explain", of_cpu, lambda: explain(hyps, refs, threads=1), _losses_add_up),
        ("contrast", of_cpu, lambda: contrast(hyps, other, refs, threads=1), _points_add_up),
        ("survey", on_all_cores, lambda: survey(hyps, refs), has_the_score),
    ):
        start = clock()
        result = analyze()
        seconds = clock() - start
        correct = is_right(result) and seconds < _SECONDS
        yield Figure("analyses", corpus.name, segments, name, seconds, "s", correct)


def _losses_add_up(why: Any) -> bool:
    return isclose(sum(why.worksheet.lost.values()), 100 - why.score.value, rel_tol=1e-12)


def _points_add_up(why: Any) -> bool:
    return bool(sum(group.points for group in why.groups) == why.difference)
