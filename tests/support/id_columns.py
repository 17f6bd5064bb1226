# SPDX-License-Identifier: Apache-2.0
"""Token ids in everything that holds them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from truebleu import Ids

HYPS = [[5, 7, 9, 11, 13], [8, 8, 8, 2], [], [1], [5, 7, 5, 7, 5, 7]]
REFS = [[5, 7, 9, 11, 12, 13], [8, 8, 2, 4], [3], [1], [5, 7, 5, 7, 9]]
SEVERAL = [[REFS[0], [9, 11]], [REFS[1]], [[3], []], [[2], [1]], [REFS[4], HYPS[4], [7]]]

#: Lengths around those at which the kernel changes its algorithm.
EDGES = [
    *range(71), 127, 128, 129, 191, 192, 193, 255, 256, 257, 511, 512, 513, 2047, 2048, 2049, 2050,
]  # fmt: skip


def words(rows):
    return [[str(i) for i in row] for row in rows]


def ragged(rows, dtype=np.int32):
    values = np.array([i for row in rows for i in row], dtype=dtype)
    return values, np.cumsum([0, *map(len, rows)])


def padded(rows, pad=0, dtype=np.int32):
    width = max(map(len, rows)) + 2
    return np.array([[*row, *[pad] * (width - len(row))] for row in rows], dtype=dtype)


def sliced(rows, dtype=np.int64):
    values, offsets = ragged([[77], *rows, [77, 77]], dtype)
    return Ids(values, offsets[1:-1])


def in_slack(rows):
    """Rows with room between them, as a slice of columns has."""
    wide = np.full((len(rows), 20), 99, dtype=np.int64)
    wide[:, :8] = padded(rows)
    return wide[:, :8]


class ByDlpack:
    """An array that shares its memory by DLPack alone."""

    def __init__(self, array, device=None):
        self.array = array
        self.device = device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


COLUMNS = {
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "generator": iter,
    "numpy rows": lambda rows: [np.array(row, dtype=np.int32) for row in rows],
    "numpy integers": lambda rows: [[np.int64(i) for i in row] for row in rows],
    "numpy of lists": lambda rows: pd.Series(rows).to_numpy(),
    "pandas": pd.Series,
    "ragged int32": lambda rows: Ids(*ragged(rows)),
    "ragged int64": lambda rows: Ids(*ragged(rows, np.int64)),
    "ragged sliced": sliced,
    "padded int32": padded,
    "padded int64": lambda rows: padded(rows, dtype=np.int64),
    "padded Ids": lambda rows: Ids(padded(rows)),
    "padded Fortran": lambda rows: np.asfortranarray(padded(rows)),
    "padded in slack": in_slack,
    "padded backwards": lambda rows: padded(rows[::-1])[::-1],
    "padded memory": lambda rows: ByDlpack(padded(rows)),
    "Arrow": lambda rows: pa.array(rows, pa.list_(pa.int64())),
    "Arrow int32": lambda rows: pa.array(rows, pa.list_(pa.int32())),
    "Arrow uint8": lambda rows: pa.array(rows, pa.list_(pa.uint8())),
    "Arrow uint64": lambda rows: pa.array(rows, pa.large_list(pa.uint64())),
    "Arrow large": lambda rows: pa.array(rows, pa.large_list(pa.int32())),
    "Arrow fixed": lambda rows: pa.array(padded(rows).tolist(), pa.list_(pa.int32(), 8)),
    "Arrow sliced": lambda rows: pa.array([[77], *rows, [7]])[1:-1],
    "Arrow chunks": lambda rows: pa.chunked_array([rows[:2], [], rows[2:]], pa.list_(pa.int64())),
    "polars": lambda rows: pl.Series(rows, dtype=pl.List(pl.Int32)),
    "polars sliced": lambda rows: pl.Series([[77], *rows], dtype=pl.List(pl.UInt16))[1:],
    "polars array": lambda rows: pl.Series(padded(rows), dtype=pl.Array(pl.Int32, 8)),
}


def flat(refs):
    return [row for rows in refs for row in rows], np.cumsum([0, *map(len, refs)])


SEVERAL_COLUMNS = {
    "lists": list,
    "lists of arrays": lambda refs: [[np.array(row, dtype=np.int64) for row in e] for e in refs],
    "Ids": lambda refs: Ids(*ragged(flat(refs)[0]), items=flat(refs)[1]),
    "padded Ids": lambda refs: Ids(padded(flat(refs)[0]), items=flat(refs)[1]),
    "sliced Ids": lambda refs: Ids(*ragged([[9], *flat(refs)[0], [9]]), items=flat(refs)[1] + 1),
    "Arrow": lambda refs: pa.array(refs, pa.list_(pa.list_(pa.int32()))),
    "Arrow sliced": lambda refs: pa.array([[[9]], *refs])[1:],
    "Arrow uint32": lambda refs: pa.array(refs, pa.list_(pa.list_(pa.uint32()))),
    "Arrow chunks": lambda refs: pa.chunked_array([refs[:3], refs[3:]]),
    "polars": pl.Series,
}
