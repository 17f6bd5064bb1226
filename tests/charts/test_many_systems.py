# SPDX-License-Identifier: Apache-2.0
"""Figures of thirty systems: each is named once, and the matrix says which is better."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from support.drawn_systems import LABELS, REFS, rows
from support.simulated_systems import as_stats
from support.simulated_systems import rows as simulated

import truebleu as tb
from truebleu import charts
from truebleu.errors import InputError

#: The more lines of another text a system has, the worse it is.
SYSTEMS = {
    f"checkpoint-{500 * (30 - i)}": ["quite another text" if j < i else ref for j, ref in enumerate(REFS)]
    for i in range(30)
}
KINDS = [kind for kind in charts.KINDS if kind != "dialects"]


def texts(svg):
    """The texts of a picture with their places."""
    found = []

    def visit(node, x, y):
        move = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform", ""))
        if move:
            x, y = x + float(move[1]), y + float(move[2])
        if node.tag.endswith("}text") and node.text and node.get("opacity") != "0":
            found.append((node.text, x, y))
        for child in node:
            visit(child, x, y)

    visit(ET.fromstring(svg), 0.0, 0.0)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_thirty_systems_are_rows_of_a_column(kind):
    given_order = kind in ("precisions", "groups", "difference")  # others show the best first
    expected = [500 * (i + 1) for i in range(30)]
    systems = dict(reversed(SYSTEMS.items()))
    figure = tb.plot(systems, REFS, kind, documents=LABELS, resamples=50, given_order=given_order)
    assert figure.spec["height"] < 420  # of the 700 points of a page
    named = [one for one in texts(figure.svg()) if one[0].startswith("checkpoint-")]
    named.sort(key=lambda one: one[2])
    numbers = [int(re.match(r"checkpoint-(\d+)", name)[1]) for name, _, _ in named]
    assert numbers == (expected if given_order else expected[::-1])
    assert len({x for _, x, _ in named}) == 1
    assert all(other[2] - one[2] > 8.5 for one, other in pairwise(named))


@pytest.fixture(scope="module")
def compared():
    stats = as_stats(simulated(np.random.default_rng(2), 200, 12, gain=0.5))
    return tb.compare({f"s{k}": one for k, one in enumerate(stats)}, resamples=200)


def test_the_matrix_is_that_of_the_pairs(compared):
    data = rows(charts.difference(compared), "other", "difference", "p", "result")
    names = [system.name for system in compared.ranked()]
    cells = {(row["system"].split()[0], names[int(row["other"]) - 1]): row for row in data}
    assert len(data) == len(cells) == 12 * 11
    for a, b in combinations(names, 2):
        pair, cell, other = compared.pair(a, b), cells[a, b], cells[b, a]
        assert cell["difference"] == -other["difference"] >= 0
        assert abs(pair.difference) == cell["difference"]
        assert cell["p"] == other["p"] == pair.p_adjusted
        expected = ("row better", "row worse") if pair.better else ("not significant",) * 2
        assert (cell["result"], other["result"]) == expected
    assert {cell["result"] for cell in cells.values()} == {"row better", "row worse", "not significant"}
    drawn = texts(tb.plot(compared, kind="difference", width="double").svg())
    assert sum(text.startswith(("+", "\N{MINUS SIGN}")) for text, _, _ in drawn) == 132


def test_a_lower_ter_is_better_in_the_matrix():
    compared = tb.compare(dict(list(SYSTEMS.items())[::4]), REFS, metric=tb.TER(), resamples=200)
    data = rows(charts.matrix(compared), "difference", "result")
    assert {row["difference"] < 0 for row in data if row["result"] == "row better"} == {True}


def test_many_differences_from_a_baseline_are_intervals():
    compared = tb.compare(SYSTEMS, REFS, resamples=200, baseline="checkpoint-7500")
    data = rows(charts.difference(compared), "difference", "low", "high", "p", "result")
    assert [row["system"] for row in data] == [name for name in SYSTEMS if name != "checkpoint-7500"]
    for row, pair in zip(data, compared.pairs, strict=True):
        assert (row["difference"], row["low"], row["high"]) == (pair.difference, *pair.interval)
        assert (row["result"] == "significant") == (pair.better is not None)
    with pytest.raises(InputError, match="a comparison with a baseline has no matrix"):
        charts.matrix(compared)
