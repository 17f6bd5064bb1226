# SPDX-License-Identifier: Apache-2.0
"""The kernel as the drop-in uses it: compiled once for each setting, and what it may be given.

Whatever is unusual (a number among the strings, a lone surrogate, streams of different lengths) is
not scored here: the answer is None, and the caller goes sacreBLEU's way in Python, with its errors.
"""

from __future__ import annotations

import sys

from truebleu.errors import InputError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.ter import TER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.metrics.chrf import CHRF

    Kernel = BLEU | CHRF | TER
    Row = list[int]
    #: The sum of the rows and how many references the segments have; -1 if that differs.
    Total = tuple[Row, int]

#: Python's `sum` loses less of the last bit since 3.12, and so does sacreBLEU when it runs there.
SUMMATION = "naive" if sys.version_info < (3, 12) else "compensated"

_PLAIN = (list, tuple)

_tokenizers: dict[Any, Any] = {}


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


def total(metric: Kernel, hyps: Any, streams: Any) -> Total | None:
    """The summed row of a corpus whose references come as [stream][segment]."""
    refs = segments(hyps, streams)
    if refs is None:
        return None
    try:
        row, _, (fewest, most), tokenized = metric.plan.total(hyps, refs, metric.threads)
    except InputError:
        return None
    return None if tokenized else (row, fewest if fewest == most else -1)


def rows(metric: Kernel, hyps: Any, streams: Any) -> tuple[list[Row], int] | None:
    """The row of each segment, and the number of references as in `total`."""
    refs = segments(hyps, streams)
    if refs is None or type(hyps[0]) is not str:
        return None
    try:
        flat = memoryview(metric.plan.rows(hyps, refs, metric.threads)).cast("q").tolist()
    except InputError:
        return None
    width = len(flat) // len(hyps)
    split = [flat[at : at + width] for at in range(0, len(flat), width)]
    return split, count_references(streams)


def lowered(hyps: Any, streams: Any) -> tuple[list[str], list[list[str | None]]] | None:
    """Both in lower case, which is that of this Python; None if something has none."""
    if type(hyps) not in _PLAIN or type(streams) not in _PLAIN:
        return None
    if any(type(stream) not in _PLAIN for stream in streams):
        return None
    try:
        return [hyp.lower() for hyp in hyps], [
            [None if ref is None else ref.lower() for ref in stream] for stream in streams
        ]
    except (AttributeError, TypeError):
        return None


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
    return _joined(plan.tokens, line)


def tercom(line: str, *, normalized: bool, no_punct: bool, asian_support: bool) -> str:
    """The words of a line with single blanks between them, as sacreBLEU's `TercomTokenizer`."""
    settings = normalized, no_punct, asian_support
    ter = _tokenizers.get(settings)
    if ter is None:
        ter = _tokenizers[settings] = TER(
            normalized=normalized,
            no_punct=no_punct,
            asian_support=asian_support,
            case_sensitive=True,
        )
    return _joined(ter.plan.tokens, line)


def _joined(words: Callable[[tuple[str]], list[list[str]]], line: str) -> str:
    try:
        return " ".join(words((line,))[0])
    except InputError:
        masked = _mask(line)
        if masked is None:
            raise
    text, back = masked
    return " ".join(words((text,))[0]).translate(back)


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
