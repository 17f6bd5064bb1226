# SPDX-License-Identifier: Apache-2.0
"""The folders are the pipeline: each imports from the folders before it, and nothing is circular."""

from __future__ import annotations

import ast
import sys
import tomllib
from graphlib import TopologicalSorter

import pytest
from conftest import ROOT

PACKAGE = ROOT / "src" / "truebleu"
FOLDERS = [
    "text",
    "dialects",
    "spec",
    "inputs",
    "metrics",
    "analysis",
    "charts",
    "report",
    "integrations",
    "compat",
    "cli",
]
#: What stands at the top of the package, before the folders and after them.
FIRST, LAST = {"_core", "errors", "version"}, {"__init__", "__main__"}

MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imported(name):
    """Modules that a module imports, inside of functions and for type checkers too, and where."""
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{alias.name}", node.col_offset) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node.col_offset) for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from ((ast.literal_eval(arg), 1) for arg in node.args[:1] if name not in LAST)


def target(imported_name):
    """The module of the package that an import reads, or None."""
    root, *parts = imported_name.split(".")
    for end in range(len(parts), 0, -1) if root == "truebleu" else ():
        for name in (".".join(parts[:end]), ".".join([*parts[:end], "__init__"])):
            if name in MODULES or name in FIRST:
                return name
    return None


def floor(name):
    first = name.partition(".")[0]
    return -1 if first in FIRST else len(FOLDERS) if first in LAST else FOLDERS.index(first)


def test_the_top_holds_the_folders_and_little_else():
    names = {path.name.partition(".")[0] for path in PACKAGE.iterdir()} - {"__pycache__", "py"}
    assert names == {*FOLDERS, *FIRST, *LAST}


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_down(name):
    for full, column in imported(name):
        found = target(full)
        assert found is None or floor(found) <= floor(name), f"{name} imports {full}"
        assert found != "_core" or floor(name) == FOLDERS.index("metrics") or name == "version"
        known = full.partition(".")[0] in {"truebleu", *sys.stdlib_module_names}
        assert known or column, f"{name} imports {full} at its top; do so where it is used"


def test_nothing_is_circular():
    graph = {name: {target(full) for full, _ in imported(name)} - {None} for name in MODULES}
    TopologicalSorter(graph).prepare()


def test_the_core_crate_knows_no_python_and_keeps_unsafe_in_simd():
    core = ROOT / "crates" / "core"
    assert "pyo3" not in tomllib.loads((core / "Cargo.toml").read_text())["dependencies"]
    for path in (core / "src").rglob("*.rs"):
        if path.parent.name != "simd":
            assert "unsafe" not in path.read_text().replace("`unsafe`", ""), path
