# SPDX-License-Identifier: Apache-2.0
"""The kernel as the drop-in uses it: compiled once for each setting, and what it may be given.

Whatever is unusual (a number among the strings, a lone surrogate, streams of different lengths) is
not scored here: the answer is None, and the caller goes sacreBLEU's way in Python, with its errors.
"""

from __future__ import annotations

import sys

from truebleu.errors import InputError
from truebleu.metric import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Row = list[int]
    #: The sum of the rows and how many references the segments have; -1 if that differs.
    Total = tuple[Row, int]

#: Python's `sum` loses less of the last bit since 3.12, and so does sacreBLEU when it runs there.
SUMMATION = "naive" if sys.version_info < (3, 12) else "compensated"

_PLAIN = (list, tuple)

_tokenizers: dict[str, Any] = {}


def compiled(
    tokenize: str,
    *,
    lowercase: bool,
    order: int,
    method: str,
    value: float | None,
    effective_order: bool,
) -> BLEU | None:
    """The kernel's metric for these settings, or None if it has none that is equal."""
    usual = type(order) is int and order > 0
    if not usual or not (value is None or (type(value) in (int, float) and 0 <= value < 1e9)):
        return None
    return BLEU(
        "sacrebleu",
        tokenize=tokenize,
        lowercase=lowercase,
        max_ngram_order=order,
        smooth_method=method,
        smooth_value=value,
        effective_order=effective_order,
        summation=SUMMATION,
    )


def total(bleu: BLEU, hyps: Any, streams: Any) -> Total | None:
    """The summed row of a corpus whose references come as [stream][segment]."""
    refs = segments(hyps, streams)
    if refs is None:
        return None
    try:
        row, _, (fewest, most), tokenized = bleu.plan.total(hyps, refs, bleu.threads)
    except InputError:
        return None
    return None if tokenized else (row, fewest if fewest == most else -1)


def rows(bleu: BLEU, hyps: Any, streams: Any) -> tuple[list[Row], int] | None:
    """The row of each segment, and the number of references as in `total`."""
    refs = segments(hyps, streams)
    if refs is None or type(hyps[0]) is not str:
        return None
    try:
        flat = memoryview(bleu.plan.rows(hyps, refs, bleu.threads)).cast("q").tolist()
    except InputError:
        return None
    width = 2 + 2 * bleu.dialect.count.max_ngram_order
    split = [flat[at : at + width] for at in range(0, len(flat), width)]
    return split, count_references(streams)


def segments(hyps: Any, streams: Any) -> Sequence[Any] | None:
    """The references of each segment, or None if the streams are not of one length."""
    if type(hyps) not in _PLAIN or type(streams) not in _PLAIN or not hyps or not streams:
        return None
    for stream in streams:
        if type(stream) not in _PLAIN or len(stream) != len(hyps):
            return None
    if len(streams) == 1:
        only: Sequence[Any] = streams[0]
        return only if type(only[0]) is str else None
    return list(zip(*streams, strict=True))


def count_references(streams: Sequence[Sequence[str | None]]) -> int:
    """References of a segment, -1 if segments differ; of streams as long as each other."""
    if len(streams) == 1:
        return 1
    counts = {sum(ref is not None for ref in refs) for refs in zip(*streams, strict=True)}
    return counts.pop() if len(counts) == 1 else -1


def tokenized(tokenize: str, line: str) -> str:
    """The tokens of a line with single blanks between them, as sacreBLEU's tokenizers give it."""
    plan = _tokenizers.get(tokenize)
    if plan is None:
        plan = _tokenizers[tokenize] = BLEU("sacrebleu", tokenize=tokenize, strip="none").plan
    try:
        return " ".join(plan.tokens((line,))[0])
    except InputError:
        masked = _mask(line)
        if masked is None:
            raise
    text, back = masked
    return " ".join(plan.tokens((text,))[0]).translate(back)


def _mask(line: str) -> tuple[str, dict[int, int]] | None:
    """The line with its lone surrogates made private characters, and the way back.

    No tokenizer tells the two apart: neither is a letter, digit, punctuation, symbol or blank.
    """
    surrogates = sorted({char for char in line if "\ud800" <= char <= "\udfff"})
    if not surrogates:
        return None
    free = (code for code in range(0x100000, 0x10FFFE) if chr(code) not in line)
    codes = dict(zip(map(ord, surrogates), free, strict=False))
    return line.translate(codes), {code: surrogate for surrogate, code in codes.items()}
