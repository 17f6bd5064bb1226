# SPDX-License-Identifier: Apache-2.0
"""Archives of test sets: fetched, checked and unpacked, as a whole or not at all."""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager

from truebleu.compat.sacrebleu.files import replacing
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any

sacrelogger = logging.getLogger("sacrebleu")

#: Seconds without a byte after which a server is given up.
TIMEOUT = 60

#: Bytes that are read at a time.
_BLOCK = 1 << 20


def fetch(url: str, path: str, folder: str, md5: str | None = None) -> None:
    """Fetch an archive and unpack it, unless it is there.

    The archive appears at its place only when its files have: whoever sees it, sees them.

    Args:
        url: its address, `http:`, `https:` or `file:`.
        path: its place in the cache.
        folder: where its files go.
        md5: its MD5 sum, if known.

    Raises:
        OSError: it cannot be fetched or kept.
        InputError: it is another file than expected, or no whole archive.
    """
    with _alone(path):
        if os.path.exists(path) and os.path.getsize(path):
            return
        sacrelogger.info("Downloading %s to %s", url, path)
        with replacing(path) as part:
            found = _download(url, part)
            if md5 not in (None, found):
                raise InputError(
                    f"{url}: not the file that is expected (MD5 {found}, expected {md5}), so it "
                    "was not kept; try again, and if it stays so, the file was changed there"
                )
            _unpack(part, path, folder)


def unpack(path: str, folder: str, md5: str | None = None) -> None:
    """Unpack an archive of the cache, some of whose files are not there.

    Raises:
        InputError: it is another file than expected, or no whole archive.
    """
    with _alone(path):
        if md5 not in (None, found := _md5(path)):
            raise InputError(
                f"{path}: not the file that is expected (MD5 {found}, expected {md5}); "
                "remove it, and it is fetched again"
            )
        _unpack(path, path, folder)


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Hold the lock of a file, which is the original's too."""
    with open(f"{path}.lock", "ab") as lock:
        _lock(lock, path)
        yield


def _lock(file: IO[Any], path: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: two processes may both fetch; each moves whole files only
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sacrelogger.info("Waiting for the process that fetches %s", path)
        fcntl.flock(file, fcntl.LOCK_EX)


def _download(url: str, path: str) -> str:
    """Store what is at an address; returns its MD5 sum."""
    import http.client
    import urllib.error
    import urllib.request

    if not url.startswith(("http:", "https:", "file:")):
        raise InputError(f"{url}: not an address that begins with http:, https: or file:")
    try:
        # S310 asks for the check above.
        with urllib.request.urlopen(url, timeout=TIMEOUT) as response, open(path, "wb") as out:  # noqa: S310
            size = 0
            while block := response.read(_BLOCK):
                size += out.write(block)
            expected = response.headers.get("Content-Length")
            if expected is not None and size != int(expected):
                raise OSError(f"{size} of {expected} bytes came")  # noqa: TRY301  # one message below
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = error.reason if type(error) is urllib.error.URLError else error
        raise OSError(
            f"{url}: cannot be fetched ({reason}), and nothing was kept; try again when the "
            "network and the server are there"
        ) from error
    return _md5(path)


def _md5(path: str) -> str:
    import hashlib

    with open(path, "rb") as file:
        # Not a matter of security: it tells a broken or changed file.
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _unpack(archive: str, name: str, folder: str) -> None:
    """Put the files of an archive, if it is one by its name, into a folder: all or none."""
    import gzip
    import shutil
    import tarfile
    import zipfile
    import zlib

    broken = (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError)
    sacrelogger.info("Extracting %s to %s", name, folder)
    stage = os.path.abspath(f"{name}.{os.getpid()}.unpacked")
    try:
        for member, stream in _members(archive, name):
            target = os.path.normpath(os.path.join(stage, member))
            if not target.startswith(stage + os.sep):
                raise InputError(
                    f"{name}: its file {member!r} would lie outside of the cache; nothing of this "
                    "archive is used"
                )
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                shutil.copyfileobj(stream, out, _BLOCK)
        for inner, _, files in os.walk(stage):
            place = os.path.join(folder, os.path.relpath(inner, stage))
            os.makedirs(place, exist_ok=True)
            for file in files:
                os.replace(os.path.join(inner, file), os.path.join(place, file))
    except broken as error:
        reason = str(error).partition("\n")[0].rstrip(":")  # tarfile goes on with what it tried
        raise InputError(f"{name}: not a whole archive ({reason}); nothing was kept") from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _members(archive: str, name: str) -> Iterator[tuple[str, IO[bytes]]]:
    """The files of an archive. A link is the file of the archive that it points to, or nothing."""
    import tarfile
    import zipfile

    if name.endswith((".tar.gz", ".tgz")):
        with tarfile.open(archive) as tar:
            for member in tar:
                try:
                    stream = tar.extractfile(member)
                except (KeyError, RecursionError):
                    continue
                if stream is not None:
                    yield member.name, stream
            # `tarfile` takes an archive that is cut for one that ends; its end tells.
            while tar.fileobj is not None and tar.fileobj.read(_BLOCK):
                pass
    elif name.endswith(".zip"):
        with zipfile.ZipFile(archive) as zipped:
            for info in zipped.infolist():
                if not info.is_dir():
                    with zipped.open(info) as stream:
                        yield info.filename, stream
