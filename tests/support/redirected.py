# SPDX-License-Identifier: Apache-2.0
"""A plugin for pytest with which `import sacrebleu` gives TrueBLEU's drop-in."""

import importlib
import pkgutil
import sys

ORIGINAL, OURS = "sacrebleu", "truebleu.compat.sacrebleu"


def redirect():
    """Put the drop-in and all of its modules where the original would be."""
    package = importlib.import_module(OURS)
    sys.modules[ORIGINAL] = package
    for info in pkgutil.walk_packages(package.__path__, f"{OURS}."):
        if not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            sys.modules[ORIGINAL + info.name.removeprefix(OURS)] = module


redirect()
