# SPDX-License-Identifier: Apache-2.0
"""The exceptions of TrueBLEU, and the checks of arguments that raise them.

::

    TrueBLEUError
    ├── InputError          the texts cannot be scored (also a ValueError)
    ├── OptionError         a setting, a dialect or a signature is wrong (also a ValueError)
    ├── MissingExtraError   an optional library is not installed (also an ImportError)
    └── InternalError       a bug in TrueBLEU, please report it (also a RuntimeError)

A message says where the error is, what is wrong and what to do. The command line prints it as one
line and exits with code 2.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class TrueBLEUError(Exception):
    """Base class of all errors that TrueBLEU raises."""


class InputError(TrueBLEUError, ValueError):
    """Hypotheses or references cannot be scored."""


class OptionError(TrueBLEUError, ValueError):
    """A setting does not exist or cannot have this value."""


class MissingExtraError(TrueBLEUError, ImportError):
    """An optional library is not installed; the message holds the command that installs it."""

    @classmethod
    def of(cls, purpose: str, extra: str) -> MissingExtraError:
        """The error for `purpose`, which needs the extra `extra`."""
        error, problem = sys.exception(), "is not installed"
        if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
            problem = f"cannot be loaded: {' '.join(str(error).split()):.500}"
        return cls(f"{purpose} needs a library that {problem}; pip install 'truebleu[{extra}]'")


class InternalError(TrueBLEUError, RuntimeError):
    """A bug in TrueBLEU. No input should cause it; the message asks to report it.

    A panic of the kernel raises it. PyO3's own exception for panics is not an `Exception`, so it
    would end programs that catch those.
    """


class within:  # noqa: N801  (reads as a statement)
    """A block whose input errors begin with a place: a file, a system; nothing if it is empty.

    Example:
        >>> with within("dev.txt"):
        ...     raise InputError("no line")
        Traceback (most recent call last):
        truebleu.errors.InputError: dev.txt: no line
    """

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if self._place and isinstance(error, InputError):
            raise InputError(f"{self._place}: {error}") from None


class needing:  # noqa: N801  (reads as a statement)
    """A block that imports libraries of an extra, without which it raises MissingExtraError."""

    def __init__(self, purpose: str, extra: str) -> None:
        self._needs = purpose, extra

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, ImportError):
            raise MissingExtraError.of(*self._needs) from None


#: The longest description of a value in a message, in characters.
_LONGEST = 200


def describe(value: object) -> str:
    """A value of any type for a message: its `repr`, shortened.

    Example:
        >>> describe("13b"), describe(range(3))
        ("'13b'", 'range(0, 3)')
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  (a list may be nested too deep, and a class may do anything)
        return f"of type {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def check_bool(name: str, value: object) -> bool:
    """An argument that is true or false."""
    try:
        return bool(value)
    except Exception:  # noqa: BLE001  (a class may do anything)
        raise OptionError(f"{name} cannot be {describe(value)}; it must be true or false") from None


def check_int(name: str, value: Any, least: int, most: int | None = None) -> int:
    """An argument that is an integer of Python or NumPy."""
    try:
        number: int = value.__index__()
    except Exception:  # noqa: BLE001  (arrays have the method, and a class may do anything)
        number = least - 1
    if isinstance(value, bool) or number < least or (most is not None and number > most):
        limits = f"{least} or more" if most is None else f"{least} to {most}"
        raise OptionError(f"{name} cannot be {describe(value)}; it must be a whole number, {limits}")
    return number


def quantity(number: int, noun: str) -> str:
    """A number and its noun, as in `1 line` and `1,200 lines`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


#: What words of other tools are called here: the name among those to choose from for which it is
#: true, and the answer.
_MEANINGS = (
    ("force", "normalize",
     "sacreBLEU's force silences a warning that TrueBLEU does not have; leave it out"),
    ("n_bootstrap", "normalize", "for an interval, pass confidence=0.95 to its method corpus"),
    ("confidence", "normalize", "pass it to its method corpus"),
    ("n_bootstrap ci", "--confidence", "did you mean --confidence?"),
    ("trg_lang tgt_lang target_lang", "tokenize", "did you mean target_language?"),
    ("trg_lang tgt_lang target_lang", "--language-pair", "did you mean --language-pair?"),
    ("moses", "multi-bleu", "its scripts are multi-bleu and multi-bleu-detok"),
    ("evaluate", "hf-bleu", "its bleu is hf-bleu, and its sacrebleu is sacrebleu"),
    ("wmt", "mteval-v13a", "WMT scores with sacrebleu, until 2017 with mteval-v13a"),
    ("json", "--join", "did you mean --format json?"),
    ("spacy", "space", "give the function that returns its words"),
    ("c#", "c_sharp", "did you mean c_sharp?"),
    ("c++", "cpp", "did you mean cpp?"),
)  # fmt: skip

#: The least similarity of names that are near: `smoth` is near `smooth_method`, `strict` is not
#: near `strip`. Only more than three letters are compared with the start of a longer name.
_NEAR = 0.75


def suggest(name: object, names: Iterable[str], otherwise: str = "") -> str:
    """A wrong name in quotes with its meaning or the nearest names; else `otherwise` or all."""
    from difflib import SequenceMatcher  # imported for mistakes only

    text = name if isinstance(name, str) else describe(name)
    names = list(names)
    bare = text.lstrip("-")
    for words, name_here, meaning in _MEANINGS:
        if bare.lower().replace("-", "_") in words.split() and name_here in names:
            return f"{text!r}; {meaning}"

    def similarity(other: str) -> float:
        other = other.lstrip("-")
        starts = (other, other[: len(bare) + 1] if len(bare) > 3 else "")
        return max(SequenceMatcher(None, bare, start).ratio() for start in starts)

    near = sorted((other for other in names if similarity(other) >= _NEAR), key=similarity)[-3:]
    if near:
        return f"{text!r}; did you mean {' or '.join(reversed(near))}?"
    return f"{text!r}; {otherwise or 'known: ' + ', '.join(names)}"
