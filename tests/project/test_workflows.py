# SPDX-License-Identifier: Apache-2.0
"""Workflows, issue templates and hooks."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from support.programs import output_of

BIN = Path(sys.executable).parent

WORKFLOWS = {
    path.stem: yaml.load(path.read_text(), yaml.BaseLoader)  # noqa: S506  a string stays one
    for path in (ROOT / ".github" / "workflows").glob("*.yml")
}


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", ".github/workflows/*.yml"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/[!c]*.yml"),
        ("dependabot", ".github/dependabot.yml"),
        ("citation-file-format", "CITATION.cff"),
    ],
)
def test_files_of_services_fit_their_schemas(schema, pattern):
    import check_jsonschema

    files = list(map(str, ROOT.glob(pattern)))
    assert files
    arguments = ["--builtin-schema", f"vendor.{schema}", *files]
    with pytest.raises(SystemExit) as ended:
        check_jsonschema.main(arguments)
    assert ended.value.code == 0


def test_workflows_have_no_known_weakness():
    judge = [BIN / "zizmor", "--offline", "--no-progress", "--persona", "pedantic"]
    assert "No findings" in output_of([*judge, ROOT / ".github"])


def test_scripts_name_tests_that_exist():
    scripts = [path for path in (ROOT / "scripts").iterdir() if path.is_file()]
    for script in [*scripts, ROOT / "Makefile", *(ROOT / ".github" / "workflows").iterdir()]:
        for test in re.findall(r"tests/[\w/]+\.py", script.read_text()):
            assert (ROOT / test).exists(), f"{script.name}: {test}"


def runners(flow, job):
    return set(WORKFLOWS[flow]["jobs"][job]["strategy"]["matrix"]["os"])


def test_a_change_is_tested_and_a_wheel_tried_on_every_system():
    commands = [step.get("run") for step in WORKFLOWS["ci"]["jobs"]["test"]["steps"]]
    assert {"make check", "make test", "make test-slow"} <= set(commands)
    systems = {name.partition("-")[0] for name in runners("ci", "wheel")}
    assert systems == {"ubuntu", "macos", "windows"}
    pythons = WORKFLOWS["ci"]["jobs"]["wheel"]["strategy"]["matrix"]["python"]
    assert {"3.11", "3.15", "3.15t"} <= set(pythons)
    systems = {"ubuntu-24.04", "macos-15", "windows-2025"}
    others = {"ubuntu-24.04-arm", "macos-15-intel", "windows-11-arm"}
    assert runners("release", "wheels") == systems | others


def test_commands_for_contributors_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = re.findall(r"(?m)(?:^|`)make ([a-z-]+)", (ROOT / "CONTRIBUTING.md").read_text())
    assert {"setup", "test", "check", "dist"} <= set(commands) <= targets
