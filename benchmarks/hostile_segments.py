# SPDX-License-Identifier: Apache-2.0
"""One segment that is as long as files are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from hostile_inputs import case, command, text, words

import truebleu as tb


@case("1 GB line, words", 10**9)
def _(size: int) -> Any:
    line = "word " * (size // 5)
    return tb.corpus_bleu([line], [line])


@case("1 GB line, one character", 10**9)
def _(size: int) -> Any:
    line = "a" * size
    return tb.corpus_bleu([line], [line])


@case("1 GB line, chrF", 10**9)
def _(size: int) -> Any:
    line = "word " * (size // 5)
    return tb.CHRF().corpus([line], [line])


@case("100 MB line of full stops", 10**8)
def _(size: int) -> Any:
    line = "." * size
    return tb.corpus_bleu([line], [line])


@case("10M words in a segment", 10**7)
def _(size: int) -> Any:
    line = text(size)
    return tb.corpus_bleu([line], [line])


@case("10M different words", 10**7)
def _(size: int) -> Any:
    line = " ".join(map(str, range(size)))
    return tb.corpus_bleu([line], [line])


@case("10M words in a list", 10**7)
def _(size: int) -> Any:
    listed = words(size)
    return tb.corpus_bleu([listed], [listed])


@case("10M token ids", 10**7)
def _(size: int) -> Any:
    row = np.arange(size, dtype=np.int32)[None]
    return tb.corpus_bleu(row, row)


@case("10M token ids, prefixes", 10**7)
def _(size: int) -> Any:
    row = np.arange(size, dtype=np.int32)[None]
    return tb.BLEU().prefixes(row, row)[0][-1]


@case("10M words, chrF++", 10**7)
def _(size: int) -> Any:
    line = text(size)
    return tb.CHRF(word_order=2).corpus([line], [line])


@case("10M words, TER", 10**7)
def _(size: int) -> Any:
    line = text(size)
    return tb.TER().corpus([line], [line])


@case("100,000 words, TER", 100_000)
def _(size: int) -> Any:
    return tb.TER().corpus([text(size)], [text(size)])


@case("8,000 words, TER", 8_000)
def _(size: int) -> Any:
    listed = words(size)
    return tb.TER().corpus([" ".join(listed)], [" ".join(listed[::-1])])


@case("1M words, explain", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    return len(str(tb.explain(" ".join(listed), " ".join(listed[::-1]))))


@case("1M words, diff", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    line, other = " ".join(listed), " ".join(listed[::-1])
    return len(str(tb.diff([line], [other], "sacrebleu", "nltk")))


@case("1M words, check", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    return len(tb.check([" ".join(listed)], [" ".join(listed[::-1])]))


@case("1M words, reconcile", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    return len(tb.reconcile([" ".join(listed)], [" ".join(listed[::-1])], "12.3"))


@case("1M words, report", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    Path("hyp").write_text(" ".join(listed) + "\n", encoding="utf-8")
    Path("ref").write_text(" ".join(listed[::-1]) + "\n", encoding="utf-8")
    command("report", "ref", "-i", "hyp", "-o", "page.html")
    return f"{os.path.getsize('page.html'):,} bytes"
