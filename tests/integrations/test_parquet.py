# SPDX-License-Identifier: Apache-2.0
"""Parquet files dealt out to tasks: each row is read once, in order, and named if it is bad."""

import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine_texts import METRIC, TABLE, parts
from support.example_texts import HYPS, REFS

import truebleu as tb
from truebleu.integrations import parquet
from truebleu.integrations.batches import Batches
from truebleu.integrations.parquet import Tasks

BATCHES = Batches(METRIC, ["hyp"], ["ref"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of one row group to a row, two of them empty; beside what is not for readers."""
    path = tmp_path_factory.mktemp("outputs")
    for i, part in enumerate(parts()):
        pq.write_table(part, path / f"{i:03}.parquet", row_group_size=1)
    (path / "_SUCCESS").touch()
    (path / "_temporary").mkdir()
    (path / "_temporary" / "half.parquet").write_bytes(b"PAR1")
    return path


@pytest.fixture
def small(monkeypatch):
    """Tasks of less than a file."""
    monkeypatch.setattr(parquet, "_MIN_BYTES", 1000)
    monkeypatch.setattr(parquet, "_OPENING_BYTES", 300)


def rows_read(tasks):
    """The rows that each task reads, with their places."""
    return [
        [
            (place, table["hyp"][0].as_py())
            for piece in task
            for table, place in tasks._read(piece, BATCHES)
            if len(table)
        ]
        for task in tasks._tasks
    ]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("cores", [1, 2, 7, 1000])
def test_each_row_is_read_once_and_in_order(folder, cores):
    tasks = pickle.loads(pickle.dumps(Tasks(folder, cores, rows=1)))  # noqa: S301
    by_task = rows_read(tasks)
    assert len(tasks) <= 4 * cores
    assert len(tasks) > min(cores, 20)
    rows = [row for task in by_task for row in task]
    assert [hyp for _, hyp in rows] == HYPS
    expected = [
        f"{folder / f'{i:03}.parquet'}, from row {row} on"
        for i, part in enumerate(parts())
        for row in range(1, len(part) + 1)
    ]
    assert [place for place, _ in rows] == expected


@given(sizes=st.lists(st.integers(0, 50), min_size=1, max_size=20), size=st.integers(8, 200), opening=st.integers(1, 7))
def test_files_are_dealt_out_without_gaps(sizes, size, opening):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "_OPENING_BYTES", opening)
        dealt = list(parquet._divided([(None, str(i), s) for i, s in enumerate(sizes)], size))
    assert all(dealt)
    total = sum(s + opening for s in sizes)
    assert total // (size + opening) <= len(dealt) <= max(1, len(sizes), 2 * total // size + 1)
    pieces = [piece for task in dealt for piece in task]
    for i, length in enumerate(sizes):
        bytes_read = [at for _, path, start, end in pieces if path == str(i) for at in range(start, min(end, length))]
        assert bytes_read == list(range(length))
        assert [path for _, path, *_ in pieces].count(str(i)) >= 1


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("rows", [None, 1, 7])
def test_paths_of_every_kind_score_as_in_memory(folder, rows):
    files = [folder / f"{i:03}.parquet" for i in range(len(parts()))]
    for paths in (folder, str(folder / "*.parquet"), files, folder.as_uri()):
        tasks = Tasks(paths, 2, rows)
        sums = pa.concat_tables(tasks.counted(range(len(tasks)), BATCHES, BATCHES.partial))
        assert BATCHES.scores(sums) == METRIC.corpus(HYPS, REFS)


def test_an_empty_file_gives_nothing(folder):
    tasks = Tasks((folder / "000.parquet").as_uri(), 1)
    assert tasks.no_rows().column_names == TABLE.column_names
    assert list(tasks.counted([0], BATCHES, BATCHES.partial)) == []


def test_only_columns_that_are_scored_are_read(folder):
    tasks = Tasks(folder, 2)
    (names,) = {tuple(table.column_names) for table in tasks.counted(range(len(tasks)), BATCHES, lambda table: table)}
    assert names == ("hyp", "ref")


def test_numbers_of_texts_become_texts(tmp_path):
    columns = {name: TABLE[name].combine_chunks().dictionary_encode() for name in ("hyp", "ref")}
    pq.write_table(pa.table(columns), tmp_path / "part.parquet")
    sums = pa.concat_tables(Tasks(tmp_path, 1).counted([0], BATCHES, BATCHES.partial))
    assert BATCHES.scores(sums) == METRIC.corpus(HYPS, REFS)


def not_utf8():
    """Three texts, the second of which is none."""
    raw = pa.array([b"fine", b"\xff\xfe", b"fine"])
    return pa.Array.from_buffers(pa.string(), 3, raw.buffers())


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"hyp": ["a", "b", None], "ref": ["a", "b", "c"]},
         r"part\.parquet, from row [13] on: with hyps in column 'hyp' .*: hyps\[[02]\] is missing"),
        ({"hyp": not_utf8(), "ref": ["a", "b", "c"]},
         r"part\.parquet, from row [12] on: .*: hyps\[[01]\] is not UTF-8"),
        ({"hyp": ["a"]}, r"part\.parquet: there is no column 'ref'; there are hyp"),
        (b"", r"part\.parquet: damaged or huge: .*0 bytes"),
        (b"PAR1 and more", r"part\.parquet: damaged or huge: "),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", [1, None])
def test_a_mistake_names_file_and_row(tmp_path, made, message, rows):
    path = tmp_path / "part.parquet"
    if isinstance(made, bytes):
        path.write_bytes(made)
    else:
        pq.write_table(pa.table(made), path, row_group_size=2)
    with pytest.raises(tb.InputError, match=message) as caught:
        list(Tasks(path, 1, rows).counted([0], BATCHES, BATCHES.partial))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ("nowhere.parquet", "nowhere.parquet: no such file; check the path"),
        ("no*.parquet", "no file matches; name a file"),
        ("file:///nowhere.parquet", "/nowhere.parquet: no such file; check the path"),
        ("mist://outputs", "mist://outputs: cannot be listed: Unrecognized filesystem type"),
        ([], "there is no file to read; give at least one"),
    ],
)
def test_paths_without_files(paths, message):
    with pytest.raises(tb.InputError, match=message.replace("*", r"\*")):
        Tasks(paths, 1).no_rows()
