# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's test sets are references and sources of commands."""

import json
import sys

import pytest
import sacrebleu
from support.command import refusal, run, scored
from support.example_texts import CHINESE, ENGLISH, EXAMPLES, SYSTEMS

SET = ["-t", "mine", "-l", "de-en"]
SOURCE = str(EXAMPLES / "de-en" / "source.txt")


@pytest.fixture
def _a_test_set(tmp_path, monkeypatch):
    """A test set of sacreBLEU with the example texts."""
    sets = dict(sacrebleu.dataset.DATASETS)
    monkeypatch.setattr(sacrebleu.dataset, "DATASETS", sets)
    monkeypatch.setattr(sacrebleu.utils, "DATASETS", sets)
    sets["mine"] = made = sacrebleu.dataset.PlainTextDataset(
        "mine", langpairs={"de-en": ["source", "a", "b"]}
    )
    made._outdir = made._rawdir = str(tmp_path)
    monkeypatch.setattr(made, "fieldnames", lambda _: ["src", "ref:0", "ref:1"])
    for field, path in zip(made.fieldnames("de-en"), [SOURCE, *ENGLISH], strict=True):
        with open(path, "rb") as file:
            (tmp_path / f"mine.de-en.{field.replace(':', '-')}").write_bytes(file.read())


@pytest.mark.usefixtures("_a_test_set")
@pytest.mark.parametrize("command", ["score -m bleu chrf", "compare -n 100", "check"])
def test_references_are_those_of_the_test_set(command):
    command, *options = command.split()
    systems = ["-i", *SYSTEMS, *options]
    assert scored(command, *SET, *systems) == scored(command, *ENGLISH, *systems)


@pytest.mark.usefixtures("_a_test_set")
def test_sources_are_those_of_the_test_set(folder):
    untranslated = ["check", "-i", SOURCE, "-f", "json"]
    found = json.loads(run(*untranslated, *SET).stdout)["findings"]
    assert "hyp-is-src" in {one["kind"] for one in found}
    report = ["report", "-i", SYSTEMS[0], "-n", "100", "--force", "-o", "r.html"]
    scored(*report, *SET)
    page = (folder / "r.html").read_bytes()
    assert page.count(b"\n") > 10
    scored("report", *ENGLISH, *report[1:])
    assert len((folder / "r.html").read_bytes()) < len(page)


def test_the_language_pair_picks_the_tokenizer():
    """That of BLEU, GLEU and NIST, unless another is named."""
    chinese = ["score", CHINESE[0], "-i", CHINESE[1], "-m", "bleu", "chrf", "gleu", "nist"]
    expected = scored(*chinese, "-tok", "zh")
    assert scored(*chinese, "-l", "en-zh") == scored(*chinese, "-l", "eng-zho_Hans") == expected
    assert scored(*chinese, "-l", "zh-en") == scored(*chinese)
    assert scored(*chinese, "-l", "en-zh", "-tok", "char") == scored(*chinese, "-tok", "char")
    assert "tok:ja-mecab" in scored("compare", *ENGLISH, "-l", "de-ja", "-i", *SYSTEMS)[0]
    assert "it must be a pair such as en-ja" in refusal(*chinese, "-l", "chinese")


@pytest.mark.usefixtures("_a_test_set")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-t mine", "a test set needs both -t and -l"),
        ("-l de-en", "no reference file"),
        ("-t mine -l de-fr", "mine has no language pair 'de-fr'; known: de-en"),
        ("-t mine -l en-de", "mine has de-en, but not en-de"),
        ("-t mime -l de-en", "no test set is named 'mime'; did you mean mine"),
        ("-t mine -l de-en ref", "-t names the references; leave out REF"),
        ("-t mine -l de-en --ref-col ref", "-t names the references; leave out REF"),
    ],
)
def test_a_mistake_is_named(arguments, message):
    assert message in refusal("score", *arguments.split(), "-i", SYSTEMS[0])


def test_without_sacrebleu(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    assert "pip install 'truebleu[testsets]'" in refusal("score", *SET, "-i", SYSTEMS[0])
    advice = "unknown option -t; for sacreBLEU's test sets: truebleu sacrebleu -t"
    assert refusal("explain", *SET, "-i", SYSTEMS[0]) == advice
