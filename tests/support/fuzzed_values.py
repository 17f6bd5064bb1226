# SPDX-License-Identifier: Apache-2.0
"""Values for the fuzzer of the Python API: columns that fit each other, and whatever does not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import truebleu as tb
from support.hostile import ATTACKS
from truebleu.dialects.decisions import OPTIONS, TOKENIZERS
from truebleu.dialects.tools import DIALECTS

WORDS = [
    "a", "the", "cat", "The", "0.5", "1,000", "-", "1-2", ".", "...", "", "&amp;", "&quot;x",
    "\u4e2d\u6587", "\U00020000", "\u3002", "\u20ac5", "e\u0301", "\u0130", "\u03a3\u03a3",
    "0123456789abcdef", "0123456789abcdef0123456789abcdef!", "\x1c", "\x85", "\xa0", "\u2028",
    "\u3042", "\ud55c", "\u0600", "<skipped>", "\x00", "\ufeff", "\uffff", "\U0010ffff",
]  # fmt: skip


class HostileError(Exception):
    """What an object of ours raises: it must come back as it is."""


class Liar(list):
    """A list that says that it is longer than it is, or shrinks while it is read."""

    def __len__(self):
        return super().__len__() + 1


class Endless:
    """Has no end if anybody asks for all of it; says how long it is before."""

    def __len__(self):
        return 2

    def __getitem__(self, place):
        if place > 2:
            raise HostileError
        return "a b"


class Exploding:
    """Raises from whatever it is asked for."""

    def __iter__(self):
        raise HostileError

    def __len__(self):
        raise HostileError

    def __index__(self):
        raise HostileError

    def __float__(self):
        raise HostileError

    def __str__(self):
        raise HostileError

    __repr__ = __str__

    def __eq__(self, other):
        raise HostileError

    def __hash__(self):
        raise HostileError


class Text(str):
    """A string of a class of its own."""

    __slots__ = ()


class FalseArray:
    """Claims to export Arrow data."""

    def __init__(self, exported):
        self.exported = exported

    def __arrow_c_array__(self, requested_schema=None):
        return self.exported

    def __len__(self):
        return 2


class FalseStream:
    """Claims to export a stream of Arrow data."""

    def __arrow_c_stream__(self, requested_schema=None):
        return "no capsule"


def nested_in_itself():
    inner: list = []
    inner.append(inner)
    return inner


def deep(levels):
    value: object = "a"
    for _ in range(levels):
        value = [value]
    return value


def text(rng):
    kind = rng.random()
    if kind < 0.75:
        words = [rng.choice(WORDS) for _ in range(rng.choice([0, 1, 3, 5, 9, 20]))]
        return rng.choice([" ", " ", " ", "", "\t", "\n"]).join(words)
    if kind < 0.85:
        return rng.choice(list(ATTACKS.values())).replace("\ud800", "?")
    if kind < 0.97:
        codes = (rng.choice([0x7F, 0xFF, 0x7FF, 0xD7FF, 0x10FFFF]) for _ in range(rng.randrange(9)))
        return (
            "".join(chr(rng.randrange(code)) for code in codes).encode("utf-8", "replace").decode()
        )
    return text_of_length(rng, rng.choice([63, 64, 65, 600, 5_000]))


def text_of_length(rng, words):
    return " ".join(rng.choice("abcdefg") for _ in range(words))


def number(rng):
    return rng.choice(
        [0, 1, 2, 3, 4, 5, 7, 16, 100, -1, -100, 1 << 31, 1 << 63, (1 << 63) - 1, -(1 << 63),
         1 << 64, 10**30, 0.0, 0.5, 1.0, -0.5, 1e300, 5e-324, float("nan"), float("inf"),
         True, None, np.int64(3), np.float64(0.5), np.int32(-1), 3 + 4j]
    )  # fmt: skip


def hostile(rng):
    """Anything at all."""
    makers = [
        lambda: None,
        lambda: number(rng),
        lambda: text(rng),
        lambda: rng.choice(list(ATTACKS.values())),
        lambda: "lone \ud800 surrogate",
        lambda: rng.randbytes(rng.randrange(40)),
        lambda: bytearray(rng.randbytes(9)),
        lambda: memoryview(b"abcdefgh"),
        list, tuple, dict, set, object, type,
        lambda: [None],
        lambda: [[]],
        lambda: [[], [[]]],
        lambda: {"a": ["x"], "b": ["y"]},
        lambda: {1: 2},
        lambda: [text(rng), number(rng)],
        lambda: [[1, 2], ["a"]],
        lambda: [1, "a", None],
        lambda: [[1 << 70]],
        lambda: [True, False],
        lambda: range(3),
        lambda: iter(["a", "b"]),
        lambda: (text(rng) for _ in range(2)),
        nested_in_itself,
        lambda: deep(rng.choice([3, 60, 5_000])),
        lambda: Liar(["a", "b"]),
        Endless, Exploding, FalseStream,
        lambda: [Exploding()],
        lambda: [Text("a b"), Text("c")],
        lambda: FalseArray(None),
        lambda: FalseArray((1, 2)),
        lambda: FalseArray(pa.array(["a", "b"]).__arrow_c_array__()),
        lambda: np.array(0),
        lambda: np.zeros((2, 2, 2)),
        lambda: np.array([["a", "b"], ["c", "d"]]),
        lambda: np.array(["NaT"], dtype="datetime64[s]"),
        lambda: np.arange(12, dtype=rng.choice(["i1", "u2", "i4", "i8", "u8", "f4", "f8", "c16"])),
        lambda: np.arange(12).reshape(3, 4)[:, ::-1],
        lambda: np.arange(12, dtype=">i4").reshape(3, 4),
        lambda: np.zeros((0, 3), dtype=np.int64),
        lambda: np.zeros((3, 0), dtype=np.int32),
        lambda: pd.DataFrame({"a": ["x"], "b": ["y"]}),
        lambda: pd.Series([1.5, None]),
        lambda: pd.Series(["a", "b"], dtype="category"),
        lambda: pl.DataFrame({"a": ["x"], "b": [1]}),
        lambda: pa.table({"a": ["x"], "b": [1]}),
        lambda: pa.array([1, None]),
        lambda: pa.array([["a", None], None]),
        lambda: pa.array([b"\xff\xfe", b"a"]),
        lambda: pa.array([[1, 2], None]),
        lambda: pa.array([[[1]], [[2, 3]]]).slice(1),
        lambda: pa.array([{"x": 1}]),
        lambda: pa.nulls(2),
        lambda: pa.array(["a", "b"]).dictionary_encode(),
        broken_utf8,
        tb.BLEU, tb.CHRF,
        lambda: tb,
        lambda: tb.BLEU,
        lambda: tb.Stats([[1] * 10]),
        lambda: tb.Stats([[(1 << 63) - 1] * 10, [-(1 << 63)] * 10]),
        lambda: tb.Stats([], 4),
        lambda: len,
        lambda: Ellipsis,
    ]  # fmt: skip
    return rng.choice(makers)()


def broken_utf8():
    """A column of strings that are none: what a foreign producer may export unchecked."""
    data = b"ab \xff\xf0\xe4" * 11
    offsets = np.array([0, 30, 63, 64, 66], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), 4, buffers)


def column(rng, count, kind):
    """So many segments of a kind, in whatever holds them."""
    if kind == "text":
        texts = [text(rng) for _ in range(count)]
        holders = [list, tuple, iter, pd.Series, pa.array, pl.Series, list, list,
                   lambda texts: np.array(texts, dtype=object),
                   lambda texts: pa.chunked_array([texts[:1], texts[1:]], pa.string()),
                   lambda texts: pa.array(["x", *texts, "y"])[1:-1],
                   lambda texts: pa.array(texts, pa.large_string()),
                   lambda texts: pa.array(texts, pa.string_view())]  # fmt: skip
        return rng.choice(holders)(texts)
    if kind == "words":
        lists = [text(rng).split(" ") for _ in range(count)]
        return rng.choice([list, tuple, pa.array, pd.Series, list])(lists)
    rows = [[rng.randrange(9) for _ in range(rng.randrange(9))] for _ in range(count)]
    if kind == "ids":
        return rng.choice([list, tuple, pa.array, _as_ids])(rows)
    array = np.array([[rng.randrange(-1, 9) for _ in range(5)] for _ in range(count)])
    return array.reshape(count, 5).astype(rng.choice(["i4", "i8"]))


def _as_ids(rows):
    bounds = np.cumsum([0, *map(len, rows)])
    return tb.Ids(np.array([i for row in rows for i in row], dtype=np.int64), bounds)


KINDS = ["text", "text", "text", "text", "words", "ids", "array"]


def aligned(rng, count, kind):
    """References for so many segments."""
    if rng.random() < 0.5:
        return column(rng, count, kind)
    if kind == "text":
        each = [[text(rng) for _ in range(rng.randrange(1, 4))] for _ in range(count)]
    else:
        each = [
            [[rng.choice("abc") if kind == "words" else rng.randrange(9) for _ in range(4)]]
            for _ in range(count)
        ]
    return rng.choice([list, tuple, list])(each)


def option(rng):
    """An option of a dialect with a value that it may have, or not."""
    name = rng.choice([*OPTIONS, *OPTIONS, "metric", "nonsense", ""])
    if rng.random() < 0.3 or name not in OPTIONS:
        return name, hostile(rng)
    declared = OPTIONS[name]
    if name == "tokenize":
        values = [*TOKENIZERS, "spm:/nowhere", "spm:", str.split, len]
    elif declared.choices:
        values = [*declared.choices]
    elif declared.kind is tuple:
        values = [tuple(rng.choice([0.0, 0.25, 1.0, -1.0]) for _ in range(rng.randrange(7)))]
    else:
        values = {
            bool: [True, False],
            int: [1, 2, 3, 4, 5, 8, 30, 0, -1, 10**9, 1 << 63],
            float: [0.0, 0.1, 1.0, 5.0, -1.0, 1e308, 10**400, float("nan"), float("inf")],
        }[declared.kind]
    return name, rng.choice(values)


def dialect(rng):
    if rng.random() < 0.8:
        return rng.choice([*DIALECTS])
    return rng.choice([text(rng), hostile(rng), tb.dialect("nltk")])
