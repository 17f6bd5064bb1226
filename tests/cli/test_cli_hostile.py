# SPDX-License-Identifier: Apache-2.0
"""Hostile file names and segments: shown as text by every command and in every format."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from support.command import run
from support.hostile import ATTACKS
from support.terminals import on_terminal

from truebleu import cli
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text

pytestmark = pytest.mark.usefixtures("folder")

ALL = list(ATTACKS.values())

#: What no output may hold: control characters but line feeds and tabs, and what turns text around.
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def file_name(text):
    """The text as a file may be named."""
    return text.replace("/", "\u2215").replace("\0", "")[:60]


@pytest.fixture
def attacked(folder):
    """Systems that are named by attacks and hold them, and a reference."""
    texts = [text.replace("\n", " ").replace("\ud800", "") for text in ALL]
    lines = [f"{text} a b c d" for text in texts]
    (folder / "R\x1b[2J").write_text("\n".join(f"a b c d {text}" for text in texts) + "\n")
    names = []
    for i, text in enumerate(ALL[:10:3]):
        name = f"S{file_name(text)}".encode(errors="ignore").decode()
        Path(name).write_text("\n".join(lines[i:] + lines[:i]) + "\n")
        names.append(name)
    assert len(set(names)) == 4
    return "R\x1b[2J", names


def commands(ref, names):
    score = ["score", ref, "-i", *names]
    compare = ["compare", ref, "-i", *names[:3], "-n", "20"]
    formats = [[], ["-f", "tsv"], ["-f", "latex"], ["-f", "markdown"], ["-f", "json"]]
    return [
        *([*score, *how] for how in formats),
        *([*compare, *how] for how in formats),
        [*score, "-m", "bleu", "chrf"],
        ["explain", ref, "-i", names[0]],
        ["explain", ref, "-i", names[0], "-n", "8"],
        ["explain", ref, "-i", names[0], "-f", "json"],
        ["diff", ref, "-i", names[1], "-b", "nltk"],
        ["diff", ref, "-i", names[1], "-b", "nltk", "-f", "json"],
        ["diff", ref, "-i", names[1], "--all"],
        ["check", ref, "-i", *names],
        ["check", ref, "-i", *names, "-f", "json"],
        ["reconcile", ref, ref, "-i", names[0], "--score", "99.9"],
        ["self-bleu", *names],
        ["self-bleu", *names, "-f", "json"],
        # Mistakes, whose messages name files.
        ["score", ref, "-i", names[0] + "\x1b[31m"],
        ["score", "ref", "-i", names[0]],
        ["self-bleu", "--\x1b[31m"],
    ]


def test_every_command_shows_what_would_be_obeyed(attacked, capsysbinary):
    for arguments in commands(*attacked):
        code = cli.main(arguments)
        out, error = (text.decode() for text in capsysbinary.readouterr())
        assert code in (0, 1, 2), arguments
        assert out + error
        assert RAW.search(out + error) is None, (arguments, RAW.search(out + error))


@pytest.mark.parametrize("number", [0, 11, 14, 16, 17])
def test_a_terminal_gets_no_command_but_colors(attacked, number):
    arguments = commands(*attacked)[number]
    shown = on_terminal(100, *arguments)
    assert RAW.search(re.sub(r"\x1b\[(0|1|2|3[0-6]|1;3[0-6])m", "", shown)) is None
    assert RAW.search(on_terminal(100, *arguments, "--no-color")) is None


def test_candidates_are_data_in_a_pipe_and_shown_on_a_terminal():
    Path("c").write_bytes(b"a \x1b[31mb\ta \x1b[31mb c\n")
    assert run("mbr", "c").stdout in (b"a \x1b[31mb\n", b"a \x1b[31mb c\n")
    assert "\x1b" not in on_terminal(80, "mbr", "c")
    assert r"a \x1b[31mb" in on_terminal(80, "mbr", "c", "-f", "tsv")


def test_json_gives_the_names_back(attacked, capsysbinary):
    ref, names = attacked
    cli.main(["score", ref, "-i", *names, "-f", "json"])
    entries = json.loads(capsysbinary.readouterr().out)
    assert [entry["system"] for entry in entries] == names


@given(st.text(max_size=12))
def test_json_is_the_same_json_and_visible(text):
    shown = json_text({"text": text})
    assert json.loads(shown) == {"text": text}
    assert RAW.search(shown) is None


# Tables for papers and pages, judged by a reader of the format.

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def in_markdown(cells):
    """The cells of a Markdown table as a page would show them; fails if one is more than text."""
    tokens = MARKDOWN.parse("\n".join(tables.markdown([["head"] * len(cells), cells])))
    assert {token.type for token in tokens} <= {
        f"{name}_{end}" for name in ("table", "thead", "tbody", "tr", "th", "td")
        for end in ("open", "close")
    } | {"inline"}  # fmt: skip
    inner = [token for token in tokens if token.type == "inline"]
    for token in inner:
        assert {child.type for child in token.children} <= {"text", "text_special"}
    return [token.content and "".join(c.content for c in token.children) for token in inner]


@pytest.mark.parametrize("attack", ALL, ids=list(ATTACKS))
def test_markdown_shows_text(attack):
    assert in_markdown([attack, "b"]) == ["head", "head", visible(attack), "b"]
    assert in_markdown(["a", attack]) == ["head", "head", "a", visible(attack)]


@given(st.text(alphabet="ab \\|`*_[]()<>&!~$#@:/.-+\n", max_size=12))
def test_markdown_shows_any_text(text):
    assert in_markdown(["a", text + "."])[3].split() == (visible(text) + ".").split()


def test_links_are_none():
    line = tables.markdown([["a"], ["http://example.org www.example.org a@example.org"]])[2]
    assert line == "| http&#58;//example.org www&#46;example.org a&#64;example.org |"


def read_latex(cell):
    """What LaTeX prints for a cell; fails at anything that is a command of its own."""
    known = {
        r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^",
        r"\textbar{}": "|", r"\textless{}": "<", r"\textgreater{}": ">", r"\textquotedbl{}": '"',
        r"\textasciigrave{}": "`", r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_",
        r"\{": "{", r"\}": "}", "{[}": "[", "{]}": "]", "{*}": "*",
    }  # fmt: skip
    parts = re.split("(" + "|".join(map(re.escape, known)) + ")", cell)
    assert not set('\\&%$#_{}~^|<>"`[]*\n') & set("".join(parts[::2]))
    return "".join(known.get(part, part) for part in parts)


@pytest.mark.parametrize("attack", ALL, ids=list(ATTACKS))
def test_latex_prints_text(attack):
    *_, line, _, _ = tables.latex([["a", "b"], [attack, "x"]])
    name, x = line.removesuffix(r" \\").split(" & ")
    assert (read_latex(name), x) == (visible(attack), "x")
    comment = tables.latex_comment(attack)
    assert comment.startswith("% ")
    assert len(comment.splitlines()) == 1


@given(st.text(max_size=12))
def test_any_text_is_one_cell_of_a_line(text):
    for lines in (tables.tsv([["a", "b"], [text, "x"]]), tables.latex([["a", "b"], [text, "x"]])):
        assert all(len(line.splitlines()) == 1 for line in lines)
        assert RAW.search("".join(lines)) is None
    assert tables.tsv([[text, "x"]])[0].count("\t") == 1
    assert read_latex(tables.latex([["a"], [text]])[4].removesuffix(r" \\")) == visible(text)


def test_a_message_about_an_unknown_command_is_visible(capsys):
    assert cli.main(["\x1b[31mscore\x9b"]) == 2
    assert RAW.search(capsys.readouterr().err) is None
