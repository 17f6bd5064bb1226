# SPDX-License-Identifier: Apache-2.0
"""What all test sets have in common: a place in the cache, files there, and how they come there."""

from __future__ import annotations

import os
import re
from abc import ABCMeta, abstractmethod
from contextlib import ExitStack
from itertools import repeat

from truebleu.compat.sacrebleu.dataset.archives import fetch, unpack
from truebleu.compat.sacrebleu.files import SACREBLEU_DIR, replacing, smart_open
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

_SPACES = re.compile(r"\s+")


def clean(line: str) -> str:
    """A line without space around it, and with one space where there are more."""
    return _SPACES.sub(" ", line.strip())


class Dataset(metaclass=ABCMeta):
    """A test set: archives somewhere, and plain text files made of them in sacreBLEU's cache.

    Nothing is fetched before files are asked for. The cache is `$SACREBLEU`, or `~/.sacrebleu`:
    the archives and their files lie in `NAME/raw`, the text in `NAME/NAME.SRC-TRG.FIELD`.

    Args:
        name: as after `-t`; parts of a set have a `/` in theirs.
        data: addresses of the archives.
        description: what it is, in a line.
        citation: its BibTeX entries.
        md5: MD5 sums of the archives.
        langpairs: language pairs with their files in the archives.
        **kwargs: what one kind of test set needs beyond that.
    """

    def __init__(
        self,
        name: str,
        data: Sequence[str] | None = None,
        description: str | None = None,
        citation: str | None = None,
        md5: Sequence[str] | None = None,
        langpairs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = name
        self.data = data
        self.description = description
        self.citation = citation
        self.md5 = md5
        self.langpairs = langpairs or {}
        self.kwargs = kwargs
        self._outdir = os.path.join(SACREBLEU_DIR, name)
        self._rawdir = os.path.join(self._outdir, "raw")

    def maybe_download(self) -> None:
        """Fetch the archives that are not in the cache, and unpack them."""
        os.makedirs(self._rawdir, exist_ok=True)
        for url, path, md5 in self._archives():
            fetch(url, path, self._rawdir, md5)

    def process_to_text(self, langpair: str | None = None) -> None:
        """Make the text files of a language pair, or of all; the archives are fetched if need be.

        Raises:
            InputError: there is no such language pair, or a file of the archives is not as its
                kind should be.
            OSError: what has to be fetched or written cannot be.
        """
        for pair in self._pairs(langpair):
            self._need(self._raw_files(pair))
            for field, lines in self._read(pair):
                path = self._text_file(pair, field)
                with (
                    replacing(path) as part,
                    open(part, "w", encoding="utf-8", newline="\n") as out,
                ):
                    out.writelines(f"{line}\n" for line in lines)

    def fieldnames(self, langpair: str) -> list[str]:
        """What there is for each segment: `src`, `ref` or `ref:NAME`, and others."""
        return ["src", "ref"]

    def get_files(self, langpair: str | None) -> list[str]:
        """A file for each field; made, and before that fetched, if one is not there."""
        files = [
            self._text_file(pair, field)
            for pair in self._pairs(langpair)
            for field in self.fieldnames(pair)
        ]
        if not all(map(os.path.exists, files)):
            self.process_to_text(langpair)
        return files

    def get_source_file(self, langpair: str) -> str:
        """The file of the source text."""
        return self._file(langpair, "src")

    def get_reference_files(self, langpair: str) -> list[str]:
        """The files of the references that scores are made with."""
        pairs = zip(self.get_files(langpair), self.fieldnames(langpair), strict=True)
        return [file for file, field in pairs if field.startswith("ref")]

    def source(self, langpair: str) -> Iterator[str]:
        """The source text, segment by segment."""
        with smart_open(self.get_source_file(langpair)) as opened:
            for line in opened:
                yield line.strip()

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """The references of each segment, as lines with their ends."""
        with ExitStack() as stack:
            files = self.get_reference_files(langpair)
            yield from zip(*(stack.enter_context(smart_open(file)) for file in files), strict=True)

    def has_origins(self, langpair: str) -> bool:
        """Whether the files say where segments are from: the .sgm and .xml files of WMT do."""
        return False

    def origins(self, langpair: str) -> Iterable[tuple[str | None, str | None]]:
        """For each segment the original language and the mark of its document, if it has one.

        The mark is a domain, or the document's name by which a domain may be found.

        Raises:
            InputError: the files do not say.
        """
        raise InputError(
            f"{self.name} {langpair}: its files do not say where segments are from, so --origlang "
            "and --subset cannot be used; the .sgm and .xml files of WMT do"
        )

    @abstractmethod
    def _read(self, langpair: str) -> Iterable[tuple[str, Iterable[str]]]:
        """Fields with their lines, out of the raw files."""

    def _raw_files(self, langpair: str) -> list[str]:
        return [os.path.join(self._rawdir, file) for file in self.langpairs[langpair]]

    def _need(self, files: Sequence[str]) -> None:
        """Have raw files in the cache."""
        if all(map(os.path.exists, files)):
            return
        self.maybe_download()
        if not all(map(os.path.exists, files)):  # the archives were there, but not what is in them
            for _, path, md5 in self._archives():
                unpack(path, self._rawdir, md5)
        for file in files:
            if not os.path.exists(file):
                raise InputError(f"{file}: not in the archives of {self.name}: {self.data}")

    def _archives(self) -> Iterator[tuple[str, str, str | None]]:
        """Addresses, places in the cache and MD5 sums."""
        start = self.name.replace("/", "_")
        for url, md5 in zip(self.data or (), self.md5 or repeat(None), strict=False):
            yield url, os.path.join(self._rawdir, f"{start}.{os.path.basename(url)}"), md5

    def _pairs(self, langpair: str | None) -> list[str]:
        """One language pair, or all."""
        if langpair is not None and langpair not in self.langpairs:
            raise InputError(f"No such language pair {self.name}/{langpair}")
        return list(self.langpairs) if langpair is None else [langpair]

    def _text_file(self, langpair: str, field: str) -> str:
        # A colon cannot be in names of files on Windows.
        field = field.replace(":", "-")
        if "/" in field or os.sep in field:
            raise InputError(f"{self.name} {langpair}: {field!r} cannot be the name of a field")
        return os.path.join(self._outdir, f"{self.name.replace('/', '_')}.{langpair}.{field}")

    def _file(self, langpair: str, field: str) -> str:
        return self.get_files(langpair)[self.fieldnames(langpair).index(field)]
