# SPDX-License-Identifier: Apache-2.0
"""Scores: numbers, lines, and JSON."""

import json

import pytest
import sacrebleu
from support.example_texts import HYPS, REFS, WHOLE

from truebleu import corpus_bleu


def test_a_score_is_a_number_a_line_and_json():
    theirs = sacrebleu.corpus_bleu(HYPS, [REFS])
    assert float(WHOLE) == WHOLE.value == theirs.score
    assert str(WHOLE) == f"{WHOLE}" == str(theirs)
    with pytest.raises(AttributeError, match="Score has no attribute 'score'; it is value"):
        _ = WHOLE.score
    assert (f"{WHOLE:.1f}", round(WHOLE, 1)) == (f"{theirs.score:.1f}", round(theirs.score, 1))
    worse = corpus_bleu(REFS[::-1], REFS)
    assert sorted([WHOLE, worse]) == [worse, WHOLE]
    assert 0 <= worse < WHOLE <= WHOLE.value
    assert worse.value <= WHOLE
    assert not WHOLE > 100
    loaded = json.loads(json.dumps(WHOLE.to_dict()))
    assert loaded == WHOLE.to_dict()
    assert (loaded["name"], loaded["value"], loaded["scale"]) == ("BLEU", theirs.score, 100)
    assert (loaded["matches"], loaded["totals"]) == (theirs.counts, theirs.totals)
    assert loaded["precisions"] == theirs.precisions
    assert loaded["ratio"] == theirs.sys_len / theirs.ref_len
