# SPDX-License-Identifier: Apache-2.0
"""The BLEU of pycocoevalcap computed by `truebleu.compat.pycocoevalcap`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from truebleu.compat.pycocoevalcap import Bleu
from truebleu.errors import InputError


def patches(_: str, module: Any) -> Iterator[tuple[FunctionType, Callable[..., Any]]]:
    """The functions to replace in `pycocoevalcap.bleu.bleu`."""
    cls, scorer = module.Bleu, module.BleuScorer
    methods = dict(vars(scorer))

    def compute_score(original: Callable[..., Any], self: Any, gts: Any, res: Any, verbose: Any) -> Any:
        usual = (
            type(self) is cls
            and module.BleuScorer is scorer
            and dict(vars(scorer)) == methods
            and type(self._n) is int
            and 1 <= self._n <= 4
            and type(gts) is dict
            and type(res) is dict
            and all(
                type(text) is str for lists in (gts, res) for row in lists.values() if type(row) is list for text in row
            )
        )
        if usual:
            try:
                return Bleu.compute_score(self, gts, res, verbose)
            except (InputError, AssertionError):  # a lone surrogate; a wrong dictionary
                pass
        return original(self, gts, res, verbose)

    yield cls.compute_score, compute_score
