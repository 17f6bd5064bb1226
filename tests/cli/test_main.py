# SPDX-License-Identifier: Apache-2.0
"""What all commands have in common: errors that nobody foresaw, and closed streams."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.command import COMMAND, in_process, refusal, truebleu
from support.tables import COLUMNS

from truebleu.cli import explain

pytestmark = pytest.mark.usefixtures("folder")


def test_an_unforeseen_error_is_one_line(monkeypatch):
    class Panic(BaseException):
        """As the panics of libraries in Rust."""

    for kind in (ZeroDivisionError, Panic):

        def fail(*_, kind=kind):
            raise kind("of\nby 0")

        monkeypatch.setattr(explain, "run", fail)
        message = refusal("explain", "ref", "-i", "hyp")
        assert message.startswith(f"internal error: {kind.__name__}: of by 0 (tests.cli.test_main:")
        assert message.endswith("please report it with the command")
    monkeypatch.setitem(sys.modules, "truebleu.cli.explain", None)
    assert refusal("explain", "ref", "-i", "hyp").endswith("memory and threads, or install truebleu again")


@pytest.mark.parametrize("command", ["plot ref -i hyp -o f.svg", "report ref -i hyp -o f.html"])
def test_figures_without_files_to_open_are_refused(command):
    done = _in_shell(command, before="exec 2>&1; ulimit -n 10;")
    assert done.returncode == 2
    assert b"needs to open 16 files; raise `ulimit -n`\n" in done.stdout
    assert done.stdout.count(b"\n") == 1


def test_a_closed_standard_error_does_not_change_standard_output():
    whole = truebleu("score", "ref", "-i", "hyp", "-f", "json")
    for closed in ("2>&-", "0<&-"):
        done = _in_shell(f"score ref -i hyp -f json {closed}")
        assert (done.returncode, done.stdout) == (0, whole)
    assert _in_shell("plot ref -i hyp -o figure.svg 0<&-").returncode == 0
    done = _in_shell("score no -i hyp 2>&-")
    assert (done.returncode, done.stdout) == (2, b"")


def _in_shell(command, before=""):
    arguments = ["/bin/sh", "-c", f"{before} {COMMAND} {command}"]
    return subprocess.run(arguments, check=False, stdout=subprocess.PIPE)


def test_the_name_of_a_column_is_made_visible():
    rows = "a\u202e\x1b[1m\tmt\tref\nx\ta b\ta b\n"
    Path("t.tsv").write_text(rows)
    name = rows.partition("\t")[0]
    done = in_process("score", "t.tsv", *COLUMNS, "--group-by", name, "-f", "tsv")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert "\u202e".encode() not in done.stdout
