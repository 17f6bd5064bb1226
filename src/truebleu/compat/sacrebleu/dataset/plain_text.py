# SPDX-License-Identifier: Apache-2.0
"""Test sets whose source and reference are text files, segment by segment."""

from __future__ import annotations

from truebleu.compat.sacrebleu.dataset.base import Dataset
from truebleu.compat.sacrebleu.files import smart_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class PlainTextDataset(Dataset):
    """A text file for each field; space at the end of a line is dropped."""

    def _read(self, langpair: str) -> Iterator[tuple[str, Iterator[str]]]:
        for field, file in zip(self.fieldnames(langpair), self._raw_files(langpair), strict=True):
            yield field, lines(file)


def lines(file: str) -> Iterator[str]:
    """The lines of a text file, without space at their ends."""
    with smart_open(file) as opened:
        for line in opened:
            yield line.rstrip()
