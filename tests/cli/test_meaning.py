# SPDX-License-Identifier: Apache-2.0
"""`truebleu meaning`: how often people agreed with a difference."""

import json

from support.command import truebleu

import truebleu as tb


def test_a_difference_has_an_agreement_and_without_one_there_is_a_table():
    lines = truebleu("meaning", "1.3", "-m", "chrf").decode().splitlines()
    assert lines[0] == "people agreed with differences like this in 70 % of cases"
    parsed = json.loads(truebleu("meaning", "1.3", "-lc", "-f", "json"))
    assert parsed == tb.human_agreement(1.3, lowercase=True).to_dict()
    output = truebleu("meaning", "-d", "coco-caption").decode()
    assert f"80 %          {tb.difference_for(0.8, 'coco-caption'):.4f}\n" in output
    assert "warning: this metric is for captions, and people judged translations" in output
