# SPDX-License-Identifier: Apache-2.0
"""A process of its own: prints the bytes for each segment that scoring takes beyond the input.

Called as `memory.py english|non_ascii corpus|sentences SEGMENTS`.
"""

import resource
import sys
from pathlib import Path

import corpora

from truebleu import BLEU

STATUS = Path("/proc/self/status")


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
    few = {"english": corpora.english, "non_ascii": corpora.non_ascii}[kind]()
    corpus = few.repeated(int(segments))
    bleu = BLEU(tokenize=corpus.tokenize, threads=1)
    score = {"corpus": bleu.corpus, "sentences": bleu.sentences}[task]
    score(few.hyps[:10], few.refs[:10])  # imports are not the input's fault
    forget_peak()
    before = peak()
    result = score(corpus.hyps, corpus.refs)
    print((peak() - before) / len(corpus))
    del result


main(*sys.argv[1:])
