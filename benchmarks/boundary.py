# SPDX-License-Identifier: Apache-2.0
"""Text that crosses from Python: read where it is, or through CPython's cached UTF-8.

A wheel for all Python versions (abi3) could read text that is not ASCII only through
PyUnicode_AsUTF8AndSize, which encodes each string at first and keeps the copy as long as the string
lives. A wheel for each version reads the string's own memory. This measures the difference:

- direct: the score of fresh lists of strings, less the score of the same text as UTF-8 lines;
- cached UTF-8: the first call of that function on each fresh string, less a second one, which finds
  the copy and so is the cost of calling at all.
"""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING

from corpora import Corpus, examples, wmt
from results import Figure
from timing import Contender, interleave

from truebleu import BLEU
from truebleu.inputs.corpus import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_as_utf8 = ctypes.pythonapi.PyUnicode_AsUTF8AndSize
_as_utf8.argtypes = (ctypes.py_object, ctypes.c_void_p)
_as_utf8.restype = ctypes.c_void_p


def boundary(*, quick: bool) -> Iterator[Figure]:
    """Reading strings directly, beside CPython's cached UTF-8."""
    for corpus in filter(None, (wmt("de"), wmt("ru"), examples("zh", 2_000))):
        yield from measure(corpus, rounds=5 if quick else 25)


class Fresh:
    """Strings that no one has encoded yet, made anew before each run."""

    def __init__(self, corpus: Corpus) -> None:
        self.hyps: list[str] = []
        self.refs: list[str] = []
        self._encoded = [[text.encode() for text in side] for side in (corpus.hyps, corpus.refs)]

    def renew(self) -> None:
        """Make all strings again."""
        self.hyps, self.refs = ([text.decode() for text in side] for side in self._encoded)

    def size(self) -> int:
        """Bytes that the strings hold, with encoded copies that CPython keeps beside them."""
        return sum(map(sys.getsizeof, self.hyps + self.refs))

    def lines(self) -> tuple[Lines, Lines]:
        """The same text as it would come from a file."""
        hyps, refs = (Lines(b"\n".join(side)) for side in self._encoded)
        return hyps, refs


def measure(corpus: Corpus, rounds: int) -> Iterator[Figure]:
    """Nanoseconds and bytes for each string, both ways."""
    bleu = BLEU(tokenize=corpus.tokenize, threads=1)
    fresh = Fresh(corpus)
    lines = fresh.lines()

    def encode() -> None:
        for side in (fresh.hyps, fresh.refs):
            for text in side:
                _as_utf8(text, None)

    (strings, score), (text, expected), (first, _), (second, _) = interleave(
        [
            Contender("list[str]", lambda: bleu.corpus(fresh.hyps, fresh.refs), fresh.renew),
            Contender("lines", lambda: bleu.corpus(*lines)),
            Contender("first", encode, fresh.renew),
            Contender("second", encode),
        ],
        rounds,
    )
    count = 2 * len(corpus)

    def figure(what: str, value: float, unit: str) -> Figure:
        return Figure("boundary", corpus.name, len(corpus), what, value, unit, score == expected)

    direct, cached = strings.median - text.median, first.median - second.median
    yield figure("read directly", direct / count * 1e9, "ns/string")
    yield figure("CPython's cached UTF-8", cached / count * 1e9, "ns/string")
    fresh.renew()
    before = fresh.size()
    bleu.corpus(fresh.hyps, fresh.refs)
    yield figure("kept after reading directly", (fresh.size() - before) / count, "bytes/string")
    encode()
    yield figure("kept by CPython's cache", (fresh.size() - before) / count, "bytes/string")
