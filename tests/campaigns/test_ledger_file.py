# SPDX-License-Identifier: Apache-2.0
"""The file of a ledger: several processes, killed ones, full disks, and files that are not one."""

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest

import truebleu as tb
from truebleu.campaigns import ledger_file

REFS = [f"a b c d e f g {i}" for i in range(50)]
HYPS = [ref.replace("d", "x") for ref in REFS]
#: Logs runs until it is killed, or so many, and prints each after it was stored.
WRITER = """
import sys, truebleu as tb
path, name, count = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
with tb.Ledger(path) as ledger:
    for i in range(int(count)):
        refs = [f"a b c d {i} {j} {name}" for j in range(200)]
        ledger.log([ref.replace("b", "x") for ref in refs], refs, name=name, tags={"i": i})
        print(i, flush=True)
"""


def writers(path, count, runs):
    """Processes that wait for a line before they write."""
    some = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, path, f"writer-{i}", str(runs)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for i in range(count)
    ]  # fmt: skip
    for one in some:
        one.stdout.readline()
    for one in some:
        one.stdin.write("\n")
        one.stdin.flush()
    return some


def is_sound(path):
    with sqlite3.connect(path) as connection:
        (result,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return result == "ok"


def test_several_processes_write_at_once(tmp_path):
    path = tmp_path / "runs.db"
    for one in writers(path, 4, 25):
        _, error = one.communicate(timeout=60)
        assert (one.returncode, error) == (0, "")
    with tb.Ledger(path) as ledger:
        assert len({(run.name, run.tags["i"]) for run in ledger.runs()}) == 100
    assert is_sound(path)


def test_a_new_file_is_opened_by_several_at_once(tmp_path):
    count = 4
    start = threading.Barrier(count)

    def open_and_close(path):
        start.wait()
        tb.Ledger(path).close()

    with ThreadPoolExecutor(count) as threads:
        for i in range(50):
            list(threads.map(open_and_close, [tmp_path / f"{i}.db"] * count))


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_writer_loses_nothing(tmp_path, seed):
    path = tmp_path / "runs.db"
    (writer,) = writers(path, 1, 1_000_000)
    time.sleep(random.Random(seed).uniform(0, 0.3))
    writer.kill()
    printed, _ = writer.communicate(timeout=60)
    stored = [int(line) for line in printed.splitlines(keepends=True) if line.endswith("\n")]
    with tb.Ledger(path) as ledger:
        runs = ledger.runs()
        assert {run.tags["i"] for run in runs} >= set(stored)
        assert len(runs) <= len(stored) + 1
        for run in runs:  # none is half there
            assert run.make_metric().score(ledger.rows(run)).value == run.score
        assert ledger.gc() == (0, 0)
        ledger.log(HYPS, REFS, name="next")
    assert is_sound(path)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The bytes of a ledger."""
    path = tmp_path_factory.mktemp("ledger") / "runs.db"
    with tb.Ledger(path) as ledger:
        for step in range(6):
            hyps = [*HYPS[: 8 * step], *REFS[8 * step :]]
            ledger.log(hyps, REFS, "chrf" if step % 2 else "bleu", name="a", tags={"step": step})
    return path.read_bytes()


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_one_line(tmp_path, saved, seed):
    """Or is not noticed, such as another letter in a name."""
    draw = random.Random(seed)
    data = bytearray(saved)
    if seed % 4 == 0:
        del data[draw.randrange(len(data)) :]
    for _ in range(1 if seed % 4 == 1 else 30):
        if data:
            data[draw.randrange(len(data))] = draw.randrange(256)
    path = tmp_path / "runs.db"
    path.write_bytes(data)
    try:
        with tb.Ledger(path) as ledger:
            for run in ledger.runs():
                run.make_metric().score(ledger.rows(run))
            ledger.log(HYPS, REFS, name="b")
            ledger.gc("b")
    except tb.TrueBLEUError as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_a_damaged_row_is_noticed(tmp_path, saved):
    path = tmp_path / "runs.db"
    path.write_bytes(saved)
    for change in ("zeroblob(10)", "x'789c'", "7", "substr(data, 1, 40)", "data || x'00' || data"):
        with sqlite3.connect(path) as other:
            other.execute(f"UPDATE counts SET data = {change} WHERE id = 1")  # noqa: S608
        other.close()
        with tb.Ledger(path) as ledger, pytest.raises(tb.InputError, match="ledger is damaged"):
            ledger.rows(ledger.runs()[0])


def foreign(path, *statements):
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_files_that_are_not_ledgers_are_not_changed(tmp_path):
    text, other, newer = (tmp_path / name for name in ("text", "other", "newer"))
    text.write_text("not a database\n" * 100)
    foreign(other, "CREATE TABLE runs (id)")
    application = f"PRAGMA application_id = {ledger_file.APPLICATION}"
    foreign(newer, application, f"PRAGMA user_version = {ledger_file.VERSION + 1}")
    for path, message in [
        (text, f"{text}: not a ledger; name another file"),
        (other, f"{other}: not a ledger; name another file"),
        (newer, f"{newer}: the ledger is of a newer version of TrueBLEU; update TrueBLEU"),
    ]:
        before = path.read_bytes()
        with pytest.raises(tb.InputError) as caught:
            tb.Ledger(path)
        assert (str(caught.value), path.read_bytes()) == (message, before)
    for path, message in [
        (tmp_path, "this is a directory"),
        (tmp_path / "no" / "runs.db", "cannot be opened; check the folder"),
        ("a\0b", "not a valid file name"),
    ]:
        with pytest.raises(tb.InputError, match=message):
            tb.Ledger(path)
    with pytest.raises(tb.OptionError, match="path cannot be"):
        tb.Ledger(b"runs.db")


def test_an_empty_file_becomes_a_ledger(tmp_path):
    path = tmp_path / "runs.db"
    path.touch()
    with tb.Ledger(path) as ledger:
        assert ledger.runs() == []


@pytest.mark.parametrize(("limit", "message"), [
    ("max_page_count = 1", "the disk is full; the last change was not stored"),
    ("query_only = 1", "the file or its folder is read-only"),
])  # fmt: skip
def test_what_cannot_be_written_is_one_line(tmp_path, limit, message):
    path = tmp_path / "runs.db"
    draw = random.Random(0)
    many = [" ".join(draw.choices("abc", k=draw.randrange(1, 30))) for _ in range(3000)]
    with tb.Ledger(path) as ledger:
        ledger.log(REFS, REFS, name="a")
        ledger._connection.execute(f"PRAGMA {limit}")
        with pytest.raises(tb.InputError, match=message):
            ledger.log(many, many, name="b")
        assert [run.name for run in ledger.runs()] == ["a"]
    assert is_sound(path)
    with pytest.raises(tb.InputError, match="Cannot operate on a closed database"):
        ledger.runs()


def test_a_writer_waits_for_others_but_not_forever(tmp_path):
    path = tmp_path / "runs.db"
    with mock.patch.object(ledger_file, "_PATIENCE", 0.1), tb.Ledger(path) as ledger:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(tb.InputError, match="other processes have been writing"):
            ledger.log(HYPS, REFS, name="a")
        assert ledger.runs() == []  # readers do not wait
        other.execute("ROLLBACK")
        other.close()
        ledger.log(HYPS, REFS, name="a")


def test_a_writer_that_waits_hears_ctrl_c(tmp_path):
    path = tmp_path / "runs.db"
    tb.Ledger(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    (writer,) = writers(path, 1, 1)
    time.sleep(0.2)
    writer.send_signal(signal.SIGINT)
    _, error = writer.communicate(timeout=30)  # half a second, if the machine is not busy
    assert error.endswith("KeyboardInterrupt\n")
    other.close()


def test_a_command_on_a_full_disk_is_one_line(tmp_path):
    resource = pytest.importorskip("resource", reason="limits of files are of Unix")
    lines = tmp_path / "lines"
    lines.write_text("a b c d\n" * 100)
    done = subprocess.run(
        [sys.executable, "-m", "truebleu", "score", lines, "-i", lines, "--ledger",
         tmp_path / "runs.db"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"truebleu: {tmp_path / 'runs.db'}: cannot be read or written;")
    assert done.stderr.count("\n") == 1


def test_ctrl_c_leaves_nothing_half_done(tmp_path):
    with tb.Ledger(tmp_path / "runs.db") as ledger:
        with (
            mock.patch("truebleu.campaigns.ledger.pack", side_effect=KeyboardInterrupt),
            pytest.raises(KeyboardInterrupt),
        ):
            ledger.log(HYPS, REFS, name="a")
        assert ledger.runs() == []
        ledger.log(HYPS, REFS, name="b")
