# SPDX-License-Identifier: Apache-2.0
"""The interface to the kernel: only `inputs/utf8.py` and `version.py` import `truebleu._core`, too.

Options become the text that the kernel compiles a metric from, columns become what it reads, and
the number of threads is checked.
"""

from __future__ import annotations

import os

from truebleu import _core
from truebleu.dialects.signature import to_text
from truebleu.errors import OptionError, check_int
from truebleu.inputs.corpus import Lines, LineStreams
from truebleu.inputs.ids import Ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The kernel's class for all metrics.
Kernel = _core.Metric
#: A column whose strings a Python function tokenizes.
Tokenized = _core.Tokenized
#: Whether columns are lists of words, each exactly a `str`, with a reference for each hypothesis.
hold_words = _core.hold_words
#: How many texts of a list or tuple end in a space and a period.
spaced_periods = _core.spaced_periods
#: The bounds of the groups of rows in a column of token ids, and whether there are groups.
id_bounds = _core.id_bounds
#: Tokens of systems and their references, of which the kernel counts n-grams.
Overlap = _core.Overlap
#: The n-grams that a hypothesis shares with its references, and the tokens that they cover.
matches = _core.matches
#: Statistics of systems that the kernel resamples.
Resampler = _core.Resampler
#: The random number generator that sacreBLEU uses.
Pcg64 = _core.Pcg64
#: Stops calls on other threads; Ctrl-C itself reaches only the main thread.
Stop = _core.Stop
#: The places of the tokens of a text in it, and the text in the case of its tokens.
places = _core.places
#: The syntax trees of a language, texts without their comments, and the version of the parser.
Syntax, without_comments, TREE_SITTER = _core.Syntax, _core.without_comments, _core.TREE_SITTER
#: Raises InputError unless this many bytes of memory are free.
check_memory = _core.check_memory
#: The Unicode versions of the tokenizers' categories and of lower case.
unicode_versions = _core.unicode_versions

_MOST_THREADS = 1 << 16


class Words(tuple["Any", ...]):
    """A column of words that may have blanks: a function or a caller of a drop-in split them."""

    __slots__ = ()


def compile_metric(name: str, options: dict[str, Any]) -> Kernel:
    """The kernel's metric of this name with these options."""
    try:
        return Kernel(name, settings(options))
    except ValueError as error:
        raise OptionError(str(error)) from None


def settings(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Options as text, with the instruction set if TRUEBLEU_SIMD names one."""
    pairs = [(name, to_text(value)) for name, value in options.items() if value is not None]
    simd = os.environ.get("TRUEBLEU_SIMD")
    return [*pairs, ("simd", simd)] if simd else pairs


def for_kernel(column: Any) -> Any:
    """A column in the form that the kernel reads; nothing is copied."""
    if isinstance(column, Ids):
        return _core.Ids(column.values, column.offsets, column.items)
    if isinstance(column, Lines):
        return _core.Lines([column.part])
    if isinstance(column, LineStreams):
        return _core.Lines([file.part for file in column.files])
    return column


def check_threads(threads: int | None) -> int:
    """The number of threads; for None, TRUEBLEU_NUM_THREADS or all that the process may use."""
    if threads is None:
        text = os.environ.get("TRUEBLEU_NUM_THREADS", "")
        if not text:
            has_affinity = hasattr(os, "sched_getaffinity")
            return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
        if not text.isdecimal() or len(text) > 20:
            raise OptionError(f"TRUEBLEU_NUM_THREADS is {text!r}; it must be a whole number")
        threads = int(text)
    return check_int("threads", threads, 1, _MOST_THREADS)
