# SPDX-License-Identifier: Apache-2.0
"""Mistakes that were found on a worker, raised where the user is."""

from __future__ import annotations

from contextlib import contextmanager

from truebleu import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def mistakes_raised() -> Iterator[None]:
    """In place of an engine's exception, raises the error of ours that its message quotes."""
    try:
        yield
    except Exception as error:
        # Ray's exceptions are of the class of what they quote, too, and have many lines.
        if type(error).__module__ == errors.__name__:
            raise
        mistake = _quoted(str(error))
        if mistake is None:
            raise
        raise mistake from error


def _quoted(message: str) -> errors.TrueBLEUError | None:
    """The error at the end of a traceback that was made text on its way here."""
    import re

    kinds = {kind.__name__: kind for kind in errors.TrueBLEUError.__subclasses__()}
    quotes = re.findall(rf"truebleu\.errors\.({'|'.join(kinds)}): (.+)", message)
    return kinds[quotes[-1][0]](quotes[-1][1].strip()) if quotes else None
