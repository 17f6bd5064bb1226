# SPDX-License-Identifier: Apache-2.0
"""`truebleu contrast`: what it prints, what it reads, and its errors."""

import json

from support.command import scored, truebleu
from support.example_texts import ENGLISH, NAMED, SYSTEMS, TWO_REFS

from truebleu import contrast

PAIR = NAMED["aurora"], NAMED["basalt"]
COMMAND = ("contrast", *ENGLISH, "-i", *SYSTEMS[:2])


def test_the_command_prints_what_python_says():
    result = contrast(*PAIR, TWO_REFS, names=("aurora", "basalt"))
    assert scored(*COMMAND) == (f"{result}\n", "")
    entry = json.loads(truebleu(*COMMAND, "-f", "json"))
    assert entry == json.loads(json.dumps(result.to_dict()))
    assert sum(group["points"] for group in entry["groups"]) == entry["difference"]


def test_labels_and_frequencies_are_read(tmp_path):
    labels = ["chat" if i % 3 else "news" for i in range(len(TWO_REFS))]
    (tmp_path / "labels").write_text("\n".join(labels) + "\n", encoding="utf-8")
    (tmp_path / "training").write_text("the city\n" * 60, encoding="utf-8")
    flags = ("--group-by", str(tmp_path / "labels"), "--by-doc", str(tmp_path / "labels"),
             "--frequencies", str(tmp_path / "training"), "--segments", "1", "--ngrams", "2",
             "-n", "50", "--seed", "3", "-lc")  # fmt: skip
    result = contrast(
        *PAIR, TWO_REFS, names=("aurora", "basalt"), domains=labels, documents=labels,
        frequencies=["the city"] * 60, segments=1, ngrams=2, resamples=50, seed=3, lowercase=True,
    )  # fmt: skip
    assert scored(*COMMAND, *flags) == (f"{result}\n", "")
    assert {part.name for part in result.by_frequency} == {"never", "10\u201399"}
    assert result.units == 2
