# SPDX-License-Identifier: Apache-2.0
"""W1: the score of a corpus from lists of strings, of a few thousand pairs and of a million.

As a process of its own, `corpus_scores.py english|non_ascii corpus|sentences SEGMENTS` prints the
bytes for each segment that scoring takes beyond the input.
"""

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import corpora
import peers
from corpora import Corpus, all_languages, english
from results import Figure, Row, race

from truebleu import BLEU

STATUS = Path("/proc/self/status")


def w1(*, quick: bool) -> Iterator[Row]:
    """Corpus BLEU of lists of strings, one thread."""
    for corpus in all_languages():
        opponents = [(peers.sacrebleu_corpus, peers.equals_sacrebleu)]
        if corpus.name.startswith("English"):
            opponents.append((peers.bleuscore_corpus, peers.equals_bleuscore))
            opponents.append((peers.nltk_corpus, peers.equals_nltk(corpus)))
        for peer, equal in opponents:
            own, other = peers.ours(corpus, repeat=5), peer(corpus)
            yield race("w1", corpus.name, len(corpus), own, other, 2 if quick else 7, equal)


def million(*, quick: bool) -> Iterator[Row | Figure]:
    """Corpus BLEU of a million pairs, one thread: time, memory beyond the input."""
    segments, sample = (100_000, 2_000) if quick else (1_000_000, 20_000)
    corpus = english().repeated(segments)
    yield against_sacrebleu(corpus, corpus.head(sample), rounds=2 if quick else 3)
    del corpus
    for kind in ("english", "non_ascii"):
        for task in ("corpus", "sentences"):
            yield memory(kind, task, segments)


def against_sacrebleu(corpus: Corpus, part: Corpus, rounds: int) -> Row:
    """All of it by us; sacreBLEU on a part, from which its time for all is estimated."""
    score = peers.ours(part).run()
    return race(
        "w1-1m",
        corpus.name,
        len(corpus),
        peers.ours(corpus, repeat=3),
        peers.sacrebleu_corpus(part),
        rounds,
        lambda _, theirs: peers.equals_sacrebleu(score, theirs),
        len(corpus) / len(part),
    )


def memory(kind: str, task: str, segments: int) -> Figure:
    """How far the memory of a fresh process rises above its input while it scores."""
    command = [sys.executable, __file__, kind, task, str(segments)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    what = f"peak memory beyond the input, {task}"
    return Figure("w1-1m", kind, segments, what, float(output[0]), "bytes/segment")


def peak() -> int:
    """The most memory that the process has held, in bytes."""
    if not STATUS.exists():  # not Linux: the peak includes that of making the corpus
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def forget_peak() -> None:
    """Have the peak begin anew at what is held now."""
    control = Path("/proc/self/clear_refs")
    if control.exists():
        control.write_text("5")


def main(kind: str, task: str, segments: str) -> None:
    """Measure and print."""
    few = getattr(corpora, kind)()
    corpus = few.repeated(int(segments))
    bleu = BLEU(tokenize=corpus.tokenize, threads=1)
    score = getattr(bleu, task)
    score(few.hyps[:10], few.refs[:10])  # imports are not the input's fault
    forget_peak()
    before = peak()
    result = score(corpus.hyps, corpus.refs)
    print((peak() - before) / len(corpus))
    del result


if __name__ == "__main__":
    main(*sys.argv[1:])
