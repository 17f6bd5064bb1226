# SPDX-License-Identifier: Apache-2.0
"""Scorers by name: a function of a module or of a file, and a command that prints a number."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from operator import attrgetter
from runpy import run_path
from shutil import which
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from truebleu.analysis.identify.calling import NotAskable
from truebleu.errors import OptionError, describe

#: What stands for files in a command.
HYPS, REFS = "{hyps}", "{refs}"


class Command:
    """A command, which no shell reads, that prints the score of files.

    `{hyps}` stands for a file with a hypothesis on each line, `{refs}` for one with its reference.
    As a word of its own, `{refs}` becomes several files if there are several references.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words, self.problem, self._takes_several = list(words), "", REFS in words
        if not any(HYPS in word for word in words) or not any(REFS in word for word in words):
            raise OptionError(f"the command has no {HYPS} or no {REFS}; put them where files go")
        if which(words[0]) is None:
            raise OptionError(f"{words[0]}: no such program; check its name")

    def __call__(self, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> str:
        """What the command prints about a corpus."""
        counts = {*map(len, refs)}
        if len(counts) != 1 or (counts != {1} and not self._takes_several):
            raise NotAskable
        with TemporaryDirectory() as folder:
            files = []
            for i, lines in enumerate((hyps, *zip(*refs, strict=True))):
                files.append(os.path.join(folder, f"{i}.txt"))
                with open(files[-1], "w", encoding="utf-8", newline="") as file:
                    file.writelines(f"{line}\n" for line in lines)
            words = [
                word.replace(HYPS, files[0]).replace(REFS, path)
                for word in self._words
                for path in (files[1:] if word == REFS else files[1:2])
            ]
            done = subprocess.run(  # noqa: S603  (the user's own command)
                words, capture_output=True, check=False, stdin=subprocess.DEVNULL
            )
        if done.returncode and counts != {1}:
            self._takes_several = False
            raise NotAskable
        if done.returncode:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            self.problem = ": ".join([f"exit code {done.returncode}", *lines[-1:]])
            raise ChildProcessError(self.problem)
        return done.stdout.decode(errors="replace")


def scorer_of(f: Any) -> Callable[..., Any]:
    """A function, the function that `module:name` or `file.py:name` names, or a command."""
    if isinstance(f, (list, tuple)) and f and all(isinstance(word, str) for word in f):
        return Command(f)
    function, what = f, "f"
    if isinstance(f, str):
        module, _, path = f.rpartition(":")
        if not (module and path):
            raise OptionError(f"{f!r} names no function; write module:function or file.py:function")
        sys.path.insert(0, os.path.dirname(module) or os.getcwd())  # and stays, for later imports
        try:
            with redirect_stdout(io.StringIO()):
                names = run_path(module) if module.endswith(".py") else vars(import_module(module))
            function, what = attrgetter(path)(SimpleNamespace(**names)), f
        except (Exception, SystemExit) as error:
            problem = f"{type(error).__name__}: {' '.join(str(error).split()):.300}"
            raise OptionError(f"{f}: cannot be imported: {problem}; check the names") from error
    if not callable(function):
        raise OptionError(
            f"{what} cannot be {describe(function)}; give a function, module:function, or the "
            "words of a command"
        )
    return function  # type: ignore[no-any-return]
