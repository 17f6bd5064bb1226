# SPDX-License-Identifier: Apache-2.0
"""Syntax trees of code: the syntax match of CodeBLEU, as codebleu 0.7.0 computes it."""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from typing import TYPE_CHECKING, Any

from truebleu.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Texts whose trees are kept: hypotheses of one reference are often neighbors.
_KEPT = 256

#: Comments, and literals in which nothing is a comment, of languages that write comments as C++.
_COMMENTS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^\\'])*'|"(?:\\.|[^\\"])*\"""", re.DOTALL)


class Syntax:
    """Parses a programming language and counts the subtrees that two texts have in common.

    Args:
        lang: the language.

    Attributes:
        parser: of tree-sitter.
        versions: of the grammar and of tree-sitter.

    Raises:
        MissingExtraError: tree-sitter or its grammar for the language is not installed.
    """

    def __init__(self, lang: str) -> None:
        try:
            from tree_sitter import Language, Parser

            grammar = import_module(f"tree_sitter_{lang}")
        except ImportError:
            raise MissingExtraError.of(f"the syntax match of {lang}", "code") from None
        packages = (f"tree-sitter-{lang.replace('_', '-')}", "tree-sitter")
        versions = [f"{package}-{version(package)}" for package in packages]
        # There are two grammars of PHP; this one reads text between the tags, too.
        pointer = getattr(grammar, "language", None) or grammar.language_php
        try:
            self.parser: Any = Parser(Language(pointer()))
        except (TypeError, ValueError):
            raise MissingExtraError(
                f"{' and '.join(versions)} do not fit together; pip install 'truebleu[code]'"
            ) from None
        self.lang = lang
        self.versions = "+".join(versions)
        self.without_comments = lru_cache(_KEPT)(self._without_comments)
        self._subtrees = lru_cache(_KEPT)(self._counted)

    def forget(self) -> None:
        """Forget the trees of earlier texts."""
        self.without_comments.cache_clear()
        self._subtrees.cache_clear()

    def matches(self, hyp: str, ref: str) -> tuple[int, int]:
        """Subtrees of the reference that the hypothesis has, too, and all subtrees of it.

        Nothing is clipped: a subtree that occurs once in the hypothesis matches each time it
        occurs in the reference.
        """
        have, need = self._subtrees(hyp), self._subtrees(ref)
        matches = sum(count for tree, count in need.items() if tree in have)
        return matches, need.total()

    def _counted(self, text: str) -> Counter[str]:
        return Counter(subtrees(self.parser.parse(text.encode()).root_node))

    def _without_comments(self, text: str) -> str:
        """The text without comments, docstrings and blank lines; unchanged if that fails.

        As in codebleu, the comments of Ruby are kept. In other languages than Python a comment is
        one by C++'s rules, and quotes are strings, also in PHP, Rust and JavaScript.
        """
        if self.lang == "ruby":
            return text
        if self.lang != "python":
            text = _COMMENTS.sub(lambda match: " " if match[0][0] == "/" else match[0], text)
        else:
            try:
                text = _without_docstrings(text)
            except (tokenize.TokenError, SyntaxError):
                return text
        return "\n".join(line for line in text.split("\n") if line.strip())


def _without_docstrings(text: str) -> str:
    """Python without comments, and without strings that begin a line."""
    parts = []
    before = tokenize.INDENT
    row = column = 0
    for kind, string, (first, start), (last, end), _ in tokenize.generate_tokens(
        StringIO(text).readline
    ):
        if first > row:
            column = 0
        parts.append(" " * (start - column))
        is_docstring = kind == tokenize.STRING and (
            before in (tokenize.INDENT, tokenize.NEWLINE) or start == 0
        )
        if kind != tokenize.COMMENT and not is_docstring:
            parts.append(string)
        before, row, column = kind, last, end
    return "".join(parts)


def subtrees(root: Any) -> list[str]:
    """The S-expressions of the root and of all nodes that have children."""
    nodes = list(_inner(root)) or [root]
    # Printing each node takes time quadratic in the depth of the tree, so most come from the text
    # of the root. It lacks nodes without named children.
    text = str(root)
    if '"' not in text and "'" not in text:  # in quotes, a parenthesis would be a character
        trees = [str(node) for node in nodes if not (node.named_child_count and node.is_named)]
        trees += _nested(text)
        if len(trees) == len(nodes):
            return trees
    return [str(node) for node in nodes]


def _inner(root: Any) -> Iterator[Any]:
    """The nodes with children, in postorder. A cursor is faster than lists of children."""
    cursor = root.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        if down() or right():
            continue
        while up():
            yield cursor.node
            if right():
                break
        else:
            return


def _nested(text: str) -> Iterator[str]:
    """The parts of an S-expression in parentheses that have others inside of them."""
    starts = []
    start = 0
    for part in text.split("(")[1:]:
        end = part.find(")")
        if end < 0:
            starts.append(start)
        else:
            for last in range(start + end + 3, start + end + 2 + part.count(")")):
                yield text[starts.pop() : last]
        start += len(part) + 1
