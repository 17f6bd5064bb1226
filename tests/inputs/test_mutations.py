# SPDX-License-Identifier: Apache-2.0
"""Damaged Arrow and Parquet files and arrays are scored or refused, and never end the process."""

import random
import signal
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import truebleu as tb

TEXTS = ["the cat sat on the mat", "", "naïve 中文 👍", "a longer text than twelve bytes"] * 3
#: Text of the columns beside the scored ones.
SECRET = "SECRET"  # noqa: S105


def _encoded(array):
    ends = pa.array(range(1, len(array) + 1), pa.int32())
    return pa.RunEndEncodedArray.from_arrays(ends, array)


ARRAYS = {
    "text": pa.array(TEXTS),
    "large": pa.array(TEXTS, pa.large_string()),
    "list": pa.array([[text, None, "a b"] for text in TEXTS]),
    "dictionary": pa.array(TEXTS).dictionary_encode(),
    "run-end": _encoded(pa.array(TEXTS)),
    "view": pa.array(TEXTS, pa.string_view()),
    "field": pa.array([{"b": text} for text in TEXTS]),
}


def _table(kind):
    hyps = ARRAYS["text" if kind == "list" else kind]
    secret = pa.array([SECRET] * len(TEXTS))
    columns = {"secret": secret, "hyp": hyps, "public": secret, "ref": ARRAYS[kind], "z": secret}
    return pa.table(columns)


def whole(name):
    """A file, and the ranges of its bytes in which damage cannot show another column's text."""
    form, kind = name.split("/")
    rows, sink = _table(kind), pa.BufferOutputStream()
    if form == "parquet":
        pq.write_table(
            rows,
            sink,
            compression="none" if kind == "list" else "snappy",
            use_dictionary=kind == "dictionary",
            row_group_size=7,
        )
        return sink.getvalue().to_pybytes(), []
    writer = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
    with writer(sink, rows.schema) as out:
        out.write_table(rows, max_chunksize=7)
    data = sink.getvalue().to_pybytes()
    reader, bodies = pa.BufferReader(data), []
    reader.seek(8 if form == "arrow" else 0)
    with suppress(EOFError, pa.ArrowInvalid):
        while True:
            body = pa.ipc.read_message(reader).body
            end = reader.tell()
            bodies += range(end - (body.size if body else 0), end)
    return data, bodies


def mutated(data, places, draw):
    data = bytearray(data)
    for _ in range(draw.randint(1, 8)):
        place = draw.choice(places)
        kind = draw.randrange(4)
        if kind == 0:
            data[place] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[place] = draw.randrange(256)
        else:
            number = draw.choice([-1, 0, 1, 2**31 - 1, -(2**31), draw.randrange(300)])
            data[place & ~3 : (place & ~3) + 4] = number.to_bytes(4, "little", signed=True)
    return bytes(data)


def attack(name, count, folder):
    """Read mutated files; the number of the last one is on standard output if it ends here."""
    path = f"{folder}/t.parquet" if name.startswith("parquet") else f"{folder}/t.arrow"
    data, bodies = whole(name)
    bleu = tb.BLEU(max_ngram_order=2, threads=1)
    field = ".b" if name.endswith("field") else ""
    outcomes = {"scored": 0, "refused": 0}
    for seed in range(count):
        draw = random.Random(seed)
        in_body = bool(bodies) and seed % 2 == 0
        with open(path, "wb") as file:
            file.write(mutated(data, bodies if in_body else range(len(data)), draw))
        print(name, seed, flush=True)
        signal.alarm(30)
        try:
            for batch in tb.scan(path, "hyp" + field, "ref" + field, on_error="skip"):
                bleu.stats(batch.hyps, batch.refs)
                texts = str([list(map(str, batch.hyps)), list(map(str, batch.refs))])
                assert not (in_body and SECRET in texts), f"{seed}: text of another column"
            outcomes["scored"] += 1
        except tb.TrueBLEUError:
            outcomes["refused"] += 1
    print(outcomes, file=sys.stderr)


