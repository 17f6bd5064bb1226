# SPDX-License-Identifier: Apache-2.0
"""The memory of a run does not grow with its input; errors come in the order of the rows."""

import gzip
import os
import subprocess
import sys
from itertools import cycle, islice

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.command import COMMAND, scored
from support.example_texts import lines
from support.tables import HYPS, REFS

from truebleu import InputError, corpus_bleu
from truebleu.metrics.workers import ordered

#: Megabytes that a run may take for text of any size.
MOST = 95


def texts(name, count):
    return list(islice(cycle(lines(f"de-en/{name}")), count))


def peak(folder, *arguments):
    """What a run prints, and its peak of memory in megabytes."""
    code = (
        "import os, resource, subprocess, sys;"
        "done = subprocess.run(sys.argv[1:], check=True, stdout=-1);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss);"
        "sys.stdout.flush(); os.write(1, done.stdout)"
    )
    command = [sys.executable, "-c", code, COMMAND, "score", *arguments]
    output = subprocess.run(command, cwd=folder, check=True, stdout=-1).stdout.decode()
    size, _, printed = output.partition("\n")
    return printed, int(size) / (1024 if sys.platform == "linux" else 1 << 20)


@pytest.fixture
def large(tmp_path):
    """300,000 segments, 28 MB on each side, and the first half of them."""
    folder = tmp_path
    for size, count in (("half", 150_000), ("whole", 300_000)):
        for side, name in (("hyp", "hyp.aurora.txt"), ("ref", "ref.A.txt")):
            data = "".join(f"{line}\n" for line in texts(name, count)).encode()
            (folder / f"{side}.{size}").write_bytes(data)
    (folder / "hyp.gz").write_bytes(gzip.compress((folder / "hyp.whole").read_bytes(), 1))
    columns = {"mt": texts("hyp.aurora.txt", 300_000), "ref": texts("ref.A.txt", 300_000)}
    pq.write_table(pa.table(columns), folder / "t.parquet", compression="zstd", use_dictionary=False)
    return folder


def test_memory_does_not_grow_with_the_text(large):
    """PyArrow itself takes some 100 MB; the texts of the one row group of a table are 56 MB."""
    small = peak(large, "ref.half", "-i", "hyp.half")[1]
    printed, whole = peak(large, "ref.whole", "-i", "hyp.whole")
    assert os.path.getsize(large / "hyp.whole") > 20e6
    assert whole < MOST
    assert whole < 1.25 * small + 10
    flags = ("--hyp-col", "mt", "--ref-col", "ref", "--per-segment", "out.parquet")
    for files, most in ((("ref.whole", "-i", "hyp.gz"), MOST), (("t.parquet", *flags), 3 * MOST)):
        other, size = peak(large, *files)
        assert other == printed
        assert size < most


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), RuntimeError("a fault")])
@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_the_reader_comes_after_the_rows_before_it(error, threads):
    """Rows that were read before are counted, so that a bad row among them is named."""

    def items(count):
        yield from range(count)
        raise error

    done = []
    with pytest.raises(type(error)) as raised:
        done.extend(ordered(lambda item: item, items(20), threads))
    assert raised.value is error

    def work(item):
        if item == 7:
            raise InputError("row 7")
        return item

    results = []
    with pytest.raises(InputError, match="row 7"):
        results.extend(ordered(work, items(9), threads))
    assert results == list(range(7))


def test_more_segments_than_a_batch_score_the_same_on_any_threads(folder):
    count = 30_000
    hyps, refs = ([texts[i % 20] for i in range(count)] for texts in (HYPS, REFS))
    (folder / "hyp").write_bytes(gzip.compress("".join(f"{text}\n" for text in hyps).encode()))
    (folder / "ref").write_text("".join(f"{text}\n" for text in refs))
    expected = corpus_bleu(hyps, refs).format(1, signature=True) + "\n"
    for threads in "123":
        flags = ("--threads", threads)
        assert scored("score", "ref", "-i", "hyp", *flags) == (expected, "")
        scored("score", "ref", "-i", "hyp", "--per-segment", "out.tsv", *flags)
        lines = (folder / "out.tsv").read_text().splitlines()[1:]
        assert [line.split("\t")[0] for line in lines] == [str(i) for i in range(1, count + 1)]
