# SPDX-License-Identifier: Apache-2.0
"""Test sets whose fields are columns of one file, with tabs between them."""

from __future__ import annotations

import os

from truebleu.compat.sacrebleu.dataset.base import Dataset
from truebleu.compat.sacrebleu.files import smart_open
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class TSVDataset(Dataset):
    """A file for each field with the number of its column before a colon, counted from 0.

    Without a number the source is the first column and the reference the second.
    """

    def _raw_files(self, langpair: str) -> list[str]:
        return [os.path.join(self._rawdir, file) for _, file in self._columns(langpair)]

    def _read(self, langpair: str) -> Iterator[tuple[str, Iterator[str]]]:
        numbers = [number for number, _ in self._columns(langpair)]
        files = self._raw_files(langpair)
        for field, number, file in zip(self.fieldnames(langpair), numbers, files, strict=True):
            yield field, _column(file, number)

    def _columns(self, langpair: str) -> Iterator[tuple[int, str]]:
        for i, file in enumerate(self.langpairs[langpair]):
            number, colon, name = file.partition(":")
            if colon and not number.isdecimal():
                raise InputError(f"{self.name}: {file!r} does not begin with a column's number")
            yield (int(number), name) if colon else (min(i, 1), file)


def _column(file: str, number: int) -> Iterator[str]:
    with smart_open(file) as opened:
        for i, line in enumerate(opened, start=1):
            # Empty columns at the end of a line count, so only the line's end is dropped.
            columns = line.rstrip("\n").split("\t")
            if number >= len(columns):
                raise InputError(f"{file}:{i}: {len(columns)} columns, and no column {number}")
            yield columns[number]
