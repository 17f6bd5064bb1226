# SPDX-License-Identifier: Apache-2.0
"""Text for terminals of any width: tables that fit, lines that break at blanks, sparklines."""

from __future__ import annotations

import io
import re
import shutil
import time
import unicodedata

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from support.command import run
from support.terminals import on_terminal

from truebleu.cli.progress import Progress
from truebleu.cli.terminal import wrapped
from truebleu.metrics.formats import sparkline
from truebleu.text import tables
from truebleu.text.escaping import columns, shortened, visible

ENGLISH = ROOT / "examples" / "de-en"
REF = str(ENGLISH / "ref.A.txt")
LONG = "transformer-big-with-a-very-long-name-run-17"
WIDE = "系统二号"

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def systems(folder):
    for name, source in ((LONG, "aurora"), (WIDE, "basalt"), ("e\u0301te\u0301", "cinder")):
        shutil.copy(ENGLISH / f"hyp.{source}.txt", folder / name)
    return [LONG, WIDE, "e\u0301te\u0301"]


def plain(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def width(text):
    """Columns, counted another way than by the library: cell by cell."""
    return sum(
        (not unicodedata.combining(c)) * (2 if unicodedata.east_asian_width(c) in "WF" else 1)
        for c in text
    )


def table(text):
    """The lines of the first table: head, rule and rows."""
    return plain(text).split("\n\n")[0].split("\n")


@pytest.mark.parametrize("room", [40, 80, 120, 200])
def test_tables_fit_and_their_columns_are_straight(room, systems):
    shown = on_terminal(room, "score", REF, "-i", *systems)
    head, rule, *rows = table(shown)
    assert len(rows) == 3
    assert max(map(width, (head, rule, *rows))) <= room
    assert ("\u2026" in head) == (room < 80)
    assert (LONG in rows[0]) == (room >= 120)
    assert rows[0].startswith(LONG[:4])
    assert WIDE in rows[1]
    # Below the end of the title of the second column is the end of each score.
    ends = {width(re.match(r"(.*?)  +\d+\.\d", row)[0]) for row in rows}
    assert ends == {width(head[: head.index("BLEU") + 4])}
    sparks = [line.rpartition(" ")[2] for line in rows]
    assert all(set(s) <= set("▁▂▃▄▅▆▇█") for s in sparks) == (room >= 120)


@pytest.mark.parametrize("room", [40, 120])
@pytest.mark.parametrize(
    "command",
    [
        ("compare", REF, "-i", LONG, WIDE, "-n", "20"),
        ("diff", REF, "-i", WIDE, "-b", "nltk"),
        ("diff", REF, "-i", WIDE, "--all"),
        ("explain", REF, "-i", WIDE, "-n", "2", "--no-color"),
    ],
    ids=lambda command: f"{command[0]}-{command[-1]}",
)
def test_lines_are_no_longer_than_the_terminal(command, room, systems):
    assert systems
    lines = plain(on_terminal(room, *command)).split("\n")
    assert len(lines) > 5
    for line in lines:
        # A word such as a signature may be longer than any line.
        assert width(line) <= room or " " not in line.strip(), line


def test_tokens_stand_above_their_numbers_on_a_narrow_terminal(systems):
    lines = on_terminal(50, "explain", REF, "-i", systems[0], "-n", "1", "--no-color").split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("  hypothesis"))
    end = next(i for i, line in enumerate(lines) if line.startswith("2. n-grams"))
    words = " ".join(lines[start:end:2]).split()
    assert len(lines[start : end - 1]) > 6
    assert "hypothesis" in words
    for above, below in zip(
        lines[start : end - 1 : 2], lines[start + 1 : end - 1 : 2], strict=True
    ):
        starts = [found.start() for found in re.finditer(r"\S+", below)]
        assert all(above[at] != " " and above[at - 1] == " " for at in starts)


def test_a_pipe_gets_everything(systems):
    shown = run("score", REF, "-i", *systems).stdout.decode()
    assert LONG in shown
    assert "\u2026" not in shown
    assert not set("▁▂▃▄▅▆▇█") & set(shown)


