# SPDX-License-Identifier: Apache-2.0
"""chrF, chrF++ and TER against sacreBLEU's, on the same segments."""

from collections.abc import Iterator
from typing import Any

import peers
import sacrebleu
from corpora import Corpus, examples, wmt
from pairs import distinct, sampled_pairs
from results import Row, race
from sacrebleu.metrics.base import Metric
from timing import Contender, interleave

from truebleu import CHRF, TER

#: Our name, our metric, sacreBLEU's, and segments of a full run: TER takes sacreBLEU long.
METRICS: tuple[tuple[str, Any, Metric, int], ...] = (
    ("CHRF", CHRF(threads=1), sacrebleu.CHRF(), 2_000),
    ("CHRF, words", CHRF(word_order=2, threads=1), sacrebleu.CHRF(word_order=2), 2_000),
    ("TER", TER(threads=1), sacrebleu.TER(), 400),
)


def chrf_ter(*, quick: bool) -> Iterator[Row]:
    """chrF, chrF++ and TER of a corpus from lists of strings, one thread."""
    corpora = [each for each in map(wmt, ("de", "en", "ru")) if each] or [examples("en", 2_000)]
    for corpus in corpora[: 1 if quick else None]:
        for name, ours, theirs, segments in METRICS:
            few = corpus.head(segments // 4 if quick else segments)
            yield _race(few, name, ours, theirs, rounds=3)
    yield from _pairs(rounds=3 if quick else 9)


def _race(corpus: Corpus, name: str, ours: Any, theirs: Metric, rounds: int) -> Row:
    hyps, refs = corpus.hyps, corpus.refs
    one = Contender(name, lambda: ours.corpus(hyps, refs).value, repeat=10)
    peer, work = peers.named("sacrebleu"), lambda: theirs.corpus_score(hyps, [refs]).score
    other = Contender(peer, work, peers.clear_caches)
    return race("chrf_ter", corpus.name, len(corpus), one, other, rounds)


def _pairs(rounds: int) -> Iterator[Row]:
    """chrF of all pairs of a set as a matrix, and sacreBLEU's from a sample of the pairs."""
    texts = distinct(1_024)
    for size, words in ((256, 0), (256, 2), (1_024, 0)):
        few = texts[:size]
        pairs = sampled_pairs(few, 300)
        ours, theirs = CHRF(word_order=words, threads=1), sacrebleu.CHRF(word_order=words)

        def matrix(metric: CHRF = ours, few: list[str] = few) -> Any:
            return metric.pairwise(few)

        def sample(metric: Metric = theirs, few: list[str] = few, pairs: Any = pairs) -> Any:
            return [metric.sentence_score(few[i], [few[j]]).score for i, j in pairs]

        contenders = [
            Contender(f"CHRF.pairwise{', words' * (words > 0)}", matrix, repeat=3),
            Contender(peers.named("sacrebleu", " sentence_score"), sample),
        ]
        (times, scores), (peer_times, expected) = interleave(contenders, rounds)
        yield Row(
            "chrf_ter", f"{size} x {size}", size * size, contenders[0].name, times,
            contenders[1].name, peer_times.scaled(size * size / len(pairs)),
            [float(scores[pair]) for pair in pairs] == expected, estimated=True,
        )  # fmt: skip
