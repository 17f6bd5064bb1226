# SPDX-License-Identifier: Apache-2.0
"""`truebleu explain`: what it prints, and its errors."""

import json
import re

import pytest
from support.command import HYPS, REFS, scored, truebleu
from support.example_texts import ENGLISH, SYSTEMS, TWO_REFS, lines
from support.terminals import on_terminal

from truebleu import explain

CINDER = SYSTEMS[2]
CORPUS = lines("de-en/hyp.cinder.txt"), TWO_REFS


@pytest.mark.usefixtures("folder")
def test_the_command_prints_what_python_says():
    why = explain(HYPS, REFS, most=10)
    assert scored("explain", "ref", "-i", "hyp") == (f"{why}\n", "")
    assert scored("explain", "ref", "-i", "hyp", "-n", "2") == (f"{why.segment(2)}\n", "")
    longer = explain(HYPS, REFS, "nltk", most=3).format(worst=1) + "\n"
    arguments = ("-i", "hyp", "-d", "nltk", "--ngrams", "3", "--worst", "1")
    assert scored("explain", "ref", *arguments) == (longer, "")


def test_json_has_everything():
    command = ("explain", *ENGLISH, "-i", CINDER, "-f", "json")
    corpus = json.loads(truebleu(*command, "--worst", "2"))
    why = explain(*CORPUS, most=10)
    assert corpus["value"] == why.score.value
    assert [entry["cost"] for entry in corpus["segments"]] == why.costs.tolist()
    assert [entry["segment"] for entry in corpus["worst"]] == why.worst(2)
    assert len(corpus["unmatched"]) == len(corpus["missed"]) == 10
    lost = corpus["worksheet"]["lost"]
    assert sum(lost.values()) == pytest.approx(100 - corpus["value"], rel=1e-14)
    segment = json.loads(truebleu(*command, "-n", "17"))
    assert segment == json.loads(json.dumps(why.segment(17).to_dict()))


@pytest.mark.parametrize("more", [(), ("-n", "17"), ("--worst", "10", "-d", "nltk")])
def test_colors_replace_numbers_on_a_terminal(more):
    arguments = ("explain", *ENGLISH, "-i", CINDER, *more)
    plain = truebleu(*arguments).decode()
    colored = on_terminal(0, *arguments)
    assert "\x1b" not in plain
    assert {"\x1b[1;32m", "\x1b[31m"} < set(re.findall(r"\x1b\[[\d;]*m", colored))
    # Equal except for the colors, which replace the numbers below the tokens.
    colorless = re.sub(r"\x1b\[[\d;]*m", "", colored)
    without_numbers = re.sub(r"(?m)^ {16}[\d. ]+\n", "", plain)
    legends = (
        "  Color of a token: length of the longest match that covers it: 0 1 2 3 4\n",
        "  Number below a token: length of the longest match that covers it.\n",
    )
    assert colorless.replace(legends[0], "") == without_numbers.replace(legends[1], "")
    assert legends[0] in colorless
    assert legends[1] in plain


@pytest.mark.usefixtures("folder")
def test_wide_characters_keep_their_numbers_below_them(folder):
    (folder / "wide").write_text("中文 a e\u0301 b\n", encoding="utf-8")
    output, _ = scored("explain", "wide", "-i", "wide", "-n", "1", "-tok", "none")
    lines = output.splitlines()
    at = lines.index("  hypothesis    中文 a e\u0301 b") + 1
    assert lines[at] == "                4    4 4 4"
