# SPDX-License-Identifier: Apache-2.0
"""TSV and CSV: quotes, and columns by number."""

import csv

import pytest
from support.command import refusal, run
from support.tables import COLUMNS

import truebleu as tb
from truebleu.inputs import text_lines


def test_a_quote_that_is_not_closed_is_named(folder):
    (folder / "t.csv").write_text('mt,ref\na,b\n"c,d\ne,f\n')
    assert refusal("score", "t.csv", *COLUMNS).startswith("t.csv:3: not CSV: unexpected end")
    (folder / "t.csv").write_text('mt,ref\na,b\n"' + "c,d\n" * 50_000)
    assert refusal("score", "t.csv", *COLUMNS).startswith("t.csv:3: not CSV: field larger than")
    (folder / "t.csv").write_bytes(b"mt,\xff\na,b\n")
    message = refusal("score", "t.csv", *COLUMNS)
    assert message.startswith("t.csv:1: line 1: byte 4 of the line is not utf-8")


def test_quoted_values_of_csv_may_contain_lines(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'mt,"the\nref"\r\n"a ""b""\r\nc d e","a ""b""\nc d e"\r\n,"x, y"\r\n')
    for size in (1, 9):
        batches = list(tb.scan(tmp_path / "t.csv", "mt", "the\nref", batch_size=size))
        assert [hyp for batch in batches for hyp in batch.hyps] == ['a "b"\r\nc d e', ""]
        assert [ref for batch in batches for ref in batch.refs] == ['a "b"\nc d e', "x, y"]


def test_columns_by_number_are_of_files_without_names(tmp_path):
    for name, separator in (("t.tsv", "\t"), ("t.csv", ",")):
        (tmp_path / name).write_text(f"a b{separator}x{separator}a c\nd{separator}y{separator}d\n")
        (batch,) = tb.scan(tmp_path / name, "3", "1", "2")
        assert (batch.hyps, batch.refs, batch.by) == (["a c", "d"], ["a b", "d"], ["x", "y"])
        with pytest.raises(tb.OptionError, match="no column 4"):
            list(tb.scan(tmp_path / name, "4", "1"))


@pytest.mark.parametrize(("end", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_columns_are_named_once(end, separator, tmp_path):
    path = tmp_path / f"t.{end}"
    path.write_text(separator.join(["mt", "ref", "ref"]) + "\n")
    for name, message in (("ref", "several columns are named 'ref'"), ("reff", "did you mean ref")):
        with pytest.raises(tb.OptionError, match=message):
            list(tb.scan(path, "mt", name))


def rows_of(*arguments):
    return [list(row) for batch in tb.scan(*arguments) for row in zip(batch.hyps, batch.refs, strict=True)]


QUOTED = ['say "no"', "", "a\tb", "c\nd", '"', '""', "e", '"f"']


def test_values_in_quotes_of_tsv_are_read_with_a_notice(tmp_path, capsys):
    """As pandas writes them; the judge is Python's csv."""
    rows = [[one, two] for one in QUOTED for two in ("x", *QUOTED)] * 9
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL):
        with open(tmp_path / "t.tsv", "w", newline="") as file:
            csv.writer(file, delimiter="\t", quoting=quoting).writerows([["mt", "ref"], *rows])
        assert rows_of(tmp_path / "t.tsv", "mt", "ref") == rows
        assert "values are in quotes, as pandas writes them" in capsys.readouterr().out
    assert rows_of([tmp_path / "t.tsv"] * 2, "mt", "ref") == 2 * rows


@pytest.mark.parametrize("name", ["mt", "1"])
def test_quotes_begin_in_a_later_block(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("truebleu.inputs.text_lines.BLOCK", 64)
    rows = [["a", "b"]] * 99 + [['say "no"', "b"], ["c\nd", "e"]] + [["f", "g"]] * 99
    with open(tmp_path / "t.tsv", "w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerows(rows if name == "1" else [["mt", "ref"], *rows])
    columns = ("1", "2") if name == "1" else ("mt", "ref")
    assert rows_of(tmp_path / "t.tsv", *columns) == rows
    assert capsys.readouterr().out.count("in quotes") == 1
    with open(tmp_path / "t.tsv", "a") as file:
        file.write('"h"i\tj\n')
    with pytest.raises(tb.InputError, match=rf"t.tsv:{202 + (name == 'mt')}: not CSV"):
        list(tb.scan(tmp_path / "t.tsv", *columns))


def test_quotes_of_text_are_read_as_they_are(tmp_path, capsys):
    rows = [
        ['"a" b', '"c'], ['"d"', 'e "f" g'], ['"h ""i"" j"', 'k "l" m'], ['"', '""'],
        ["a", '"' + '""' * 200_000 + "x"],
    ]  # fmt: skip
    (tmp_path / "t.tsv").write_text("mt\tref\n" + "".join("\t".join(row) + "\n" for row in rows))
    assert rows_of(tmp_path / "t.tsv", "mt", "ref") == rows
    assert capsys.readouterr().out == ""


def test_the_order_of_rows_changes_no_score(folder, monkeypatch):
    """Quotes are read by the rules of CSV in a whole file, or the file is refused."""
    monkeypatch.setattr(text_lines, "BLOCK", 1 << 10)
    quoted, raw = ['"say ""no"""\tsay "no"'], ['"a b c d"\ta b c d']
    plain = ["a b c\ta b d"] * 400
    scores = set()
    other = ['say "no" a b\tsay "no" a c']
    for rows in (
        quoted + plain + raw,
        raw + plain + quoted,
        plain + quoted + raw,
        raw + plain,
        other + plain + quoted + raw,
        plain + quoted + raw + other,
        quoted + raw + plain + other,
    ):
        (folder / "t.tsv").write_text("\n".join(["mt\tref", *rows]) + "\n")
        done = run("score", "t.tsv", *COLUMNS, "-b", "-w", "9")
        scores.add((quoted[0] in rows, other[0] in rows and not done.returncode, done.stdout))
        if done.returncode:
            assert b"quote all" in done.stderr
    assert len(scores) == 4  # refused, plain, in quotes, and as text with `other`


def test_a_stray_quote_skips_no_uncounted_rows(folder):
    rows = [f"{i} a b,{i} a b" for i in range(200)]
    rows[30] = '"' + rows[30]
    rows[160] = '"x","y"'
    (folder / "t.csv").write_text("\n".join(["mt,ref", *rows]) + "\n")
    message = refusal("score", "t.csv", *COLUMNS, "--on-error", "skip")
    assert message.startswith("t.csv:32: not CSV")
    assert message.endswith("ends on line 162: correct its quotes")
