# SPDX-License-Identifier: Apache-2.0
"""`--save`, and commands that read run files."""

import json
from pathlib import Path

import pytest
from support.command import scored, truebleu
from support.example_texts import ENGLISH, SYSTEMS

import truebleu as tb

REF = ENGLISH[0]
FILES = (*ENGLISH, "-i", *SYSTEMS)
ALL = ("-m", "bleu", "chrf", "ter", "gleu", "nist", "-f", "json")

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize("arguments", [
    ("score", *FILES),
    ("score", *FILES, *ALL),
    ("score", REF, "-i", SYSTEMS[0], "-d", "nltk", "-b"),
    ("compare", *FILES, "-f", "json", "-n", "99"),
    ("compare", *FILES, "-n", "99", "-m", "bleu", "ter", "--baseline", "aurora"),
])  # fmt: skip
def test_output_is_the_same_with_save(arguments):
    assert scored(*arguments, "--save", "a.bleu", "--tag", "step=7") == scored(*arguments)
    assert tb.load_run("a.bleu").tags == {"step": "7"}


def test_run_files_are_compared_as_texts_are():
    for path in SYSTEMS:
        name = Path(path).name.split(".")[1]
        truebleu("score", *ENGLISH, "-i", path, "-m", "bleu", "ter", "--save", f"{name}.bleu")
    truebleu("score", *FILES, "-m", "bleu", "ter", "--save", "all.bleu")
    runs = ("aurora.bleu", "basalt.bleu", "cinder.bleu")
    plain = ("-n", "99", "--no-robustness")  # runs have no texts to try
    for end in (plain, (*plain, "-f", "json", "--baseline", "basalt")):
        expected = scored("compare", *FILES, "-m", "bleu", "ter", *end)
        assert scored("compare", *runs, *end) == expected
        assert scored("compare", "-i", "all.bleu", *end) == expected
        mixed = ("compare", *ENGLISH, "-i", "aurora.bleu", SYSTEMS[1], "cinder.bleu")
        assert scored(*mixed, "--names", "aurora", "basalt", "cinder", *end) == expected
    assert scored("score", *runs, "-f", "json") == scored("score", *FILES, "-m", "bleu", "ter", "-f", "json")
    floor = scored("compare", *FILES, *plain, "-s", "floor", "-f", "json")
    assert scored("compare", "all.bleu", "-n", "99", "-s", "floor", "-f", "json") == floor
    both, _ = scored("compare", "all.bleu", "aurora.bleu", "-n", "99", "-m", "ter", "-f", "json")
    names = [system["name"] for system in json.loads(both)["systems"]]
    assert names == ["all aurora", "basalt", "cinder", "aurora"]


def test_metrics_that_others_lack_are_a_notice():
    truebleu("score", REF, "-i", SYSTEMS[0], "-m", "bleu", "ter", "--save", "a.bleu")
    truebleu("score", REF, "-i", SYSTEMS[1], "--save", "b.bleu")
    out, error = scored("compare", "a.bleu", "b.bleu", "-n", "99")
    assert "TER" not in out
    assert error.startswith("truebleu: notice: a was also scored with nrefs:1|case:lc|tok:tercom|")
