# SPDX-License-Identifier: Apache-2.0
"""How long `check` takes. No peer does it."""

import time
from collections.abc import Iterator

from corpora import english
from results import Figure

from truebleu import check


def checks(*, quick: bool) -> Iterator[Figure]:
    """CPU seconds of `check` with one thread, on lines in step and with one that is lost."""
    for segments in (2_000,) if quick else (2_000, 100_000):
        corpus = english().repeated(segments)
        lost = segments // 3
        for what, hyps, expected in (
            ("in step", corpus.hyps, ()),
            ("one line lost", corpus.hyps[:lost] + corpus.hyps[lost + 1 :], (lost,)),
        ):
            start = time.process_time()
            findings = check(hyps, corpus.refs, threads=1)
            seconds = time.process_time() - start
            lines = next((f.lines for f in findings if f.kind == "lost-line"), ())
            correct = lines == expected
            yield Figure("check", corpus.name, segments, what, seconds, "s", correct)
