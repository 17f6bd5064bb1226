# SPDX-License-Identifier: Apache-2.0
"""A small file from which a run that was killed goes on, as if nothing had been."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from truebleu.errors import InputError, OptionError, TrueBLEUError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_VERSION = 1

#: Bytes at both ends of a file that tell it from another of its size and time: the schema and the
#: statistics of a Parquet file are there.
_ENDS = 1 << 16


class Checkpoint:
    """Where a run stands, in a file that is replaced as a whole.

    Args:
        path: of the file.
        settings: what the result depends on, beside the files; ready for JSON.
        files: that are read.
        every: seconds between two.
        notice: is told once that it cannot be written; without, that is an error.
    """

    def __init__(
        self,
        path: str,
        settings: dict[str, Any],
        files: Sequence[str],
        every: float,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        self.path = path
        self._notice = notice
        self._settings = settings
        self._paths = files
        self._files: list[list[Any]] | None = None
        self._every = every
        self._next = time.monotonic() + every
        #: Size and time as the run began; what is in the files is looked at when it is needed.
        self._stats = [_stat(path) for path in files]

    def is_there(self) -> bool:
        """Whether there is such a file."""
        return os.path.exists(self.path)

    def is_due(self) -> bool:
        """Whether it is time for the next."""
        return time.monotonic() >= self._next

    def save(self, state: dict[str, Any]) -> None:
        """Replace the file; after this, it is on the disk.

        Raises:
            TrueBLEUError: it cannot be written.
        """
        import json

        if self._files is None:
            self._files = self._identities()
        saved = {
            "truebleu checkpoint": _VERSION,
            "settings": self._settings,
            "files": self._files,
            "state": state,
        }
        temporary = f"{self.path}.new"
        try:
            os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
            with open(temporary, "w", encoding="utf-8") as file:
                json.dump(saved, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
            sync_folder(self.path)
        except OSError as error:
            remove(temporary)
            message = (
                f"{self.path}: cannot be written: {error.strerror or error}; "
                "name another place with --checkpoint"
            )
            if self._notice is None:
                raise TrueBLEUError(message) from None
            self._notice(message)
            self._every = float("inf")
        self._next = time.monotonic() + self._every

    def load(self) -> dict[str, Any] | None:
        """The state that was saved; None if there is no such file.

        Raises:
            InputError: it is damaged, or an input has changed since.
            OptionError: it is of a run with other settings.
        """
        import json

        again = "start again without --resume"
        try:
            with open(self.path, encoding="utf-8") as file:
                saved = json.load(file)
            if saved["truebleu checkpoint"] != _VERSION:
                raise InputError(f"{self.path}: is of another version of truebleu; {again}")
            settings, files, state = saved["settings"], saved["files"], saved["state"]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be read: {error.strerror or error}; {again}"
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.path}: is no checkpoint of truebleu; {again}") from None
        current: dict[str, Any] = json.loads(json.dumps(self._settings))
        for name, value in current.items():
            if settings.get(name) != value:
                was, now = (json.dumps(one) for one in (settings.get(name), value))
                raise OptionError(
                    f"{self.path}: its run had {name} {was}, and this one has {now}; "
                    f"give the same command, or {again}"
                )
        self._files = self._identities()
        if [path for path, *_ in files] != list(map(os.path.abspath, self._paths)):
            raise InputError(f"{self.path}: its run read other files; {again}")
        for before, after in zip(files, self._files, strict=True):
            if before != after:
                raise InputError(f"{after[0]}: changed since {self.path} was written; {again}")
        taken: dict[str, Any] = state
        return taken

    def remove(self) -> None:
        """Remove the file, if there is one."""
        remove(self.path)
        remove(f"{self.path}.new")

    def _identities(self) -> list[list[Any]]:
        """What tells each file: its path, size, time of change, and a checksum of its ends.

        Whatever writes to a file changes its time. The checksum is for files that were put in the
        place of others with their times, as backups and `rsync --times` do.
        """
        return [
            [os.path.abspath(path), *stat, _ends(path)]
            for path, stat in zip(self._paths, self._stats, strict=True)
        ]


def _stat(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0  # it is named when it is opened
    return found.st_size, found.st_mtime_ns


def _ends(path: str) -> str:
    from hashlib import sha256

    with open(path, "rb") as file:
        digest = sha256(file.read(_ENDS))
        file.seek(max(0, os.path.getsize(path) - _ENDS))
        digest.update(file.read(_ENDS))
    return digest.hexdigest()


def default_path(files: Sequence[str]) -> str:
    """Where the checkpoint of a run is that does not say where: in the user's cache."""
    from hashlib import sha256

    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    names = "\0".join(map(os.path.abspath, files))
    name = sha256(names.encode(errors="surrogatepass")).hexdigest()[:16]
    return os.path.join(cache, "truebleu", "checkpoints", f"{name}.json")


def sync_folder(path: str) -> None:
    """Have the new name of a file on the disk, where folders can be opened."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def remove(path: str) -> None:
    """Remove a file, if there is one that can be."""
    with suppress(OSError, ValueError):  # or it is no name of a file at all
        os.remove(path)
