# SPDX-License-Identifier: Apache-2.0
"""The same segments in each format that is read, with some of what formats trip over."""

import bz2
import csv
import gzip
import io
import json
import lzma

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import zstandard

from support.example_texts import lines

#: Characters that some reader takes for the end of a line, a quote, a number or nothing at all.
ODD = ["1.0", "NA", "null", "", 'say "no", he said', "a\x0bb\x85c\u2028d", "naïve 中文 👍", "true"]


HYPS = lines("de-en/hyp.aurora.txt") + ODD
REFS = lines("de-en/ref.A.txt") + ODD[::-1]
MORE = lines("de-en/ref.B.txt") + ODD
DOMAINS = [("news", "chat", "a, b")[i % 3] for i in range(len(HYPS))]


def table(hyps=HYPS, refs=REFS, more=MORE, domains=DOMAINS):
    pairs = [list(pair) for pair in zip(refs, more, strict=True)]
    nested = [{"de": hyp, "in": {"en": ref}} for hyp, ref in zip(hyps, refs, strict=True)]
    columns = {"mt": hyps, "ref": refs, "more": more, "both": pairs, "domain": domains}
    return pa.table({**columns, "texts": nested})


def parquet(path, rows, **options):
    pa.parquet.write_table(rows, path, **options)


def ipc(path, rows, *, size=7):
    with pa.ipc.new_file(path, rows.schema) as writer:
        writer.write_table(rows, max_chunksize=size)


def stream(path, rows, *, size=7):
    with pa.ipc.new_stream(path, rows.schema) as writer:
        writer.write_table(rows, max_chunksize=size)


def jsonl(path, rows, pack=bytes):
    text = "".join(json.dumps(row, ensure_ascii=i % 2 == 0) + "\n" for i, row in enumerate(rows.to_pylist()))
    path.write_bytes(pack(text.encode()))


FLAT = ("mt", "ref", "more", "domain")


def tsv(path, rows, pack=bytes):
    text = "\t".join(FLAT) + "\n"
    text += "".join("\t".join(row[name] for name in FLAT) + "\n" for row in rows.to_pylist())
    path.write_bytes(pack(text.encode()))


def comma(path, rows, pack=bytes):
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(FLAT)
    writer.writerows([row[name] for name in FLAT] for row in rows.to_pylist())
    path.write_bytes(pack(text.getvalue().encode()))


def zstd(data):
    return zstandard.compress(data)


#: How each kind of file is written, by its name.
WRITERS = {
    "t.parquet": parquet, "t.arrow": ipc, "t.arrows": stream,
    "t.feather": lambda path, rows: pa.feather.write_feather(rows, path, compression="zstd"),
    "t.jsonl": jsonl, "t.tsv": tsv, "t.csv": comma,
    "t.jsonl.gz": lambda path, rows: jsonl(path, rows, gzip.compress),
    "t.tsv.zst": lambda path, rows: tsv(path, rows, zstd),
    "t.csv.xz": lambda path, rows: comma(path, rows, lzma.compress),
    "t.tsv.bz2": lambda path, rows: tsv(path, rows, bz2.compress),
}  # fmt: skip

#: The flags for its columns, and its segments that are one line to every reader.
COLUMNS = ("--hyp-col", "mt", "--ref-col", "ref")
GOOD = [(hyp, ref) for hyp, ref in zip(HYPS, REFS, strict=True) if "\u2028" not in hyp + ref]
