# SPDX-License-Identifier: Apache-2.0
"""Data flow of code, as an installed codebleu extracts it: the data flow match of CodeBLEU."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from truebleu.errors import MissingExtraError
from truebleu.metrics.syntax import Syntax

#: Texts whose data flow is kept, as their trees are.
_KEPT = 256


class DataFlow:
    """Counts the steps of data flow that two texts have in common.

    Args:
        syntax: of the programming language.

    Attributes:
        versions: of codebleu and of the tree-sitter that it uses.

    Raises:
        MissingExtraError: codebleu is not installed.
    """

    def __init__(self, syntax: Syntax) -> None:
        try:
            dataflow_match: Any = import_module("codebleu.dataflow_match")
        except ImportError:
            raise MissingExtraError(
                "the data flow match needs codebleu, which is not installed; pip install "
                "codebleu==0.7.0, or leave this part out: weights=(0.25, 0.25, 0.25, 0)"
            ) from None
        extract = [syntax.parser(), dataflow_match.dfg_function[syntax.lang]]

        def steps(text: str) -> list[Any]:
            flow = dataflow_match.get_data_flow(text, extract)
            return list(dataflow_match.normalize_dataflow(flow))

        packages = ("codebleu", "tree-sitter")
        self.versions = "+".join(f"{package}-{version(package)}" for package in packages)
        self._steps = lru_cache(_KEPT)(steps)

    def matches(self, hyp: str, ref: str) -> tuple[int, int]:
        """Steps of the reference that the hypothesis has, too, and all steps of it.

        A step is a variable, numbered by its first use, and the variables that its value comes
        from. Each step of the hypothesis matches once.
        """
        have, need = self._steps(hyp).copy(), self._steps(ref)
        for step in need:
            if step in have:
                have.remove(step)
        return len(self._steps(hyp)) - len(have), len(need)
