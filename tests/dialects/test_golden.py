# SPDX-License-Identifier: Apache-2.0
"""One suite of cases for the specification, the kernel and the command line."""

import json
import math
import tomllib
from itertools import chain

import pytest
from conftest import ROOT
from support.command import in_process

from truebleu import BLEU, dialect, spec
from truebleu._core import simd_levels
from truebleu.dialects.decisions import OPTIONS

GOLDEN = ROOT / "tests" / "golden"
CASES = [
    case
    for path in sorted(GOLDEN.glob("*.toml"))
    for case in tomllib.loads(path.read_text())["case"]
]
#: sacreBLEU's cases, and of each other dialect one.
FOR_COMMAND = [
    case
    for i, case in enumerate(CASES)
    if case["dialect"] == "sacrebleu" or CASES[i - 1]["dialect"] != case["dialect"]
]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])


def dialect_of(case):
    return dialect(case["dialect"], **case["options"])


def expected(case):
    """The score, which without a tolerance has to be met to the last bit."""
    return pytest.approx(case["score"], rel=case.get("tolerance", 0), abs=0, nan_ok=True)


def references_of(case):
    return [[None if ref == "<absent>" else ref for ref in row] for row in case["refs"]]


def test_names_of_cases_are_unique():
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names)


@each_case
def test_the_specification_reproduces(case):
    refs = [[ref for ref in row if ref is not None] for row in references_of(case)]
    rows = [
        spec.segment_stats(dialect_of(case), hyp, row)
        for hyp, row in zip(case["hyps"], refs, strict=True)
    ]
    assert spec.aggregate(rows) == case["stats"]
    order = dialect_of(case).count.max_ngram_order
    assert spec.combine(dialect_of(case).combine, case["stats"], order) == expected(case)


@each_case
def test_the_kernel_reproduces(case, monkeypatch):
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        score = BLEU(dialect_of(case)).corpus(case["hyps"], references_of(case))
        assert (list(score.stats[0]), score.value) == (case["stats"], expected(case)), level


def fits_files(case):
    """Whether files can hold the texts: no absent segment, no line feed, some text."""
    texts = [*case["hyps"], *chain(*case["refs"])]
    is_table = len({len(row) for row in case["refs"]}) == 1 and "<absent>" not in texts
    return is_table and not any("\n" in text for text in texts) and case["hyps"] != [""]


@pytest.mark.parametrize(
    "case", [case for case in FOR_COMMAND if fits_files(case)], ids=lambda case: case["name"]
)
def test_the_command_line_reproduces(case, tmp_path):
    refs = references_of(case)
    columns = [case["hyps"], *zip(*refs, strict=True)]
    paths = []
    for i, column in enumerate(columns):
        path = tmp_path / f"{i}.txt"
        path.write_bytes("".join(f"{line}\n" for line in column).encode())
        paths.append(str(path))
    options = case["options"]
    flags = [part for name, value in options.items() for part in flag_of(name, value)]
    command = ["score", *paths[1:], "-i", paths[0], "-f", "json", "--dialect", case["dialect"]]
    done = in_process(*command, *flags)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    counts = [printed["hyp_len"], printed["ref_len"], *printed["matches"], *printed["totals"]]
    assert counts == case["stats"]
    value = math.nan if printed["value"] is None else printed["value"]
    assert value == expected(case)


def flag_of(name, value):
    flag = "--" + name.replace("_", "-")
    return [flag] if OPTIONS[name].kind is bool else [flag, str(value)]
