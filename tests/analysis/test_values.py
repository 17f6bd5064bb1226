# SPDX-License-Identifier: Apache-2.0
"""Results of analyses do not change, travel between processes, and are JSON."""

import json
import pickle
from dataclasses import fields

import pytest
from support.example_texts import HYPS, NAMED, REFS

import truebleu as tb

RESULTS = [
    tb.contrast(NAMED["aurora"], NAMED["basalt"], REFS, resamples=5), tb.explain(HYPS, REFS),
    tb.explain(HYPS[0], REFS[0]), tb.diff(HYPS, REFS, "sacrebleu", "nltk"),
    *tb.check(["a\tb"], ["a b"]), tb.compare(NAMED, REFS, resamples=50),
    tb.verify(HYPS, REFS, "case:lc|tok:13a|smooth:exp", 27.3),
]  # fmt: skip


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_a_result_is_frozen_and_travels(result):
    with pytest.raises(AttributeError):
        setattr(result, fields(result)[0].name, None)
    copy = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert copy.to_dict() == result.to_dict()
    assert json.loads(json.dumps(copy.to_dict(), allow_nan=False))
