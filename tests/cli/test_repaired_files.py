# SPDX-License-Identifier: Apache-2.0
"""`truebleu check --fix DIR`: the copies it writes, what it says, and what it refuses."""

import csv
import gzip
import json
from pathlib import Path

import pytest
from support.command import refusal, run
from support.example_texts import HYPS, REFS, write_lines

import truebleu as tb

TAGGED = [f"<s> {hyp} </s>" for hyp in HYPS]
WITH_TAB = [*REFS[:4], REFS[4] + "\tend", *REFS[5:]]

COLUMNS = "--hyp-col mt --ref-col ref"

pytestmark = pytest.mark.usefixtures("files")


@pytest.fixture
def files(folder):
    """Hypotheses in tags, clean ones, and references with a tab, in the current folder."""
    write_lines({"bad.txt": TAGGED, "good.txt": HYPS, "ref.txt": WITH_TAB}, folder)


def fixed(*arguments, code):
    done = run("check", *arguments)
    assert (done.returncode, done.stderr) == (code, b"")
    return done.stdout.decode()


def test_copies_are_repaired_and_changes_are_named():
    before = Path("bad.txt").read_bytes()
    output = fixed("ref.txt", "-i", "bad.txt", "good.txt", "--fix", "out", code=1)
    assert output.endswith(
        "\nrepaired:\nout/ref.txt: tab (1 line)\nout/bad.txt: added-text (48 lines)\nout/good.txt: copied as it is\n"
    )
    assert Path("bad.txt").read_bytes() == before
    assert tb.read_lines("out/bad.txt") == tb.read_lines("out/good.txt") == HYPS
    assert tb.read_lines("out/ref.txt")[4] == REFS[4] + " end"
    assert fixed("out/ref.txt", "-i", "out/bad.txt", code=0) == ("out/bad.txt: no problems found in 48 segments\n")
    entries = json.loads(fixed("ref.txt", "-i", "bad.txt", "--fix", "out", "--force", "-f", "json", code=1))
    assert entries["repaired"] == [
        {"file": "ref.txt", "copy": "out/ref.txt", "changes": [{"kind": "tab", "count": 1}]},
        {"file": "bad.txt", "copy": "out/bad.txt", "changes": [{"kind": "added-text", "count": 48}]},
    ]


def test_the_exit_code_is_of_the_original_files():
    assert "error" in fixed("ref.txt", "-i", "bad.txt", "--fix", "a", code=1)
    fixed("ref.txt", "-i", "good.txt", "--fix", "b", code=0)
    write_lines({"empty.txt": ["", *HYPS[1:]]})
    fixed("ref.txt", "-i", "empty.txt", "--fix", "c", code=0)
    fixed("ref.txt", "-i", "empty.txt", "--fix", "d", "--fail-on", "warning", code=1)


def test_lost_lines_become_empty_and_compressed_files_text():
    rows = "".join(f"{hyp}\n" for hyp in [*HYPS[:16], *HYPS[17:]])
    Path("lost.txt.gz").write_bytes(gzip.compress(rows.encode()))
    output = fixed("ref.txt", "-i", "lost.txt.gz", "--fix", "out", code=1)
    assert "out/lost.txt: lost-line (1 line)" in output
    assert tb.read_lines("out/lost.txt") == [*HYPS[:16], "", *HYPS[17:]]


def test_existing_files_are_replaced_by_force_and_inputs_never():
    Path("out").mkdir()
    Path("out/bad.txt").write_text("mine\n", encoding="utf-8")
    command = ("check", "ref.txt", "-i", "bad.txt", "--fix")
    assert "out/bad.txt exists; use --force" in refusal(*command, "out")
    assert [path.name for path in Path("out").iterdir()] == ["bad.txt"]
    assert Path("out/bad.txt").read_text(encoding="utf-8") == "mine\n"
    fixed(*command[1:], "out", "--force", code=1)
    assert tb.read_lines("out/bad.txt") == HYPS
    for force in ([], ["--force"]):
        assert "--fix would replace the input ./ref.txt" in refusal(*command, ".", *force)
    assert tb.read_lines("ref.txt") == WITH_TAB


def test_standard_input_has_no_name_for_its_copy():
    message = refusal("check", "ref.txt", "--fix", "out", stdin=b"a\n")
    assert message.startswith("--fix needs names for the copies")


def test_systems_with_names_of_their_own():
    output = fixed("ref.txt", "-i", "bad.txt", "good.txt", "--names", "A", "B", "--fix", "out", code=1)
    assert "out/bad.txt: added-text (48 lines)\n" in output
    assert tb.read_lines("out/bad.txt") == HYPS


def records(mt=TAGGED, ref=WITH_TAB):
    return [
        {"id": i / 7, "mt": hyp, "ref": ref, "note": 'odd, "é"\n' if i % 5 == 0 else ""}
        for i, (hyp, ref) in enumerate(zip(mt, ref, strict=True))
    ]


