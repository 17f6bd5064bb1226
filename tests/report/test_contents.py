# SPDX-License-Identifier: Apache-2.0
"""The numbers of a report are those of the library."""

import pytest
from support.pages import DOCUMENTS, QUICK, REFS, SHUFFLED, SYSTEMS, gathered

from truebleu import BLEU, compare, contrast
from truebleu.report.contrast import contrast_body


def test_losses_and_parts_add_up():
    contents = gathered(SYSTEMS, documents=DOCUMENTS)
    for sheet, score in zip(contents.worksheets, contents.scores[0], strict=True):
        assert 100 - sum(sheet.lost.values()) == pytest.approx(score.value)
    for division in contents.divisions:
        assert sum(part.segments for part in division.parts) == 48
        for place, part in enumerate(division.parts):
            assert division.places.count(place) == part.segments
    document = contents.divisions[1].parts[2]
    expected = BLEU().corpus(SYSTEMS["aurora"][12:18], REFS[12:18]).value
    assert document.scores["aurora"].value == expected


def test_pairs_are_the_better_system_minus_the_worse():
    comparison = compare({name: SYSTEMS[name] for name in SHUFFLED}, REFS, **QUICK)
    pairs = comparison.ordered_pairs()
    names = [("aurora", "basalt"), ("aurora", "cinder"), ("basalt", "cinder")]
    assert [(pair.b, pair.a) for pair in pairs] == names
    for pair in pairs:
        original = comparison.pair(pair.a, pair.b)
        sign = 1 if original.a == pair.a else -1
        differences = sign * comparison.differences(original)
        assert pair.percentile[0] < differences.mean() < pair.percentile[1]


def test_the_two_best_systems_are_contrasted():
    contents = gathered({name: SYSTEMS[name] for name in SHUFFLED}, documents=DOCUMENTS, seed=3)
    expected = contrast(
        SYSTEMS["aurora"], SYSTEMS["basalt"], REFS, names=("aurora", "basalt"), documents=DOCUMENTS, seed=3, segments=10
    )
    assert contents.contrast.to_dict() == expected.to_dict()
    body = contrast_body(contents, contents.contrast)
    for group in expected.groups:
        assert f'value="{group.points!r}"' in body
    for segment in expected.segments:
        assert f'href="#seg={segment.number}"' in body
    assert gathered({"aurora": SYSTEMS["aurora"]}).contrast is None
