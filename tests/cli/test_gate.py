# SPDX-License-Identifier: Apache-2.0
"""`truebleu gate`: the exit code is 1 only if a system is significantly worse."""

import json

import pytest
from support.command import refusal, run, truebleu
from support.example_texts import ENGLISH, SYSTEMS, lines

import truebleu as tb

AURORA, BASALT, _ = SYSTEMS
GATE = ("gate", "--ledger", "runs.db", "--baseline")

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def ledger(folder):
    """The release and a nightly build that differs in one segment, on two test sets."""
    with tb.Ledger(folder / "runs.db") as ledger:
        for name, refs in zip("xy", ENGLISH, strict=True):
            nearly = [*lines(AURORA)[:-1], "I do not know."]
            for build, hyps in (("1.0", lines(AURORA)), ("nightly", nearly)):
                ledger.log(hyps, lines(refs), name="main", tags={"build": build, "set": name})
        yield ledger


def gate(*arguments):
    done = run(*GATE, *arguments)
    assert done.stderr == b""
    return done.returncode, done.stdout.decode().splitlines()


def test_settings_are_named_if_a_set_has_several():
    with tb.Ledger("runs.db") as ledger:
        for name in (AURORA, BASALT):
            for tokenize in ("13a", "char"):
                bleu = tb.BLEU(tokenize=tokenize)
                ledger.log(lines(name), lines(ENGLISH[0]), bleu, name=name, tags={"set": "x"})
    _, text = gate(AURORA)
    assert [line.partition("|tok:")[2].partition("|")[0] for line in text[:2]] == ["13a", "char"]


def test_a_difference_by_chance_passes(ledger):
    code, text = gate("build=1.0")
    assert code == 0
    assert text[0].startswith("set=x: no significant difference between main build=nightly and ")
    assert text[-1] == (
        "gate passed: no system is significantly worse than build=1.0 (2 comparisons, level 5 %)"
    )
    ledger.log(lines(BASALT), lines(ENGLISH[0]), name="main", tags={"build": 2, "set": "x"})
    code, text = gate("build=1.0", "build=2")
    assert code == 1
    assert text[0].startswith("main build=1.0 is better than main build=2: +17.1 BLEU, 95 % inter")
    assert text[1:] == [
        "build=1.0 set=y: no BLEU of main",
        "gate failed: main build=2 significantly worse than build=1.0 (1 comparison, level 5 %)",
    ]
    assert gate("build=2", "build=1.0")[0] == 0  # better is good
    assert gate("build=1.0", "build=2", "--alpha", "0.0001", "-n", "99")[0] == 0


def test_a_lower_ter_is_better(ledger):
    for name, path in (("a", AURORA), ("b", BASALT)):
        ledger.log(lines(path), lines(ENGLISH[0]), "ter", name=name)
    assert gate("a", "b")[0] == 1
    assert gate("b", "a")[0] == 0


def test_each_system_has_its_own_baseline(ledger):
    refs = lines(ENGLISH[0])
    for build, (a, b) in (("1", (AURORA, BASALT)), ("2", (AURORA, BASALT)), ("3", SYSTEMS[1:])):
        for name, path in (("a", a), ("b", b)):
            ledger.log(lines(path), refs, name=name, tags={"v": build})
    assert gate("v=1", "v=2")[0] == 0
    code, text = gate("v=1", "v=3")
    assert (code, len(text)) == (1, 3)
    assert [line[:14] for line in text[:2]] == ["a v=1 is bette", "b v=1 is bette"]
    assert text[2].startswith("gate failed: a v=3, b v=3 significantly worse than v=1 (2 comp")
    message = refusal(*GATE, "v=1", "build=nightly")
    assert message.endswith("none of the names of the others; select one, as in name=a,v=1")


def test_json_has_the_pairs(ledger):
    ledger.log(lines(BASALT), lines(ENGLISH[0]), name="main", tags={"build": "2"})
    done = run(*GATE, "build=1.0", "-f", "json")
    result = json.loads(done.stdout)
    # Of each system, the last scored run counts.
    assert (done.returncode, result["passed"], len(result["pairs"])) == (1, False, 2)
    assert [pair["correction"] for pair in result["pairs"]] == ["Holm", "Holm"]


@pytest.mark.usefixtures("ledger")
def test_refusals():
    assert refusal("gate", "--ledger", "runs.db").startswith("no baseline; name a run")
    assert refusal(*GATE, "build=3").startswith("no run is 'build=3'")
    assert refusal(*GATE, "main").startswith("none of these runs have the same references")
    truebleu("score", "ref", "-i", "hyp", "--ledger", "runs.db")
    assert refusal(*GATE, "build=1.0", "hyp").startswith("none of these runs have the same")
    assert refusal(*GATE, "build=1.0", "--test", "t-test").startswith("--test cannot be 't-test'")
