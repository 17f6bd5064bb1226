# SPDX-License-Identifier: Apache-2.0
"""Charts are drawn by one process beside this one: each gets its own picture, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.command import COMMAND
from support.drawn_systems import REFS, SYSTEMS
from support.long_calls import StopError, signal_after

from truebleu.charts import drawing
from truebleu.charts.drawing import DRAWER, Drawer
from truebleu.errors import InternalError

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


def spec(text):
    return {"data": {"values": [{}]}, "mark": {"type": "text", "text": text}}


def drawn(text):
    return DRAWER.draw(spec(text), "svg", 72).decode()


def children(pid="self"):
    """Processes that draw, of one process."""
    started = [
        child
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    return [int(pid) for pid in started if b"serve()" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def wait_until(true):
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def runs(pid):
    """Whether a process runs: not when it has ended and nobody has asked for its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("format", ["svg", "png"])
def test_a_picture_is_what_this_process_would_draw(format, monkeypatch):
    beside = DRAWER.draw(spec("Zürich \U0001d11e </svg>\n"), format, 150)
    monkeypatch.setattr(sys, "executable", "/usr/bin/blender")
    assert Drawer().draw(spec("Zürich \U0001d11e </svg>\n"), format, 150) == beside


@linux
def test_one_process_draws_all():
    drawn("one")
    before = children()
    assert len(before) == 1
    with ThreadPoolExecutor(4) as threads:
        texts = [f"text {i}" for i in range(40)]
        for text, picture in zip(texts, threads.map(drawn, texts), strict=True):
            assert f">{text}</text>" in picture
    assert children() == before


def test_what_cannot_be_drawn_is_said_and_the_process_goes_on():
    for _ in range(2):
        with pytest.raises(ValueError, match=r"http://127\.0\.0\.1"):
            DRAWER.draw({"data": {"url": "http://127.0.0.1:9/x.json"}, "mark": "bar"}, "svg", 72)
    assert ">one<" in drawn("one")


@linux
@pytest.mark.parametrize("after", [0.0001, 0.02, 0.1, 0.25])
def test_a_signal_stops_the_first_chart_and_the_next_one_is_another(after):
    DRAWER.end()
    with pytest.raises(StopError), signal_after(after):
        list(map(drawn, ["stopped"] * 1000))
    picture = drawn("next")
    assert ">next<" in picture
    assert "stopped" not in picture
    assert len(children()) == 1


@linux
def test_a_signal_while_much_is_asked_for():
    many = spec("x") | {"data": {"values": [{"a": "b" * 1000}] * 20_000}}
    DRAWER.end()
    with pytest.raises(StopError), signal_after(0.15):
        DRAWER.draw(many, "svg", 72)
    assert ">next<" in drawn("next")


@linux
def test_a_handler_may_draw():
    found = []
    DRAWER.end()
    before = signal.signal(signal.SIGALRM, lambda *_: found.append(drawn("handler")))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        picture = drawn("call")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ">call<" in picture
    assert len(found) == 1
    assert ">handler<" in found[0]
    assert len(children()) == 1


@linux
def test_a_process_that_was_killed_is_replaced():
    drawn("one")
    (before,) = children()
    os.kill(before, signal.SIGKILL)
    os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)
    assert ">two<" in drawn("two")
    assert children() != [before]


@linux
def test_a_process_that_is_killed_while_it_draws_is_said():
    def kill(*_):
        for child in children():
            os.kill(child, signal.SIGKILL)

    DRAWER.end()
    before = signal.signal(signal.SIGALRM, kill)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(InternalError, match="ended with code -9"):
            drawn("killed")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ">next<" in drawn("next")


@linux
def test_a_forked_child_has_a_process_of_its_own():
    drawn("parent")
    (before,) = children()
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            assert ">child<" in drawn("child")
            assert len(children()) == 1
            assert children() != [before]
            os.write(tell, b"drawn")
        finally:
            DRAWER.end()
            os._exit(0)
    os.close(tell)
    assert os.read(told, 100) == b"drawn"
    os.close(told)
    os.waitpid(child, 0)
    assert ">parent again<" in drawn("parent again")
    assert children() == [before]


