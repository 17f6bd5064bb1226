# SPDX-License-Identifier: Apache-2.0
"""The folders are the pipeline: each imports from those before it, and nothing is circular."""

import ast
import re
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter

import pytest
from conftest import ROOT

from truebleu import BLEU

PACKAGE = ROOT / "src" / "truebleu"
FOLDERS = ["text", "dialects", "spec", "inputs", "metrics", "analysis", "campaigns", "charts",
           "browser", "report", "playground", "integrations", "compat", "cli"]  # fmt: skip
#: Modules at the top of the package, before the folders and after them.
FIRST, LAST = {"_core", "errors", "version"}, {"__init__", "__main__"}
ORDER = dict.fromkeys(FIRST, -1) | {name: i for i, name in enumerate(FOLDERS)}
ORDER |= dict.fromkeys(LAST, len(FOLDERS))

MODULES = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imports(name):
    """Full names that a module imports, also inside of functions."""
    names = []
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return names


def module(full):
    """The module of the package that has this full name, or defines it; None outside of it."""
    root, *parts = full.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1) if root == "truebleu")
    both = (one for name in names for one in (name, f"{name}.__init__"))
    return next((name for name in both if name in MODULES or name in FIRST), None)


def test_imports_go_down():
    for name in MODULES:
        order = ORDER[name.partition(".")[0]]  # a module at the top that is not listed is an error
        for full in imports(name):
            target = module(full)
            assert target is None or ORDER[target.partition(".")[0]] <= order, (name, full)
            reads_kernel = name in ("version", "inputs.utf8") or name.startswith("metrics.")
            assert target != "_core" or reads_kernel, (name, full)


def test_nothing_is_circular():
    graph = {name: {module(full) for full in imports(name)} - {None} for name in MODULES}
    TopologicalSorter(graph).prepare()


def test_a_corpus_takes_a_short_way_and_crosses_into_the_kernel_once():
    calls, crossings = [], []

    def profile(frame, event, function):
        if event == "call" and frame.f_back is not None:
            calls.append([one.f_globals["__name__"] for one in (frame.f_back, frame)])
        elif event == "c_call" and type(function.__self__).__module__ == "truebleu._core":
            crossings.append(function.__name__)

    bleu = BLEU()
    sys.setprofile(profile)
    try:
        bleu.corpus(["a b"], [["a b", "a c"]])
    finally:
        sys.setprofile(None)
    assert calls.pop(0)[1] == "truebleu.metrics.metric"
    assert len({callee for _, callee in calls}) <= 8
    upward = [
        (caller, callee)
        for caller, callee in calls
        if caller in map(ancestor, imports(callee.removeprefix("truebleu.")))
    ]
    assert upward == [("truebleu.metrics.metric", "truebleu.metrics.bleu")]
    assert crossings == ["corpus"]


def ancestor(full):
    """The full name of the module that defines a name."""
    return f"truebleu.{module(full)}"


def test_the_core_crate_knows_no_python():
    manifest = tomllib.loads((ROOT / "crates" / "core" / "Cargo.toml").read_text())
    assert "pyo3" not in manifest["dependencies"]


def rust_modules(rust, here):
    """Modules that a module of a crate names, without its tests and what it is part of."""
    text = re.sub(r"//.*", "", rust[here].read_text("utf-8"))
    text = re.sub(r"#\[cfg\(test\)\]\s*mod tests \{.*?\n\}", "", text, flags=re.DOTALL)
    braces = re.compile(r"([\w:]+::)\{([^{}]*)\}")
    while braces.search(text):
        text = braces.sub(lambda m: ", ".join(m[1] + end.strip() for end in m[2].split(",")), text)
    for path in re.findall(r"(?<![\w:])\w+(?:::\w+)+", text):
        first, *names = path.split("::")
        full = [*{"crate": (), "self": here, "super": here[:-1]}.get(first, (*here, first))]
        for name in names:
            full = full[:-1] if name == "super" else [*full, name]
        ends = (tuple(full[:end]) for end in range(len(full), 0, -1))
        target = next((end for end in ends if end in rust), ())
        if target != here[: len(target)]:
            yield target


@pytest.mark.parametrize("crate", ["core", "python", "wasm"])
def test_the_modules_of_a_crate_form_no_circle(crate):
    folder = ROOT / "crates" / crate / "src"
    rust = {
        tuple(part for part in path.relative_to(folder).with_suffix("").parts if part != "mod"): path
        for path in sorted(folder.rglob("*.rs"))
    }
    assert len(rust) > 2
    TopologicalSorter({name: set(rust_modules(rust, name)) for name in rust}).prepare()
