# SPDX-License-Identifier: Apache-2.0
"""Each command prints of a table what it prints of the same segments in text files."""

import csv
import json
import re

import pyarrow as pa
import pytest
from pyarrow import parquet
from support.command import run, scored
from support.example_texts import LOWER, lines, write_lines

from truebleu.cli import commands

FILES = {
    "src": "source.txt", "A": "ref.A.txt", "B": "ref.B.txt", "aurora": "hyp.aurora.txt",
    "basalt": "hyp.basalt.txt",
}  # fmt: skip


@pytest.fixture
def made(folder):
    """Text files and tables with the same columns; a value has a quote, and one a line break."""
    columns = {name: lines(f"de-en/{file}") for name, file in FILES.items()}
    segments = len(columns["A"])
    columns["doc"] = [f"d{i // 6}" for i in range(segments)]
    columns["group"] = ["news" if i % 3 else "chat" for i in range(segments)]
    columns["aurora"][3] += ' "he said"'
    write_lines(columns, folder)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    parquet.write_table(pa.table(columns), folder / "t.parquet")
    (folder / "t.json").write_text(json.dumps(rows, indent=1))
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, delimiter in (("t.csv", ","), ("t.tsv", "\t")):
        with open(folder / name, "w", newline="") as file:
            writer = csv.DictWriter(file, columns, delimiter=delimiter)
            writer.writeheader()
            writer.writerows(rows)
    return folder


REFS, ONE, TWO = ("A", "B"), ("aurora",), ("aurora", "basalt")
#: Commands with what they read and what else is on their command lines.
COMMANDS = [
    ("score", REFS, TWO, {}, ["-m", "bleu", "chrf"]),
    ("score", REFS, ONE, {}, ["-sl"]),
    ("score", REFS, TWO, {"--group-by": "group"}, []),
    ("compare", REFS, TWO, {"--group-by": "group", "--doc-col": "doc"}, ["-n", "200"]),
    ("contrast", REFS, TWO, {"--group-by": "group", "--doc-col": "doc"}, ["-n", "200"]),
    ("check", REFS, TWO, {"--group-by": "group", "--src-col": "src"}, []),
    ("explain", REFS, TWO, {"--group-by": "group"}, []),
    ("diff", REFS, TWO, {"--group-by": "group"}, ["-b", LOWER]),
    ("reconcile", REFS, TWO, {}, ["--score", "58", "38", "-d", "sacrebleu", "nltk"]),
    ("reconcile", REFS, TWO, {"--group-by": "group"},
     ["--score", "news=58", "news=38", "-d", "sacrebleu", "nltk"]),
    ("mbr", ("A",), TWO, {}, ["-f", "json"]),
    ("mbr", ("A",), TWO, {"--group-by": "group"}, ["-f", "json"]),
    ("self-bleu", (), TWO, {}, ["-f", "json"]),
    ("plot", REFS, TWO, {"--group-by": "group"}, ["-k", "groups", "--force", "-o", "f.svg"]),
    ("plot", REFS, TWO, {"--group-by": "group", "--doc-col": "doc"},
     ["-k", "scores", "-n", "200", "--force", "-o", "f.svg"]),
    ("report", REFS, TWO, {"--group-by": "group", "--doc-col": "doc", "--src-col": "src"},
     ["-n", "200", "--force", "-o", "f.html"]),
]  # fmt: skip
TEXT = {"--src-col": "--src", "--doc-col": "--by-doc"}


def of_text(command, refs, hyps, others, rest):
    """The command line that reads text files."""
    files = [word for flag, name in others.items() for word in (TEXT.get(flag, flag), name)]
    if command == "mbr":
        return [command, *hyps, "-r", *refs, *files, *rest]
    if command == "self-bleu":
        return [command, *hyps, *files, *rest]
    return [command, *refs, "-i", *hyps, *files, *rest]


