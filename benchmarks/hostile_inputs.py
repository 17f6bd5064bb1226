# SPDX-License-Identifier: Apache-2.0
"""Hostile inputs by their names, and what they are made of."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from truebleu import cli

if TYPE_CHECKING:
    from collections.abc import Callable

#: Every case by its name: what makes the input of a size, and what is done with it.
CASES: dict[str, tuple[int, Callable[[int], Any]]] = {}


def case(name: str, size: int) -> Callable[[Callable[[int], Any]], Callable[[int], Any]]:
    """Add a case of this full size."""

    def add(function: Callable[[int], Any]) -> Callable[[int], Any]:
        CASES[name] = size, function
        return function

    return add


def words(count: int, distinct: int = 50_000) -> list[str]:
    """Words as they come in a text."""
    places = np.random.default_rng(0).zipf(1.3, count) % distinct
    return [f"w{i}" for i in places.tolist()]


def text(count: int, distinct: int = 50_000) -> str:
    """So many words in one segment."""
    return " ".join(words(count, distinct))


def command(*arguments: str) -> str:
    """What a command prints, or the line that it complains with."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(list(arguments))
    lines = (out.getvalue() if code in (0, 1) else err.getvalue()).strip().splitlines()
    if code not in (0, 1) and len(lines) != 1:
        raise AssertionError(f"exit code {code} with {len(lines)} lines")
    return f"exit {code}: {lines[0]}"
