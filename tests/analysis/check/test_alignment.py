# SPDX-License-Identifier: Apache-2.0
"""The kernel finds the pairs of rows with the highest sum, as plain recursion does."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truebleu.analysis.check.alignment import _best_pairs


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_pairs_have_the_highest_sum(rows, refs, data):
    offsets = range(-rows, refs + 1)
    numbers = st.lists(st.floats(0, 1), min_size=rows, max_size=rows)
    scores = np.array([data.draw(numbers) for _ in offsets])
    penalty = data.draw(st.floats(0.05, 0.75))

    @cache
    def highest(row, ref):
        if row == rows or ref == refs:
            return -penalty * (rows - row + refs - ref)
        paired = scores[offsets.index(ref - row), row] + highest(row + 1, ref + 1)
        return max(paired, highest(row + 1, ref) - penalty, highest(row, ref + 1) - penalty)

    pairs = _best_pairs(scores, offsets, refs, penalty)
    own, facing = (
        sorted(row for row in some if row is not None) for some in zip(*pairs, strict=True)
    )
    assert (own, facing) == (list(range(rows)), list(range(refs)))
    total = sum(
        -penalty if None in pair else scores[offsets.index(pair[1] - pair[0]), pair[0]]
        for pair in pairs
    )
    assert total == pytest.approx(highest(0, 0))
