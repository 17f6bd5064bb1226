# SPDX-License-Identifier: Apache-2.0
"""A run that was killed goes on to the result and the file of one that was not."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import time

import pyarrow as pa
import pytest
from support import tables
from support.command import COMMAND, refusal, run
from support.tables import HYPS, REFS

#: Killed runs have so many segments: some tens of batches.
COUNT = 150_000


def text(texts, count=COUNT):
    return "".join(f"{texts[i % len(texts)]} {i % 1009}\n" for i in range(count)).encode()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Text, compressed text and a table of the same segments, and what they come to."""
    folder = tmp_path_factory.mktemp("long")
    hyps, refs = text(HYPS), text(REFS)
    (folder / "hyp").write_bytes(hyps)
    (folder / "hyp.gz").write_bytes(gzip.compress(hyps, 1))
    (folder / "ref").write_bytes(refs)
    columns = {"mt": hyps.decode().split("\n")[:-1], "ref": refs.decode().split("\n")[:-1]}
    kinds = [f"kind {i // 999 % 7}" for i in range(COUNT)]
    rows = pa.table({**columns, "kind": kinds})
    tables.parquet(folder / "t.parquet", rows, row_group_size=20_011)
    tables.comma(folder / "t.csv", rows.append_column("more", rows["ref"]).rename_columns(
        ["mt", "ref", "domain", "more"]))  # fmt: skip
    return folder


TABLE = ["--hyp-col", "mt", "--ref-col", "ref"]
RUNS = {
    "text": ["ref", "-i", "hyp", "--per-segment", "out.tsv"],
    "gzip": ["ref", "-i", "hyp.gz", "--per-segment", "out.jsonl", "-m", "bleu", "chrf"],
    "parquet": ["t.parquet", *TABLE, "--per-segment", "out.parquet", "--group-by", "kind"],
    "csv": ["t.csv", *TABLE, "--per-segment", "out.parquet", "--group-by", "domain", "-f", "json"],
    "no output": ["t.parquet", *TABLE, "--group-by", "kind", "--checkpoint", "kept"],
}


def start(folder, *arguments):
    command = [COMMAND, "score", *arguments, "--checkpoint-every", "0"]
    return subprocess.Popen(command, cwd=folder, stdout=-1, stderr=-1)


def made_by(folder, arguments):
    """What a run prints and writes, and how long it takes."""
    began = time.monotonic()
    process = start(folder, *arguments)
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return printed, taken(folder), time.monotonic() - began


def taken(folder):
    """The output, which is removed; nothing else may be left of a run."""
    outputs = [name for name in os.listdir(folder) if name.startswith(("out", "kept"))]
    if not outputs:
        return None
    (name,) = outputs
    data = (folder / name).read_bytes()
    (folder / name).unlink()
    return data


