# SPDX-License-Identifier: Apache-2.0
"""Where sacreBLEU keeps its files, and how it opens any."""

from __future__ import annotations

import gzip
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

USERHOME = os.path.expanduser("~")
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    r"""A text file, or a compressed one if its name ends in `.gz`; lines end at `\n` only."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")
