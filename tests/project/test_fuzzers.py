# SPDX-License-Identifier: Apache-2.0
"""The fuzzers of the public API and the command line, for a few seconds. See docs/hardening.md."""

from __future__ import annotations

import ast
import math
from importlib import import_module

import pytest
from conftest import ROOT
from support import fuzz_api, fuzzed_calls

import truebleu


def test_every_public_name_is_called_or_a_result():
    assert set(fuzzed_calls.ENTRIES) | fuzzed_calls.RESULTS == set(truebleu.__all__)


# The same steps on machines of any speed; others when there is time.
@pytest.mark.parametrize(
    "limits", [(math.inf, 0, 1_999), pytest.param((120, 1_000_000), marks=pytest.mark.slow)]
)
def test_calls_and_commands_of_any_kind_end_well(limits):
    ended, faults = fuzz_api.fuzz(*limits)
    assert not faults, faults[0]
    assert ended


def test_the_fuzzer_of_parsers_finds_what_it_imports():
    # Atheris is not where the tests run, so that nobody else would notice.
    tree = ast.parse((ROOT / "tests" / "fuzz_parsers.py").read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if node.module.split(".")[0] == "truebleu"]
    assert len(ours) > 5
    for node in ours:
        module = import_module(node.module)
        assert all(hasattr(module, alias.name) for alias in node.names), node.module