def of_table(table, command, refs, hyps, others, rest):
    """The command line that reads a table."""
    ref_col = ["--ref-col", *refs] if refs else []
    columns = [word for pair in others.items() for word in pair]
    return [command, table, "--hyp-col", *hyps, *ref_col, *columns, *rest]


def result(arguments, folder, stdin=b""):
    done = run(*arguments, stdin=stdin)
    assert done.returncode < 2, done.stderr.decode()
    command = rb"Command: <code><bdi>[^<]*"  # which a report shows, with the files that were read
    written = [re.sub(command, b"", path.read_bytes()) for path in folder.glob("f.*")]
    return done.returncode, done.stdout, written


FORMATS = ("parquet", "json", "jsonl", "csv", "tsv")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("place", range(len(COMMANDS)), ids=lambda i: f"{COMMANDS[i][0]} {i}")
def test_each_command_reads_tables_of_each_format_and_from_standard_input(place, made):
    """What it prints and writes; each format is tried with several commands."""
    parts = COMMANDS[place]
    expected = result(of_text(*parts), made)
    assert expected[1]
    forms = [FORMATS[(place + step) % len(FORMATS)] for step in range(3)]
    for form in () if parts[0] in ("plot", "report") else forms[:2]:
        assert result(of_table(f"t.{form}", *parts), made) == expected, form
    table = made / f"t.{forms[2]}"
    assert result(of_table("-", *parts), made, table.read_bytes()) == expected


def test_no_command_and_no_column_is_forgotten():
    """Each command that reads columns is tried with several systems and all of its columns."""
    columns = {"--hyp-col", "--ref-col", "--src-col", "--doc-col", "--group-by"}
    for command in commands.COMMANDS:
        groups = getattr(commands.load(command), "GROUPS", ())
        flags = columns & {name for _, group in groups for flag in group for name in flag.names}
        some = [parts for parts in COMMANDS if parts[0] == command]
        tried = {flag for parts in some for flag in parts[3]}
        tried |= {"--hyp-col"} if any(parts[2] == TWO for parts in some) else set()
        tried |= {"--ref-col"} if any(parts[1] for parts in some) else set()
        assert tried == flags, command
        if flags and command != "self-bleu":
            assert {"--hyp-col", "--ref-col", "--group-by"} <= flags, command


@pytest.mark.usefixtures("made")
def test_references_and_systems_may_be_in_different_files():
    diff = ("-b", LOWER, "-f", "json")
    expected = scored("diff", "A", "-i", "aurora", *diff)
    assert scored("diff", "t.csv", "--ref-col", "A", "-i", "aurora", *diff) == expected
    assert scored("diff", "A", "-i", "t.json", "--hyp-col", "aurora", *diff) == expected
    tables = ("t.csv", "--ref-col", "A", "-i", "t.json", "--hyp-col", "aurora")
    assert scored("diff", *tables, *diff) == expected


def test_systems_have_the_names_of_their_columns(folder):
    (folder / "t.jsonl").write_text('{"m/a": "x", "n/a": "x", "ref": "x"}\n' * 2)
    table = ["t.jsonl", "--hyp-col", "m/a", "--hyp-col", "n/a", "--ref-col", "ref", "-f", "json"]
    for names, more in ((["m/a", "n/a"], []), (["A", "B"], ["--names", "A", "B"])):
        entries = json.loads(scored("score", *table, *more)[0])["scores"]
        assert [entry["system"] for entry in entries] == names
        compared = json.loads(scored("compare", *table, *more)[0])
        assert [system["name"] for system in compared["systems"]] == names


def test_a_column_of_lists_has_all_references(made):
    rows = zip(lines("de-en/ref.A.txt"), lines("de-en/ref.B.txt"), strict=True)
    (made / "lists.jsonl").write_text("".join(json.dumps({"refs": row}) + "\n" for row in rows))
    for command in ("explain", "check"):
        texts = [
            result([command, *refs, "-i", "basalt"], made)
            for refs in (("lists.jsonl", "--ref-col", "refs"), ("A", "B"))
        ]
        assert texts[0] == texts[1]