def kill_and_resume(folder, arguments, seed, kills):
    """Kill runs at random moments; each goes on where the one before was killed."""
    draw = random.Random(seed)
    expected = made_by(folder, arguments)
    died = 0
    for _ in range(kills):
        process = start(folder, *arguments, "--resume")
        time.sleep(draw.uniform(0.1, expected[2] * 0.9))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        died += process.returncode == -signal.SIGKILL
        for path in folder.glob("out.*"):  # what has its name is complete
            if path.suffix in (".tsv", ".jsonl", ".parquet") and ".partial" not in path.name:
                assert path.read_bytes() == expected[1]
        if process.returncode == 0:  # it was faster
            assert taken(folder) == expected[1]
    done = run("score", *arguments, "--resume", cwd=folder)
    assert (done.returncode, done.stdout) == (0, expected[0])
    assert taken(folder) == expected[1]
    return died


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_a_killed_run_goes_on_to_the_same_end(corpus):
    assert kill_and_resume(corpus, RUNS["parquet"], 1, kills=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_runs_killed_at_twenty_points_go_on_to_the_same_end(name, corpus):
    assert kill_and_resume(corpus, RUNS[name], name, kills=20) >= 10


def stopped(folder, *arguments):
    """Kill a run behind its first checkpoint; returns the name of that."""
    name = "out.tsv.checkpoint"
    process = start(folder, *arguments)
    while not (folder / name).exists():
        assert process.poll() is None
    process.kill()
    process.communicate()
    return name


@pytest.fixture
def killed(corpus, tmp_path, monkeypatch):
    """A folder with a run that was killed."""
    monkeypatch.chdir(tmp_path)
    for name in ("hyp", "ref"):
        (tmp_path / name).write_bytes((corpus / name).read_bytes())
    stopped(tmp_path, *RUNS["text"])
    return tmp_path


@pytest.mark.parametrize("change", ["longer", "other", "replaced"])
def test_a_changed_input_is_refused(change, killed):
    path = killed / "ref"
    before = path.stat()
    data = path.read_bytes()
    path.write_bytes(data + b"a\n" if change == "longer" else b"B" + data[1:])
    if change == "replaced":  # by a file of the same size and time
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    message = refusal("score", *RUNS["text"], "--resume")
    assert message.startswith(f"{path}: changed since out.tsv.checkpoint was written;")
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run("score", *RUNS["text"], "--resume").returncode == 0


@pytest.mark.parametrize(
    "flags", [["-lc"], ["-m", "chrf"], ["--on-error", "skip"], ["-e", "latin-1"], ["-tok", "char"]]
)
def test_another_setting_is_refused(flags, killed):
    message = refusal("score", *RUNS["text"], *flags, "--resume")
    assert message.startswith("out.tsv.checkpoint: its run had ")
    assert (killed / "out.tsv.partial").exists()


def test_what_is_no_checkpoint_is_refused(killed):
    checkpoint = killed / "out.tsv.checkpoint"
    saved = checkpoint.read_text()
    for damaged in ("", "{", "[]", '{"truebleu checkpoint": 99}', saved[: len(saved) // 2]):
        checkpoint.write_text(damaged)
        assert "start again without --resume" in refusal("score", *RUNS["text"], "--resume")
    checkpoint.write_text(saved)
    os.truncate(killed / "out.tsv.partial", 3)
    assert "is shorter than it was" in refusal("score", *RUNS["text"], "--resume")


def test_a_run_that_does_not_go_on_begins_anew(killed):
    before = (killed / "out.tsv.checkpoint").read_text()
    assert json.loads(before)["state"]["tally"]["rows"]
    done = run("score", *RUNS["text"])
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(os.listdir(killed)) == ["hyp", "out.tsv", "ref"]


def test_a_run_without_a_checkpoint_begins_anew_and_says_so(killed):
    (killed / "out.tsv.checkpoint").unlink()
    done = run("score", *RUNS["text"], "--resume")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert b"out.tsv.checkpoint: no such checkpoint; starting at the beginning" in done.stderr


def test_a_run_killed_as_it_named_its_output_is_done(corpus, tmp_path, monkeypatch):
    from truebleu import BLEU, scan
    from truebleu.metrics.checkpoint import Checkpoint
    from truebleu.metrics.scan import scoring
    from truebleu.metrics.stream_output import Output

    monkeypatch.chdir(tmp_path)
    metrics = [BLEU(threads=1)]
    source = scan(corpus / "t.parquet", "mt", "ref")
    name = "out.tsv"

    def go():
        output = Output(name, metrics, grouped=False)
        kept = Checkpoint("kept", {}, source.files, 0)
        return scoring.score(
            metrics, source, threads=1, output=output, checkpoint=kept, resume=True
        ).scores()

    def interrupt(*_):
        if os.path.exists("kept"):  # not before there is something to go on with
            raise KeyboardInterrupt

    expected = go(), (tmp_path / name).read_bytes()
    for owner, at in ((Output, "finish"), (Checkpoint, "remove"), (os, "fsync")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, at, interrupt)
            with pytest.raises(KeyboardInterrupt):
                go()
        assert os.path.exists("kept")
        assert (go(), (tmp_path / name).read_bytes()) == expected
        assert os.listdir(tmp_path) == [name]


def test_ctrl_c_answers_at_once_and_leaves_what_is_needed_to_go_on(corpus):
    expected = made_by(corpus, RUNS["text"])
    process = start(corpus, *RUNS["text"])
    while not (corpus / "out.tsv.checkpoint").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - began < 3
    assert (process.returncode, errors.count(b"\n")) == (130, 1)
    assert b"--resume goes on" in errors
    assert run("score", *RUNS["text"], "--resume", cwd=corpus).stdout == expected[0]
    assert taken(corpus) == expected[1]


def test_a_checkpoint_that_nobody_named_is_in_the_cache(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    arguments = ["t.csv", *TABLE]
    expected = run("score", *arguments, cwd=corpus).stdout
    process = start(corpus, *arguments)
    while not list(tmp_path.rglob("*.json")):
        assert process.poll() is None
    process.kill()
    process.communicate()
    done = run("score", *arguments, "--resume", cwd=corpus)
    assert (done.stdout, done.stderr) == (expected, b"")
    assert not list(tmp_path.rglob("*.json"))


def test_standard_input_cannot_be_read_again(folder):
    (folder / "ref").write_text("a\n")
    assert "standard input" in refusal("score", "ref", "--resume", stdin=b"a\n")
    assert "standard input" in refusal("score", "ref", "--checkpoint", "x", stdin=b"a\n")
