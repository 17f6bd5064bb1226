# SPDX-License-Identifier: Apache-2.0
"""Each way of the kernel to use the processor, forced by TRUEBLEU_SIMD."""

import os
from collections.abc import Iterator
from unittest.mock import patch

from corpora import english
from results import Row
from timing import Contender, interleave

from truebleu import BLEU
from truebleu._core import simd_levels


def simd(*, quick: bool) -> Iterator[Row]:
    """Corpus BLEU by each instruction set that the machine has, against none."""
    corpus = english()

    def forced(level: str) -> Contender:
        with patch.dict(os.environ, {"TRUEBLEU_SIMD": level}):
            bleu = BLEU(tokenize=corpus.tokenize, threads=1)
        return Contender(level, lambda: bleu.corpus(corpus.hyps, corpus.refs), repeat=3)

    contenders = [forced(level) for level in simd_levels()]
    *wide, (scalar_times, expected) = interleave(contenders, rounds=10 if quick else 50)
    for contender, (times, score) in zip(contenders, wide, strict=False):
        yield Row(
            "simd", corpus.name, len(corpus), contender.name, times, contenders[-1].name,
            scalar_times, score == expected,
        )  # fmt: skip
