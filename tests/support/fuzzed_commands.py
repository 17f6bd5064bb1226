# SPDX-License-Identifier: Apache-2.0
"""One command line after the other, over files that are whole or damaged."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

from support import fuzzed_values as make
from support.fuzzed_calls import signature
from support.hostile import ATTACKS
from truebleu.cli import main
from truebleu.cli.commands import COMMANDS, load

#: Of these a run takes long or starts processes.
SLOW = {"report": 0.1, "plot": 0.1, "reconcile": 0.2, "check": 0.5, "compare": 0.5}


def lines(rng, count):
    return [make.text(rng).replace("\n", " ") for _ in range(count)]


def write_files(rng, folder):
    """Files of a few segments in every form, some of them damaged; returns their names."""
    count = rng.choice([1, 2, 3, 5])
    columns = {"hyp": lines(rng, count), "ref": lines(rng, count), "doc": ["d"] * count}
    text = {name: "".join(f"{line}\n" for line in column) for name, column in columns.items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    table = pa.table(columns)
    parquet, arrow = io.BytesIO(), io.BytesIO()
    pq.write_table(table, parquet)
    with pa.ipc.new_file(arrow, table.schema) as writer:
        writer.write_table(table)
    tsv = "".join("\t".join(row.replace("\t", " ") for row in cells) + "\n"
                  for cells in [tuple(columns), *zip(*columns.values(), strict=True)])  # fmt: skip
    saved = {
        "hyp": text["hyp"].encode(),
        "ref": text["ref"].encode(),
        "short": b"one\n",
        "utf16": text["hyp"].encode("utf-16"),
        "hyp.gz": gzip.compress(text["hyp"].encode()),
        "hyp.bz2": bz2.compress(text["hyp"].encode()),
        "hyp.xz": lzma.compress(text["hyp"].encode()),
        "zst": b"\x28\xb5\x2f\xfd" + rng.randbytes(30),
        "empty": b"",
        "random": rng.randbytes(rng.choice([1, 80, 3_000])),
        "t.tsv": tsv.encode(),
        "t.csv": tsv.replace(",", ";").replace("\t", ",").encode(),
        "t.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode(),
        "t.parquet": parquet.getvalue(),
        "t.arrow": arrow.getvalue(),
    }
    for name, data in saved.items():
        (folder / name).write_bytes(damaged(rng, data) if rng.random() < 0.15 else data)
    (folder / "sub").mkdir(exist_ok=True)
    return [
        *saved,
        "hyp",
        "ref",
        "hyp",
        "ref",
        "hyp",
        "ref",
        "nowhere",
        "sub",
        "-",
        "sub/../hyp",
        "",
    ]


def damaged(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 5])):
        if not data:
            break
        at = rng.randrange(len(data))
        how = rng.randrange(4)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            del data[at : at + rng.choice([1, 9, 10_000])]
        elif how == 2:
            data[at:at] = rng.choice([b"\0", b"\xff", b"\n", b'"', b"\t", b"\xed\xa0\x80"])
        else:
            data += data[at:]
    return bytes(data)


def value(rng, flag, names):
    """A value for a flag, in words."""
    if rng.random() < 0.15:
        return rng.choice(
            ["", "0", "-1", "1", "9" * 5_000, "nan", "1e400", "\ud800", "\0", "--", "hyp",
             *ATTACKS.values()]
        )  # fmt: skip
    if flag.choices:
        return rng.choice(flag.choices)
    if flag.kind is int:
        return rng.choice(["0", "1", "2", "4", "10", "1000"])
    if flag.kind is float:
        return rng.choice(["0", "0.1", "1", "50", "100"])
    key = flag.names[-1]
    if "col" in key or key == "--group-by":
        return rng.choice(["hyp", "ref", "doc", "0", "1", "2"])
    return rng.choice(
        [*names, "sacrebleu", "nltk", "27.3", "13a", "bleu", "chrf", "ter", "utf-8", "out.svg",
         "out.html", "0.25,0.25,0.25,0.25", signature(rng)]
    )  # fmt: skip


def command_line(rng, names):
    """A command line."""
    command = rng.choices(list(COMMANDS), [SLOW.get(name, 1.0) for name in COMMANDS])[0]
    words = [command]
    words += [rng.choice(names) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
    module = load(command)
    flags = [flag for _, flags in getattr(module, "GROUPS", ()) for flag in flags]
    if command not in ("dialects", "completion") and rng.random() < 0.8:
        words += ["-i", rng.choice(names)]
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 5])):
        if not flags:
            words.append(rng.choice(["-b", "-m", "chrf", "-tok", "zh", "-f", "text", "-w", "2"]))
            continue
        flag = rng.choice(flags)
        name = rng.choice(flag.names)
        if flag.takes and rng.random() < 0.3:
            words.append(f"{name}={value(rng, flag, names)}")
        else:
            words.append(name)
            words += [value(rng, flag, names) for _ in range(1 if flag.takes else 0)]
    if rng.random() < 0.05:
        rng.shuffle(words)
    return words


#: Test sets are not asked for: they would come from the network.
ELSEWHERE = {"-t", "--test-set", "--download", "--echo", "--list", "--citation"}


def step(rng, folder):
    """Runs a command; returns its name and its exit code. Raises what must not happen."""
    names = write_files(rng, folder)
    words = command_line(rng, names)
    while ELSEWHERE & {word.partition("=")[0] for word in words}:
        words = command_line(rng, names)
    stdin = io.TextIOWrapper(io.BytesIO((folder / rng.choice(names[:16])).read_bytes()))
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    before = os.getcwd(), sys.stdin
    os.chdir(folder)
    sys.stdin = stdin
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as left:  # of the drop-in's argument parser
                code = left.code
        out.flush()
        err.flush()
        said = err.buffer.getvalue().decode(errors="replace")
    finally:
        os.chdir(before[0])
        sys.stdin = before[1]
    ragged = code == 17 and words[0] == "sacrebleu"  # as sacreBLEU says that lines are missing
    assert code in (0, 1, 2) or ragged, f"exit code {code!r}"
    assert "Traceback" not in said, said
    assert "internal error" not in said, said
    if code == 2 and words[0] in COMMANDS and words[0] != "sacrebleu":
        # Notices come first; the last line is the error.
        last = said.rstrip("\n").rpartition("\n")[2]
        assert last.startswith("truebleu: "), said
    return f"truebleu {words[0]}" if words[0] in COMMANDS else "truebleu", str(code)
