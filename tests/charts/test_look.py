# SPDX-License-Identifier: Apache-2.0
"""The look of a figure: sizes, type, colors and shapes of systems, and ends of axes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truebleu.charts.layout import nice_ends
from truebleu.charts.look import COLORS, Look


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colors", COLORS)
def test_systems_differ_in_color_and_shape(colors):
    look = Look(colors=colors)
    assert len(set(look.hues(14))) == 14
    assert len(set(zip(look.hues(56), look.shapes(56), strict=True))) == 56
    assert len({tuple(dash) for dash in look.dashes(8)}) == 8
    for hue in look.palette.systems:
        low, high = sorted((luminance(hue), luminance(look.palette.paper)))
        assert (high + 0.05) / (low + 0.05) > 2, hue


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
