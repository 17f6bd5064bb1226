# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's test sets are references and sources of commands."""

import json
import sys
from pathlib import Path

import pytest
import sacrebleu
from support.command import refusal, run, scored
from support.example_texts import CHINESE, ENGLISH, EXAMPLES, SYSTEMS

import truebleu as tb

SET = ["-t", "mine", "-l", "de-en"]
SOURCE = str(EXAMPLES / "de-en" / "source.txt")

pytestmark = pytest.mark.usefixtures("_a_test_set")


@pytest.fixture
def _a_test_set(tmp_path, monkeypatch):
    """A test set of sacreBLEU with the example texts."""
    sets = dict(sacrebleu.dataset.DATASETS)
    monkeypatch.setattr(sacrebleu.dataset, "DATASETS", sets)
    monkeypatch.setattr(sacrebleu.utils, "DATASETS", sets)
    sets["mine"] = made = sacrebleu.dataset.PlainTextDataset("mine", langpairs={"de-en": ["source", "a", "b"]})
    made._outdir = made._rawdir = str(tmp_path)
    monkeypatch.setattr(made, "fieldnames", lambda _: ["src", "ref:0", "ref:1"])
    for field, path in zip(made.fieldnames("de-en"), [SOURCE, *ENGLISH], strict=True):
        with open(path, "rb") as file:
            (tmp_path / f"mine.de-en.{field.replace(':', '-')}").write_bytes(file.read())


@pytest.mark.parametrize("command", ["score -m bleu chrf", "compare -n 100", "check"])
def test_references_are_those_of_the_test_set(command):
    command, *options = command.split()
    systems = ["-i", *SYSTEMS, *options]
    assert scored(command, *SET, *systems) == scored(command, *ENGLISH, *systems)


@pytest.mark.usefixtures("undrawn")
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


def test_segments_are_selected_by_language_and_domain(tmp_path, monkeypatch):
    """The judge is sacreBLEU's own filter."""
    raw = tmp_path / "mine" / "raw"
    raw.mkdir(parents=True)
    monkeypatch.setattr(sacrebleu.utils, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(sacrebleu.utils, "SUBSETS", {"mine": {"d0": "news", "d2": "sport news"}})
    sets, counts = sacrebleu.utils.DATASETS, (20, 15, 13)
    sets["mine"].langpairs = {"de-en": ["raw.sgm", "a", "b"]}
    with open(raw / "raw.sgm", "w") as file:
        for i, (language, count) in enumerate(zip(["de", "en", "de"], counts, strict=True)):
            file.write(f'<doc sysid="r" docid="d{i}" origlang="{language}">\n')
            file.write('<seg id="1">x</seg>\n' * count + "</doc>\n")
    lines = [Path(file).read_text().splitlines() for file in (*ENGLISH, SYSTEMS[0])]
    command = ["score", *SET, "-i", SYSTEMS[0], "-f", "json"]
    for options, parts in (
        (["--origlang", "de"], [slice(20), slice(35, 48)]),
        (["-ol", "non-de"], [slice(20, 35)]),
        (["--subset", "news"], [slice(20), slice(35, 48)]),
        (["--subset", "sport", "--origlang", "de"], [slice(35, 48)]),
    ):
        *refs, hyps = [[line for part in parts for line in column[part]] for column in lines]
        expected = tb.corpus_bleu(hyps, tb.streams(*refs))
        assert json.loads(scored(*command, *options)[0])["value"] == expected.value
    piped = ["score", *SET, "-ol", "non-de", "-w", "9"]
    expected = scored(*piped, "-i", SYSTEMS[0])
    assert scored(*piped, stdin=Path(SYSTEMS[0]).read_bytes()) == expected
    assert refusal(*command, "-ol", "fr") == "mine has no segment with --origlang fr"
    assert "leave out --per-segment" in refusal(*command, "-ol", "de", "--per-segment", "s.tsv")
    assert "name it (-t)" in refusal("score", *ENGLISH, "-i", SYSTEMS[0], "-ol", "de")


def test_the_language_pair_picks_the_tokenizer():
    """That of BLEU, GLEU and NIST, unless another is named."""
    chinese = ["score", CHINESE[0], "-i", CHINESE[1], "-m", "bleu", "chrf", "gleu", "nist"]
    expected = scored(*chinese, "-tok", "zh")
    assert scored(*chinese, "-l", "en-zh") == scored(*chinese, "-l", "eng-zho_Hans") == expected
    assert scored(*chinese, "-l", "zh-en") == scored(*chinese)
    assert scored(*chinese, "-l", "en-zh", "-tok", "char") == scored(*chinese, "-tok", "char")
    assert "tok:ja-mecab" in scored("compare", *ENGLISH, "-l", "de-ja", "-i", *SYSTEMS)[0]
    assert "it must be a pair such as en-ja" in refusal(*chinese, "-l", "chinese")


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
