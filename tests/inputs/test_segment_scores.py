# SPDX-License-Identifier: Apache-2.0
"""Files of segment scores: each layout gives the same scores, and each mistake is one line."""

import json
import math
import re

import pytest

from truebleu import InputError, OptionError
from truebleu.inputs.segment_scores import segment_scores

SCORES = {"A": [0.5, math.nan, 0.25], "B": [1.0, 2.0, -3.0]}
ROWS = [{name: None if math.isnan(own[i]) else own[i] for name, own in SCORES.items()} for i in range(3)]
LONG = [
    {"system": name, "segment": i + 1, "score": ROWS[i][name]}
    for i in (2, 0, 1)
    for name in ("B", "other", "A")
    if name in SCORES
]


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
        (tsv(ROWS[:2]), ":3: A has no score for segment 3; write None"),
        (tsv([*ROWS, ROWS[0]]), ":5: segment 4 of A is not one of the 3; correct it"),
        (tsv([row for row in LONG if row != LONG[2]]), ":6: B has no score for segment 1"),
        (tsv([*LONG, LONG[0]]), ":8: segment 3 of B is there twice; correct it"),
        (tsv(LONG).replace("\t3\t", "\t4\t"), ":2: segment 4 of B is not one of the 3"),
        (tsv(ROWS).replace("2.0", ""), ":3: the score of B is '', not a number"),
        (tsv(ROWS).replace("0.5\t", ""), ":2: 1 field, not one for each of 2 names"),
        (jsonl(ROWS).replace('"A": 0.25, ', ""), ":3: not the columns of the first row"),
        (jsonl(ROWS) + "3\n", ":4: not an object; correct the line"),
        (jsonl(ROWS) + "{\n", ":4: not JSON: Expecting"),
        ("A\tC\n1\t2\n", ":2: A has no score for segment 2"),
        ("A\tC\n" + "1\t2\n" * 3, ":4: B has no score for segment 1"),
        ("A\tB\n", ":1: only names of columns; add scores"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path, text, message):
    with pytest.raises(InputError, match=re.escape(f"{tmp_path / 'comet.v2.tsv'}{message}")):
        read(tmp_path, text)


MQM = """system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity
A\td\t2\tr1\ta <v>b</v> c\tFluency/Punctuation\tMinor
A\td\t2\tr2\t<v>a</v> b c\tNon-translation!\tMajor
A\td\t2\tr2\ta b c\tAccuracy/Omission\tMinor
A\td\t1\tr1\tx\tNo-error\tno-error
ref\td\t2\tr1\tx\tNo-error\tno-error
"""
SPANS = [{"text": "b", "start": 2, "end": 3, "severity": "minor", "confidence": 0.5}]
XCOMET = {"A": [{"COMET": 0.25, "errors": SPANS}, {"COMET": 0.5, "errors": []}]}


def test_marked_errors(tmp_path):
    ((none, own, absent),) = (scores["A"] for scores in read(tmp_path, MQM, ["A"]).values())
    assert (none, own, math.isnan(absent)) == (0, -(0.1 + 25 + 1) / 2, True)
    assert [(error.text, error.start, error.severity) for error in own.errors] == [
        ("b", 2, "minor"), ("a", 0, "major"), ("", -1, "minor"),
    ]  # fmt: skip
    lines = jsonl([{"score": row["COMET"], "error_spans": row["errors"]} for row in XCOMET["A"]])
    for text in (json.dumps(XCOMET), json.dumps(XCOMET, indent=1), lines):
        (scores,) = read(tmp_path, text, ["A"], 2).values()
        assert scores == {"A": [0.25, 0.5]}
        ((error,), ()) = (score.errors for score in scores["A"])
        assert error == error.within("a b c")
        assert error.within("no b").start == 3
        assert error.within("no").start == -1
    for damaged, message in (
        (MQM.replace("seg_id", "docSegId"), ":1: no column seg_id"),
        (json.dumps(XCOMET).replace("start", "at"), ":1: errors need text, start"),
        (json.dumps({"A": [{"COMET": 1}]}), ":1: A has no score for segment 2"),
        (json.dumps({"A": [1, 2]}), "not a number"),
    ):
        with pytest.raises(InputError, match=message):
            read(tmp_path, damaged, ["A"], 2)


def test_two_files_of_one_name(tmp_path):
    (tmp_path / "da.txt").write_text("1\n")
    with pytest.raises(OptionError, match="two files have scores named 'da'; rename one"):
        segment_scores([tmp_path / "da.txt"] * 2, ["A"], 1)
