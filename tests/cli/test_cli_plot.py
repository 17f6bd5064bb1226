# SPDX-License-Identifier: Apache-2.0
"""`truebleu plot`, and files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import ROOT
from support.command import run

from truebleu import cli
from truebleu.errors import OptionError
from truebleu.text import atomic
from truebleu.text.atomic import write_whole

ENGLISH = ROOT / "examples" / "de-en"
REF = str(ENGLISH / "ref.A.txt")
SYSTEMS = [str(ENGLISH / f"hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")]

pytestmark = pytest.mark.usefixtures("folder")


def plotted(capsys, *arguments):
    """What the command prints, and what it complains of, without a process of its own."""
    code = cli.main(["plot", *arguments])
    shown = capsys.readouterr()
    assert (code, bool(shown.err)) in ((0, False), (2, True))
    return shown.out, shown.err


def test_the_installed_command_writes_a_pdf():
    done = run("plot", REF, "-i", *SYSTEMS, "-o", "figure.pdf")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"figure.pdf: n-gram precision against n\n"
    assert Path("figure.pdf").read_bytes().startswith(b"%PDF")
    assert sorted(os.listdir()) == ["figure.pdf", "hyp", "ref"]


@pytest.mark.parametrize("kind", ["precisions", "losses", "lengths", "groups", "scores"])
def test_names_are_short_and_the_look_is_as_told(kind, capsys):
    Path("labels").write_text("".join(f"group {i % 3}\n" for i in range(48)))
    by_doc = ["--by-doc", "labels"] if kind in ("groups", "scores") else []
    look = ["--width", "double", "--font", "DejaVu Sans", "--font-size", "9", "--colors", "dark"]
    plotted(capsys, REF, "-i", *SYSTEMS, "-o", "f.svg", "-k", kind, "-n", "50", *by_doc, *look)
    root = ET.parse("f.svg").getroot()
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert {"aurora", "basalt", "cinder"} <= {element.text for element in texts}
    assert {element.attrib["font-family"] for element in texts} == {"DejaVu Sans"}
    assert root.attrib["width"] == "497"


def test_another_metric(capsys):
    plotted(capsys, REF, "-i", *SYSTEMS, "-o", "f.svg", "-m", "chrf", "-k", "lengths")
    assert "chrF2" in Path("f.svg").read_text()


def test_all_dialects_with_an_option(capsys):
    plotted(capsys, REF, "-i", SYSTEMS[0], "-o", "f.svg", "-k", "dialects", "--max-order", "2")
    assert "multi-bleu" in Path("f.svg").read_text()


def test_names_can_be_given(capsys):
    plotted(capsys, REF, "-i", *SYSTEMS[:2], "-o", "f.svg", "--names", "Ours", "Theirs")
    text = Path("f.svg").read_text()
    assert ">Ours</text>" in text
    assert ">Theirs</text>" in text


def test_one_system_and_a_dialect(capsys):
    plotted(capsys, "ref", "-i", "hyp", "-o", "f.SVG", "-d", "nltk", "--max-order", "2")
    assert "n-gram precision" in Path("f.SVG").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([REF, "-i", SYSTEMS[0]], "no file to write the figure to"),
        (["-o", "f.svg"], "no reference file"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.gif"], "unknown suffix .gif; figures are written as"),
        ([REF, "-i", SYSTEMS[0], "-o", "f"], "f: no suffix; figures"),
        ([REF, "-i", SYSTEMS[0], "-o", "no/f.svg"], "no: no such folder"),
        ([REF, "-i", SYSTEMS[0], "-o", "there.svg"], "there.svg exists; use --force"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "-k", "scores"], "give at least two"),
        ([REF, "-i", *SYSTEMS[:2], "-o", "f.svg", "-k", "dialects"], "one system under all"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "-k", "dialects", "-d", "nltk"], "leave out -d"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "-m", "ter"], "is TER; this figure needs BLEU"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "-k", "groups"], "needs --by-doc"),
        ([REF, "-i", *SYSTEMS[:2], "-o", "f.svg", "--names", "A"], "1 names for 2 systems"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "--width", "wide"], "--width cannot be 'wide'"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "--width", "7"], "it must be 100 to 4000 points"),
        ([REF, "-i", SYSTEMS[0], "-o", "f.svg", "-k", "lenghts"], "did you mean lengths"),
        ([REF, "-i", "none", "-o", "f.svg"], "none"),
        ([REF, "-i", "hyp", "-o", "f.svg"], "3 lines"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_one_line(arguments, message, capsys):
    Path("there.svg").write_text("mine")
    before = sorted(os.listdir())
    out, error = plotted(capsys, *arguments)
    assert out == ""
    assert message in error
    assert error.count("\n") == 1
    assert sorted(os.listdir()) == before
    assert Path("there.svg").read_text() == "mine"


def test_force_replaces_a_file_and_keeps_its_permissions(capsys):
    Path("f.svg").write_text("mine")
    Path("f.svg").chmod(0o640)
    plotted(capsys, "ref", "-i", "hyp", "-o", "f.svg", "--force")
    assert Path("f.svg").read_text().startswith("<svg")
    assert stat.S_IMODE(Path("f.svg").stat().st_mode) == 0o640


def test_force_follows_a_link():
    Path("target").write_text("mine")
    Path("link").symlink_to("target")
    write_whole("link", b"new", force=True)
    assert Path("link").is_symlink()
    assert Path("target").read_text() == "new"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("failing", ["link", "replace", "open"])
def test_a_disk_that_fails_leaves_nothing(failing, force, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    Path("f").write_text("mine") if force else None
    before = sorted(os.listdir())
    if failing == "open":
        monkeypatch.setattr(atomic, "open", fail, raising=False)
    else:
        monkeypatch.setattr(os, failing, fail)
    if (failing, force) in (("link", True), ("replace", False)):
        write_whole("f", b"new", force=force)
        assert Path("f").read_bytes() == b"new"
        return
    with pytest.raises(OptionError, match="f cannot be written: No space left on device"):
        write_whole("f", b"new", force=force)
    assert sorted(os.listdir()) == before
    assert not force or Path("f").read_text() == "mine"


def test_a_file_that_comes_meanwhile_is_not_overwritten(monkeypatch):
    monkeypatch.setattr(atomic, "check_output", lambda *_, **__: None)
    Path("f").write_text("mine")
    with pytest.raises(OptionError, match="f exists"):
        write_whole("f", b"new")
    assert Path("f").read_text() == "mine"
    assert sorted(os.listdir()) == ["f", "hyp", "ref"]


def test_a_file_system_without_links(monkeypatch):
    def fail(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", fail)
    write_whole("f", b"new")
    assert Path("f").read_bytes() == b"new"
    assert sorted(os.listdir()) == ["f", "hyp", "ref"]


def test_a_folder_that_cannot_be_written(monkeypatch, capsys):
    Path("closed").mkdir()
    # Root may write anywhere, so the answer of the system is made up.
    monkeypatch.setattr(os, "access", lambda *_: False)
    out, error = plotted(capsys, "ref", "-i", "hyp", "-o", "closed/f.svg")
    assert (out, error) == (
        "", "truebleu: closed is not writable; name another folder for closed/f.svg\n",
    )  # fmt: skip


def test_a_folder_is_no_file(capsys):
    Path("f.svg").mkdir()
    _, error = plotted(capsys, "ref", "-i", "hyp", "-o", "f.svg", "--force")
    assert error == "truebleu: f.svg is a folder; name a file in it\n"
