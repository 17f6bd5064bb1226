# SPDX-License-Identifier: Apache-2.0
"""`truebleu campaign`: what is found is shown, and every format has the same numbers."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import ROOT
from support.command import refusal, run, scored

from truebleu import campaign, load_run

PAIRS = ("de-en", "en-zh")


@pytest.fixture(autouse=True)
def examples(tmp_path, monkeypatch):
    """The example systems; one output is missing, and one file is not a part of a set."""
    monkeypatch.chdir(tmp_path)
    for pair in PAIRS:
        folder = tmp_path / "demo" / pair
        folder.mkdir(parents=True)
        for path in (ROOT / "examples" / pair).glob("[hrs]*.txt"):
            shutil.copy(path, folder)
    (tmp_path / "demo" / "en-zh" / "hyp.cinder.txt").unlink()
    (tmp_path / "demo" / "notes.md").write_text("hello\n")
    return tmp_path / "demo"


FOUND = """\
2 sets, 2 language pairs, 3 systems: aurora, basalt, cinder

Set         references  source  documents  labels  systems  tokenizer
----------  ----------  ------  ---------  ------  -------  ---------
demo de-en           2     yes          -       -   3 of 3        13a
demo en-zh           2     yes          -       -   2 of 3         zh

1 missing output: cinder on demo en-zh
1 unused file: demo/notes.md (its name is not one of a layout)
tokenizer by target language: zh for zh, 13a for all others

"""

TEXT = """\
BLEU

de-en   demo
------  -----
aurora  57.8*
basalt  37.3
cinder  15.2

en-zh   demo
------  -----
aurora  58.2*
basalt  30.7

System  average BLEU  95 % interval    sets  rank  wins  losses  set wins  set losses
------  ------------  -------------  ------  ----  ----  ------  --------  ----------
aurora          58.0   54.8 to 61.0  2 of 2     1     2       0         3           0
basalt          34.0   31.2 to 37.2  2 of 2     2     1       1         1           2
cinder          13.7    0.0 to 55.1  1 of 2     3     0       2         0           2

aurora has the highest average BLEU of 3 systems; all others are significantly lower

