# SPDX-License-Identifier: Apache-2.0
"""Files larger than memory: speed against the kernel's, memory, and what a second core gains."""

import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from corpora import Corpus, english
from results import Figure, Row, race
from timing import Contender, interleave

from truebleu import BLEU, scan
from truebleu.inputs.corpus import Lines
from truebleu.metrics.streaming import score

COMMAND = str(Path(sysconfig.get_path("scripts"), "truebleu"))


def streaming(*, quick: bool, size: int | None = None) -> Iterator[Row | Figure]:
    """A pair of text files, and the same as zstd Parquet; `--size` sets the segments."""
    segments = size or (100_000 if quick else 1_000_000)
    corpus = english()
    with TemporaryDirectory() as folder:
        hyp, ref = Path(folder, "hyp.txt"), Path(folder, "ref.txt")
        for path, lines in ((hyp, corpus.hyps), (ref, corpus.refs)):
            write(path, lines, segments)
        yield against_the_kernel(corpus, hyp, ref, segments, rounds=3 if quick else 7)
        if (os.cpu_count() or 1) > 1:
            yield two_threads(corpus, hyp, ref, segments, rounds=3 if quick else 5)
        yield memory(corpus, hyp, ref, segments)
        for path, lines in ((hyp, corpus.hyps), (ref, corpus.refs)):
            write(path, lines, 2 * segments)
        yield memory(corpus, hyp, ref, 2 * segments)
        hyp.unlink()
        ref.unlink()
        yield from parquet(corpus, Path(folder, "t.parquet"), segments)


def write(path: Path, lines: list[str], segments: int) -> None:
    """A file of so many lines, which are the same over and over."""
    times, rest = divmod(segments, len(lines))
    once = "".join(f"{line}\n" for line in lines).encode()
    with path.open("wb") as file:
        for _ in range(times):
            file.write(once)
        file.write("".join(f"{line}\n" for line in lines[:rest]).encode())


def against_the_kernel(corpus: Corpus, hyp: Path, ref: Path, segments: int, rounds: int) -> Row:
    """One thread from the files, against one thread on a million segments in memory at most."""
    bleu = BLEU(threads=1)
    part = min(segments, 1_000_000)
    hyps, refs = (Lines(first_lines(path, part)) for path in (hyp, ref))
    contenders = [
        Contender("from files", lambda: score([bleu], scan(ref, hyps=hyp), threads=1)),
        Contender("kernel in memory", lambda: bleu.corpus(hyps, refs)),
    ]
    (times, tally), (kernel, whole) = interleave(contenders, rounds)
    same = tally.scores()[0][0] == whole if part == segments else None
    return Row(
        "streaming", corpus.name, segments, "from files, 1", times, "kernel in memory, 1",
        kernel.scaled(segments / part), same, estimated=part < segments,
    )  # fmt: skip


def first_lines(path: Path, count: int) -> bytes:
    """The first lines of a file."""
    with path.open("rb") as file:
        return b"".join(line for _, line in zip(range(count), file, strict=False))


def two_threads(corpus: Corpus, hyp: Path, ref: Path, segments: int, rounds: int) -> Row:
    """The command with two threads compared with one."""

    def run(threads: int) -> bytes:
        command = [COMMAND, "score", str(ref), "-i", str(hyp), "--threads", str(threads)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout

    two, one = Contender("score, 2", lambda: run(2)), Contender("score, 1", lambda: run(1))
    return race("streaming", corpus.name, segments, two, one, rounds)


def memory(corpus: Corpus, hyp: Path, ref: Path, segments: int) -> Figure:
    """The most memory that the command holds, on all cores."""
    # A process begins with the peak of the one that started it, so that is a small one.
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, COMMAND, "score", str(ref), "-i", str(hyp)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    peak = int(output) * (1 if sys.platform == "darwin" else 1024) / 1e6
    what = "peak memory of the whole process (150 at most)"
    return Figure("streaming", corpus.name, segments, what, peak, "MB", peak <= 150)


def parquet(corpus: Corpus, path: Path, segments: int) -> Iterator[Figure]:
    """Segments in a minute of processor time, from a table compressed by zstd."""
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        print("streaming: Parquet left out, PyArrow is not installed", file=sys.stderr)
        return
    few = corpus.repeated(min(segments, 100_000))
    table = pa.table({"mt": few.hyps, "ref": few.refs})
    with ParquetWriter(path, table.schema, compression="zstd", use_dictionary=False) as writer:
        for _ in range(segments // len(few)):
            writer.write_table(table)
    bleu = BLEU(threads=1)
    score([bleu], scan(path, "mt", "ref"), threads=1)
    start = time.process_time()
    tally = score([bleu], scan(path, "mt", "ref"), threads=1)
    minutes = (time.process_time() - start) / 60
    what = "from zstd Parquet, segments a minute on a core (2 million at least)"
    rate = tally.rows / minutes
    yield Figure("streaming", corpus.name, tally.rows, what, rate, "segments/min", rate >= 2e6)
