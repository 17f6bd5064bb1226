# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, and whose turn it is.

::

    TrueBLEUError
    ├── InputError          the texts to score (also a ValueError)
    ├── OptionError         a setting, a dialect or a signature (also a ValueError)
    ├── MissingExtraError   a library that only some users need (also an ImportError)
    └── InternalError       a fault of TrueBLEU's own, to be reported (also a RuntimeError)

A message says where, what is wrong and what to do. The command line prints it as one line and
exits with 2.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class TrueBLEUError(Exception):
    """Base of all errors that TrueBLEU raises: for a user's mistake, but for the last kind."""


class InputError(TrueBLEUError, ValueError):
    """Hypotheses or references that cannot be scored."""


class OptionError(TrueBLEUError, ValueError):
    """A setting that does not exist or cannot have this value."""


class MissingExtraError(TrueBLEUError, ImportError):
    """An optional library is not installed; the message holds the line that installs it."""

    @classmethod
    def of(cls, purpose: str, extra: str) -> MissingExtraError:
        """The error for `purpose`, which needs the extra `extra`."""
        return cls(
            f"{purpose} needs a library that is not installed; pip install 'truebleu[{extra}]'"
        )


class InternalError(TrueBLEUError, RuntimeError):
    """A fault of TrueBLEU itself: nobody's input should lead here. Its message asks to report it.

    It stands for a panic of the kernel, which by itself would be no `Exception`, and so would end
    programs that catch those.
    """


#: As much of a value as a line of an error has room for.
_ROOM = 200


def shown(value: object) -> str:
    """What a message calls a value that may be anything.

    Example:
        >>> shown("13b"), shown(range(3))
        ("'13b'", 'range(0, 3)')
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  (a list may be nested too deep, and a class may do anything)
        return f"of type {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= _ROOM else f"{text[: _ROOM - 3]}..."


def flag(name: str, value: object) -> bool:
    """Whether an argument is true.

    Raises:
        OptionError: it does not say, as an array does not.
    """
    try:
        return bool(value)
    except Exception:  # noqa: BLE001  (a class may do anything)
        raise OptionError(f"{name} cannot be {shown(value)}; it must be true or false") from None


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """An argument that is a whole number, of Python or of NumPy.

    Raises:
        OptionError: it is none, is less than `least` or more than `most`.
    """
    try:
        number: int = value.__index__()
    except Exception:  # noqa: BLE001  (arrays have the method, and a class may do anything)
        number = least - 1
    if isinstance(value, bool) or number < least or (most is not None and number > most):
        limits = f"{least} or more" if most is None else f"{least} to {most}"
        raise OptionError(f"{name} cannot be {shown(value)}; it must be a whole number, {limits}")
    return number


def suggest(given: object, known: Iterable[str]) -> str:
    """What is given in quotes, with the nearest of the `known` names, for the end of a message."""
    from difflib import get_close_matches  # only paid for by a mistake

    name = given if isinstance(given, str) else shown(given)
    known = list(known)
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"{name!r}; did you mean {' or '.join(near)}?"
    return f"{name!r}; known are {', '.join(known)}"
