# SPDX-License-Identifier: Apache-2.0
"""`truebleu score -m bleu chrf ter`: what sacreBLEU prints, in all formats, and what is refused."""

from __future__ import annotations

import json

import pytest
from cli.test_cli import sacrebleu, without_unicode
from support.installed import AURORA, CHINESE, ENGLISH, EXAMPLES, SYSTEMS, run, truebleu


@pytest.mark.parametrize(
    "options",
    [
        ["-m", "bleu", "chrf", "ter"],
        ["-m", "chrf", "-cw", "2", "-cc", "4", "--chrf-beta", "3", "-w", "4"],
        ["-m", "chrf", "--chrf-lowercase", "--chrf-whitespace", "--chrf-eps-smoothing"],
        ["-m", "ter", "--ter-normalized", "--ter-asian-support"],
        ["-m", "ter", "--ter-no-punct", "--ter-case-sensitive", "-b"],
    ],
    ids=" ".join,
)
def test_metrics_print_what_sacrebleu_prints(options):
    for refs, hyp in ((ENGLISH[:1], AURORA), (CHINESE[:1], str(EXAMPLES / "en-zh/hyp.basalt.txt"))):
        theirs = [
            line.lstrip()
            for line in sacrebleu(*refs, "-i", hyp, "-f", "text", *options).splitlines()
        ]
        ours = without_unicode(truebleu("score", *refs, "-i", hyp, *options)).splitlines()
        assert sorted(ours) == sorted(theirs)


def test_metrics_stand_side_by_side():
    table = [line.split("\t") for line in _scored("tsv").splitlines()]
    assert table[0][:4] == ["System", "BLEU", "chrF2", "TER"]
    assert table[0][4:] == ["BLEU signature", "chrF2 signature", "TER signature"]
    entries = json.loads(_scored("json"))
    names = [entry["name"] for entry in entries]
    assert names == ["BLEU", "chrF2", "TER"] * 2
    shown = [f"{entry['value']:.1f}" for entry in entries]
    assert [shown[:3], shown[3:]] == [row[1:4] for row in table[1:]]
    assert entries[2]["edits"] / entries[2]["ref_len"] * 100 == pytest.approx(entries[2]["value"])
    assert "& chrF2 & TER" in _scored("latex")
    assert "| System | BLEU | chrF2 | TER |" in _scored("markdown")
    assert _scored("text").splitlines()[0].split() == ["System", "BLEU", "chrF2", "TER"]


def _scored(form):
    systems = SYSTEMS[:2]
    options = ["-m", "bleu", "chrf", "ter", "-f", form]
    return truebleu("score", *ENGLISH, "-i", *systems, *options).decode()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-m", "chrf", "ter", "-sl"], b"--sentence-level computes one metric"),
        (["-m", "ter", "--fail-under", "3"], b"--fail-under judges BLEU or chrF"),
        (["-m", "bleu", "chrf", "--fail-under", "3"], b"--fail-under judges"),
        (["-m", "chrf", "-lc"], b"--lowercase is an option of bleu"),
        (["-cw", "2"], b"--chrf-word-order is an option of chrf"),
        (["-m", "bleu", "meteor"], b"--metrics cannot be 'meteor'"),
        (["-m", "chrf", "-cc", "0"], b"cannot both be 0"),
    ],
    ids=str,
)
def test_metrics_that_do_not_go_together(options, said):
    done = run("truebleu", "score", *ENGLISH, "-i", AURORA, *options)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_chrf_can_fail_under():
    options = ["-m", "chrf", "-b", "--fail-under"]
    assert run("truebleu", "score", *ENGLISH, "-i", AURORA, *options, "99").returncode == 1
    assert run("truebleu", "score", *ENGLISH, "-i", AURORA, *options, "9").returncode == 0
