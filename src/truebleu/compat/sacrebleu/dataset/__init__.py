# SPDX-License-Identifier: Apache-2.0
"""The test sets that are in sacreBLEU's cache. Nothing is downloaded, and nothing is written.

The original knows 67 test sets and fetches what is missing. Here a test set is a folder of its
cache, `NAME/NAME.SRC-TRG.FIELD`, as the original leaves it behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from truebleu.compat.sacrebleu.files import SACREBLEU_DIR
from truebleu.errors import InputError

#: Of the test sets with several references, those that sacreBLEU scores against, where it does
#: not take all: by test set, or by test set and language pair.
_CHOSEN: dict[str, tuple[str, ...]] = {
    "wmt24": ("ref:refA",),
    "wmt23": ("ref:refA",),
    "wmt23 en-he": ("ref:refB",),
    "wmt23 he-en": ("ref:refB",),
    "wmt22": ("ref:A",),
    "wmt22 cs-en": ("ref:B",),
    "wmt22 en-cs": ("ref:B",),
    "wmt22 liv-en": ("ref",),
    "wmt22 ru-sah": ("ref",),
    "wmt21/systems": ("ref:A",),
    "wmt21": ("ref:A",),
    "wmt21/B": ("ref:B",),
    "wmt21/AB": ("ref:A", "ref:B"),
    "wmt21/C": ("ref:C",),
    "wmt21/AC": ("ref:A", "ref:C"),
    "wmt21/D": ("ref:D",),
    "wmt21/dev": ("ref:A", "ref"),
}


class Dataset:
    """A test set in the cache.

    Args:
        name: as after `-t`; parts of a set have a `/` in theirs.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.description = ""
        self.citation = None

    @property
    def _folder(self) -> str:
        return os.path.join(SACREBLEU_DIR, self.name)

    def _found(self) -> dict[str, list[str]]:
        """Fields by language pair, in the order that sacreBLEU gives them."""
        start = self.name.replace("/", "_") + "."
        pairs: dict[str, list[str]] = {}
        for file in sorted(os.listdir(self._folder)):
            pair, _, field = file.removeprefix(start).partition(".")
            if file.startswith(start) and "-" in pair and field and not field.endswith(".lock"):
                pairs.setdefault(pair, []).append(field)
        return {pair: sorted(fields, key=_place) for pair, fields in pairs.items()}

    @property
    def langpairs(self) -> dict[str, list[str]]:
        """The language pairs, with their files."""
        return {pair: self.get_files(pair) for pair in self._found()}

    def fieldnames(self, langpair: str) -> list[str]:
        """What there is for each segment: `src`, `ref` or `ref:NAME`, and others."""
        return [
            field.replace("-", ":", 1) if field.startswith("ref-") else field
            for field in self._of(langpair)
        ]

    def get_files(self, langpair: str) -> list[str]:
        """A file for each field."""
        start = self.name.replace("/", "_")
        return [
            os.path.join(self._folder, f"{start}.{langpair}.{field}")
            for field in self._of(langpair)
        ]

    def get_source_file(self, langpair: str) -> str:
        """The file of the source text."""
        return self.get_files(langpair)[self.fieldnames(langpair).index("src")]

    def get_reference_files(self, langpair: str) -> list[str]:
        """The files of the references that scores are made with."""
        chosen = _CHOSEN.get(f"{self.name} {langpair}", _CHOSEN.get(self.name))
        pairs = zip(self.get_files(langpair), self.fieldnames(langpair), strict=True)
        if chosen is None:
            return [file for file, field in pairs if field.startswith("ref")]
        return [file for file, field in pairs if field in chosen]

    def _of(self, langpair: str) -> list[str]:
        fields = self._found().get(langpair)
        if fields is None:
            raise InputError(
                f"{self._folder}: nothing for {langpair} is there, and TrueBLEU downloads "
                f"nothing; sacreBLEU fetches it: sacrebleu --download {self.name} -l {langpair}"
            )
        return fields


def _place(field: str) -> tuple[int, str]:
    order = ("src", "ref", "docid", "genre", "origlang")
    return order.index(field.partition("-")[0]) if field.partition("-")[0] in order else 9, field


class _Cache(Mapping[str, Dataset]):
    """Test sets by name, as they are on disk at the moment."""

    def __getitem__(self, name: str) -> Dataset:
        if name not in self:
            raise KeyError(name)
        return Dataset(name)

    def __iter__(self) -> Iterator[str]:
        for folder, inner, files in os.walk(SACREBLEU_DIR):
            inner[:] = [name for name in inner if name not in ("raw", "models")]
            name = os.path.relpath(folder, SACREBLEU_DIR).replace(os.sep, "/")
            if any(file.startswith(name.replace("/", "_") + ".") for file in files):
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in set(self)


DATASETS: Mapping[str, Dataset] = _Cache()


def _find(test_set: str) -> Dataset:
    if test_set not in DATASETS:
        raise Exception(f"No such test set {test_set}")  # noqa: TRY002  # sacreBLEU's type
    return DATASETS[test_set]


def get_source_file(test_set: str, langpair: str) -> str:
    """The file with a test set's source text."""
    return _find(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files with a test set's references."""
    return _find(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """All files of a test set."""
    return _find(test_set).get_files(langpair)


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_testsets() -> list[str]:
    """The test sets that are there, the last first."""
    return sorted(DATASETS, reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets for a language pair, in either direction."""
    source, target = langpair.split("-")[:2]
    wanted = {f"{source}-{target}", f"{target}-{source}"}
    return [name for name in DATASETS if wanted & set(DATASETS[name].langpairs)]
