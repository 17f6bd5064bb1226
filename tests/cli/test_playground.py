# SPDX-License-Identifier: Apache-2.0
"""`truebleu playground` writes a page, opens it if asked, and refuses in one line."""

import webbrowser

import pytest
from support.command import scored

from truebleu import cli


def test_the_installed_command_writes_a_page_and_prints_its_name(folder):
    assert scored("playground", "-o", "page.html") == ("page.html\n", "")
    assert (folder / "page.html").read_text("utf-8").startswith("<!doctype html>")


def test_the_page_is_opened_if_asked(folder, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    (folder / "playground.html").write_text("old")
    assert cli.main(["playground", "--force", "--open"]) == 0
    assert opened == [(folder / "playground.html").as_uri()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "hyp"), "hyp exists; use --force"),
        (("hyp",), "unexpected argument hyp; type truebleu playground"),
        (("-o", "/proc/page.html"), "/proc"),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_refusals_are_one_line_and_write_nothing(folder, capsys, arguments, message):
    assert cli.main(["playground", *arguments]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert sorted(path.name for path in folder.iterdir()) == ["hyp", "ref"]
