# SPDX-License-Identifier: Apache-2.0
"""Files larger than memory: speed against the kernel's, memory, and what a second core gains.

With `--size 100000000`, the text does not lie on a disk: it is written into pipes over and over.
"""

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from corpora import Corpus, as_bytes, english
from results import Figure, Row, race
from timing import SCRIPTS, Contender, interleave

from truebleu import BLEU, scan
from truebleu.inputs.corpus import Lines
from truebleu.metrics.streaming import score

#: The most segments that are written to a disk: 6 GB of text.
ON_DISK = 20_000_000

COMMAND = str(SCRIPTS / "truebleu")


def streaming(*, quick: bool, size: int | None = None) -> Iterator[Row | Figure]:
    """A pair of text files, and the same as zstd Parquet; `--size` sets the segments."""
    segments = size or (100_000 if quick else 1_000_000)
    corpus = english()
    with TemporaryDirectory() as folder:
        if segments > ON_DISK:
            yield from without_end(corpus, Path(folder), segments)
            return
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
    with path.open("wb") as file:
        for _ in range(times):
            file.write(as_bytes(lines))
        file.write(as_bytes(lines[:rest]))


def against_the_kernel(corpus: Corpus, hyp: Path, ref: Path, segments: int, rounds: int) -> Row:
    """One thread from the files, against one thread on a million segments in memory at most."""
    bleu = BLEU(threads=1)
    part = min(segments, 1_000_000)
    hyps, refs = (Lines(first_lines(path, part)) for path in (hyp, ref))
    own = Contender("from files, 1", lambda: score([bleu], scan(ref, hyps=hyp)))
    kernel = Contender("kernel in memory, 1", lambda: bleu.corpus(hyps, refs))
    return race(
        "streaming",
        corpus.name,
        segments,
        own,
        kernel,
        rounds,
        lambda tally, whole: tally.scores()[0][0] == whole if part == segments else None,
        segments / part,
    )


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
    _, _, peak = measured(str(ref), "-i", str(hyp))
    what = "peak memory of the whole process (150 at most)"
    return Figure("streaming", corpus.name, segments, what, peak, "MB", peak <= 150)


def measured(*arguments: str) -> tuple[str, float, float]:
    """The score of a command, its seconds, and the most megabytes it held."""
    # A process begins with the peak of the one that started it, so that is a small one.
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, COMMAND, "score", *arguments, "-b", "-w", "4"]
    start = time.perf_counter()
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    value, peak = output.split()
    unit = 1 if sys.platform == "darwin" else 1024
    return value, time.perf_counter() - start, int(peak) * unit / 1e6


def without_end(corpus: Corpus, folder: Path, segments: int) -> Iterator[Figure]:
    """Text, plain and compressed, from pipes, and Parquet: speed, memory, the share of reading."""
    times = segments // len(corpus)
    score_of_once = f"{BLEU().corpus(corpus.hyps, corpus.refs).value:.4f}"
    for kind, pack in packers().items():
        pipes = []
        for name, lines in (("hyp", corpus.hyps), ("ref", corpus.refs)):
            once = folder / f"{name}.{kind}"
            once.write_bytes(pack(as_bytes(lines)) * 100)
            pipes.append(folder / f"{name}.{kind}.pipe")
            os.mkfifo(pipes[-1])
            write = f"for i in $(seq {times // 100}); do cat '{once}'; done >'{pipes[-1]}'"
            subprocess.Popen(["/bin/sh", "-c", write])
        hyp, ref = map(str, pipes)
        yield from at_length(corpus, kind, times // 100 * 100, score_of_once, measured(ref, "-i", hyp))
    yield reading(corpus, folder / "hyp.text", folder / "ref.text")
    table = folder / "once.parquet"
    write_parquet(table, corpus, 100)
    parts = [str(table)] * (times // 100)
    result = measured(*parts, "--hyp-col", "mt", "--ref-col", "ref")
    yield from at_length(corpus, "zstd Parquet", len(parts) * 100, score_of_once, result)


def packers() -> dict[str, Callable[[bytes], bytes]]:
    """How to compress, by the name of the format."""
    from zstandard import compress

    return {"text": bytes, "gzip": gzip.compress, "zstd": compress}


def at_length(
    corpus: Corpus, kind: str, times: int, expected: str, result: tuple[str, float, float]
) -> Iterator[Figure]:
    """The speed and the memory of a command that read the corpus so often."""
    value, seconds, peak = result
    segments = times * len(corpus)
    what = f"{kind}: million segments a second on all cores"
    speed = segments / seconds / 1e6
    yield Figure("streaming", corpus.name, segments, what, speed, "M", value == expected)
    if "Parquet" in kind:  # PyArrow, and pages that are decompressed
        yield Figure("streaming", corpus.name, segments, f"{kind}: peak memory", peak, "MB")
    else:
        what = f"{kind}: peak memory (64 at most)"
        yield Figure("streaming", corpus.name, segments, what, peak, "MB", peak <= 64)


def reading(corpus: Corpus, hyp: Path, ref: Path) -> Figure:
    """The share of the processor time that finds the lines, of plain text."""
    bleu = BLEU(threads=1)
    contenders = [
        Contender("read", lambda: sum(len(batch) for batch in scan(ref, hyps=hyp))),
        Contender("score", lambda: score([bleu], scan(ref, hyps=hyp))),
    ]
    (read, segments), (scored, _) = interleave(contenders, 5)
    share = 100 * read.median / scored.median
    what = "text: share of reading in the time of one thread"
    return Figure("streaming", corpus.name, segments, what, share, "%")


def parquet(corpus: Corpus, path: Path, segments: int) -> Iterator[Figure]:
    """Segments in a minute of processor time, from a table compressed by zstd."""
    few = corpus.repeated(min(segments, 100_000))
    write_parquet(path, few, segments // len(few))
    bleu = BLEU(threads=1)
    score([bleu], scan(path, "mt", "ref"))
    start = time.process_time()
    tally = score([bleu], scan(path, "mt", "ref"))
    minutes = (time.process_time() - start) / 60
    what = "from zstd Parquet, segments a minute on a core (2 million at least)"
    rate = tally.rows / minutes
    yield Figure("streaming", corpus.name, tally.rows, what, rate, "segments/min", rate >= 2e6)


def write_parquet(path: Path, corpus: Corpus, times: int) -> None:
    """A table that has the corpus so often, compressed by zstd."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    table = pa.table({"mt": corpus.hyps, "ref": corpus.refs})
    with ParquetWriter(path, table.schema, compression="zstd", use_dictionary=False) as writer:
        for _ in range(times):
            writer.write_table(table)
