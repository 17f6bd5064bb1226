# SPDX-License-Identifier: Apache-2.0
"""The progress bar on standard error."""

import io

from support.terminals import Terminal

import truebleu as tb
from truebleu.cli.progress import Progress
from truebleu.cli.streamed import _Report


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
    assert bars == [
        f"working {'.' * 40}   0%",
        f"working {'#' * 20}{'.' * 20}  50%",
        f"working {'#' * 40} 100%",
    ]
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
    output = _Report(bar)
    with bar:
        output(Tally(), 0, 4_000_000_000)
        clock[0] = 10.0
        output(Tally(), 1_000_000_000, 4_000_000_000)
        drawn = terminal.getvalue()
        clock[0] = 10.05
        output(Tally(), 2_000_000_000, 4_000_000_000)
        assert terminal.getvalue() == drawn
    assert drawn == (
        "\rscoring ####............  25%  1,234,567 segments  BLEU 100.0  0:00:30 left"
    )
    assert terminal.getvalue().endswith(" \r")
