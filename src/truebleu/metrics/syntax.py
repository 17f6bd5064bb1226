# SPDX-License-Identifier: Apache-2.0
"""Syntax trees of code: the syntax match of CodeBLEU, as codebleu 0.7.0 computes it."""

from __future__ import annotations

import tokenize
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from typing import Any

from truebleu.errors import MissingExtraError, needing
from truebleu.metrics import kernel


class Syntax:
    """Parses a programming language and counts the subtrees that two texts have in common.

    The kernel has the runtime of tree-sitter 0.22.3 for Python, which codebleu uses: others parse
    some wrong programs differently.

    Args:
        lang: the language.

    Attributes:
        versions: of the grammar and of the kernel's runtime.

    Raises:
        MissingExtraError: the grammar for the language is not installed.
    """

    def __init__(self, lang: str) -> None:
        with needing(f"the syntax match of {lang}", "code"):
            grammar = import_module(f"tree_sitter_{lang}")
        package = f"tree-sitter-{lang.replace('_', '-')}"
        self.versions = f"{package}-{version(package)}+tree-sitter-{kernel.TREE_SITTER}"
        # There are two grammars of PHP; this one reads text between the tags, too.
        self._pointer: Any = getattr(grammar, "language", None) or grammar.language_php
        try:
            self._kernel = kernel.Syntax(self._pointer())
        except (TypeError, ValueError):
            raise _unfit(self.versions) from None
        self.lang = lang

    def parser(self) -> Any:
        """A parser of the package tree-sitter, which codebleu needs."""
        from tree_sitter import Language, Parser

        try:
            return Parser(Language(self._pointer()))
        except (TypeError, ValueError):
            raise _unfit(f"{self.versions} and tree-sitter-{version('tree-sitter')}") from None

    def matches(self, hyps: Sequence[str], refs: Sequence[str], threads: int) -> list[tuple[int, int]]:
        """For each pair the subtrees of the reference that the hypothesis has, too, and all of it.

        Nothing is clipped: a subtree that occurs once in the hypothesis matches each time it
        occurs in the reference.
        """
        return self._kernel.matches(hyps, refs, threads)

    def without_comments(self, texts: Sequence[str]) -> Sequence[str]:
        """The texts without comments, docstrings and blank lines; unchanged if that fails.

        As in codebleu, the comments of Ruby are kept. In other languages than Python a comment is
        one by C++'s rules, and quotes are strings, also in PHP, Rust and JavaScript.
        """
        if self.lang == "ruby":
            return texts
        found = kernel.without_comments(texts, self.lang == "python")
        return [_by_tokenize(text) if code is None else code for text, code in zip(texts, found, strict=True)]


def _unfit(versions: str) -> MissingExtraError:
    return MissingExtraError(f"{versions} do not fit together; pip install 'truebleu[code]'")


def _by_tokenize(text: str) -> str:
    """Python for which the kernel does not say what `tokenize` of the running version does."""
    try:
        lines = _without_docstrings(text).split("\n")
    except (tokenize.TokenError, SyntaxError):
        return text
    return "\n".join(line for line in lines if line.strip())


def _without_docstrings(text: str) -> str:
    """Python without comments, and without strings that begin a line."""
    parts = []
    before = tokenize.INDENT
    row = column = 0
    for kind, string, (first, start), (last, end), _ in tokenize.generate_tokens(StringIO(text).readline):
        if first > row:
            column = 0
        parts.append(" " * (start - column))
        is_docstring = kind == tokenize.STRING and (before in (tokenize.INDENT, tokenize.NEWLINE) or start == 0)
        if kind != tokenize.COMMENT and not is_docstring:
            parts.append(string)
        before, row, column = kind, last, end
    return "".join(parts)


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
