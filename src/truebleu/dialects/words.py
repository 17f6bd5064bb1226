# SPDX-License-Identifier: Apache-2.0
"""What is said of each row of the table, from `tools.toml`; no score needs it.

The keys: where to find the tool (`source`), who uses it (`users`), how often it was met in public
code (`seen`), how exactly the row reproduces the tool (`exact`), what users may not expect
(`quirks`), and which row does not have these quirks (`fixed`).
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from typing import Any


def read(name: str) -> dict[str, Any]:
    """A file of this folder."""
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return tomllib.load(file)


@cache
def words() -> dict[str, dict[str, str]]:
    """What is said, by the name of the row and the key; keys with nothing to say are absent."""
    return read("tools.toml")
