# SPDX-License-Identifier: Apache-2.0
"""Where sacreBLEU keeps its files, and how it opens any."""

from __future__ import annotations

import gzip
import os
import threading
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

USERHOME = os.path.expanduser("~")
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    r"""A text file, or a compressed one if its name ends in `.gz`; lines end at `\n` only."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


@contextmanager
def replacing(path: str) -> Iterator[str]:
    """The path of a new file, which takes the place of `path` when all went well.

    Other processes see the old file or the whole new one. An error leaves nothing behind.
    """
    part = f"{path}.{os.getpid()}-{threading.get_ident()}.part"
    try:
        yield part
        os.replace(part, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(part)
