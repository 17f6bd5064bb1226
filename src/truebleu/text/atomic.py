# SPDX-License-Identifier: Apache-2.0
"""Output files, written whole or not at all. Pipes and devices are written into."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import BinaryIO

from truebleu.errors import OptionError, check_bool


def check_output(path: str, *, force: bool = False) -> None:
    """Raise OptionError, before any work is done, if a file exists or could not be written."""
    try:
        is_valid = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_valid = False
    if not is_valid:
        raise OptionError(f"{path!r} is not a valid file name; give another")
    if _is_stream(path):
        return
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise OptionError(f"{folder}: no such folder; make it, or name another for {path}")
    if os.path.isdir(path):
        raise OptionError(f"{path} is a folder; name a file in it")
    if not check_bool("force", force) and os.path.lexists(path):
        raise _exists(path)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OptionError(f"{folder} is not writable; name another folder for {path}")


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and those that it is in, unless it exists; OptionError if that fails."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{path} cannot be made: {error.strerror or error}") from None


def write_whole(path: str, data: bytes, *, force: bool = False) -> None:
    """Write a file as `open_whole` does."""
    with open_whole(path, force=force) as file:
        file.write(data)


@contextmanager
def open_whole(path: str, *, force: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing that gets its name when the block ends without an error.

    Until then it has another name in the same folder, and an error removes it. A file that exists
    keeps its permissions; where `path` is a link, the file it leads to is replaced. Pipes and
    devices, such as /dev/stdout, are written into.

    Raises:
        OptionError: as `check_output`, or the disk is full or fails.
    """
    path = os.fspath(path)
    check_output(path, force=force)
    target = os.path.realpath(path) if force else path
    temporary = f"{target}.{os.urandom(4).hex()}.part"
    try:
        if _is_stream(path):
            with open(path, "wb") as file:
                yield file
            return
        try:
            with _ended_by_signals(), open(temporary, "xb") as file:
                yield file
            if os.path.exists(target):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            (os.replace if force else _rename_new)(temporary, target)
        finally:
            with suppress(OSError):
                os.remove(temporary)  # after an error, or if it is a link now
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror or error}") from None


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """A block in which SIGTERM and SIGHUP raise SystemExit, so that temporary files are removed."""
    import signal

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    is_main = current_thread() is main_thread()  # only it may set handlers
    numbers = [signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)] if is_main else []
    defaults = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in defaults:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in defaults:
            signal.signal(number, signal.SIG_DFL)


def _is_stream(path: str) -> bool:
    """Whether it is a pipe, a terminal or a device, which a file must not replace."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def _rename_new(source: str, target: str) -> None:
    """Give a file another name, unless that exists: only making a link checks this."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except (AttributeError, OSError):  # a file system without links
        os.replace(source, target)


def _exists(path: str) -> OptionError:
    return OptionError(f"{path} exists; use --force (force=True) to replace it")
