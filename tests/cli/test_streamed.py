# SPDX-License-Identifier: Apache-2.0
"""`truebleu score` of tables and of large files prints what it prints of small ones."""

import gzip
import json
import os
import subprocess

import pytest
from support import tables
from support.command import COMMAND, run, scored
from support.example_texts import AURORA, ENGLISH, SYSTEMS
from support.tables import HYPS, MORE, REFS

import truebleu as tb


@pytest.mark.parametrize("pack", [bytes, gzip.compress, tables.zstd])
@pytest.mark.parametrize(
    "flags", [[], ["-m", "bleu", "chrf", "ter"], ["-f", "json", "-w", "9"], ["-tok", "char"], ["-tok", "words"]]
)
def test_large_files_score_as_small_ones(pack, flags, folder):
    """Standard input and compressed files take the way of large ones."""
    for name, path in (("packed", AURORA), ("refs", ENGLISH[0])):
        with open(path, "rb") as file:
            (folder / name).write_bytes(pack(file.read()))
    small = run("score", *ENGLISH, "-i", AURORA, *flags).stdout
    assert small
    packed = (folder / "packed").read_bytes()
    output = small.replace(b"hyp.aurora.txt", b"packed")
    for threads in ("1", "3"):
        large = run("score", ENGLISH[0], ENGLISH[1], "-i", "packed", *flags, "--threads", threads)
        assert (large.stdout, large.stderr) == (output, b"")
    piped = subprocess.Popen([COMMAND, "score", *ENGLISH, *flags], stdin=-1, stdout=-1)
    assert piped.communicate(packed)[0] == small.replace(b"hyp.aurora.txt", b"-")


def test_several_systems_are_read_in_step(folder):
    (folder / "packed").mkdir()
    for path in SYSTEMS:
        with open(path, "rb") as file:
            name = os.path.basename(path)
            (folder / "packed" / name).write_bytes(gzip.compress(file.read()))
    small = scored("score", *ENGLISH, "-i", *SYSTEMS)
    packed = [f"packed/{os.path.basename(path)}" for path in SYSTEMS]
    assert scored("score", *ENGLISH, "-i", *packed) == small
    tables.comma(folder / "t.csv", tables.table())
    table = scored("score", "t.csv", "--hyp-col", "mt", "more", "--ref-col", "ref", "-f", "json")[0]
    assert [one["score"] for one in json.loads(table)["scores"]] == [
        tb.corpus_bleu(hyps, REFS).value for hyps in (HYPS, MORE)
    ]
