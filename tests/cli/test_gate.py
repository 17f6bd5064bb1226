# SPDX-License-Identifier: Apache-2.0
"""`truebleu gate`: the exit code is 1 only if a system is significantly worse."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from support.command import BIN, run, scored
from support.example_texts import ENGLISH, SYSTEMS, lines, write_lines
from support.page_blocks import PAGES, blocks_of
from support.programs import output_of

import truebleu as tb

AURORA, BASALT, CINDER = map(lines, SYSTEMS)
NEARLY = [*AURORA[:-1], "I do not know."]
FEW = "agreement with people: unknown below 200 segments"

pytestmark = pytest.mark.usefixtures("folder")


def save(path, hyps, refs=ENGLISH[0], metrics="bleu", **tags):
    Path(path).parent.mkdir(exist_ok=True)
    systems = hyps if isinstance(hyps, dict) else {"main": hyps}
    tb.save_run(path, systems, lines(refs), metrics, tags=tags)


def gate(*arguments):
    done = run("gate", "--baseline", *arguments)
    assert done.stderr == b""
    return done.returncode, done.stdout.decode().splitlines()


def test_files_are_compared():
    save("base.bleu", AURORA, metrics=["bleu", "ter"])
    save("new.bleu", NEARLY)
    code, text = gate("base.bleu", "new.bleu")
    assert code == 0
    assert text[0].startswith("no significant difference between new and base: new minus base -0.7")
    assert text[1:] == [
        "base: no TER of new",
        FEW,
        "gate passed: no system is significantly worse than base.bleu (1 comparison, level 5 %)",
    ]
    save("mean.bleu", {"x\ngate passed": BASALT, "y": BASALT})
    assert gate("base.bleu", "mean.bleu")[1][0].startswith("base is better than x\\ngate passed: ")
    save("worse.bleu", BASALT, metrics=["bleu", "ter"])
    code, text = gate("base.bleu", "worse.bleu", "new.bleu")
    assert code == 1
    assert text[0].startswith("base is better than worse: +17.1 BLEU, 95 % interval 10.5 to 23.5, ")
    assert text[2].startswith("base is better than worse: -16.9 TER")
    assert text[3:] == [
        "base: no TER of new",
        FEW,
        "gate failed: worse significantly worse than base.bleu (3 comparisons, level 5 %)",
    ]
    assert gate("worse.bleu", "base.bleu")[0] == 0  # better is good
    assert gate("base.bleu", "worse.bleu", "--alpha", "0.0001", "-n", "99")[0] == 0


def test_folders_are_compared_set_by_set():
    for name, refs in zip("xy", ENGLISH, strict=True):
        save(f"base/{name}.bleu", AURORA, refs, set=name)
        save(f"new/{name}.bleu", NEARLY, refs, set=name)
    code, text = gate("base", "new")
    assert code == 0
    assert [line[:24] for line in text[:2]] == [f"{name}: no significant differ" for name in "xy"]
    assert "between main and main (baseline): " in text[0]
    assert text[3].endswith("significantly worse than base (2 comparisons, level 5 %)")
    Path("new/y.bleu").unlink()
    assert gate("base", "new")[1][1] == "y: no BLEU"


def test_a_campaign_is_a_baseline():
    for build, systems in (("1", (AURORA, BASALT)), ("2", (BASALT, BASALT)), ("3", (CINDER,))):
        named = dict(zip("ab", systems, strict=False))
        tb.campaign([tb.TestSet("s", lines(ENGLISH[0]), named, "de-en")], save=build, resamples=9)
    code, text = gate("1", "2")
    assert (code, len(text), text[2]) == (1, 4, FEW)
    assert text[0].startswith("a (baseline) is better than a: +17.1 BLEU")
    assert text[1].startswith("no significant difference between b and b (baseline): b minus b (b")
    assert text[3].startswith("gate failed: a significantly worse than 1 (2 comparisons, ")
    assert gate("1", "3")[1][2].startswith("gate failed: a significantly worse than 1 (1 comp")


def test_settings_are_named_if_a_set_has_several():
    metrics = [tb.BLEU(tokenize=tokenize) for tokenize in ("13a", "char")]
    for name, hyps in (("a", AURORA), ("b", BASALT)):
        save(f"{name}.bleu", hyps, metrics=metrics, set="x")
    _, text = gate("a.bleu", "b.bleu")
    assert [line.partition("|tok:")[2].partition("|")[0] for line in text[:2]] == ["13a", "char"]


def test_p_values_are_those_of_compare_after_one_correction():
    save("base.bleu", AURORA, metrics=["bleu", "chrf", "ter"], set="x", pair="de-en")
    save("new.bleu", NEARLY, metrics=["bleu", "chrf", "ter"])
    flags = ("-f", "json", "-n", "2000")
    result = json.loads(run("gate", "--baseline", "base.bleu", "new.bleu", *flags).stdout)
    gated = result["pairs"]
    assert {(pair["agreement"], pair["people"]) for pair in gated} == {(None, FEW[23:])}
    assert (result["passed"], result["missing"]) == (True, [])
    assert {(pair["set"], pair["correction"]) for pair in gated} == {("x de-en", "Holm")}
    text, _ = scored("compare", "base.bleu", "new.bleu", *flags)
    compared = json.loads(text)["pairs"]
    assert [pair["p"] for pair in gated] == [pair["p"] for pair in compared]
    smallest = min(pair["p"] for pair in gated)
    assert min(pair["p_adjusted"] for pair in gated) == min(1, 3 * smallest)


def test_the_workflow_of_the_page_runs(folder):
    page = next(path for path in PAGES if path.name == "gate.md")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (text,) = (block.body for block in blocks_of(page) if block.body.startswith("name: "))
    (folder / "quality.yml").write_text(text)
    schema = ("--builtin-schema", "vendor.github-workflows", folder / "quality.yml")
    assert "ok" in output_of([BIN / "check-jsonschema", *schema])
    steps = [step["run"] for step in yaml.safe_load(text)["jobs"]["gate"]["steps"] if "run" in step]
    assert steps[0] == 'pip install "truebleu @ git+ADDRESS"'
    (baseline,) = (b.body for b in blocks_of(page) if b.body.startswith("mkdir -p baseline"))
    for hyps, code in (("aurora", 0), ("basalt", 1)):
        script = "\n".join(["set -eo pipefail", *steps[1:]]).replace("aurora", hyps)
        (folder / "new.bleu").unlink(missing_ok=True)
        done = subprocess.run(
            [shutil.which("bash"), "-c", script if code else f"{baseline}\n{script}"],
            check=False,
            env={"PATH": f"{BIN}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": "summary.md"},
        )
        assert done.returncode == code
    assert "gate failed: new significantly worse" in (folder / "summary.md").read_text()


def test_texts_are_compared_and_a_gate_may_follow_survival():
    """The new system differs from the baseline in its quotation marks only."""
    refs = [f"„Satz {i}“, sagte sie" for i in range(40)]
    marks = [ref.replace("„", '"').replace("“", '"') for ref in refs]
    write_lines({"ref.txt": refs, "base.txt": refs, "marks.txt": marks,
                 "bad.txt": refs[1:] + refs[:1]})  # fmt: skip
    options = ("--ref", "ref.txt", "-m", "bleu", "chrf")
    code, text = gate("base.txt", "marks.txt", *options)
    assert code == 1
    assert [line.split("; ")[1] for line in text[:2]] == [
        "does not survive: quotation marks written alike, +0.0 (p = 1.00)"
    ] * 2
    code, text = gate("base.txt", "marks.txt", *options, "--robust")
    assert code == 0
    assert text[3] == (
        "gate passed: no system is significantly worse than base.txt by a verdict that survives "
        "(2 comparisons, level 5 %)"
    )
    assert gate("base.txt", "marks.txt", "bad.txt", *options, "--robust")[0] == 1