* the best of its set, or not significantly worse: p <= 0.05 corrected for its pairs
the average of a system that lacks a set is that of a fit, score = set + system, by least squares \
(off by 3.5, the standard deviation); pairs are compared over the sets that both have
test of averages: permutation, 10,000 resamples within each of 2 sets, 92 segments, seed 12345; 3 \
pairs, level 5 %
agreement with people: unknown with several references
tokenizer by target language: zh for zh, 13a for all others
signature: nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
signature: nrefs:2|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0
"""


def test_what_is_found_is_shown_and_then_the_scores():
    text, found = scored("campaign", "demo")
    assert found == FOUND
    assert text == TEXT


def test_json_has_every_number(examples):
    text, _ = scored("campaign", "demo", "-f", "json", "-m", "bleu", "ter", "-n", "300")
    entry = json.loads(text)
    result = campaign(examples, metrics=["bleu", "ter"], resamples=300)
    assert entry.pop("truebleu")
    assert entry == json.loads(json.dumps(result.to_dict()))
    assert entry["matrices"][0]["sets"][1]["scores"]["cinder"] is None
    assert [one["metric"] for one in entry["matrices"]] == ["BLEU", "TER"]


def test_tsv_has_a_line_for_each_cell_and_average():
    text, remarks = scored("campaign", "demo", "-f", "tsv", "-n", "300")
    assert "notice: p-values" not in remarks
    head, *rows = (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    table = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(one["set"], one["pair"], one["system"]) for one in table][-4:] == [
        ("demo", "en-zh", "cinder"),
        *(("average", "", name) for name in ("aurora", "basalt", "cinder")),
    ]
    assert table[5]["score"] == table[5]["equal"] == ""
    assert float(table[0]["score"]) == pytest.approx(57.8, abs=0.05)
    assert [one["equal"] for one in table[:3]] == ["true", "false", "false"]


def test_latex_and_markdown_have_the_best_in_bold():
    latex, _ = scored("campaign", "demo", "-f", "latex", "-n", "300")
    assert "de-en & demo \\\\\n\\midrule\naurora & \\textbf{57.8} \\\\\nbasalt & 37.3 \\\\" in latex
    assert latex.count(r"\caption{BLEU of each system.") == 2
    assert r"smooth:exp\textbar\allowbreak{}version:2.6.0.}" in latex
    assert latex.count(r"\toprule") == 4
    markdown, _ = scored("campaign", "demo", "-f", "markdown", "-n", "300")
    assert "| en-zh | demo |\n| :--- | ---: |\n| aurora | **58.2** |" in markdown


def test_systems_and_one_tokenizer_for_all_may_be_chosen():
    systems = ("--systems", "basalt", "cinder")
    text, found = scored("campaign", "demo", *systems, "-tok", "char", "-n", "300")
    assert "2 systems: basalt, cinder" in found
    assert "aurora" not in text
    assert "tokenizer" not in found
    assert text.count("signature: ") == 1
    assert "tok:char" in text


def test_a_manifest_is_written_and_read(examples):
    text, _ = scored("campaign", "demo", "--init")
    assert text == "campaign.toml\n"
    assert "campaign.toml exists; use --force" in run("campaign", "demo", "--init").stderr.decode()
    assert scored("campaign", "campaign.toml")[0] == TEXT
    (examples / "de-en" / "ref.B.txt").unlink()
    assert refusal("campaign", "campaign.toml").startswith("campaign.toml: set 1: references: ")


def test_saved_runs_are_a_campaign_of_their_own(examples):
    flags = ("demo", "-m", "bleu", "chrf")
    expected, _ = scored("campaign", *flags)
    assert scored("campaign", *flags, "--save", "runs", "--tag", "step=100")[0] == expected
    names = sorted(path.name for path in Path("runs").iterdir())
    assert len(names) == 5
    assert names[0] == "demo.de-en.aurora.bleu"
    tags = {"set": "demo", "pair": "de-en", "step": "100"}
    assert load_run("runs/demo.de-en.aurora.bleu").tags == tags
    assert scored("campaign", "runs", *flags[1:])[0] == expected
    # Files of one folder may be texts and runs, if the references are the same.
    (examples / "de-en" / "hyp.aurora.txt").unlink()
    Path("runs/demo.de-en.aurora.bleu").rename(examples / "de-en" / "a.bleu")
    assert scored("campaign", *flags)[0] == expected
    scored("campaign", *flags, "--init")
    assert scored("campaign", "campaign.toml", *flags[1:])[0] == expected
    message = refusal("campaign", "campaign.toml", *flags[1:], "-o", "page.html")
    assert message.endswith("a run file has no texts, which the page of -o shows")
    for arguments, message in [
        (("runs", "-tok", "intl"), "demo de-en: basalt has no BLEU counted with"),
        (("demo", "--save", "runs"), "runs/demo.de-en.basalt.bleu exists; use --force"),
    ]:
        done = run("campaign", *arguments)
        assert done.returncode == 2
        assert message in done.stderr.decode()


@pytest.mark.usefixtures("undrawn")
def test_a_page_is_written_and_not_overwritten():
    text, _ = scored("campaign", "demo", "-o", "page.html", "--title", "Two", "-n", "300")
    assert "average BLEU" in text
    page = Path("page.html").read_text("utf-8")
    assert "<title>Two</title>" in page
    assert "<bdi>truebleu campaign demo -o page.html --title Two -n 300</bdi>" in page
    assert refusal("campaign", "demo", "-o", "page.html").startswith("page.html exists; use --force")
    assert refusal("campaign", "demo", "-n", "300", "-o", "none/page.html").startswith("none")


@pytest.mark.parametrize("text", ["one\n", "one\n" * 49])
def test_an_output_of_another_length_is_one_line(text, examples):
    (examples / "de-en" / "hyp.basalt.txt").write_text(text)
    done = run("campaign", "demo")
    message = done.stderr.decode().split("\n")[-2]
    assert done.returncode == 2
    assert "demo/de-en/hyp.basalt.txt: " in message
    assert "but demo/de-en/ref.A.txt has 48; line i of each file must belong" in message
