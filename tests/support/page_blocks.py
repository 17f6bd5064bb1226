# SPDX-License-Identifier: Apache-2.0
"""The code on the pages of the documentation, run as a reader would run it."""

import ast
import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sysconfig
from functools import cache
from pathlib import Path
from typing import NamedTuple

from conftest import ROOT
from markdown_it import MarkdownIt

import truebleu

#: The pages whose code runs, wherever they lie: a new page is found by itself.
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "examples" / "README.md"]

#: What is code; of another language a page has output, a formula or a sketch.
CODE = ("python", "sh", "console")

#: Sections whose blocks need an engine, and the tests that run them with it.
ELSEWHERE = {
    ("docs/distributed.md", "Ray"): "integrations/test_engines.py",
    ("docs/distributed.md", "Spark"): "integrations/test_engines.py",
    ("docs/distributed.md", "Other engines"): "integrations/test_batches.py",
    ("docs/migration/torchmetrics.md", "Side by side"): "project/test_docs.py",
    ("docs/training.md", "Transformers"): "integrations/test_frameworks.py",
    ("docs/training.md", "TRL"): "integrations/test_frameworks.py",
}

#: How a block begins that nobody can run here; the reader sees it, too.
NOT_RUN = re.compile(r"[#%] not run in the tests: (.*)")


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    body: str
    section: str

    @property
    def reason(self):
        """Why it is not run, or None."""
        marked = NOT_RUN.match(self.body)
        return marked and marked[1]


def title(path):
    """How a page is called in the names of tests: its path in the project."""
    return os.path.relpath(path, ROOT)


def blocks(text, line=0, section=""):
    """The fenced blocks of a page, in order, also those inside of lists and directives."""
    parts = MarkdownIt("commonmark").parse(text)
    for i, part in enumerate(parts):
        if part.type == "heading_open" and part.tag == "h2":
            section = parts[i + 1].content
        if part.type not in ("fence", "code_block"):
            continue
        start = line + part.map[0] + 1
        if part.type == "code_block":
            yield Block(start, "indented", part.content, section)
        elif part.info.startswith("{") and not part.info.startswith("{code"):
            yield from blocks(part.content, start, section)
        else:
            yield Block(start, part.info.strip(), part.content, section)


@cache
def blocks_of(path):
    """The fenced blocks of the page at a path."""
    return list(blocks(path.read_text("utf-8")))


def runnable(path):
    """The blocks of a page that are to be run with it, in order."""
    return [
        block
        for block in blocks_of(path)
        if block.language in CODE and not block.reason and (title(path), block.section) not in ELSEWHERE
    ]


def libraries(path):
    """The libraries that the code of a page imports."""
    code = "".join(block.body for block in runnable(path) if block.language == "python")
    return re.findall(r"^(?:>>> )?(?:import|from) (\w+)", code, re.MULTILINE)


def demo():
    """The recipe of `make demo`: `make` itself would build."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    return re.sub(r"^\t@?", "", recipe[1], flags=re.MULTILINE).replace("$(BIN)/", "")


class Reader:
    """Someone who types the code of one page from top to bottom, in a folder with the examples."""

    def __init__(self, folder):
        shutil.copytree(ROOT / "examples", folder / "examples")
        (folder / "target").mkdir()
        self.folder = folder
        self.names = {"__name__": "__main__"}
        self.ran = 0

    def follow(self, path):
        """Run the blocks of a page; an AssertionError says where it is wrong."""
        for block in runnable(path):
            with contextlib.chdir(self.folder):
                where = f"{title(path)}:{block.line}"
                if block.language == "sh":
                    self._script(block.body, where)
                elif block.language == "console":
                    self._console(block.body, where)
                elif ">>> " in block.body:
                    self._session(block.body, where)
                else:
                    self._program(block.body, where)

    def _session(self, body, where):
        test = doctest.DocTestParser().get_doctest(body, {}, where, where, 0)
        test.globs = self.names  # later blocks may use what earlier ones made
        output = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        results = runner.run(test, out=output.write, clear_globs=False)
        assert results.failed == 0, output.getvalue()
        self.ran += results.attempted

    def _program(self, body, where):
        # What it prints is not shown, so that it is not compared.
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.parse(body), where, "exec"), self.names)  # noqa: S102
        self.ran += 1

    def _script(self, body, where):
        if "git apply" in body:
            self.add_sources()
        printed, code = self.run(f"set -e\n{body}")
        assert code == 0, f"{where}: exit code {code}\n{printed}"
        self.ran += 1

    def _console(self, body, where):
        """Commands after `$ `, which may go on after `> `, with all that they print."""
        sessions = re.split(r"^\$ ", body, flags=re.MULTILINE)
        assert not sessions[0].strip(), f"{where}: a console begins with a command after `$ `"
        for session in sessions[1:]:
            typed, more = re.match(r"(.*\n(?:> .*\n)*)([\s\S]*)", session).groups()
            command = typed.replace("\n> ", "\n")
            printed, _ = self.run(demo() if command == "make demo\n" else command)
            expected = "".join(f"{line.rstrip()}\n" for line in more.splitlines())
            actual = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
            # As in a session of Python, `...` stands for anything.
            alike = doctest.OutputChecker().check_output(expected.rstrip("\n"), actual.rstrip("\n"), doctest.ELLIPSIS)
            assert alike, f"{where}: {command}prints\n{actual}and not\n{expected}"
            self.ran += 1

    def add_sources(self):
        """Copies what recipes change: the kernel, and the package, which later commands run."""
        if not (self.folder / "src").exists():
            package = self.folder / "src" / "truebleu"
            shutil.copytree(Path(truebleu.__file__).parent, package)
            shutil.copytree(ROOT / "crates", self.folder / "crates")
            shutil.copytree(ROOT / "docs" / "recipes", self.folder / "docs" / "recipes")

    def run(self, command, timeout=120):
        """What a command prints, and its exit code, as a newcomer has them after `make setup`."""
        path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
        packages = os.pathsep.join([str(self.folder / "src"), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            ["/usr/bin/env", "bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": packages},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=timeout,
        )
        return done.stdout.decode(), done.returncode


def of_session(path):
    """The Python of a page as text of one session, with prompts before its functions, too."""
    for block in runnable(path):
        if block.language == "python" and block.body.startswith("def "):
            for function in re.split(r"\n+(?=def )", block.body):
                first, *rest = function.splitlines()
                yield "\n".join([f">>> {first}", *(f"... {line}" for line in rest)]) + "\n"
        elif block.language == "python":
            yield block.body


def run_blocks(page, name, replaced):
    """Runs the Python of a page's section, which needs an engine or its files, with texts replaced.

    Returns:
        What it made, by name.
    """
    code = "\n".join(
        block.body for block in blocks_of(ROOT / "docs" / page) if block.section == name and block.language == "python"
    )
    assert code
    for text, other in replaced.items():
        code = code.replace(text, other)
    made = {}
    exec(code, made)  # noqa: S102
    return made
