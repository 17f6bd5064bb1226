# SPDX-License-Identifier: Apache-2.0
"""A ledger: what is in it against counting it again."""

from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

from corpora import english
from results import Row, race
from timing import Contender

import truebleu as tb


def ledger(*, quick: bool) -> Iterator[Row]:
    """`Ledger.stats` of texts that are in the ledger, and `stats` of the metrics."""
    for size in (2_000,) if quick else (2_000, 100_000):
        corpus = english().repeated(size)
        for metric in (tb.BLEU(), tb.CHRF(), tb.TER()):
            with TemporaryDirectory() as folder, tb.Ledger(f"{folder}/runs.db") as kept:

                def find(kept: Any = kept, metric: Any = metric, corpus: Any = corpus) -> Any:
                    return kept.stats(corpus.hyps, corpus.refs, metric, name="system")

                def count(metric: Any = metric, corpus: Any = corpus) -> Any:
                    return metric.stats(corpus.hyps, corpus.refs)

                find()
                ours = Contender("in the ledger", find)
                peer = Contender(f"{metric.name} counted again", count)
                yield race("ledger", corpus.name, size, ours, peer, 3 if quick else 9)
