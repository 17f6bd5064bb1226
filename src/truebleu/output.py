# SPDX-License-Identifier: Apache-2.0
"""Files that are written: whole or not at all, and none is lost by mistake."""

from __future__ import annotations

import os

from truebleu.errors import InputError


def check_target(path: str, *, force: bool) -> None:
    """Raise InputError unless a file can be written there; before the work, not after it.

    Args:
        path: of the file.
        force: whether a file that is there may be replaced.
    """
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise InputError(f"{path}: this is a directory; name a file in it")
    if not os.path.isdir(folder):
        raise InputError(f"{path}: there is no directory {folder}; make it first")
    if os.path.exists(path) and not force:
        raise InputError(f"{path}: the file exists; name another, or replace it with --force")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path}: the directory {folder} cannot be written to; name another")


def write_whole(path: str, data: bytes) -> None:
    """Write a file beside its place and move it there, so that it is never there in part.

    Raises:
        InputError: it cannot be written.
    """
    beside = f"{path}.{os.getpid()}.part"
    try:
        try:
            with open(beside, "wb") as file:
                file.write(data)
            os.replace(beside, path)
        except BaseException:
            if os.path.exists(beside):
                os.unlink(beside)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
