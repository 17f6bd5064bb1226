# SPDX-License-Identifier: Apache-2.0
"""Numbers of the layout: places of names, ends of axes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truebleu.charts.layout import nice_ends, spaced


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12), st.floats(0.1, 20), st.booleans())
def test_names_are_moved_apart_and_no_farther(positions, gap, bounded):
    low, high = (0, 100) if bounded and (len(positions) - 1) * gap <= 100 else (-1e9, 1e9)
    places = spaced(positions, gap, low, high)
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    assert all(places[b] - places[a] >= gap - 1e-6 for a, b in pairwise(order))
    assert low - 1e-6 <= min(places) <= max(places) <= high + 1e-6
    if all(positions[b] - positions[a] > gap for a, b in pairwise(order)):
        assert places == pytest.approx(positions)
    # No shift of all names together brings them nearer, unless an end is in the way.
    shift = sum(a - b for a, b in zip(places, positions, strict=True)) / len(places)
    assert abs(shift) < 1e-6 or min(places) < low + 1e-6 or max(places) > high - 1e-6


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
