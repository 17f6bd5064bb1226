# SPDX-License-Identifier: Apache-2.0
"""W1 at a million pairs: the same work, and the memory it takes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import peers
from corpora import Corpus, english
from results import Figure, Row
from timing import interleave


def million(*, quick: bool) -> Iterator[Row | Figure]:
    """Corpus BLEU of a million pairs, one thread: time, memory beyond the input."""
    segments = 100_000 if quick else 1_000_000
    corpus = english().repeated(segments)
    yield against_sacrebleu(corpus, sample=2_000 if quick else 20_000, rounds=2 if quick else 3)
    del corpus
    for kind in ("english", "non_ascii"):
        for task in ("corpus", "sentences"):
            yield memory(kind, task, segments)


def against_sacrebleu(corpus: Corpus, sample: int, rounds: int) -> Row:
    """All of it by us; sacreBLEU on a sample, from which its time for all is estimated."""
    part = corpus.head(sample)
    contenders = [peers.ours(corpus, repeat=3), peers.sacrebleu_corpus(part), peers.ours(part)]
    (times, _), (peer_times, theirs), (_, score) = interleave(contenders, rounds)
    return Row(
        "w1-1m", corpus.name, len(corpus), contenders[0].name, times, contenders[1].name,
        peer_times.scaled(len(corpus) / sample), peers.equals_sacrebleu(score, theirs),
        estimated=True,
    )  # fmt: skip


def memory(kind: str, task: str, segments: int) -> Figure:
    """How far the memory of a fresh process rises above its input while it scores."""
    script = Path(__file__).with_name("memory.py")
    command = [sys.executable, str(script), kind, task, str(segments)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    what = f"peak memory beyond the input, {task}"
    return Figure("w1-1m", kind, segments, what, float(output[0]), "bytes/segment")
