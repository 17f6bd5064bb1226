# SPDX-License-Identifier: Apache-2.0
"""A process of its own: prints the bytes for each segment that scoring takes beyond the input.

Called as `memory.py english|non_ascii corpus|sentences SEGMENTS`.
"""

import sys

import corpora
from peak import forget_peak, peak

from truebleu import BLEU


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
