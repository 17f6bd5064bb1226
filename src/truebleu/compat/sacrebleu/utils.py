# SPDX-License-Identifier: Apache-2.0
"""The functions of `sacrebleu.utils`.

Those about test sets call the installed sacrebleu, or raise MissingExtraError if there is none.
"""

from __future__ import annotations

import gzip
import math
import os
from typing import Any

from truebleu.compat.sacrebleu.dataset import DATASETS, installed_sacrebleu
from truebleu.compat.sacrebleu.report import Color, print_results_table, print_single_results

__all__ = [
    "DATASETS", "SACREBLEU_DIR", "USERHOME", "Color", "download_test_set",
    "get_available_testsets", "get_langpairs_for_testset", "get_reference_files",
    "get_source_file", "my_log", "print_results_table", "print_single_results", "smart_open",
    "sum_of_lists",
]  # fmt: skip

USERHOME = os.path.expanduser("~")

#: The folder of downloaded test sets and tokenizer models.
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(installed_sacrebleu().utils, name)


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    r"""Open a text file, compressed if its name ends in `.gz`. Only `\n` ends a line."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The natural logarithm; -9999999999 for 0."""
    return -9999999999 if num == 0.0 else math.log(num)


def sum_of_lists(lists: Any) -> Any:
    """The sum of each column, in the type of the first number. A single row is returned itself."""
    if len(lists) == 1:
        return lists[0]
    totals = [type(lists[0][0])(0.0)] * len(lists[0])
    for row in lists:
        for i in range(len(totals)):
            totals[i] += row[i]
    return totals


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Download a test set into sacreBLEU's cache, unless it is there.

    Args:
        test_set: its name.
        langpair: a language pair, such as "de-en".

    Returns:
        The paths of its text files.
    """
    return installed_sacrebleu().utils.download_test_set(test_set, langpair)  # type: ignore[no-any-return]


def get_source_file(test_set: str, langpair: str) -> str:
    """The path of a test set's source text, after a download if necessary."""
    return installed_sacrebleu().utils.get_source_file(test_set, langpair)  # type: ignore[no-any-return]


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The paths of a test set's references, after a download if necessary."""
    return installed_sacrebleu().utils.get_reference_files(test_set, langpair)  # type: ignore[no-any-return]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none for an unknown name."""
    return installed_sacrebleu().utils.get_langpairs_for_testset(testset)  # type: ignore[no-any-return]


def get_available_testsets() -> list[str]:
    """The names of all test sets, the newest first."""
    return installed_sacrebleu().utils.get_available_testsets()  # type: ignore[no-any-return]
