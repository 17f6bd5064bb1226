# SPDX-License-Identifier: Apache-2.0
"""Results and progress on terminals and in pipes: colors, widths, control characters, Ctrl-C."""

import contextlib
import io
import json
import re
import shutil
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import BIN, run
from support.example_texts import ENGLISH, SYSTEMS
from support.terminals import Terminal, on_terminal
from support.unsafe_texts import ALL, RAW

import truebleu as tb
from truebleu import cli
from truebleu.cli.progress import Progress
from truebleu.cli.streamed import _report
from truebleu.cli.terminal import wrapped
from truebleu.text.escaping import columns

REF = ENGLISH[0]

LONG = "transformer-big-with-a-very-long-name-run-17"
WIDE = "系统二号"


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def systems(folder):
    names = [LONG, WIDE, "מערכת e\u0301te\u0301"]
    for name, source in zip(names, SYSTEMS, strict=True):
        shutil.copy(source, folder / name)
    return names


def plain(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def width(text):
    """Columns, counted another way than by the library: cell by cell."""
    return sum((not unicodedata.combining(c)) * (2 if unicodedata.east_asian_width(c) in "WF" else 1) for c in text)


def table(text):
    """The lines of the first table: head, rule and rows."""
    return plain(text).split("\n\n")[0].split("\n")


@pytest.mark.parametrize("limit", [40, 80, 120, 200])
def test_tables_fit_and_their_columns_are_straight(limit, systems):
    output = on_terminal(limit, "score", REF, "-i", *systems)
    head, rule, *rows = table(output)
    assert len(rows) == 3
    assert max(map(width, (head, rule, *rows))) <= limit
    assert ("\u2026" in head) == (limit < 80)
    assert (LONG in rows[0]) == (limit >= 120)
    assert rows[0].startswith(LONG[:4])
    assert WIDE in rows[1]
    # Below the end of the title of the second column is the end of each score.
    ends = {width(re.match(r"(.*?)  +\d+\.\d", row)[0]) for row in rows}
    assert ends == {width(head[: head.index("BLEU") + 4])}


@pytest.mark.parametrize("limit", [40, 120])
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
def test_lines_are_no_longer_than_the_terminal(command, limit, systems):
    assert systems
    lines = plain(on_terminal(limit, *command)).split("\n")
    assert len(lines) > 5
    for line in lines:
        # A word such as a signature may be longer than any line.
        assert width(line) <= limit or " " not in line.strip(), line


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_machine_formats_are_the_same_on_a_narrow_terminal(form, systems):
    command = ("compare", REF, "-i", *systems[:2], "-n", "20", "-f", form)
    assert on_terminal(40, *command) == run(*command).stdout.decode()


def test_the_variable_columns_sets_the_width(systems):
    for value, limit in (("60", 60), ("0", 10**6), ("many", 80)):
        output = on_terminal(80, "score", REF, "-i", *systems, COLUMNS=value)
        assert max(map(width, table(output))) <= limit
        assert ("\u2026" in output) == (limit < 10**6)


def test_a_terminal_without_an_ellipsis_gets_everything(systems):
    output = on_terminal(40, "score", REF, "-i", systems[0], systems[2], encoding="ascii")
    assert LONG in output
    assert "\\u0301" in output
    assert "\\u2026" not in output


@pytest.mark.parametrize(
    "command",
    [
        ("dialects",),
        ("dialects", "nltk"),
        ("self-bleu", REF),
        ("check", REF, "-i", "tab"),
        ("contrast", REF, "-i", *SYSTEMS[:2], "--segments", "0"),
        ("score", *ENGLISH, "-i", *SYSTEMS),
    ],
    ids=" ".join,
)
def test_colors_of_commands(command):
    Path("tab").write_bytes(Path(SYSTEMS[0]).read_bytes().replace(b" ", b"\t", 1))
    colored = on_terminal(0, *command)
    assert "\x1b[" in colored
    assert plain(colored) == on_terminal(0, *command, "--no-color")
    assert plain(colored) == run(*command).stdout.decode() == on_terminal(0, *command, NO_COLOR="1")


@given(st.lists(st.sampled_from(["a", "bcd", "系统", "\x1b[1mbold\x1b[0m", "x" * 50, "  "])), st.integers(30, 60))
def test_lines_are_split_at_spaces(words, limit):
    line = "  " + " ".join(words)
    pieces = wrapped(line, limit)
    assert " ".join(pieces).split() == line.split()
    for piece in pieces:
        assert columns(plain(piece)) <= limit or len(piece.split()) == 1


@pytest.fixture(scope="module")
def long_file(tmp_path_factory):
    """A file whose scored sentences are more than a pipe holds."""
    path = tmp_path_factory.mktemp("long") / "long"
    path.write_text("a b c d\n" * 3000)
    return str(path)


@pytest.mark.parametrize("command", [[BIN / "truebleu"], [sys.executable, "-m", "truebleu"]])
def test_a_broken_pipe_is_quiet(command, long_file):
    arguments = [*command, "score", long_file, "-i", long_file, "-sl", "-q"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"BLEU|")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.fixture
def _interruptible():
    """A child that is born while SIGINT is ignored, as in the background of a shell, ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
def test_an_interrupt_is_quiet():
    arguments = [BIN / "truebleu", "score", ENGLISH[0]]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # More than a pipe holds: once it is written, the command is reading.
        process.stdin.write(b"a line\n" * 100_000)
        # Python defers an interrupt that comes between two reads until the next one returns.
        for _ in range(20):
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)
                break
        else:
            process.kill()
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.returncode == 128 + signal.SIGINT


def file_name(text):
    """The text as a valid file name."""
    return text.replace("/", "\u2215").replace("\0", "")[:60]


@pytest.fixture
def attacked(folder):
    """Systems whose names and lines are attacks, and a reference."""
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
        *(["explain", ref, "-i", names[0], *how] for how in ([], ["-n", "8"], ["-f", "json"])),
        *(["diff", ref, "-i", names[1], "-b", "nltk", *how] for how in ([], ["-f", "json"])),
        ["diff", ref, "-i", names[1], "--all"],
        ["check", ref, "-i", *names],
        ["contrast", ref, "-i", *names[:2], "-n", "9", "--group-by", names[0]],
        ["check", ref, "-i", *names, "-f", "json"],
        ["reconcile", ref, ref, "-i", names[0], "--score", "99.9"],
        *(["self-bleu", *names, *how] for how in ([], ["-f", "json"])),
        ["score", ref, "-i", names[0] + "\x1b[31m"],
        ["score", "ref", "-i", names[0]],  # errors name files
        ["self-bleu", "--\x1b[31m"],
        ["\x1b[31mscore\x9b"],
    ]


@pytest.mark.usefixtures("undrawn")
def test_every_command_escapes_control_characters(attacked, capsysbinary):
    for arguments in commands(*attacked):
        code = cli.main(arguments)
        out, error = (text.decode() for text in capsysbinary.readouterr())
        assert code in ((2,) if out == "" else (0, 1)), (arguments, error)
        assert out + error
        assert RAW.search(out + error) is None, (arguments, RAW.search(out + error))


@pytest.mark.parametrize("number", [0, 11, 14, 16, 17, 18])
def test_terminals_get_no_control_sequences_except_colors(attacked, number):
    arguments = commands(*attacked)[number]
    output = on_terminal(100, *arguments)
    assert RAW.search(re.sub(r"\x1b\[(0|1|2|3[0-6]|1;3[0-6])m", "", output)) is None
    assert RAW.search(on_terminal(100, *arguments, "--no-color")) is None


def test_candidates_are_unchanged_in_a_pipe_and_escaped_on_a_terminal():
    Path("c").write_bytes(b"a \x1b[31mb\ta \x1b[31mb c\n")
    assert run("mbr", "c").stdout in (b"a \x1b[31mb\n", b"a \x1b[31mb c\n")
    assert "\x1b" not in on_terminal(80, "mbr", "c")
    assert r"a \x1b[31mb" in on_terminal(80, "mbr", "c", "-f", "tsv")


def test_json_has_the_names_unchanged(attacked, capsysbinary):
    ref, names = attacked
    cli.main(["score", ref, "-i", *names, "-f", "json"])
    entries = json.loads(capsysbinary.readouterr().out)["scores"]
    assert [entry["system"] for entry in entries] == names


def test_a_closed_stream_shows_nothing():
    closed = io.StringIO()
    closed.close()
    with Progress("searching", closed, patience=0) as draw:
        draw(0.5)


def test_a_bar_shows_on_a_terminal_and_is_cleared():
    stream = Terminal()
    with Progress("working", stream, patience=0) as draw:
        draw(0.0)
        draw(0.5)
        draw(0.5)
        draw(1.0)
    *bars, wiped, end = stream.getvalue().split("\r")[1:]
    assert bars == [f"working {'.' * 40}   0%", f"working {'#' * 20}{'.' * 20}  50%", f"working {'#' * 40} 100%"]
    assert (wiped.strip(), len(wiped) >= len(bars[0]), end) == ("", True, "")


def test_no_bar_for_quick_work_and_without_a_terminal():
    for stream, patience in ((Terminal(), 60), (io.StringIO(), 0), (None, 0)):
        with Progress("working", stream, patience) as draw:
            draw(0.5)
        assert stream is None or stream.getvalue() == ""


def test_a_bar_shows_segments_the_score_and_the_time_left(monkeypatch):
    class Tally:
        rows = 1234567

        def running(self):
            return tb.corpus_bleu(["a b c d"], ["a b c d"])

    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    terminal = Terminal()
    bar = Progress("scoring", terminal)
    output = _report(bar)
    with bar:
        output(Tally(), 0, 4_000_000_000)
        clock[0] = 10.0
        output(Tally(), 1_000_000_000, 4_000_000_000)
        drawn = terminal.getvalue()
        clock[0] = 10.05
        output(Tally(), 2_000_000_000, 4_000_000_000)
        assert terminal.getvalue() == drawn
    assert drawn == ("\rscoring ####............  25%  1,234,567 segments  BLEU 100.0  0:00:30 left")
    assert terminal.getvalue().endswith(" \r")
