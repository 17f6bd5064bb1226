# SPDX-License-Identifier: Apache-2.0
"""The test sets that sacreBLEU 2.6.0 knows. They are facts, read from `test_sets.toml` when needed.

    >>> from truebleu.compat.sacrebleu.dataset import DATASETS
    >>> len(DATASETS), list(DATASETS["wmt18/dev"].langpairs)
    (67, ['et-en', 'en-et'])

Nothing is fetched before files of a set are asked for; what is in sacreBLEU's cache is used.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cached_property

from truebleu.compat.sacrebleu.dataset.base import Dataset
from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset, WMTAdditionDataset
from truebleu.compat.sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset
from truebleu.compat.sacrebleu.dataset.plain_text import PlainTextDataset
from truebleu.compat.sacrebleu.dataset.registry import read_sets, read_subsets
from truebleu.compat.sacrebleu.dataset.tsv import TSVDataset
from truebleu.compat.sacrebleu.dataset.wmt_xml import WMTXMLDataset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    COUNTRIES: list[str]
    DOMAINS: list[str]

__all__ = [
    "COUNTRIES",
    "DATASETS",
    "DOMAINS",
    "SUBSETS",
    "Dataset",
    "FakeSGMLDataset",
    "IWSLTXMLDataset",
    "PlainTextDataset",
    "TSVDataset",
    "WMTAdditionDataset",
    "WMTXMLDataset",
]


class _Table(MutableMapping[str, "Any"]):
    """A dictionary that is read when something looks into it."""

    def __init__(self, read: Callable[[], dict[str, Any]]) -> None:
        self._read = read

    @cached_property
    def _rows(self) -> dict[str, Any]:
        return self._read()

    def __getitem__(self, name: str) -> Any:
        return self._rows[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._rows[name] = value

    def __delitem__(self, name: str) -> None:
        del self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return repr(self._rows)


#: Test sets by name. A set of your own can be added.
DATASETS: MutableMapping[str, Dataset] = _Table(read_sets)

#: For test sets whose documents were annotated: `COUNTRY-DOMAIN` by document.
SUBSETS: MutableMapping[str, dict[str, str]] = _Table(read_subsets)


def __getattr__(name: str) -> list[str]:
    if name not in ("COUNTRIES", "DOMAINS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = ("COUNTRIES", "DOMAINS").index(name)
    return sorted({label.split("-")[place] for label in SUBSETS["wmt19"].values()})