@linux
def test_it_ends_with_its_parent_though_a_forked_child_lives():
    program = (
        "import os, time\nfrom truebleu.charts.drawing import DRAWER\nDRAWER.start('')\n"
        "if os.fork() == 0: time.sleep(60)\nprint(flush=True)\ntime.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        parent.stdout.readline()
        (pid,) = children(parent.pid)
        parent.kill()
        wait_until(lambda: not runs(pid))
    finally:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.communicate()


@linux
@pytest.mark.parametrize("last", ["", "raise SystemExit(0)", "DRAWER.start('')", "os._exit(0)"])
def test_nothing_is_left_of_it_and_nothing_said(last):
    program = (
        "import os\nfrom pathlib import Path\nfrom truebleu.charts.drawing import DRAWER\n"
        f"DRAWER.draw({spec('x')}, 'svg', 72)\n"
        f"print(Path(f'/proc/self/task/{{os.getpid()}}/children').read_text(), flush=True)\n{last}"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stderr == ""
    (pid,) = map(int, done.stdout.split())
    wait_until(lambda: not runs(pid))


@pytest.mark.parametrize("executable", [None, "", "/usr/bin/blender", "/opt/app/report.exe"])
def test_what_is_no_interpreter_is_not_started(executable, monkeypatch):
    def started(*_, **__):
        raise AssertionError

    monkeypatch.setattr(sys, "executable", executable)
    monkeypatch.setattr(drawing, "_Process", started)
    assert b">here<" in Drawer().draw(spec("here"), "svg", 72)


def test_where_no_process_can_be_started_this_one_draws(monkeypatch):
    def refused(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refused)
    assert b">here<" in Drawer().draw(spec("here"), "svg", 72)


def test_what_an_interpreter_prints_as_it_starts_is_no_picture(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("print('hello\\n7 7', end='', flush=True)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    drawer = Drawer()
    try:
        assert b">one<" in drawer.draw(spec("one"), "svg", 72)
    finally:
        drawer.end()


def test_a_large_picture_without_buffers(monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    drawer = Drawer()
    try:
        large = {"data": {"values": [{"x": i} for i in range(5_000)]}, "mark": "point"}
        assert drawer.draw(large, "svg", 72).count(b"<path") >= 5_000
    finally:
        drawer.end()


def test_what_it_says_last_is_told(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nprint('no \\x1b luck', flush=True)\nos._exit(3)"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    drawer = Drawer()
    with pytest.raises(InternalError, match=r"code 3 in the middle of one: no \\x1b luck; if"):
        drawer.draw(spec("one"), "svg", 72)


def test_modules_of_the_current_folder_are_not_run(tmp_path):
    for name in ("json", "struct", "io", "vl_convert", "truebleu", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} of this folder')")
    for name, texts in {"ref": REFS, "hyp": SYSTEMS["A"]}.items():
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    done = subprocess.run(
        [COMMAND, "plot", "ref", "-i", "hyp", "-o", "figure.svg"],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "figure.svg").read_text().startswith("<svg ")


@linux
def test_ctrl_c_of_a_terminal_is_answered_by_one():
    """It comes to all processes of a group."""
    program = (
        "from truebleu.charts.drawing import DRAWER\nDRAWER.start('')\nprint(flush=True)\n"
        f"for _ in range(1000): DRAWER.draw({spec('x')}, 'svg', 72)"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", program], stdout=-1, stderr=-1, process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )  # fmt: skip
    started.stdout.readline()
    (pid,) = children(started.pid)
    os.killpg(started.pid, signal.SIGINT)
    begun = time.monotonic()
    _, said = started.communicate(timeout=60)
    assert time.monotonic() - begun < 2
    assert started.returncode == -signal.SIGINT
    assert said.count(b"Traceback") == 1
    assert said.endswith(b"KeyboardInterrupt\n")
    assert not runs(pid)
