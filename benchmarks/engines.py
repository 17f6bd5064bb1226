# SPDX-License-Identifier: Apache-2.0
"""Ray and Spark beside a plain run, all from the same Parquet files and on two cores."""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from corpora import ROOT, english
from results import Row
from timing import Contender, interleave

from truebleu import BLEU
from truebleu.distributed import ray as on_ray
from truebleu.distributed import spark as on_spark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from truebleu import Score

#: Segments to a file, and to a row group: an engine hands out files, and we read groups.
_TO_A_FILE, _TO_A_GROUP = 250_000, 50_000

#: Memory of Ray's store, and of each executor of Spark.
_MEGABYTES = 2_048


def engines(*, quick: bool, segments: int = 5_000_000) -> Iterator[Row]:
    """Corpus BLEU of a folder of Parquet files by engines on two cores, their start aside."""
    sys.path.append(str(ROOT / "tests"))
    # Ray starts 32 processes for each data set of Parquet files; two cores are better off with one.
    os.environ["RAY_DATA_PARQUET_FOOTER_NUM_ACTORS"] = "1"
    from started_engines import ray_started, spark_started

    segments = segments // 10 if quick else segments
    with tempfile.TemporaryDirectory() as folder:
        _write(folder, segments)
        for name, started, scored in (
            ("Ray", ray_started, _on_ray),
            ("Spark", spark_started, _on_spark),
        ):
            try:
                with started(_MEGABYTES) as engine:
                    yield _race(name, segments, folder, partial(scored, engine, folder))
            except ImportError as error:
                print(f"{name} is left out: {error}")


def _race(name: str, segments: int, folder: str, run: Callable[[], Score]) -> Row:
    contenders = [Contender("2 threads", partial(_plain, folder)), Contender(name, run)]
    (times, expected), (engine_times, score) = interleave(contenders, rounds=3)
    return Row(
        "engines", "English, Parquet", segments, "2 threads", times,
        f"{name} {version('pyspark' if name == 'Spark' else 'ray')}, 2 cores", engine_times,
        score == expected,
    )  # fmt: skip


def _plain(folder: str) -> Score:
    accumulator = BLEU(threads=2).accumulator()
    for path in sorted(Path(folder).iterdir()):
        for batch in pq.ParquetFile(path).iter_batches(_TO_A_GROUP):
            accumulator.update(batch["hyp"], batch["ref"])
    score: Score = accumulator.compute()
    return score


def _on_ray(ray: Any, folder: str) -> Score:
    score: Score = on_ray.corpus(ray.data.read_parquet(folder))
    return score


def _on_spark(session: Any, folder: str) -> Score:
    score: Score = on_spark.corpus(session.read.parquet(folder))
    return score


def _write(folder: str, segments: int) -> None:
    """A folder of files with so many pairs, each unlike the others by its number."""
    few = english()
    pairs = cycle(zip(few.hyps, few.refs, strict=True))
    for start in range(0, segments, _TO_A_FILE):
        count = min(_TO_A_FILE, segments - start)
        numbered = [(f"{hyp} {start + i}", f"{ref} {start + i}")
                    for i, (hyp, ref) in enumerate(islice(pairs, count))]  # fmt: skip
        hyps, refs = zip(*numbered, strict=True)
        table = pa.table({"hyp": hyps, "ref": refs})
        pq.write_table(table, f"{folder}/{start:09}.parquet", row_group_size=_TO_A_GROUP)
