# SPDX-License-Identifier: Apache-2.0
"""Files that are written: whole, or not at all. Pipes and devices are written into."""

from __future__ import annotations

import os

from truebleu.errors import OptionError, check_bool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn


def check_output(path: str, *, force: bool = False) -> None:
    """Complain before any work is done if a file could not be written, or is there.

    Args:
        path: of the file.
        force: whether a file that is there may be replaced.

    Raises:
        OptionError: there is such a file or folder, or the folder it is to be in is not there or
            cannot be written.
    """
    try:
        can_be_named = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        can_be_named = False
    if not can_be_named:
        raise OptionError(f"{path!r} cannot be the name of a file; give another")
    if _is_stream(path):
        return
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise OptionError(f"{folder}: no such folder; make it, or name another for {path}")
    if os.path.isdir(path):
        raise OptionError(f"{path} is a folder; name a file in it")
    if os.path.lexists(path) and not check_bool("force", force):
        raise OptionError(f"{path} is there already; use --force (force=True) to replace it")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OptionError(f"{folder} cannot be written; name another folder for {path}")


def write_whole(path: str, data: bytes, *, force: bool = False) -> None:
    """Write a file beside its place, then move it there, so that nobody sees the half of it.

    A file that is there keeps its permissions; one that a link names is replaced, not the link.
    What is no file, such as /dev/stdout, stays what it is: the data go into it.

    Raises:
        OptionError: as `check_output`, or the disk is full or fails.
    """
    path = os.fspath(path)
    check_output(path, force=force)
    if _is_stream(path):
        try:
            with open(path, "wb") as stream:
                stream.writelines(_pieces(data))
        except OSError as error:
            _refuse(path, error)
        return
    place = os.path.realpath(path) if force else path
    beside = f"{place}.{os.getpid()}.part"
    try:
        with open(beside, "xb") as file:
            file.writelines(_pieces(data))
        if os.path.exists(place):
            os.chmod(beside, os.stat(place).st_mode & 0o7777)
        if force:
            os.replace(beside, place)
        else:
            _move_new(beside, place)
    except FileExistsError:
        _remove(beside)
        raise OptionError(
            f"{path} is there already; use --force (force=True) to replace it"
        ) from None
    except OSError as error:
        _remove(beside)
        _refuse(path, error)
    except BaseException:
        _remove(beside)
        raise


def _pieces(data: bytes) -> Iterator[memoryview]:
    """Of a few megabytes: Ctrl-C is heard between two."""
    view = memoryview(data)
    return (view[at : at + (1 << 22)] for at in range(0, len(data), 1 << 22))


def _is_stream(path: str) -> bool:
    """Whether it is a pipe, a terminal or a device, of which nothing could be replaced."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def _move_new(source: str, place: str) -> None:
    """Move a file to where none is: a link is made only where there is nothing."""
    try:
        os.link(source, place)
    except (AttributeError, PermissionError, NotImplementedError):
        os.replace(source, place)  # a file system without links
        return
    os.remove(source)


def _remove(path: str) -> None:
    from contextlib import suppress

    with suppress(OSError):
        os.remove(path)


def _refuse(path: str, error: OSError) -> NoReturn:
    raise OptionError(f"{path} cannot be written: {error.strerror or error}") from None
