# SPDX-License-Identifier: Apache-2.0
"""Test sets in the tags that WMT used until 2020, a line each, which no parser of SGML accepts."""

from __future__ import annotations

import os
import re

from truebleu.compat.sacrebleu.dataset.base import Dataset, clean
from truebleu.compat.sacrebleu.dataset.plain_text import lines
from truebleu.compat.sacrebleu.files import smart_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SEGMENT = re.compile(r"<seg.*?>(.*)</seg>")

#: Greedy, and the line itself where it does not fit: so are segments selected, unlike printed.
_ORIGIN = re.compile(r'.* origlang="([^"]+)".*\n')
_NAME = re.compile(r'.* docid="([^"]+)".*\n')


class FakeSGMLDataset(Dataset):
    """A file of `<seg>` lines for the source and each reference; `<doc>` lines say where from."""

    def fieldnames(self, langpair: str) -> list[str]:
        """`src`, `ref` (of several: `ref:0` and so on), and what `<doc>` lines say."""
        self._pairs(langpair)
        count = len(self.langpairs[langpair]) - 1
        refs = ["ref"] if count == 1 else [f"ref:{i}" for i in range(count)]
        # The files of 2008 have no such attributes.
        said = [] if self.name.startswith("wmt08") else ["docid", "genre", "origlang"]
        return ["src", *refs, *said]

    def has_origins(self, langpair: str) -> bool:
        """Whether the source is a file of WMT."""
        return self._raw_files(langpair)[0].endswith(".sgm")

    def origins(self, langpair: str) -> Iterable[tuple[str | None, str | None]]:
        """The original language of each segment, and the name of its document."""
        source = self._raw_files(langpair)[0]
        if not self.has_origins(langpair):
            return super().origins(langpair)
        fields = ["origlang", "docid"]
        if not os.path.exists(source) and set(fields) <= set(self.fieldnames(langpair)):
            made = [lines(self._file(langpair, field)) for field in fields]
            return zip(*made, strict=True)
        self._need([source])
        return _documents(source)

    def _read(self, langpair: str) -> Iterator[tuple[str, Iterator[str]]]:
        files = self._raw_files(langpair)
        fields = self.fieldnames(langpair)
        for field, file in zip(fields, files, strict=False):
            yield field, self._text(file)
        for field in fields[len(files) :]:
            yield field, _attribute(files[0], field)

    def _text(self, file: str) -> Iterator[str]:
        """The segments of a file."""
        with smart_open(file) as opened:
            for line in opened:
                if line.startswith("<seg "):
                    yield clean(_SEGMENT.sub(r"\1", line))


class WMTAdditionDataset(FakeSGMLDataset):
    """The same, with further references in text files."""

    def _text(self, file: str) -> Iterator[str]:
        return super()._text(file) if file.endswith(".sgm") else lines(file)


def _attribute(file: str, name: str) -> Iterator[str]:
    """What the last `<doc>` line before each segment says that says it."""
    said = re.compile(rf'{name}="(.*?)"')
    value = ""
    with smart_open(file) as opened:
        for line in opened:
            if line.startswith("<doc ") and (found := said.search(line)):
                value = found[1]
            elif line.startswith("<seg "):
                yield value


def _documents(file: str) -> Iterator[tuple[str | None, str | None]]:
    document: tuple[str | None, str | None] = None, None
    with smart_open(file) as opened:
        for line in opened:
            if line.startswith("<doc "):
                document = _ORIGIN.sub(r"\1", line), _NAME.sub(r"\1", line)
            elif line.startswith("<seg "):
                yield document
