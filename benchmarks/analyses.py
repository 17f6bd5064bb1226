# SPDX-License-Identifier: Apache-2.0
"""How long analyses of a whole corpus take. No peer does them."""

import time
from collections.abc import Iterator

from corpora import english
from results import Figure

from truebleu import contrast, explain

#: CPU seconds that an analysis may take.
_SECONDS = 3.0


def analyses(*, quick: bool) -> Iterator[Figure]:
    """CPU seconds of `explain` and of `contrast` with one thread."""
    segments = 10_000 if quick else 100_000
    corpus = english().repeated(segments)
    hyps, refs = corpus.hyps, corpus.refs
    other = [hyp.replace("the ", "a ").replace(",", "") for hyp in hyps]
    for name, analyze in (
        ("explain", lambda: explain(hyps, refs, threads=1)),
        ("contrast", lambda: contrast(hyps, other, refs, threads=1)),
    ):
        start = time.process_time()
        analyze()
        seconds = time.process_time() - start
        yield Figure("analyses", corpus.name, segments, name, seconds, "s", seconds < _SECONDS)
