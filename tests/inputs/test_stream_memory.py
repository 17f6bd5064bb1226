# SPDX-License-Identifier: Apache-2.0
"""The memory that a run takes does not grow with its input."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.command import COMMAND
from support.installed import EXAMPLES

#: Megabytes that a run may take at most: 150 are allowed for text of any size.
MOST = 150


def texts(name, count):
    lines = (EXAMPLES / "de-en" / name).read_text(encoding="utf-8").splitlines()
    return [lines[i % len(lines)] for i in range(count)]


def peak(folder, *arguments):
    """What a run prints, and the most memory that it held, in megabytes."""
    code = (
        "import os, resource, subprocess, sys;"
        "done = subprocess.run(sys.argv[1:], check=True, stdout=-1);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss);"
        "sys.stdout.flush(); os.write(1, done.stdout)"
    )
    command = [sys.executable, "-c", code, COMMAND, "score", *arguments]
    shown = subprocess.run(command, cwd=folder, check=True, stdout=-1).stdout.decode()
    size, _, printed = shown.partition("\n")
    return printed, int(size) / (1024 if sys.platform == "linux" else 1 << 20)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Half a million segments, 60 MB on each side, of which half are a quarter of a million."""
    folder = tmp_path_factory.mktemp("large")
    for size, count in (("half", 250_000), ("whole", 500_000)):
        for side, name in (("hyp", "hyp.aurora.txt"), ("ref", "ref.A.txt")):
            data = "".join(f"{line}\n" for line in texts(name, count)).encode()
            (folder / f"{side}.{size}").write_bytes(data)
    (folder / "hyp.gz").write_bytes(gzip.compress((folder / "hyp.whole").read_bytes(), 1))
    columns = {"mt": texts("hyp.aurora.txt", 500_000), "ref": texts("ref.A.txt", 500_000)}
    pq.write_table(
        pa.table(columns), folder / "t.parquet", compression="zstd", use_dictionary=False
    )
    return folder


def test_memory_does_not_grow_with_the_text(large):
    small = peak(large, "ref.half", "-i", "hyp.half")[1]
    printed, whole = peak(large, "ref.whole", "-i", "hyp.whole")
    assert os.path.getsize(large / "hyp.whole") > 20e6
    assert whole < MOST
    assert whole < 1.25 * small + 10
    assert peak(large, "ref.whole", "-i", "hyp.gz")[0] == printed
    assert peak(large, "ref.whole", "-i", "hyp.gz")[1] < MOST


def test_memory_of_a_table_is_bounded(large):
    """PyArrow itself takes some 100 MB; the texts of the one row group are 60."""
    flags = ("--hyp-col", "mt", "--ref-col", "ref", "--per-segment", "out.parquet")
    printed, whole = peak(large, "t.parquet", *flags)
    assert printed == peak(large, "ref.whole", "-i", "hyp.whole")[0]
    assert whole < 2 * MOST
