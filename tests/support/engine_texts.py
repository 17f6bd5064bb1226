# SPDX-License-Identifier: Apache-2.0
"""A table of the example texts for engines, and its scores in memory."""

import os
import signal

import pyarrow as pa
import pyarrow.parquet as pq

from support.example_texts import HYPS, REFS, lines
from truebleu import BLEU

OTHERS = lines("de-en/hyp.aurora.txt")
SECOND = [ref if i % 3 else None for i, ref in enumerate(lines("de-en/ref.B.txt"))]
LANGS = [("de", "fr", None)[i % 3] for i in range(len(HYPS))]
DOCS = [f"doc {i // 7}" for i in range(len(HYPS))]

#: A word in a hypothesis that kills a worker, once.
FATAL = "FATAL"

TABLE = pa.table(
    {
        "id": range(len(HYPS)), "hyp": HYPS, "other": OTHERS, "ref": REFS, "second": SECOND,
        "refs": [[ref, second] for ref, second in zip(REFS, SECOND, strict=True)], "lang": LANGS,
        "doc": DOCS,
    }
)  # fmt: skip
METRIC = BLEU()


def parts(table=TABLE, rows=10):
    """The table in parts, of which the first and one in the middle are empty."""
    slices = [table.slice(start, rows) for start in range(0, len(table), rows)]
    nothing = table.slice(0, 0)
    return [nothing, *slices[:2], nothing, *slices[2:]]


def write_parts(folder, table=TABLE):
    """The parts in files of the folder, with three rows to a row group."""
    for i, part in enumerate(parts(table)):
        pq.write_table(part, folder / f"{i:03}.parquet", row_group_size=3)


def grouped(metric, hyp, refs, by):
    """The score of each group, in memory."""
    rows = {}
    for i, key in enumerate(TABLE[by].to_pylist()):
        rows.setdefault(key, []).append(i)
    hyps, refs = TABLE[hyp].to_pylist(), TABLE[refs].to_pylist()
    return {key: metric.corpus([hyps[i] for i in group], [refs[i] for i in group]) for key, group in rows.items()}


def fatal_table():
    """The table with a hypothesis that makes the tokenizer of `dying` kill."""
    hyps = [*HYPS[:20], f"{FATAL} {HYPS[20]}", *HYPS[21:]]
    return pa.table({"hyp": hyps, "ref": REFS})


def dying(flag, parent=None):
    """A tokenizer that kills its process the first time it reads `FATAL`.

    Args:
        flag: a file that it creates then.
        parent: a part of the command of the process to kill, an ancestor of the worker (default:
            the worker itself).
    """
    fatal, nine = FATAL, signal.SIGKILL

    def victim():
        process = os.getpid()
        while parent:
            with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
                if parent in file.read():
                    break
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                process = int(file.read().rpartition(")")[2].split()[1])
        return process

    def tokenize(text):
        if fatal in text:
            try:
                open(flag, "x").close()
            except FileExistsError:
                return text.split()
            os.kill(victim(), nine)
        return text.split()

    return tokenize
