# SPDX-License-Identifier: Apache-2.0
"""Text files as lists of segments, for Python."""

from __future__ import annotations

import os
import warnings

from truebleu.inputs import files


def read_lines(
    path: str | os.PathLike[str], encoding: str = "utf-8", errors: str = "strict"
) -> list[str]:
    r"""Read the segments of a text file, one on each line, as the command line does.

    Lines end at `\n` only. `str.splitlines` also ends them at a carriage return, a form feed or
    U+2028, which shifts all segments that follow. gzip, bzip2, xz and zstd files are recognized by
    content, and so are UTF-16 and UTF-32 by their byte order mark, with a warning. Of SGML and XML,
    a line is the text of a segment.

    Args:
        path: file to read; `-` is standard input. `all.xml#ref:A` and `all.xml#hyp:X` are texts of
            a file that has several.
        encoding, errors: as Python's `open`, for files without a byte order mark.

    Raises:
        InputError: the file cannot be read or decoded, or is empty.

    Example:
        >>> import pathlib, tempfile
        >>> import truebleu as tb
        >>> path = pathlib.Path(tempfile.mkdtemp(), "hyp.txt")
        >>> _ = path.write_text("the cat\u2028sat\nit is late\n", encoding="utf-8")
        >>> tb.read_lines(path)
        ['the cat\u2028sat', 'it is late']
    """
    notices: list[str] = []
    lines = files.read_lines(os.fspath(path), files.Decoding(encoding, errors, notices.append))
    for notice in notices:
        warnings.warn(notice, stacklevel=2)
    return list(lines)
