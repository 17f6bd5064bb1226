# SPDX-License-Identifier: Apache-2.0
"""How long analyses of a whole corpus take. No peer does them, but some settings by hand."""

import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from math import isclose
from typing import Any

import sacrebleu
from corpora import english
from peers import clear_caches, named
from results import Figure, Row, race
from timing import Contender, interleave

from truebleu import check, compare, contrast, corpus_bleu, explain, reconcile, survey

#: Seconds that an analysis may take.
_SECONDS = 3.0

#: What one tries by hand in a search: 6 settings, where we try some thousand.
_TRIED = list(product(("13a", "intl", "none"), (False, True)))


def analyses(*, quick: bool) -> Iterator[Figure]:
    """CPU seconds of `explain` and `contrast`, whose parts add up, and seconds of `survey`."""
    segments = 10_000 if quick else 100_000
    corpus = english().repeated(segments)
    hyps, refs = corpus.hyps, corpus.refs
    other = [hyp.replace("the ", "a ").replace(",", "") for hyp in hyps]

    of_cpu, on_all_cores = time.process_time, time.perf_counter
    for name, clock, analyze, is_right in (
        (
            "explain",
            of_cpu,
            lambda: explain(hyps, refs, threads=1),
            lambda why: isclose(sum(why.worksheet.lost.values()), 100 - why.score.value, rel_tol=1e-12),
        ),
        (
            "contrast",
            of_cpu,
            lambda: contrast(hyps, other, refs, threads=1),
            lambda why: sum(group.points for group in why.groups) == why.difference,
        ),
        (
            "survey",
            on_all_cores,
            lambda: survey(hyps, refs),
            lambda rows: {row.name: row.score for row in rows}["sacrebleu"] == corpus_bleu(hyps, refs),
        ),
    ):
        start = clock()
        result = analyze()
        seconds = clock() - start
        correct = is_right(result) and seconds < _SECONDS
        yield Figure("analyses", corpus.name, segments, name, seconds, "s", correct)


def checks(*, quick: bool) -> Iterator[Figure]:
    """`check` of lines in step and with one that is lost; `compare` with its trials of verdicts."""
    for segments in (2_000,) if quick else (2_000, 100_000):
        corpus = english().repeated(segments)
        hyps, lost = corpus.hyps, segments // 3
        for what, system, expected in (
            ("check, in step", hyps, ()),
            ("check, one line lost", hyps[:lost] + hyps[lost + 1 :], (lost,)),
        ):
            run = Contender(what, partial(check, system, corpus.refs))
            ((times, findings),) = interleave([run], 3)
            lines = next((f.lines for f in findings if f.kind == "lost-line"), ())
            correct = lines == expected
            yield Figure("check", corpus.name, segments, what, times.median * 1e3, "ms", correct)
        for count in (2, 9) if segments < 100_000 else (2,):
            systems = {
                str(k): [hyp.replace("the ", "") if i % 9 < k else hyp for i, hyp in enumerate(hyps)]
                for k in range(count)
            }
            what = f"compare, {count} systems"
            run = Contender(what, partial(compare, systems, corpus.refs, robustness=True))
            ((times, comparison),) = interleave([run], 3)
            correct = all(pair.trials and pair.survives for pair in comparison.pairs)
            yield Figure("check", corpus.name, segments, what, times.median * 1e3, "ms", correct)


def search(*, quick: bool) -> Iterator[Row]:
    """`reconcile` with 2,000 segments; equal if it finds what sacreBLEU gives for each setting."""
    corpus = english().head(2_000)
    hyps, refs = corpus.hyps, corpus.refs

    def by_hand() -> list[float]:
        return [
            sacrebleu.corpus_bleu(hyps, [refs], tokenize=tokenize, lowercase=lowercase).score
            for tokenize, lowercase in _TRIED
        ]

    def has_all(_: Any, scores: list[float]) -> bool:
        settings = {
            (match.dialect.tokenize.tokenize, match.dialect.normalize.lowercase)
            for score in scores
            for first in reconcile(hyps, refs, score, dialects=["sacrebleu"])
            for match in (first, *first.equivalents)
        }
        return settings >= set(_TRIED)

    ours = Contender("reconcile", lambda: reconcile(hyps, refs, "27.3"))
    peer = Contender(named("sacrebleu", f", {len(_TRIED)} settings"), by_hand, clear_caches)
    yield race("search", corpus.name, len(corpus), ours, peer, 3 if quick else 7, has_all)
