# SPDX-License-Identifier: Apache-2.0
"""The file of a ledger: an SQLite database with a version, opened and changed safely.

Readers never wait, and one process writes at a time (write-ahead log). A change is stored whole or
not at all, also if its process is killed.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

from truebleu.errors import InputError

#: `application_id` of the database, "TBLG", and `user_version`, that of the schema.
APPLICATION, VERSION = 0x54424C47, 1

SCHEMA = (
    # What was counted. `hyp` and `refs` are hashes of texts, `settings` is what determines the
    # rows, and `data` are the rows of integers: see `pack`.
    """
    CREATE TABLE counts (
        id INTEGER PRIMARY KEY,
        hyp BLOB NOT NULL,
        refs BLOB NOT NULL,
        settings TEXT NOT NULL,
        signature TEXT NOT NULL,
        segments INTEGER NOT NULL,
        data BLOB NOT NULL,
        UNIQUE (hyp, refs, settings)
    )""",
    # What was scored. `tags` is a JSON object with sorted keys, `time` that of the last scoring in
    # UTC, `metric` the name of the score, and `kind` and `options` (JSON) make its metric.
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        counts INTEGER NOT NULL REFERENCES counts (id),
        name TEXT NOT NULL,
        tags TEXT NOT NULL,
        time TEXT NOT NULL,
        metric TEXT NOT NULL,
        score REAL,
        signature TEXT NOT NULL,
        kind TEXT NOT NULL,
        options TEXT NOT NULL,
        UNIQUE (counts, name, tags, signature)
    )""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)

#: Seconds to wait for other processes that write, and those after which signals are heard.
_PATIENCE, _PAUSE = 60.0, 0.5

DAMAGED = "the ledger is damaged; restore a copy of it, or start a new one"

#: What to do about SQLite's errors, by the beginning of their names.
_ADVICE = {
    "SQLITE_FULL": "the disk is full; the last change was not stored",
    "SQLITE_IOERR": "cannot be read or written; check the disk, and limits on the size of files",
    "SQLITE_READONLY": "the file or its folder is read-only; copy it to where you may write",
    "SQLITE_CANTOPEN": "cannot be opened; check the folder and its permissions",
    "SQLITE_BUSY": "other processes have been writing for a minute; try again",
    "SQLITE_NOTADB": "not a ledger; name another file",
}


def open_ledger(path: str) -> sqlite3.Connection:
    """Open a ledger; a file that does not exist or is empty becomes one.

    Raises:
        InputError: the file cannot be opened, or is not a ledger that this version reads.
    """
    with one_line(path):
        if os.path.isdir(path):
            raise InputError(f"{path}: this is a directory; name a file in it")
        try:
            connection = sqlite3.connect(path, timeout=_PAUSE, isolation_level=None)
        except ValueError:  # a null character, or half a surrogate pair
            raise InputError(f"{path!r} is not a valid file name; give another") from None
        try:
            if not _is_ledger(path, connection):
                _make(path, connection)
            # A killed process loses nothing; a power cut may undo the last changes.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection


def _is_ledger(path: str, connection: sqlite3.Connection) -> bool:
    """Whether the file is a ledger, not an empty file."""
    # One statement: all three are from before or from after another process makes the ledger.
    application, version, tables = connection.execute(
        "SELECT * FROM pragma_application_id, pragma_user_version,"
        " (SELECT count(*) FROM sqlite_master)"
    ).fetchone()
    if application == APPLICATION and version > VERSION:
        raise InputError(f"{path}: the ledger is of a newer version of TrueBLEU; update TrueBLEU")
    if application == APPLICATION and version == VERSION:
        return True
    if application or version or tables:
        raise InputError(f"{path}: {_ADVICE['SQLITE_NOTADB']}")
    return False


def _make(path: str, connection: sqlite3.Connection) -> None:
    patiently(connection, "PRAGMA journal_mode = WAL")
    with changing(connection):
        if not _is_ledger(path, connection):  # another process may have been faster
            for statement in SCHEMA:
                connection.execute(statement)


def patiently(connection: sqlite3.Connection, statement: str) -> None:
    """Execute a statement that may have to wait for other processes."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > end:
                raise
            time.sleep(0.01)  # SQLite itself has not waited for some locks
        else:
            return


@contextmanager
def changing(connection: sqlite3.Connection) -> Iterator[None]:
    """A block whose changes are stored together, or not at all if it raises an error."""
    try:
        patiently(connection, "BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it
            connection.execute("ROLLBACK")
        raise


@contextmanager
def one_line(path: str) -> Iterator[None]:
    """A block in which errors of SQLite are errors of one line, with the file's name."""
    try:
        yield
    except UnicodeDecodeError:  # in SQLite's own message
        raise InputError(f"{path}: {DAMAGED}") from None
    except UnicodeEncodeError as error:  # such as the name of a file that is not UTF-8
        raise InputError(f"{path}: {error.object!r} is not text; use another name") from None
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        advice = next((text for start, text in _ADVICE.items() if name.startswith(start)), DAMAGED)
        if isinstance(error, sqlite3.ProgrammingError):  # such as a ledger that was closed
            advice = f"the ledger cannot be used: {error}"
        raise InputError(f"{path}: {advice}") from None
