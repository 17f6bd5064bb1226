# SPDX-License-Identifier: Apache-2.0
"""check() with chrF and TER: what a fault costs is the difference of two scores of that metric."""

from __future__ import annotations

import json

import pytest
from support.command import refusal, run
from support.example_texts import REFS, lines

import truebleu as tb

HYPS = lines("de-en/hyp.aurora.txt")
METRICS = [tb.CHRF(), tb.CHRF(word_order=2), tb.TER(), tb.TER(case_sensitive=True), tb.BLEU("nltk")]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=repr)


def value(metric, hyps, refs=REFS):
    return metric.corpus(hyps, refs).value


def the(findings, kind):
    (found,) = [finding for finding in findings if finding.kind == kind]
    return found


@each_metric
def test_clean_texts_have_no_finding(metric):
    assert tb.check(HYPS, REFS, metric=metric) == []


@each_metric
def test_a_lost_line_costs_what_the_texts_in_step_score(metric):
    found = the(tb.check([*HYPS[:20], *HYPS[21:]], REFS, metric=metric), "lost-line")
    assert found.before is None
    assert found.after == value(metric, [*HYPS[:20], "", *HYPS[21:]])
    assert found.metric == metric.name


@pytest.mark.parametrize("metric", METRICS[:4], ids=repr)
def test_tokens_cost_what_the_text_scores(metric):
    tokenized = [
        line.replace(".", " .").replace(",", " ,").replace("?", " ?").replace("!", " !")
        for line in HYPS
    ]
    found = the(tb.check(tokenized, REFS, metric=metric), "tokenized")
    assert found.before == value(metric, tokenized)
    assert found.effect == found.after - found.before
    if isinstance(metric, tb.TER):
        assert found.effect < 0


@each_metric
def test_case_costs_what_lower_case_scores(metric):
    lowered = [line.lower() for line in HYPS]
    found = [one for one in tb.check(lowered, REFS, metric=metric) if one.kind == "case"]
    if isinstance(metric, tb.TER) and not metric.options.case_sensitive:
        assert found == []
        return
    (case,) = found
    same = {
        tb.CHRF: lambda: tb.CHRF(word_order=metric.options.word_order, lowercase=True),
        tb.TER: tb.TER,
        tb.BLEU: lambda: tb.BLEU("nltk", lowercase=True),
    }[type(metric)]()
    assert (case.before, case.after) == (value(metric, lowered), value(same, lowered))


def test_the_command_names_the_metric(tmp_path):
    (tmp_path / "ref").write_text("\n".join(REFS) + "\n", encoding="utf-8")
    (tmp_path / "hyp").write_text("\n".join(line.lower() for line in HYPS) + "\n", encoding="utf-8")
    files = (str(tmp_path / "ref"), "-i", str(tmp_path / "hyp"))
    done = run("check", *files, "-m", "chrf", "-cw", "2")
    assert "  chrF2++ " in done.stdout.decode()
    assert "BLEU" not in done.stdout.decode()
    found = json.loads(
        run("check", *files, "-m", "ter", "--ter-case-sensitive", "-f", "json").stdout
    )
    (case,) = found["findings"]
    assert (case["metric"], case["kind"]) == ("TER", "case")
    assert case["effect"] < 0
    assert "name ter to --metrics" in refusal("check", *files, "--ter-normalized")
