# SPDX-License-Identifier: Apache-2.0
"""`truebleu accelerate SCRIPT ARGS...`: a Python program after `truebleu.accelerate()`.

Run a Python program after truebleu.accelerate(), which makes sacreBLEU, NLTK and pycocoevalcap
compute with TrueBLEU's kernel.
"""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Sequence

from truebleu.compat import accelerate as package
from truebleu.errors import OptionError

USAGE = "truebleu accelerate {SCRIPT | -m MODULE} [ARGS...]"


def run(arguments: Sequence[str]) -> int:
    """Run a script or a module as Python does, and processes that it starts likewise.

    Returns:
        The exit code; 1 after an exception, whose traceback is printed.
    """
    is_module = arguments[:1] == ["-m"]
    if len(arguments) < 1 + is_module:
        raise OptionError(f"no program to run; type {USAGE}")
    program, *words = arguments[is_module:]
    package.accelerate()
    startup = os.path.join(os.path.dirname(package.__file__), "startup")
    paths = [startup, *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ.update(TRUEBLEU_ACCELERATE="1", PYTHONPATH=os.pathsep.join(paths))
    sys.argv[:] = [program, *words]
    sys.path.insert(0, os.getcwd() if is_module else os.path.dirname(os.path.abspath(program)))
    try:
        if is_module:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(program, run_name="__main__")
    except Exception:  # noqa: BLE001  (of the program)
        traceback.print_exc()
        return 1
    return 0
