# SPDX-License-Identifier: Apache-2.0
"""A cold start imports few modules: what `benchmarks/cold_process.py` measures comes from these."""

import re
import subprocess
import sys
from functools import cache

import pytest
from conftest import ROOT

REF, HYP = (str(ROOT / "examples" / "de-en" / name) for name in ("ref.A.txt", "hyp.aurora.txt"))


def command(*arguments):
    return f"from truebleu.cli import main; main({list(arguments)!r})"


#: What commands import that print JSON.
JSON = ["json", "math", "unicodedata"]
#: Code, and the modules outside of truebleu that it imports, without those that these import.
GRAPH = {
    "import truebleu": [],
    "import truebleu; truebleu.BLEU().corpus(['a'], ['a'])": [],
    "import truebleu; truebleu.BLEU('nltk').sentence('a', 'a')": [],
    "import truebleu; truebleu.BLEU().sentences(['a'], ['a'])": ["numpy"],
    "import truebleu.spec": ["math", "re", "struct", "typing", "unicodedata"],
    "from truebleu.compat import nltk; nltk.sentence_bleu(['a b c d'.split()], 'a b c d'.split())":
        ["fractions", "itertools", "math", "typing", "warnings"],
    command("--version"): ["math"],
    command("--help"): ["math"],
    command("score", "--help"): ["math"],
    command("score", REF, "-i", HYP): ["math"],
    command("score", REF, "-i", HYP, "-tok", "intl", "-lc"): ["math"],
    command("score", REF, "-i", HYP, "-m", "bleu", "chrf", "ter"): ["math"],
    command("score", REF, "-i", HYP, "-f", "json"): JSON,
    command("score", REF, "-i", HYP, "-m", "chrf", "ter", "-f", "json"): JSON,
    command("dialects"): ["dataclasses", "functools", "math", "tomllib", "unicodedata"],
}  # fmt: skip


@cache
def loaded(code):
    """Modules that code imports; every interpreter has imported `os` before."""
    program = (
        f"import __future__, os, sys; sys.path = {sys.path!r}; before = set(sys.modules)\n{code}\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split() if done.stderr.strip() else [])


def imported(code):
    """Modules outside of truebleu that code imports."""
    return {name for name in loaded(code) if name.partition(".")[0] != "truebleu"}


@pytest.mark.parametrize("code", GRAPH)
def test_a_cold_start_imports_no_other_modules(code):
    assert imported(code) == imported("; ".join(f"import {name}" for name in GRAPH[code]))


def test_values_are_frozen():
    """By `Frozen` where `truebleu score` imports them, elsewhere as dataclasses."""
    cold = loaded(command("score", REF, "-i", HYP, "-m", "bleu", "chrf", "ter"))
    for path in (ROOT / "src" / "truebleu").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        text = path.read_text("utf-8")
        assert "NamedTuple" not in text, name
        assert name in cold or "(Frozen" not in text, name
        if "compat" not in path.parts:  # which has the classes of its tools
            rule = "@dataclass(frozen=True, slots=True"
            assert all(one.startswith(rule) for one in re.findall(r"@dataclass\b.*", text)), name


@pytest.mark.parametrize("name", ["ray", "spark", "duckdb", "huggingface", "torchmetrics"])
def test_an_integration_imports_its_library_when_it_is_used(name):
    slow = {"ray", "pyspark", "duckdb", "torch", "torchmetrics", "pandas", "pyarrow"}
    assert not imported(f"import truebleu.integrations.{name}") & slow
