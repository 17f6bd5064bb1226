# SPDX-License-Identifier: Apache-2.0
"""`truebleu meaning`: how often people agreed with a difference."""

import json

from support.command import refusal, truebleu

import truebleu as tb


def test_a_difference_has_an_agreement_and_its_interval():
    lines = truebleu("meaning", "1.3", "-m", "chrf").decode().splitlines()
    assert lines[0] == "people agreed with differences like this in 70 % of cases"
    assert lines[1].startswith("95 % interval for a new test set: ")
    assert "WMT21 and WMT22" in lines[3]
    parsed = json.loads(truebleu("meaning", "1.3", "-lc", "-f", "json"))
    assert parsed == tb.human_agreement(1.3, lowercase=True).to_dict()


def test_without_a_difference_it_lists_thresholds():
    output = truebleu("meaning", "-d", "nltk").decode()
    assert f"80 %          {tb.difference_for(0.8, 'nltk'):.4f}\n" in output
    parsed = json.loads(truebleu("meaning", "-f", "json"))
    assert parsed["0.8"] == tb.difference_for(0.8)


def test_other_tasks_and_metrics_are_refused_or_named():
    output = truebleu("meaning", "0.02", "-d", "coco-caption").decode()
    assert "warning: this metric is for captions, and people judged translations" in output
    assert "was not compared with human judgements" in refusal("meaning", "1", "-s", "add-k")
    assert refusal("meaning", "x") == "DIFFERENCE cannot be 'x'; give a number, such as 1.3"
    assert refusal("meaning", "1", "2") == "several differences: 1 2; give one"
