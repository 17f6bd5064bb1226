# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's test sets: those of the installed sacrebleu, which also downloads and reads them.

    pip install 'truebleu[testsets]'

`DATASETS` and every other name of `sacrebleu.dataset` are looked up when they are used.
"""

from __future__ import annotations

from collections import UserDict
from types import ModuleType
from typing import Any

from truebleu.errors import MissingExtraError

__all__ = ["DATASETS"]


def installed_sacrebleu() -> ModuleType:
    """The installed sacrebleu, with its modules `dataset` and `utils`.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import sacrebleu.dataset
        import sacrebleu.utils
    except ImportError:
        raise MissingExtraError.of("a sacreBLEU test set", "testsets") from None
    return sacrebleu


class _TestSets(UserDict[str, Any]):
    """The dictionary of the installed sacrebleu, which is imported when the first key is read."""

    def __init__(self) -> None:
        """Without importing sacrebleu."""

    @property
    def data(self) -> Any:  # type: ignore[override]
        return installed_sacrebleu().dataset.DATASETS


#: The test sets by name, such as "wmt22". Your own can be added.
DATASETS = _TestSets()


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(installed_sacrebleu().dataset, name)
