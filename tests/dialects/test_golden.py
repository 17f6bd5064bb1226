# SPDX-License-Identifier: Apache-2.0
"""One suite of cases for the specification, the kernel and the command line."""

import json
import math
import tomllib
from itertools import chain

import pytest
from conftest import ROOT
from support.command import in_process
from support.example_texts import write_lines

from truebleu import BLEU, DIALECTS, dialect, spec
from truebleu._core import simd_levels
from truebleu.dialects.decisions import OPTIONS

GOLDEN = ROOT / "tests" / "golden"
CASES = [case for path in sorted(GOLDEN.glob("*.toml")) for case in tomllib.loads(path.read_text())["case"]]
#: sacreBLEU's cases, and of each other dialect one.
FOR_COMMAND = [
    case for i, case in enumerate(CASES) if case["dialect"] == "sacrebleu" or CASES[i - 1]["dialect"] != case["dialect"]
]


def wrong(check, cases=CASES):
    """The names of the cases that a check refuses, each with what it computes instead."""
    results = ((case["name"], check(case)) for case in cases)
    return [result for result in results if result[1] is not None]


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


def test_a_row_that_contradicts_the_paper_differs_from_the_row_to_use_instead():
    corpora = {str([case["hyps"], case["refs"]]): (case["hyps"], references_of(case)) for case in CASES}.values()

    def percents(name):
        bleu = BLEU(name)
        return [bleu.corpus(*corpus).value * 100 / bleu.scale for corpus in corpora]

    for name, row in DIALECTS.items():
        assert not row.fixed or percents(name) != pytest.approx(percents(row.fixed), abs=1, nan_ok=True), name


def test_the_specification_reproduces_each_case():
    def check(case):
        refs = [[ref for ref in row if ref is not None] for row in references_of(case)]
        pairs = zip(case["hyps"], refs, strict=True)
        stats = spec.aggregate([spec.segment_stats(dialect_of(case), *pair) for pair in pairs])
        order = dialect_of(case).count.max_ngram_order
        score = spec.combine(dialect_of(case).combine, case["stats"], order)
        return None if (stats, score) == (case["stats"], expected(case)) else (stats, score)

    assert wrong(check) == []


@pytest.mark.parametrize("level", simd_levels())
def test_the_kernel_reproduces_each_case(level, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", level)

    def check(case):
        score = BLEU(dialect_of(case)).corpus(case["hyps"], references_of(case))
        result = list(score.stats[0]), score.value
        return None if result == (case["stats"], expected(case)) else result

    assert wrong(check) == []


def fits_files(case):
    """Whether files can hold the texts: no absent segment, no line feed, some text."""
    texts = [*case["hyps"], *chain(*case["refs"])]
    is_table = len({len(row) for row in case["refs"]}) == 1 and "<absent>" not in texts
    return is_table and not any("\n" in text for text in texts) and case["hyps"] != [""]


def test_the_command_line_reproduces_each_case(tmp_path):
    def check(case):
        columns = [case["hyps"], *zip(*references_of(case), strict=True)]
        paths = [tmp_path / f"{i}.txt" for i in range(len(columns))]
        write_lines(dict(zip(paths, columns, strict=True)))
        flags = [part for option in case["options"].items() for part in flag_of(*option)]
        command = ["score", *paths[1:], "-i", paths[0], "-f", "json", "--dialect", case["dialect"]]
        done = in_process(*command, *flags)
        if done.returncode:
            return done.stderr
        score = json.loads(done.stdout)
        counts = [score["hyp_len"], score["ref_len"], *score["matches"], *score["totals"]]
        result = counts, math.nan if score["value"] is None else score["value"]
        return None if result == (case["stats"], expected(case)) else result

    assert wrong(check, filter(fits_files, FOR_COMMAND)) == []


def flag_of(name, value):
    flag = "--" + name.replace("_", "-")
    return [flag] if OPTIONS[name].kind is bool else [flag, str(value)]


#: Numbers that tools gave which cannot be installed here.
CENSUS = json.loads((ROOT / "tests" / "golden" / "census.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("tool", CENSUS["tools"], ids=lambda tool: " ".join([tool["dialect"], *tool["options"]]))
def test_a_row_gives_the_numbers_of_its_tool(tool):
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in tool["options"].items()}
    bleu = BLEU(tool["dialect"], **options)
    assert len(tool["scores"]) >= 300
    for corpus, score in zip(CENSUS["corpora"], tool["scores"], strict=False):
        if score is not None:
            near = pytest.approx(score, rel=tool.get("rel", 0), abs=tool.get("abs", 0), nan_ok=True)
            assert bleu.corpus(*corpus).value == near, corpus
