# SPDX-License-Identifier: Apache-2.0
"""Results of analyses do not change, travel between processes, and are JSON."""

import json
import pickle
from dataclasses import fields

import pytest
from support.example_texts import HYPS, LOWER, NAMED, REFS

import truebleu as tb

MAKERS = [
    lambda: tb.contrast(NAMED["aurora"], NAMED["basalt"], REFS, resamples=5),
    lambda: tb.explain(HYPS, REFS), lambda: tb.explain(HYPS[0], REFS[0]),
    lambda: tb.diff(HYPS, REFS, "sacrebleu", LOWER), lambda: tb.check(["a\tb"], ["a b"])[0],
    lambda: tb.compare(NAMED, REFS, resamples=50), lambda: tb.verify(HYPS, REFS, LOWER, 27.3),
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS)
def test_a_result_is_frozen_and_travels(make):
    result = make()
    with pytest.raises(AttributeError):
        setattr(result, fields(result)[0].name, None)
    copy = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert copy.to_dict() == result.to_dict()
    assert json.loads(json.dumps(copy.to_dict(), allow_nan=False))
