# SPDX-License-Identifier: Apache-2.0
"""Many segments, references, candidates, systems or resamples; high orders; large numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from hostile_inputs import case, text

import truebleu as tb


@case("10,000 references", 10_000)
def _(size: int) -> Any:
    refs = [text(30) + f" r{i}" for i in range(size)]
    return tb.corpus_bleu([text(30)] * 100, [refs] * 100)


@case("10,000 references, TER", 10_000)
def _(size: int) -> Any:
    return tb.TER().corpus([text(30)], [[text(30)] * size])


@case("10,000 references, check", 10_000)
def _(size: int) -> Any:
    refs = [text(30) + f" r{i}" for i in range(size)]
    return len(tb.check([text(30)] * 10, [refs] * 10))


@case("10M empty lines", 10**7)
def _(size: int) -> Any:
    return tb.corpus_bleu([""] * size, [""] * size)


@case("order 1,000", 1_000)
def _(size: int) -> Any:
    lines = [text(2_000)] * 100
    return tb.BLEU(max_ngram_order=size).corpus(lines, lines)


@case("order 1,000, statistics of 1M segments", 10**6)
def _(size: int) -> Any:
    return len(tb.BLEU(max_ngram_order=1_000).stats(["a b"] * size, ["a b"] * size))


@case("order 1,000, prefixes of 1M ids", 10**6)
def _(size: int) -> Any:
    row = np.arange(size, dtype=np.int32)[None]
    return tb.BLEU(max_ngram_order=1_000).prefixes(row, row)[0][-1]


@case("order 1,000,000,000", 10**9)
def _(size: int) -> Any:
    return tb.BLEU(max_ngram_order=size).corpus(["a b"], ["a b"])


@case("1,000 orders of chrF", 1_000)
def _(size: int) -> Any:
    return tb.CHRF(char_order=size).corpus([text(2_000)] * 10, [text(2_000)] * 10)


@case("pairwise of 1M and 1M", 10**6)
def _(size: int) -> Any:
    return tb.pairwise(["a b"] * size).shape


@case("pairwise of 20,000 and 20,000", 20_000)
def _(size: int) -> Any:
    return tb.pairwise([f"a b {i} c" for i in range(size)]).shape


@case("pairwise of two lines of 10M words", 10**7)
def _(size: int) -> Any:
    return tb.pairwise([text(size), text(size)]).shape


@case("pairwise at order 1,000", 1_000)
def _(size: int) -> Any:
    return tb.pairwise([text(200)] * 1_000, max_ngram_order=size).shape


@case("mbr of 1M candidates", 10**6)
def _(size: int) -> Any:
    return tb.mbr(["a b"] * size).index


@case("self_bleu of 10M texts", 10**7)
def _(size: int) -> Any:
    return tb.self_bleu(["a b c d"] * size)


@case("1M systems", 10**6)
def _(size: int) -> Any:
    systems = {str(i): ["a b c", "d"] for i in range(size)}
    return len(tb.compare(systems, ["a b c", "d e"], resamples=1).pairs)


@case("10^15 resamples", 10**15)
def _(size: int) -> Any:
    lines = ["a b", "c d"]
    test = "sacrebleu-bootstrap"
    return tb.compare({"A": lines, "B": ["a", "c"]}, lines, test=test, resamples=size).pairs[0].p


@case("ids above 64 bits", 10**4)
def _(size: int) -> Any:
    return tb.corpus_bleu([[10**size]], [[1]])


@case("ids near 64 bits", (1 << 63) - 1)
def _(size: int) -> Any:
    return tb.corpus_bleu([[size, 5, size, 7]], [[size, 5, size, 7]])


@case("lists nested 10,000 deep", 10_000)
def _(size: int) -> Any:
    nested: Any = "a"
    for _ in range(size):
        nested = [nested]
    return tb.corpus_bleu([nested], ["a"])
