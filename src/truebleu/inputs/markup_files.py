# SPDX-License-Identifier: Apache-2.0
"""Which texts a command reads of SGML and XML files."""

from __future__ import annotations

from collections.abc import Callable

from truebleu.inputs.files import TextFile, is_markup
from truebleu.inputs.markup import Markup


class MarkupFiles:
    """The SGML and XML files of a command, whose segments must be in one order.

    Args:
        encoding, errors: as Python's `open`, for files without a byte order mark.
        notice: called with one line about segments that were left out.
    """

    def __init__(self, encoding: str, errors: str, notice: Callable[[str], None]) -> None:
        self._coding = encoding, errors
        self._notice = notice
        self._files: dict[str, Markup] = {}

    def paths(self, path: str, role: str) -> list[str]:
        """The paths of the texts of a file with a role: `ref`, `hyp`, `src`, `doc` or `domain`.

        A file with a single text, and every other file, is read by its own path.

        Raises:
            InputError: the file is damaged, has no such text, or its segments have another order.
        """
        if not is_markup(path):
            return [path]
        if path not in self._files:
            file = TextFile(path, *self._coding, lambda _: None, keep_markup=True)
            try:
                _, markup = file.markup()
            finally:
                file.close()
            if markup is None:
                return [path]
            for other in self._files.values():
                other.check_order(markup)
            if markup.notice and len(markup.texts) > 1:
                self._notice(markup.notice)
            self._files[path] = markup
        markup = self._files[path]
        if len(markup.texts) == 1 and role not in ("doc", "domain"):
            return [path]
        return [f"{path}#{part}" for part in markup.parts(role)]
