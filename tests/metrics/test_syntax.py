# SPDX-License-Identifier: Apache-2.0
"""Syntax trees against the package tree-sitter, and comments against `tokenize` and codebleu."""

import ast
import importlib
import re
from collections import Counter
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pytest
from conftest import ROOT
from hypothesis import example, given
from hypothesis import strategies as st
from support.code import PROGRAMS, corpus, metric
from support.profiles import SLOW

from truebleu.dialects.keywords import KEYWORDS
from truebleu.metrics import kernel, syntax

#: Programs of whose trees some have missing tokens, with and without a name; a character that is
#: no token; an error in a node with an alias, which has that alias by itself; a document.
STRANGE = {
    "c": ["{a;", "\\", "int x = (;"],
    "cpp": [";(", "concept C = requires(T t) { t.(; };", "\x01"],
    "c_sharp": [";{", ")= [1' 2];", ";?.y ?? z", "\x01"],
    "go": ["`\n`", "'", "("],
    "java": ["{;", "\\", ")"],
    "javascript": [";{", "\x01", "`a ${b"],
    "php": ["<?php (}a;", "<?php ;\x01", "text", "<?php $x = <<<A\n a {$b->c}\nA;\n"],
    "python": ['"\nb"cx', "{;", "/*\x01a", "x is not y not in z", "\x00"],
    "ruby": ["n)x", "[*", "x = <<~A\n a #{b}\nA\n", "\x01"],
    "rust": ["if let A(= c &&;d {}", ";x", "\\", "'"],
}


@pytest.mark.parametrize("lang", KEYWORDS)
def test_subtrees_match_if_they_are_printed_alike(lang):
    ours = metric(lang, dataflow=False)._syntax
    pytest.importorskip("tree_sitter", reason="tree-sitter is not installed")
    if not version("tree-sitter").startswith("0.22."):
        pytest.skip("later versions of tree-sitter parse wrong programs differently")
    parser = ours.parser()

    def printed(text):
        nodes = [parser.parse(text.encode()).root_node]
        for node in nodes:
            nodes += [child for child in node.children if child.children]
        return Counter(map(str, nodes))

    hyps, refs = corpus(lang + "!", 2_000 if SLOW else 200)
    refs = [row[0] for row in refs]
    strange = [*STRANGE[lang], *PROGRAMS[lang], ""]
    hyps += [text for text in strange for _ in strange]
    refs += strange * len(strange)
    # The runtime reads long texts in parts, which end within a character here.
    hyps.append(f"x('{'中' * 30_000}')")
    refs.append(f"x('{'中' * 60_000}')")
    found = ours.matches(hyps, refs, 3)
    assert found == ours.matches(hyps, refs, 1)
    for hyp, ref, counts in zip(hyps, refs, found, strict=True):
        have, need = printed(hyp), printed(ref)
        matches = sum(count for tree, count in need.items() if tree in have)
        assert counts == (matches, need.total()), (hyp[:1000], ref[:1000])


def test_earlier_texts_are_forgotten():
    ours = metric("python", dataflow=False)._syntax
    texts = [f"x = [{'f(), ' * i}]\n" * 100 for i in range(100)]
    assert sum(map(len, texts)) > 2 << 20  # twice as much as is kept
    found = ours.matches(texts, texts, 1)
    assert found[::10] == [ours.matches([text], [text], 1)[0] for text in texts[::10]]
    assert all(matches == total for matches, total in found)


def test_a_deep_tree():
    ours = metric("python", dataflow=False)._syntax
    deep = "-" * 100_000 + "1"
    # Each level is a subtree, as are the statement and the module.
    assert ours.matches([deep, "x"], [deep, deep], 2) == [(100_002, 100_002), (0, 100_002)]


def test_the_runtime_is_that_of_cargo_toml():
    manifest = (ROOT / "crates" / "python" / "Cargo.toml").read_text(encoding="utf-8")
    assert f'tree-sitter = "={kernel.TREE_SITTER}"' in manifest


