# SPDX-License-Identifier: Apache-2.0
"""A page on which every BLEU can be tried: texts are typed, and the five decisions show."""

from __future__ import annotations

import os

from truebleu.playground.page import page
from truebleu.text.atomic import check_output, write_whole


def write_playground(path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a page that computes every dialect in the browser: one file that needs no network.

    Args:
        path: the file to write.
        force: replace an existing file.

    Raises:
        OptionError: the file exists or cannot be written.

    Example:
        >>> from truebleu import write_playground
        >>> write_playground("playground.html")
    """
    target = os.fspath(path)
    check_output(target, force=force)
    write_whole(target, page().encode(), force=force)
