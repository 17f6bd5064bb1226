# SPDX-License-Identifier: Apache-2.0
"""Syntax trees of code: the syntax match of CodeBLEU, as codebleu 0.7.0 computes it."""

from __future__ import annotations

import re
import tokenize
from collections import Counter, defaultdict
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from truebleu.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Texts whose trees are kept: hypotheses of one reference are often neighbors.
_KEPT = 256
#: Numbers of trees that are kept.
_MOST_NUMBERS = 1 << 17
#: The most levels of a tree: tree-sitter prints it recursively, and a stack is bounded.
_DEEPEST = 2_000

#: Comments, and literals in which nothing is a comment, of languages that write comments as C++.
_COMMENTS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^\\'])*'|"(?:\\.|[^\\"])*\"""", re.DOTALL)
#: Tokens and characters in an S-expression, which may be parentheses.
_QUOTED = re.compile(r"""\(((?:MISSING|UNEXPECTED) (["']).+?\2)\)(?=[ )]|$)""", re.DOTALL)
_NO_PARENTHESES = {ord("("): 1, ord(")"): 2}


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
        self._numbers: defaultdict[Any, int] = defaultdict(count().__next__)
        self._lock = Lock()

    def forget(self) -> None:
        """Forget earlier texts and their trees."""
        self.without_comments.cache_clear()
        self._subtrees.cache_clear()
        self._numbers.clear()

    def matches(self, hyp: str, ref: str) -> tuple[int, int]:
        """Subtrees of the reference that the hypothesis has, too, and all subtrees of it.

        Nothing is clipped: a subtree that occurs once in the hypothesis matches each time it
        occurs in the reference.
        """
        with self._lock:  # both are numbered alike
            if len(self._numbers) > _MOST_NUMBERS:
                self.forget()
            have, need = self._subtrees(hyp), self._subtrees(ref)
        return sum(need[tree] for tree in need.keys() & have.keys()), need.total()

    def _counted(self, text: str) -> Counter[int]:
        return Counter(subtrees(self.parser.parse(text.encode()).root_node, self._numbers))

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


def subtrees(root: Any, numbers: defaultdict[Any, int]) -> list[int]:
    """The numbers of the root and of all nodes that have children.

    Nodes have the same number if their S-expressions are equal; `numbers` makes new ones.
    """
    nodes = list(_inner(root)) or [root]
    if root.has_error:
        # Nodes next to an error can have another type as children than at a cursor.
        nodes = [root]
        for node in nodes:
            nodes += [child for child in node.children if child.child_count]
        return [_number_of(str(node), numbers) for node in nodes]
    # Printing each node would take time quadratic in the depth of the tree, so most are numbered
    # from the text of the root. It lacks nodes without named children.
    others = [node for node in nodes if not (node.named_child_count and node.is_named)]
    trees = list(_nested(str(root), numbers))
    if len(trees) + len(others) == len(nodes):
        return trees + [numbers[str(node)] for node in others]
    return [_number_of(str(node), numbers) for node in nodes]  # an unnamed one has named children


def _number_of(text: str, numbers: defaultdict[Any, int]) -> int:
    """The number of a node by its S-expression."""
    return ([*_nested(text, numbers)] or [numbers[text]])[-1]


def _inner(root: Any) -> Iterator[Any]:
    """The nodes with children, in postorder. A cursor is faster than lists of children."""
    cursor = root.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    depth = 0
    while True:
        if down():
            depth += 1
            if depth > _DEEPEST:
                raise InputError(f"the syntax tree has more than {_DEEPEST:,} levels")
            continue
        if right():
            continue
        while up():
            depth -= 1
            yield cursor.node
            if right():
                break
        else:
            return


def _nested(text: str, numbers: defaultdict[Any, int]) -> Iterator[int]:
    """The numbers of the parts of an S-expression in parentheses that have others inside of them.

    The key of a part is its text, in which the numbers of such parts replace them.
    """
    if '"' in text or "'" in text:
        text = _QUOTED.sub(lambda match: f"({match[1].translate(_NO_PARENTHESES)})", text)
    keys: list[list[Any]] = [[]]
    for part in text.split("(")[1:]:
        leaf, closed, rest = part.partition(")")
        if not closed:
            keys.append([part])
            continue
        keys[-1].append(leaf)
        after = rest.lstrip(")")
        for _ in range(len(rest) - len(after)):
            number = numbers[tuple(keys.pop())]
            keys[-1].append(number)
            yield number
        keys[-1].append(after)
