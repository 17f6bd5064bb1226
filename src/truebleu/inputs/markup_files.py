# SPDX-License-Identifier: Apache-2.0
"""Which texts a command reads of SGML and XML files."""

from __future__ import annotations

from truebleu.inputs.files import UTF_8, Decoding, is_markup, markup_of, text_blocks
from truebleu.inputs.markup import Markup


class MarkupFiles:
    """The SGML and XML files of a command, whose segments must be in one order.

    Args:
        decoding: of their bytes; its notices are about segments that were left out.
    """

    def __init__(self, decoding: Decoding = UTF_8) -> None:
        self._decoding = decoding
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
            silent = Decoding(self._decoding.encoding, self._decoding.errors)
            blocks = text_blocks(path, silent, keep_markup=True)
            markup = markup_of(path, b"".join(block for block, _ in blocks))
            if markup is None:
                return [path]
            for other in self._files.values():
                other.check_order(markup)
            if markup.notice and len(markup.texts) > 1:
                self._decoding.notice(markup.notice)
            self._files[path] = markup
        markup = self._files[path]
        if len(markup.texts) == 1 and role not in ("doc", "domain"):
            return [path]
        return [f"{path}#{part}" for part in markup.parts(role)]
