# SPDX-License-Identifier: Apache-2.0
"""A normalization, and the functions from text to text that most are made of."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from types import CodeType, FunctionType
from typing import Any
from urllib.parse import quote
from zlib import crc32

#: From text to text.
Fix = Callable[[str], str]

#: The fewest lines that must improve before `check` reports a row: marks that no writer writes,
#: marks that programs write, and marks that writers may choose.
NEVER_WRITTEN, WRITTEN_BY_PROGRAMS, CHOSEN_BY_WRITERS = 1, 4, 8


@dataclass(frozen=True, slots=True, eq=False)  # a copy from another process is equal
class Normalization:
    """A change of text. Frozen.

    Attributes:
        name: as in `normalize=`, `--normalize` and signatures.
        kind: the fault that it mends: a heading of docs/check.md.
        fix: from text to text. In `TYPOGRAPHY`, applying it twice changes nothing more.
        pattern: a regular expression; text without a match stays as it is. Empty: any text may
            change.
        advice: what to do about the fault.
        lines: the fewest lines that must become more similar before `check` reports it.
        side: which texts can have the fault: `hyp`, `ref` or `both`.
        typographic: whether it writes alike what readers take for the same, so that a difference
            between systems should not depend on it.
        shared: whether the marks are never text, so that they are a fault on both sides as well.
        sign: a regular expression for characters, or for runs of one. Each match of the pattern has
            one of them, so that most texts need no search. Empty: all texts are searched, unless
            the pattern itself is such an expression.

    Example:
        >>> from truebleu.text.normalizations import Normalization
        >>> plain = Normalization("ae", "ae-letter", lambda text: text.replace("æ", "ae"), "æ")
        >>> plain("Cæsar")
        'Caesar'
    """

    name: str
    kind: str
    fix: Fix
    pattern: str = ""
    advice: str = ""
    lines: int = WRITTEN_BY_PROGRAMS
    side: str = "both"
    typographic: bool = False
    shared: bool = False
    sign: str = ""

    @property
    def is_choice(self) -> bool:
        """Whether it concerns marks that each writer may choose."""
        return self.typographic and self.lines >= CHOSEN_BY_WRITERS

    def __call__(self, text: str) -> str:
        """The normalized text."""
        return self.fix(text)

    def __str__(self) -> str:
        """A value of your own in signatures: its name with a checksum of its function."""
        return f"python[{quote(self.name, safe='')}-{checksum((self.pattern, self.fix))}]"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Normalization) and str(self) == str(other))

    def __hash__(self) -> int:
        return hash((self.name, self.pattern))


def substitution(pattern: str, new: str | Callable[[re.Match[str]], str] = "", flags: int = 0) -> Fix:
    """Replaces each match of a regular expression."""
    return partial(re.compile(pattern, flags).sub, new)


def characters(table: dict[str, str]) -> Fix:
    """Replaces each of these characters: rare ones in less time than `str.translate` takes."""
    pattern = f"[{re.escape(''.join(table))}]"
    return substitution(pattern, lambda character: table[character[0]])


def sequence(*fixes: Fix) -> Fix:
    """Applies functions in turn."""
    return partial(_in_turn, fixes)


def _in_turn(fixes: Iterable[Fix], text: str) -> str:
    for fix in fixes:
        text = fix(text)
    return text


class _Contents(pickle.Pickler):
    """Pickles functions by their code and constants, not by their names."""

    def reducer_override(self, item: Any) -> Any:
        if isinstance(item, FunctionType):
            cells = [cell.cell_contents for cell in item.__closure__ or ()]
            return str, (item.__code__, item.__defaults__, item.__kwdefaults__, cells)
        if isinstance(item, CodeType):
            return str, (item.co_code, item.co_names, item.co_consts)
        return NotImplemented


def checksum(value: Any) -> str:
    """Eight digits that differ if functions in the value differ in their code or constants.

    They are the same in every process. Values that have no pickle have the checksum of their type.

    Example:
        >>> checksum(lambda text: text.lower()) == checksum(lambda text: text.lower())
        True
        >>> checksum(lambda text: text.lower()) == checksum(lambda text: text.upper())
        False
    """
    file = BytesIO()
    pickler = _Contents(file, protocol=4)
    pickler.fast = True  # equal values give equal bytes, whether or not they are one object
    try:
        pickler.dump(value)
    except Exception:  # noqa: BLE001  (a class may do anything)
        return checksum(type(value).__qualname__)
    return f"{crc32(file.getvalue()):08x}"
