# SPDX-License-Identifier: Apache-2.0
"""`truebleu plot` writes figures with names and a look, and refuses in one line."""

import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.command import run
from support.example_texts import ENGLISH, SYSTEMS

from truebleu import cli

REF = ENGLISH[0]

pytestmark = pytest.mark.usefixtures("folder")


def plotted(capsys, *arguments):
    """What the command prints, and its error, in this process."""
    code = cli.main(["plot", *arguments])
    output = capsys.readouterr()
    assert (code, bool(output.err)) in ((0, False), (2, True))
    return output.out, output.err


def test_the_installed_command_writes_a_pdf():
    for name in ("json", "vl_convert", "truebleu", "sitecustomize"):  # are not imported from here
        Path(f"{name}.py").write_text(f"raise SystemExit('{name} of this folder')")
    before = set(os.listdir())
    done = run("plot", REF, "-i", *SYSTEMS, "-o", "figure.pdf")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"figure.pdf: n-gram precision against n\n"
    assert Path("figure.pdf").read_bytes().startswith(b"%PDF")
    assert set(os.listdir()) - before == {"figure.pdf"}


@pytest.mark.parametrize("kind", ["precisions", "groups", "scores"])
def test_names_are_short_and_the_look_is_set(kind, capsys):
    Path("labels").write_text("".join(f"group {i % 3}\n" for i in range(48)))
    by_doc = [] if kind == "precisions" else ["--by-doc", "labels"]
    look = ["--width", "double", "--font", "DejaVu Sans", "--font-size", "9", "--colors", "dark"]
    plotted(capsys, REF, "-i", *SYSTEMS, "-o", "f.svg", "-k", kind, "-n", "50", *by_doc, *look)
    root = ET.parse("f.svg").getroot()
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert {"aurora", "basalt", "cinder"} <= {element.text for element in texts}
    assert {element.attrib["font-family"] for element in texts} == {"DejaVu Sans"}
    assert root.attrib["width"] == "497"


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["-i", *SYSTEMS, "-m", "chrf", "-k", "lengths"], "chrF2"),
        (["-i", SYSTEMS[0], "-k", "dialects", "--max-order", "2"], "multi-bleu"),
        (["-i", *SYSTEMS[:2], "--names", "Ours", "constructor"], ">constructor</text>"),
        (["-i", *SYSTEMS, "-k", "difference", "-n", "50", "--baseline", "basalt"], "aurora \N{MINUS SIGN} basalt"),
        (["-i", *SYSTEMS[::-1], "-k", "scores", "-n", "50", "--given-order"], "cinder"),
        (["-i", SYSTEMS[0], "-d", "nltk", "--max-order", "2", "--width", "300"], 'width="300"'),
    ],
)
def test_flags_reach_the_figure(arguments, output, capsys):
    plotted(capsys, REF, *arguments, "-o", "f.SVG")
    assert output in Path("f.SVG").read_text()
