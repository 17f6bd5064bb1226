# SPDX-License-Identifier: Apache-2.0
"""Ray and Spark against a plain run, all of the same Parquet files and on two cores."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from corpora import ROOT, english
from results import Figure, Row
from timing import Contender, interleave

from truebleu import BLEU, Score
from truebleu.integrations import ray as on_ray
from truebleu.integrations import spark as on_spark

#: Segments to a file, and to a row group: an engine hands out files, and we read groups.
_TO_A_FILE, _TO_A_GROUP = 250_000, 50_000

#: Segments that take an engine no longer than its own work: processes, plans, listings of files.
_FEW = 1_000

#: Memory of Ray's store, and of each executor of Spark.
_MEGABYTES = 2_048


def engines(*, quick: bool, size: int | None = None) -> Iterator[Row | Figure]:
    """Corpus BLEU of a folder of Parquet files by engines on two cores, their start aside."""
    sys.path.append(str(ROOT / "tests"))
    from support.started_engines import ray_started, spark_started

    # Ray's workers let others go first, and the plain run does not: on a busy machine, that is what
    # would be measured.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  (Ray's own name of it)
    segments = size or (500_000 if quick else 5_000_000)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as few:
        _write(folder, segments)
        _write(few, _FEW)
        for name, started, by_path, by_reader in (
            ("Ray", ray_started, on_ray.corpus, _read_by_ray),
            ("Spark", spark_started, on_spark.corpus, _read_by_spark),
        ):
            try:
                with started(_MEGABYTES) as engine:
                    ways = {"paths": by_path, "its reader": partial(by_reader, engine)}
                    yield from _race(name, segments, folder, few, ways)
            except ImportError as error:
                print(f"{name} is left out: {error}")


def _race(
    name: str, segments: int, folder: str, few: str, ways: dict[str, Callable[[str], Score]]
) -> Iterator[Row | Figure]:
    peer = f"{name} {version('pyspark' if name == 'Spark' else 'ray')}, 2 cores"
    contenders = [Contender("2 threads", partial(_plain, folder))]
    for run in ways.values():
        contenders += [Contender(peer, partial(run, folder)), Contender(peer, partial(run, few))]
    (times, expected), *results = interleave(contenders, rounds=5)
    row = ("engines", "English, Parquet", segments)
    for way, (engine, score), (start, _) in zip(ways, results[::2], results[1::2], strict=True):
        yield Row(*row, "2 threads", times, f"{peer}, {way}", engine, score == expected)
        ratio = (engine.best - start.best) / times.best
        what = f"{name}, {way}"
        yield Figure(*row, f"{what}: seconds that {_FEW:,} segments take, too", start.best, "s")
        yield Figure(*row, f"{what}: without these, shortest runs", ratio, "times the plain run")


def _plain(folder: str) -> Score:
    accumulator = BLEU(threads=2).accumulator()
    for path in sorted(Path(folder).iterdir()):
        for batch in pq.ParquetFile(path).iter_batches(_TO_A_GROUP):
            accumulator.update(batch["hyp"], batch["ref"])
    score: Score = accumulator.compute()
    return score


def _read_by_ray(ray: Any, folder: str) -> Score:
    # Its new reader starts 32 processes for each data set, which two cores have no use for; and it
    # makes at least 200 blocks, which cross from process to process, if it is not told how many.
    ray.data.DataContext.get_current().use_datasource_v2 = False
    blocks = len(list(Path(folder).iterdir()))
    score: Score = on_ray.corpus(ray.data.read_parquet(folder, override_num_blocks=blocks))
    return score


def _read_by_spark(session: Any, folder: str) -> Score:
    score: Score = on_spark.corpus(session.read.parquet(folder))
    return score


def _write(folder: str, segments: int) -> None:
    """A folder of files with so many pairs, each unlike the others by its number."""
    few = english()
    pairs = cycle(zip(few.hyps, few.refs, strict=True))
    for start in range(0, segments, _TO_A_FILE):
        count = min(_TO_A_FILE, segments - start)
        numbered = [(f"{hyp} {start + i}", f"{ref} {start + i}") for i, (hyp, ref) in enumerate(islice(pairs, count))]
        hyps, refs = zip(*numbered, strict=True)
        table = pa.table({"hyp": hyps, "ref": refs})
        pq.write_table(table, f"{folder}/{start:09}.parquet", row_group_size=_TO_A_GROUP)