NAMES = [f"{form}/{kind}" for form in ("arrow", "stream") for kind in ARRAYS] + [
    f"parquet/{kind}" for kind in ("text", "list", "dictionary", "field")
]


def run(names, count, folder):
    arguments = [sys.executable, __file__, str(count), folder, *names]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{last}: {done.returncode}\n{done.stderr[-2000:]}"


def test_a_sample_of_damaged_files_ends_no_process(tmp_path):
    run(NAMES, 20, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_end_no_process(name, tmp_path):
    run([name], 20_000, tmp_path)


def _damaged(kind, buffers, **options):
    return pa.Array.from_buffers(kind, 2, [None, *buffers], **options)


def _views():
    views = pa.array(["a text longer than a view"] * 2, pa.string_view())
    _, places, *texts = views.buffers()
    damaged = bytearray(places.to_pybytes())
    damaged[12:16] = b"\xff\xff\xff\x0f"
    return _damaged(views.type, [pa.py_buffer(damaged), *texts])


OFFSETS = pa.array([0, 1 << 30, 2], pa.int32()).buffers()[1]
RUN = pa.RunEndEncodedArray.from_arrays(pa.array([2**31 - 1], pa.int32()), pa.array(["a"]))
DAMAGED = [
    _damaged(pa.string(), [OFFSETS, pa.py_buffer(b"ab")]),
    _damaged(pa.list_(pa.string()), [OFFSETS], children=[pa.array(["a", "b"])]),
    _damaged(pa.list_(pa.int32()), [OFFSETS], children=[pa.array([1, 2], pa.int32())]),
    pa.DictionaryArray.from_arrays(pa.array([0, 9], pa.int32()), ["a"], safe=False),
    _views(),
]
WITHOUT_MEMORY = [
    RUN,
    pa.FixedSizeListArray.from_buffers(
        pa.list_(pa.int32(), 0), 1 << 40, [None], children=[pa.array([], pa.int32())]
    ),
    np.zeros((1 << 40, 0), np.int32),
    np.zeros((1, 1 << 40, 0), np.int32),
    np.broadcast_to(np.arange(4), (1 << 40, 4)),
    np.broadcast_to(np.arange(4, dtype=np.uint16), (1 << 40, 4)),
    np.broadcast_to(np.arange(4).reshape(4, 1), (4, 1 << 40)),
    np.broadcast_to(np.array("a"), 1 << 40),
    [np.broadcast_to(np.int32(1), 1 << 40)],
    pa.Array.from_buffers(
        pa.large_list(pa.null()), 1, [None, pa.py_buffer(np.array([0, 1 << 40]))],
        children=[pa.Array.from_buffers(pa.null(), 1 << 40, [None])],
    ),
]  # fmt: skip


@pytest.mark.parametrize("column", DAMAGED + WITHOUT_MEMORY, ids=lambda column: type(column).__name__)
def test_damaged_arrays_and_arrays_without_memory_are_refused(column):
    calls = [
        lambda: tb.BLEU().stats(column, column),
        lambda: tb.BLEU(tokenize=str.split).stats(column, column),
        lambda: tb.CHRF().corpus(column, column),
        lambda: tb.TER().sentences(column, column),
        lambda: tb.sentence_bleu("a", column),
        lambda: tb.explain(column, column),
        lambda: tb.check(column, column),
        lambda: tb.compare({"A": column, "B": column}, column),
        lambda: tb.self_bleu(column),
        lambda: tb.pairwise(column),
        lambda: tb.mbr(column),
    ]
    if hasattr(column, "buffers"):
        batch = pa.RecordBatch.from_arrays([column, column], ["hyp", "ref"])
        calls.append(lambda: tb.BLEU().corpus(tb.scan(iter([batch]), "hyp", "ref")))
    for call in calls:
        with pytest.raises(tb.InputError):
            call()


if __name__ == "__main__":
    for name in sys.argv[3:]:
        attack(name, int(sys.argv[1]), sys.argv[2])
