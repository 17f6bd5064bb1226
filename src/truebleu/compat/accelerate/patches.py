# SPDX-License-Identifier: Apache-2.0
"""Functions replaced in place, modules patched after their import, and hashes of source files."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

#: The functions that new code calls, by number. They stay here after an `undo`, because a thread
#: may still be in the new code.
CALLS: list[Callable[..., Any]] = []

_PATCHES: dict[FunctionType, Patch] = {}


class Patch:
    """A function whose code can be exchanged for code that calls another function.

    The function object stays the same, with its name, module, defaults and documentation, so that
    every reference to it calls the new code: `from sacrebleu import corpus_bleu`, methods of
    subclasses, pickles.

    Args:
        function: a plain function with positional arguments and without a closure.
        replacement: makes the other function, from a copy of the original.
    """

    def __init__(
        self, function: FunctionType, replacement: Callable[[FunctionType], Callable[..., Any]]
    ) -> None:
        self._function = function
        self._original = function.__code__
        copy = FunctionType(self._original, function.__globals__, function.__name__)
        copy.__defaults__ = function.__defaults__
        CALLS.append(replacement(copy))
        self._code = _calling(len(CALLS) - 1, self._original)

    @classmethod
    def of(cls, function: FunctionType, replacement: Callable[[FunctionType], Any]) -> Patch:
        """The patch of a function, which is made once."""
        if function not in _PATCHES:
            _PATCHES[function] = cls(function, replacement)
        return _PATCHES[function]

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


def _calling(number: int, code: Any) -> Any:
    """Code with the arguments and the name of other code, which calls a function of `CALLS`."""
    arguments = ", ".join(code.co_varnames[: code.co_argcount])
    source = (
        f"def function({arguments}):\n"
        f" from {__name__} import CALLS\n"
        f" return CALLS[{number}]({arguments})"
    )
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102
    return names["function"].__code__.replace(
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
    content = hashlib.sha256()
    try:
        for name in files:
            with open(
                os.path.join(os.path.dirname(module.__file__ or ""), f"{name}.py"), "rb"
            ) as file:
                content.update(file.read())
    except OSError:
        return ""
    return content.hexdigest()[:16]


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