@pytest.mark.parametrize("lang", ["python", "ruby", "php"])
def test_comments_are_those_of_codebleu(lang):
    parser = pytest.importorskip("codebleu.parser", reason="pip did not install codebleu")
    without_comments = metric(lang, dataflow=False)._syntax.without_comments
    hyps, _ = corpus(lang + "?", 5_000 if SLOW else 300)
    for text, ours in zip(hyps, without_comments(hyps), strict=True):
        expected = text
        with suppress(Exception):
            expected = parser.remove_comments_and_docstrings(text, lang)
        assert ours == expected


#: Comments, and literals in which nothing is a comment.
LITERALS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^\\'])*'|"(?:\\.|[^\\"])*\"""", re.DOTALL)


@given(st.text("/*'\"\\\n \x1f\xa0a中", max_size=30))
def test_comments_as_a_regular_expression_finds_them(text):
    expected = LITERALS.sub(lambda match: " " if match[0][0] == "/" else match[0], text)
    lines = [line for line in expected.split("\n") if line.strip()]
    assert kernel.without_comments([text], False) == ["\n".join(lines)]


def functions(*modules):
    """The functions and methods of modules, most of them indented."""
    for module in modules:
        source = Path(importlib.import_module(module).__file__).read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                yield "\n".join(lines[node.lineno - 1 : node.end_lineno])


PYTHON = sorted(functions("textwrap", "shlex", "heapq", "bisect"), key=len)[:60]

#: Parts of Python, of which versions of `tokenize` take some differently.
PARTS = [
    "(", ")", "[", "]", "{", "}", "'", '"', "'''", '"""', "\\", "\\\n", "\n", "\n\n", " ", "  ",
    "    ", "#", "# c\n", "'s'", "'''d\nd'''\n", '"""\\\n"""', "b'x'", "rb''", "u'x'", "br", "x",
    "é", "“", "é'", "f'{x}'", "f'{x!r:>3}'", "f\"{a['k']}\"", "f'{{}}'", "f'{x:{y}}'", "f'{",
    "f'{a(b)[c]}'", "f'{1}'", "f'{01}'", "f'{1a}'", "f'{x.1}'", "f'{x=}'", "f'{a b}'", "f'{x !r}'",
    "f'{x:3}é'", "f'é'", "f\"{''''a}\"", "rf'{x}'", "t'{x}'",
    "0x1f", "0x", "0b2", "012", "00", "1_0", "1__0",
    "1e5", "1e", "1.5", ".5", "1.x", "1j", "1if", "!", "!=", "$", "?", "`", "\t", "\f", "\x0b",
    "\xa0", "\u2028", "\x00", "\r", "\ufeff", "\x1a", "def f():\n    ", "if x:\n", ";", ":", ",",
    "=", "...", "->", ":=", "lambda", "'\\\n'", "'a\\'b'", "# coding: latin-1\n", "'é'",
    "'''é\n'''", "-", "中 = 1\n",
]  # fmt: skip


@st.composite
def programs(draw):
    """Functions, pieces of Python or text, with some edits."""
    text = draw(
        st.sampled_from(PYTHON) | st.lists(st.sampled_from(PARTS), max_size=12).map("".join) | st.text(max_size=20)
    )
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.sampled_from([0, 0, 1, 5, 40]))
        text = text[:start] + draw(st.sampled_from(["", *PARTS])) + text[end:]
    return text.strip() if draw(st.booleans()) else text


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@given(st.lists(programs(), min_size=5, max_size=5))
@example([
    "x = 'a' \\\n 'b'  # c", "'''a\\\n''' 1", "f(\n'a',\n'b')", "(]", "a)\n 'b'\n(", "x\n 'y'",
    "...0b1f'{x # y\n'", "'é'}'''d\nd''' 1", "x\n  \ty", "x = f'{y}\n'", "    x\n  y", "'a\nb'",
    "def f():\n '''d'''",
])  # fmt: skip
def test_python_without_comments(texts):
    for text, ours in zip(texts, kernel.without_comments(texts, True), strict=True):
        assert ours in (None, syntax._by_tokenize(text))


def test_most_programs_do_not_need_tokenize():
    texts = [*functions("argparse", "difflib", "tarfile", "typing", "enum"), "x = (", "  x\n y"]
    found = kernel.without_comments(texts, True)
    assert found.count(None) < len(texts) / 50
    assert found[-2:] == texts[-2:]