@pytest.mark.parametrize("form", ["json", "tsv", "latex", "markdown"])
def test_machine_formats_are_the_same_on_a_narrow_terminal(form, systems):
    command = ("compare", REF, "-i", *systems[:2], "-n", "20", "-f", form)
    assert on_terminal(40, *command) == run(*command).stdout.decode()


def test_columns_can_be_told(systems):
    for told, room in (("60", 60), ("0", 10**6), ("many", 80)):
        shown = on_terminal(80, "score", REF, "-i", *systems, COLUMNS=told)
        assert max(map(width, table(shown))) <= room
        assert ("\u2026" in shown) == (room < 10**6)


def test_a_terminal_without_an_ellipsis_gets_everything(systems):
    shown = on_terminal(40, "score", REF, "-i", systems[0], systems[2], PYTHONIOENCODING="ascii")
    assert LONG in shown
    assert "\\u0301" in shown
    assert "\\u2026" not in shown


@pytest.mark.parametrize("command", ["mbr", "self-bleu", "dialects", "score", "plot"])
def test_every_command_can_be_told_to_have_no_colors(command):
    assert "--no-color" in run(command, "--help-all").stdout.decode()


@pytest.mark.parametrize("command", [("dialects",), ("dialects", "nltk"), ("self-bleu", REF)])
def test_colors_of_small_commands(command):
    colored = on_terminal(0, *command)
    assert "\x1b[1m" in colored
    assert plain(colored) == on_terminal(0, *command, "--no-color")
    assert plain(colored) == run(*command).stdout.decode()


# The parts.

TEXTS = st.text(max_size=30).map(visible)


@given(TEXTS, st.integers(0, 40))
def test_a_short_text_has_both_ends_of_the_long_one(text, most):
    short = shortened(text, most)
    assert columns(short) <= most
    if columns(text) <= most:
        assert short == text
    elif most > 0:
        start, ellipsis, end = short.partition("\u2026")
        assert ellipsis
        assert text.startswith(start)
        assert text.endswith(end)
        # One more character of either end would not fit, nor be as wide as two may be.
        assert columns(short) >= most - 3


@given(st.lists(st.tuples(TEXTS, st.integers(0, 10**6), st.integers(0, 9)), min_size=1),
       st.integers(14, 60))  # fmt: skip
def test_a_table_fits_wherever_its_first_columns_do(rows, room):
    cells = [["name", "score", "n"], *([name, str(one), str(n)] for name, one, n in rows)]
    found = tables.padded(cells, room)
    lines = ["  ".join(row) for row in found]
    assert len({columns(line) for line in lines}) == 1
    needed = min(8, max(columns(row[0]) for row in cells)) + 2 + max(len(r[1]) for r in cells)
    assert columns(lines[0]) <= max(room, needed + 3)
    full = tables.padded(cells)
    if columns("  ".join(full[0])) <= room:
        assert found == full


@given(st.lists(st.sampled_from(["a", "bcd", "系统", "\x1b[1mbold\x1b[0m", "x" * 50, "  "])),
       st.integers(30, 60))  # fmt: skip
def test_lines_are_broken_at_blanks_alone(words, room):
    line = "  " + " ".join(words)
    pieces = wrapped(line, room)
    assert " ".join(pieces).split() == line.split()
    for piece in pieces:
        assert columns(plain(piece)) <= room or len(piece.split()) == 1


def test_sparklines():
    assert sparkline([100, 50, 25, 1e-9, 0]) == "█▄▂▁ "
    assert sparkline([float("-1"), 120]) == " █"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_seconds_show_until_a_share_is_told():
    stream = Terminal()
    with Progress("searching", stream, patience=0) as draw:
        time.sleep(0.6)
        draw(0.5)
    _, *seconds, bar, wiped, end = stream.getvalue().split("\r")
    assert seconds
    assert all(re.fullmatch(r"searching \d+ s", text) for text in seconds)
    assert bar == f"searching {'#' * 20}{'.' * 20}  50%"
    # The carriage return before the bar is counted with it.
    assert (wiped.strip(), len(wiped), end) == ("", len(bar) + 1, "")


def test_nothing_is_drawn_where_nobody_looks():
    closed = io.StringIO()
    closed.close()
    with Progress("searching", closed, patience=0) as draw:
        draw(0.5)
