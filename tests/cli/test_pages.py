# SPDX-License-Identifier: Apache-2.0
"""`truebleu report` and `playground` write a page with what their flags say, and open it."""

import os
import shlex
import webbrowser
from html import unescape

import pytest
from support.command import scored
from support.example_texts import ENGLISH, EXAMPLES, SYSTEMS

from truebleu import cli

REF = ENGLISH[0]


@pytest.mark.parametrize("command", [("report", REF, "-i", *SYSTEMS, "-n", "200"), ("playground",)], ids=["report", ""])
def test_a_command_writes_a_page_and_prints_its_name(command, folder):
    assert scored(*command, "-o", "page.html") == ("page.html\n", "")
    assert (folder / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert sorted(os.listdir(folder)) == ["hyp", "page.html", "ref"]


@pytest.mark.usefixtures("undrawn")
def test_every_flag_reaches_the_page(folder):
    (folder / "docs").write_text("".join(f"doc{i // 6}\n" for i in range(48)))
    (folder / "kinds").write_text("".join(f"kind{i % 2}\n" for i in range(48)))
    (folder / "report.html").write_text("old")
    flags = ("--title", "A title", "--by-doc", "docs", "--group-by", "kinds", "-n", "300", "--seed",
             "7", "--alpha", "0.1", "-m", "chrf", "ter", "--chrf-word-order", "2", "-tok", "char",
             "--names", "Ours", "constructor", "__proto__", "--force",
             "--src", str(EXAMPLES / "de-en" / "source.txt"))  # fmt: skip
    assert cli.main(["report", REF, "-i", *SYSTEMS, *flags]) == 0
    page = (folder / "report.html").read_text("utf-8")
    output = (
        "<title>A title</title>", "doc7", "kind1", "300 resamples of 8 documents, seed 7",
        "90 % interval", "constructor", "chrF2++", "TER", "tok:char", "stream-source.text",
    )  # fmt: skip
    assert [text for text in output if text not in page] == []
    typed = shlex.join(["truebleu", "report", *map(os.path.basename, (REF, "-i", *SYSTEMS))])
    assert f"{typed} --title &#39;A title&#39; --by-doc docs".replace("&#39;", "'") in unescape(page)
    assert str(EXAMPLES) not in page


def test_the_page_is_opened_if_asked(folder, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    (folder / "playground.html").write_text("old")
    assert cli.main(["playground", "--force", "--open"]) == 0
    assert opened == [(folder / "playground.html").as_uri()]
