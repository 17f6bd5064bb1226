# SPDX-License-Identifier: Apache-2.0
"""Functions replaced in place, modules patched after their import, and hashes of source files."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any


class Patch:
    """A function whose code can be exchanged for code that calls another function.

    The function object stays the same, with its name, module, defaults and documentation, so that
    every reference to it calls the new code: `from sacrebleu import corpus_bleu`, methods of
    subclasses, pickles.

    Args:
        function: a plain function with positional arguments and without a closure.
        replacement: the other function; its first argument is a copy of the original.
    """

    def __init__(self, function: FunctionType, replacement: Callable[..., Any]) -> None:
        self._function = function
        self._original = function.__code__
        copy = FunctionType(self._original, function.__globals__, function.__name__, function.__defaults__)
        self._code = _calling(partial(replacement, copy), self._original)

    def apply(self) -> None:
        """Exchange the code, unless somebody else has exchanged it."""
        if self._function.__code__ is self._original:
            self._function.__code__ = self._code

    def undo(self) -> None:
        """Restore the code, unless somebody else has exchanged it."""
        if self.is_active():
            self._function.__code__ = self._original

    def is_active(self) -> bool:
        """Whether the function has the new code."""
        return self._function.__code__ is self._code


def _calling(replacement: Callable[..., Any], code: Any) -> Any:
    """Code with the arguments and the name of other code, which calls a function."""
    arguments = ", ".join(code.co_varnames[: code.co_argcount])
    names: dict[str, Any] = {}
    # The function is a constant of the code: its names are those of the library.
    exec(f"def function({arguments}):\n call = 'it'\n return call({arguments})", names)  # noqa: S102
    new = names["function"].__code__
    return new.replace(
        co_consts=tuple(replacement if value == "it" else value for value in new.co_consts),
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
    )


class Finder:
    """An entry of `sys.meta_path` that calls a function after the import of certain modules.

    A `reload` does not count as an import.

    Attributes:
        waiting: names of modules.
    """

    def __init__(self, after: Callable[[str], None]) -> None:
        self.waiting: set[str] = set()
        self._after = after

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification that the next finder gives, whose loader calls the function, too."""
        if name not in self.waiting or name in sys.modules:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next(filter(None, specs), None)
        if spec is not None and hasattr(spec.loader, "__dict__"):
            loader: Any = spec.loader
            execute = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                del loader.exec_module
                execute(module)
                self._after(name)

            loader.exec_module = exec_module
        return spec


def digest(module: ModuleType, files: Sequence[str]) -> str:
    """A hash of files in the folder of a module, named without `.py`; empty if one is missing."""
    folder = Path(module.__file__ or "").parent
    try:
        content = b"".join((folder / f"{name}.py").read_bytes() for name in files)
    except OSError:
        return ""
    return hashlib.sha256(content).hexdigest()[:16]


def is_own(function: Any, library: str) -> bool:
    """Whether a function is the library's, as opposed to one that somebody has put there."""
    function = getattr(function, "__wrapped__", function)
    name = str(getattr(function, "__module__", ""))
    file = getattr(sys.modules.get(name), "__file__", None)
    return (
        name.partition(".")[0] == library
        and isinstance(function, FunctionType)
        and function.__code__.co_filename == file
    )
