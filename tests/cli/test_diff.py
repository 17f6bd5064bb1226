# SPDX-License-Identifier: Apache-2.0
"""`truebleu diff`: what it prints, and its errors."""

import json
import re

import pytest
from support.command import truebleu
from support.example_texts import ENGLISH, SYSTEMS, TWO_REFS, lines

from truebleu import BLEU, DIALECTS, diff, survey

CINDER = SYSTEMS[2]
CORPUS = lines("de-en/hyp.cinder.txt"), TWO_REFS


def test_the_command_prints_what_python_says():
    result = diff(*CORPUS, "sacrebleu", "nltk")
    arguments = ("diff", *ENGLISH, "-i", CINDER, "-b", "nltk")
    assert truebleu(*arguments).decode() == f"{result}\n"
    entry = json.loads(truebleu(*arguments, "-f", "json"))
    assert entry == json.loads(json.dumps(result.to_dict()))
    signature = BLEU("nltk", lowercase=True).signature
    output = truebleu("diff", *ENGLISH, "-i", CINDER, "-a", "mteval-v13a", "-b", signature)
    assert output.decode() == f"{diff(*CORPUS, 'mteval-v13a', signature)}\n"


def test_all_dialects_at_once():
    standings = survey(*CORPUS)
    arguments = ("diff", *ENGLISH, "-i", CINDER, "--all")
    head, *table = truebleu(*arguments).decode().splitlines()
    assert head.split() == ["score", "BP", "tokens", "against", "dialects"]
    shown = {}
    for line in table:
        if not line.startswith(" "):
            value = float(line.split()[0])
        names = re.findall(r"[a-z][\w-]+", line)
        assert not shown.keys() & names
        shown |= dict.fromkeys(names, value)
    assert sorted(shown) == sorted(DIALECTS)
    for one in standings:
        percent = one.score.value * 100 / one.score.scale
        assert shown[one.name] == pytest.approx(percent, abs=0.0051)
    entries = json.loads(truebleu(*arguments, "-f", "json"))
    assert {entry["dialect"]: entry["score"]["value"] for entry in entries} == {
        standing.name: standing.score.value for standing in standings
    }
