# SPDX-License-Identifier: Apache-2.0
"""Numbers of the layout: ends of axes."""

from hypothesis import given
from hypothesis import strategies as st

from truebleu.charts.layout import nice_ends


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.booleans())
def test_axes_hold_all_values(values, from_zero):
    if from_zero:
        values = [abs(value) for value in values]
    low, high = nice_ends(values, from_zero=from_zero)
    margin = 1e-9 * max(1.0, *map(abs, values))
    assert low - margin <= min(values)
    assert max(values) <= high + margin
    assert low < high
    assert not from_zero or low == 0
