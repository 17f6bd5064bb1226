# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU, accelerated: `from truebleu.compat import sacrebleu`.

The first import of this module calls `truebleu.accelerate("sacrebleu")` and gives the installed
sacreBLEU itself: `truebleu.compat.sacrebleu.X` is `sacrebleu.X`, and its modules are the same.

    pip install 'truebleu[sacrebleu]'
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from truebleu.compat.accelerate import accelerate

_NAME = __name__


class _Modules:
    """Finds and loads `truebleu.compat.sacrebleu.X`: it is `sacrebleu.X`."""

    @classmethod
    def find_spec(cls, name: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(name, cls) if name.startswith(f"{_NAME}.") else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(_: ModuleSpec) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        # Python looks here for the module that was loaded.
        sys.modules[module.__name__] = import_module(module.__name__.removeprefix(_PREFIX))


_PREFIX = _NAME.removesuffix("sacrebleu")

accelerate("sacrebleu")
sys.modules[_NAME] = import_module("sacrebleu")
sys.meta_path.insert(0, _Modules)  # type: ignore[arg-type]
