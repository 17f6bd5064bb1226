# SPDX-License-Identifier: Apache-2.0
"""A signature gives its score, or the result tells which settings do."""

import json

import pytest
from support.example_texts import HYPS, TWO_REFS

from truebleu import BLEU, parse_signature, verify


@pytest.mark.parametrize(
    "line",
    [
        "BLEU|nrefs:2|case:lc|eff:no|tok:intl|smooth:exp|version:2.3.1 = {}",
        "BLEU+case.lc+lang.de-en+numrefs.2+smooth.exp+test.wmt17+tok.intl+version.1.4.2 = {} 60/30",
        "#:2|c:lc|e:no|tok:intl|s:exp|v:2.0.0 = {}",
        "BLEU+case.lc+lang.de-en+test.wmt17+tok.intl+version.1.2.10 = {}",
    ],
)
def test_a_signature_is_verified(line):
    value = BLEU(lowercase=True, tokenize="intl").corpus(HYPS, TWO_REFS).value
    result = verify(HYPS, TWO_REFS, line.format(f"{value:.1f}"))
    assert (result.agrees, result.references, result.instead) == (True, (0, 1), None)
    assert result.dialect == parse_signature(line)
    assert str(result).startswith(f"Verified: {value:.1f}")


def test_a_signature_with_fewer_references_tries_each():
    value = BLEU().corpus(HYPS, [row[1] for row in TWO_REFS]).value
    result = verify(HYPS, TWO_REFS, "nrefs:1|case:mixed|tok:13a|smooth:exp", f"{value:.2f}")
    assert (result.agrees, result.references, result.value) == (True, (1,), value)
    # With both it is off by its references, for which there is no diff.
    result = verify(HYPS, TWO_REFS, "nrefs:2|case:mixed|tok:13a|smooth:exp", f"{value:.3f}")
    assert (result.agrees, result.instead[0].references, result.diff) == (False, (1,), None)
    assert str(result.instead[0]).endswith("|version:2.6.0 (reference 2 of 2)")


def test_a_wrong_signature_shows_the_settings_that_give_the_score():
    value = BLEU(lowercase=True).corpus(HYPS, TWO_REFS).value
    result = verify(HYPS, TWO_REFS, "nrefs:4|case:mixed|tok:13a|smooth:exp", f"{value:.3f}")
    assert not result.agrees
    assert result.value == BLEU().corpus(HYPS, TWO_REFS).value
    assert result.instead[0].departures == ("lowercase",)
    moved = [step for step in result.diff.steps if abs(step.effect) > 1e-9]
    assert [step.decisions[0].name for step in moved] == ["lowercase"]
    assert result.diff.points_b == pytest.approx(value, rel=1e-14)
    assert str(result.diff) in str(result)
    assert "names 4 references, but you passed 2" in str(result)
    printed = json.loads(json.dumps(result.to_dict()))
    assert printed["diff"]["points_a"] == pytest.approx(result.value, rel=1e-14)
    assert printed["instead"]["found"]
