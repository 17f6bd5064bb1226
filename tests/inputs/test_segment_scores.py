# SPDX-License-Identifier: Apache-2.0
"""Files of segment scores: each layout gives the same scores, and each mistake is one line."""

import json
import math
import re

import pytest

from truebleu import InputError, OptionError
from truebleu.inputs.segment_scores import segment_scores

SCORES = {"A": [0.5, math.nan, 0.25], "B": [1.0, 2.0, -3.0]}
ROWS = [{name: None if math.isnan(own[i]) else own[i] for name, own in SCORES.items()}
        for i in range(3)]  # fmt: skip
LONG = [{"system": name, "segment": i + 1, "score": ROWS[i][name]} for i in (2, 0, 1)
        for name in ("B", "other", "A") if name in SCORES]  # fmt: skip


def tsv(rows, *, names=True):
    lines = [rows[0], *map(dict.values, rows)] if names else map(dict.values, rows)
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def read(tmp_path, text, systems=("A", "B"), segments=3, **options):
    (tmp_path / "comet.v2.tsv").write_text(text)
    return segment_scores([tmp_path / "comet.v2.tsv"], systems, segments, **options)


@pytest.mark.parametrize(
    "text",
    [
        tsv(ROWS), tsv(ROWS).replace("\n", "\r\n"), jsonl(ROWS), tsv(LONG), jsonl(LONG),
        tsv([{"system": name, "score": row[name]} for row in ROWS for name in "AB"], names=False),
        tsv([{"id": i + 1, **ROWS[i], "C": 7} for i in (1, 2, 0)]),
        tsv(LONG).replace("A\t", "dir/hyp.A\t"),
    ],
)  # fmt: skip
def test_every_layout_gives_the_same_scores(tmp_path, text):
    scores = read(tmp_path, text, aliases={"dir/hyp.A": "A"})
    assert repr(scores) == repr({"comet": SCORES})


def test_names_keys_and_one_system(tmp_path):
    named = read(tmp_path, tsv(LONG).replace("\tscore", "\tMQM"))
    assert list(named) == ["MQM"]
    by_key = tsv([{"key": key, "A": score} for key, score in (("y", 2.0), ("x", 1.0))])
    assert read(tmp_path, by_key, ["A"], 2, keys=["x", "y"]) == {"comet": {"A": [1.0, 2.0]}}
    assert read(tmp_path, "1\n2.5\n", ["A"], 2) == {"comet": {"A": [1.0, 2.5]}}
    assert segment_scores({"da": {"A": (3, None)}}, ["A"], 1 + 1)["da"]["A"][0] == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (tsv(ROWS[:2]), ":3: 2 scores of A for 3 segments; give one for each"),
        (tsv([*ROWS, ROWS[0]]), ":5: more than 3 scores of A for 3 segments; give one for each"),
        (tsv(LONG[1:]), ":6: 2 scores of B for 3 segments; give one for each"),
        (
            tsv([row for row in LONG if row != LONG[2]]),
            ":6: no score of B for segment 1; add it, or None",
        ),
        (tsv([*LONG, LONG[0]]), ":8: segment 3 of B occurs twice; keep one score"),
        (tsv(LONG).replace("\t3\t", "\t4\t"), ":2: no segment is '4'; they are 1 to 3"),
        (tsv(ROWS).replace("2.0", "nan"), ":3: the score of B is 'nan', not a number"),
        (jsonl(ROWS).replace("2.0", "NaN"), ":2: the score of B is nan, not a number"),
        (tsv(ROWS).replace("2.0", ""), ":3: the score of B is '', not a number"),
        (tsv(ROWS).replace("0.5\t", ""), ":2: 1 field, but the first line has 2 names"),
        (jsonl(ROWS).replace('"A": 0.25, ', ""), ":3: not the columns of line 1; correct it"),
        (jsonl(ROWS) + "3\n", ":4: not an object of JSON; correct the line"),
        (jsonl(ROWS) + "{\n", ":4: not JSON: "),
        ("A\tC\n1\t2\n3\t4\n5\t6\n", ":4: no scores of system 'B'"),
        ("A\tB\n", ":1: only names of columns; add scores"),
        (tsv([{"system": "A", "x": 1, "y": 2}]), ":2: no column is named 'score'; name it so"),
    ],
)
def test_mistakes(tmp_path, text, message):
    with pytest.raises(InputError, match=re.escape(f"{tmp_path / 'comet.v2.tsv'}{message}")):
        read(tmp_path, text)


def test_mistakes_of_values():
    with pytest.raises(InputError, match="scores must have a mapping of systems"):
        segment_scores({"comet": [1.0]}, ["A"], 1)
    with pytest.raises(InputError, match=r"^scores 'comet': 1 scores of A for 2 segments"):
        segment_scores({"comet": {"A": [1.0]}}, ["A"], 2)


def test_two_files_of_one_name(tmp_path):
    (tmp_path / "da.txt").write_text("1\n")
    with pytest.raises(OptionError, match="two files have scores named 'da'; rename one"):
        segment_scores([tmp_path / "da.txt"] * 2, ["A"], 1)
