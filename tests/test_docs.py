# SPDX-License-Identifier: Apache-2.0
"""What the documentation says is so: generated pages, examples in docstrings and in the README."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import sysconfig

import page_blocks
import pytest
from conftest import ROOT

import truebleu

README = (ROOT / "README.md").read_text(encoding="utf-8")

BLOCKS = [
    (language, body)
    for language, body in re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
]

#: Modules that do something when imported, or are no Python.
NOT_IMPORTED = {"truebleu.__main__", "truebleu._core", "truebleu.compat.sacrebleu.__main__"}

MODULES = ["truebleu"] + [
    found.name
    for found in pkgutil.walk_packages(truebleu.__path__, "truebleu.")
    if found.name not in NOT_IMPORTED
]


def run(command):
    """What a command prints, run as a newcomer would after `make setup`."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run(
        ["/usr/bin/env", "bash", "-c", command], cwd=ROOT, env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60,
    )  # fmt: skip
    return done.stdout.decode(), done.returncode


def test_generated_pages_are_up_to_date():
    script = ROOT / "docs" / "generate.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("page", ["explain.md", "diff.md"])
def test_examples_on_a_page(page):
    failed, tried = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert tried > 3
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_some_docstrings_have_examples():
    found = [doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES]
    assert sum(bool(test.examples) for tests in found for test in tests) >= 10


def test_python_in_the_readme(monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = [body for language, body in BLOCKS if language == "python" and ">>> " in body]
    assert blocks
    # One session: later blocks may use what earlier ones made.
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


PAGES = [
    path for path in sorted((ROOT / "docs").rglob("*.md")) if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_python_in_the_pages(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = "\n".join(page_blocks.of_session(page))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, page.name, 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def sessions():
    """Commands of the README, with what they print where it is shown."""
    for language, body in BLOCKS:
        if language == "sh" and body.startswith("truebleu "):
            yield body, None
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                if command.startswith("truebleu "):
                    yield command, printed


@pytest.mark.parametrize(("command", "printed"), list(sessions()))
def test_commands_in_the_readme(command, printed):
    shown, code = run(command)
    if printed is None:
        assert code == 0, shown
    else:
        assert shown.rstrip() == printed.rstrip()


def test_the_demo_prints_what_the_readme_shows():
    # Not `make demo` itself, which would build; its recipe.
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    commands = [line.removeprefix("\t@").replace("$(BIN)/", "") for line in recipe[1].splitlines()]
    shown, code = run("\n".join(commands))
    assert code == 0, shown
    (printed,) = re.findall(r"^\$ make demo\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert shown.rstrip() == printed.rstrip()