def write_table(name, rows):
    """A table as people write it, by the suffix of its name."""
    path, kind = Path(name), name.rpartition(".")[2]
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif kind == "json":
        path.write_text(json.dumps(rows, ensure_ascii=False, indent=2), encoding="utf-8")
    else:
        end, delimiter = ("\r\n", ",") if kind == "csv" else ("\n", "\t")
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file, delimiter=delimiter, lineterminator=end)
            writer.writerows([list(rows[0]), *(row.values() for row in rows)])


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json"])
def test_a_table_keeps_its_format_and_its_other_columns(kind):
    """The copy has the bytes of a table that was never bad."""
    write_table(f"t.{kind}", records())
    refs = [ref.replace("\t", " ") for ref in WITH_TAB]
    Path("good").mkdir()
    write_table(f"good/t.{kind}", records(HYPS, refs))
    done = run("check", f"*.{kind}", *COLUMNS.split(), "--fix", "out")
    said = done.stdout.decode()
    assert f"\nout/t.{kind}: mt: added-text (48 rows), ref: tab (1 row)\n" in said
    assert Path(f"out/t.{kind}").read_bytes() == Path(f"good/t.{kind}").read_bytes()


def test_tables_without_names_and_with_fields_in_objects():
    lines = [f"{i}\t{hyp}\t{ref}" for i, (hyp, ref) in enumerate(zip(TAGGED, REFS, strict=True))]
    Path("t.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    fixed("t.tsv.gz", "--hyp-col", "2", "--ref-col", "3", "--fix", "out", code=1)
    assert Path("out/t.tsv").read_text(encoding="utf-8") == "\n".join(lines).replace("<s> ", "").replace(" </s>", "")
    rows = [{"out": [{"mt": hyp}], "ref": [ref, "x\t"]} for hyp, ref in zip(TAGGED, REFS, strict=True)]
    write_table("t.jsonl", rows)
    output = fixed("t.jsonl", "--hyp-col", "out.0.mt", "--ref-col", "ref", "--fix", "o", code=1)
    assert "o/t.jsonl: out.0.mt: added-text (48 rows), ref (reference 2): tab (48 rows)\n" in output
    first = json.loads(Path("o/t.jsonl").read_text(encoding="utf-8").partition("\n")[0])
    assert first == {"out": [{"mt": HYPS[0]}], "ref": [REFS[0], "x "]}


def test_rows_of_tables_stay_in_place():
    shifted = [*HYPS[:10], *HYPS[11:], ""]
    write_table("t.csv", records([f"<s> {hyp}" if hyp else "" for hyp in shifted], REFS))
    arguments = ("t.csv", *COLUMNS.split(), "--fix", "out", "--force")
    output = run("check", *arguments).stdout.decode()
    assert output.endswith("\nnot repaired, because rows of tables stay in place: shifted-lines\n")
    output = run("check", *arguments, "-f", "json").stdout
    assert json.loads(output)["not_repaired"] == ["shifted-lines"]
    with Path("out/t.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["mt"] for row in csv.DictReader(file)] == shifted


def test_references_that_systems_need_in_different_forms():
    """The lines of references that disagree are those of the hypotheses, which are fewer here."""
    write_lines({"more.txt": REFS[1:], "short.txt": HYPS[:40]})
    refs = ["ref.txt", "more.txt"]
    fixed(*refs, "-i", "good.txt", "--fix", "one", code=1)
    assert tb.read_lines("one/more.txt") == ["", *REFS[1:]]
    message = refusal("check", *refs, "-i", "good.txt", "short.txt", "--fix", "two")
    assert "repairs of ref.txt differ; --fix one system" in message
    assert not Path("two").exists()


def test_a_repair_that_the_encoding_lacks_is_one_line():
    for name, rows in (("hyp", [f"{hyp} &euro;so" for hyp in HYPS]), ("ref", [f'{ref} "so"' for ref in REFS])):
        text = "".join(f"{row}\n" for row in rows)
        Path(name).write_text(text, encoding="latin-1", errors="replace")
    message = refusal("check", "ref", "-i", "hyp", "-e", "latin-1", "--fix", "out")
    assert "latin-1" in message
    assert not Path("out").exists()


def test_a_table_in_utf_16_is_noticed_once():
    rows = zip(["mt", *TAGGED], ["ref", *REFS], strict=True)
    Path("t.tsv").write_text("".join(f"{mt}\t{ref}\n" for mt, ref in rows), encoding="utf-16")
    done = run("check", "t.tsv", *COLUMNS.split(), "--fix", "out", "-f", "json")
    (repaired,) = json.loads(done.stdout)["repaired"]
    assert repaired["changes"][0]["kind"] == "added-text"
    assert done.stderr.decode() == "truebleu: notice: t.tsv: read as UTF-16, by its byte order mark\n"
