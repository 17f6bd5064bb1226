# SPDX-License-Identifier: Apache-2.0
"""Accelerates processes that `python -m truebleu accelerate` starts, directly or not.

Python imports `sitecustomize` at its start. This one is in PYTHONPATH then, before any other, which
it imports after its own work.
"""

# ruff: noqa: INP001  (the folder is an entry of the path)

import os
import sys
from contextlib import suppress
from importlib import import_module

sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
if os.environ.get("TRUEBLEU_ACCELERATE"):
    with suppress(ImportError):  # another Python, which has no TrueBLEU
        import_module("truebleu").accelerate()
own = sys.modules.pop("sitecustomize")
with suppress(ImportError):
    import_module("sitecustomize")  # that of the system or of the environment
sys.modules.setdefault("sitecustomize", own)  # Python needs one
