# SPDX-License-Identifier: Apache-2.0
"""What users wait for before anything happens: the modules that each way in imports.

Times are benchmarks' matter (`benchmarks/cold_process.py`); the modules are what they come from.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest
from conftest import ROOT

REF, HYP = (str(ROOT / "examples" / "de-en" / name) for name in ("ref.A.txt", "hyp.aurora.txt"))


def command(*arguments):
    return f"from truebleu.cli import main; main({list(arguments)!r})"


#: Code, and the modules it imports from outside of truebleu, without those that these import.
#: `os` is there before all: any interpreter that reads `site` has imported it.
GRAPH = {
    "import truebleu": [],
    "import truebleu; truebleu.BLEU().corpus(['a'], ['a'])": [],
    "import truebleu; truebleu.BLEU('nltk').sentence('a', 'a')": [],
    "import truebleu; truebleu.BLEU().sentences(['a'], ['a'])": ["numpy"],
    "import truebleu.spec": ["math", "re", "struct", "typing", "unicodedata"],
    "import truebleu.compat.nltk": ["fractions", "itertools", "math", "typing", "warnings"],
    "import truebleu.compat.sacrebleu": ["gzip", "json", "logging", "math", "typing"],
    "import truebleu.integrations.distributed.batches": ["copy"],
    "import truebleu.integrations.ray": ["contextlib", "dataclasses", "math", "unicodedata"],
    "import truebleu.integrations.spark": ["contextlib", "dataclasses", "math", "unicodedata"],
    "import truebleu.integrations.duckdb": ["copy", "itertools"],
    "import truebleu.integrations.huggingface": [],
    "import truebleu.integrations.pandas": ["pandas"],
    "import truebleu.integrations.polars": ["polars"],
    "import truebleu.integrations.torchmetrics": [],
    command("--version"): [],
    command("--help"): [],
    command("score", "--help"): [],
    command("score", REF, "-i", HYP): [],
    command("score", REF, "-i", HYP, "-tok", "intl", "-lc"): [],
    command("score", REF, "-i", HYP, "-m", "bleu", "chrf", "ter"): [],
    command("score", REF, "-i", HYP, "-f", "json"): ["json", "math", "unicodedata"],
    command("dialects"): ["unicodedata"],
    command("diff", REF, "-i", HYP, "sacrebleu", "nltk"): ["unicodedata"],
    command("score", "no-such-file"): ["contextlib", "copy", "unicodedata"],
}


@cache
def imported(code):
    """Modules that are there after code and not before it, those of truebleu left out."""
    program = (
        f"import __future__, os, sys; sys.path = {sys.path!r}; before = set(sys.modules)\n{code}\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    names = done.stderr.splitlines()[-1].split() if done.stderr.strip() else []
    return {name for name in names if name.partition(".")[0] != "truebleu"}


@pytest.mark.parametrize("code", GRAPH)
def test_a_way_in_imports_what_it_needs(code):
    assert imported(code) == imported("; ".join(f"import {name}" for name in GRAPH[code]))
