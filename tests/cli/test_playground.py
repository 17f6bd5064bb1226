# SPDX-License-Identifier: Apache-2.0
"""`truebleu playground` writes a page, opens it if asked, and refuses in one line."""

import webbrowser

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
