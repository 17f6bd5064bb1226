# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's odds and ends that users import."""

from __future__ import annotations

import math

from truebleu.compat.sacrebleu.dataset import (
    DATASETS,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_files,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
)
from truebleu.compat.sacrebleu.files import SACREBLEU_DIR, USERHOME, smart_open
from truebleu.compat.sacrebleu.report import Color, print_results_table, print_single_results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "DATASETS",
    "SACREBLEU_DIR",
    "USERHOME",
    "Color",
    "download_test_set",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "my_log",
    "print_results_table",
    "print_single_results",
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
    """The files of a test set in sacreBLEU's cache. Unlike the original, downloads nothing."""
    return DATASETS[test_set].get_files(langpair or next(iter(DATASETS[test_set].langpairs)))
