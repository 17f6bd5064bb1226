# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's odds and ends that users import."""

from __future__ import annotations

import math

from truebleu.compat.sacrebleu.dataset import DATASETS, SUBSETS
from truebleu.compat.sacrebleu.files import SACREBLEU_DIR, USERHOME, smart_open
from truebleu.compat.sacrebleu.report import Color, print_results_table, print_single_results
from truebleu.compat.sacrebleu.subsets import (
    filter_subset,
    find,
    get_available_origlangs,
    get_available_subsets,
    print_subset_results,
    print_test_set,
)
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "DATASETS",
    "SACREBLEU_DIR",
    "SUBSETS",
    "USERHOME",
    "Color",
    "download_test_set",
    "filter_subset",
    "get_available_origlangs",
    "get_available_subsets",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "my_log",
    "print_results_table",
    "print_single_results",
    "print_subset_results",
    "print_test_set",
    "smart_open",
    "sum_of_lists",
]  # fmt: skip


def my_log(num: float) -> float:
    """The natural logarithm; of 0 a large negative number."""
    return -9999999999 if num == 0.0 else math.log(num)


def sum_of_lists(lists: Any) -> Any:
    """The sum of rows, column by column, in the type of the first number; one row as it is."""
    if len(lists) == 1:
        return lists[0]
    width = len(lists[0])
    totals = [type(lists[0][0])(0.0)] * width
    for row in lists:
        for i in range(width):
            totals[i] += row[i]
    return totals


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """The files of a test set in sacreBLEU's cache, fetched and made where they are not there.

    Args:
        test_set: its name.
        langpair: a language pair; None for all.
    """
    return find(test_set).get_files(langpair)


def get_source_file(test_set: str, langpair: str) -> str:
    """The file with a test set's source text; fetched if it is not in the cache."""
    return find(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files with a test set's references; fetched if they are not in the cache."""
    return find(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """All files of a test set; fetched if they are not in the cache."""
    return find(test_set).get_files(langpair)


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none if there is no such set."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_testsets() -> list[str]:
    """The names of all test sets, the last first."""
    return sorted(DATASETS, reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets that have a language pair, in either direction.

    Raises:
        InputError: that is no language pair.
    """
    source, *target = langpair.split("-")
    if not target:
        raise InputError(f"{langpair!r} is no language pair; write it as de-en")
    wanted = {f"{source}-{target[0]}", f"{target[0]}-{source}"}
    return [dataset.name for dataset in DATASETS.values() if wanted & set(dataset.langpairs)]
