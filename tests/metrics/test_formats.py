# SPDX-License-Identifier: Apache-2.0
"""Formats of scores."""

from truebleu.metrics.formats import sparkline


def test_sparklines():
    assert sparkline([100, 50, 25, 1e-9, 0]) == "█▄▂▁ "
    assert sparkline([float("-1"), 120]) == " █"
