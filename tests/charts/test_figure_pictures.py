# SPDX-License-Identifier: Apache-2.0
"""Figures are whole pictures in the look that was asked for, and show names as text."""

from __future__ import annotations

import io
import struct
import sys
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawn_systems import LABELS, REFS, SYSTEMS, rows, scored
from support.hostile import ATTACKS

import truebleu as tb
from truebleu import charts
from truebleu.charts.figure import render
from truebleu.charts.layout import nice_ends, spaced
from truebleu.errors import MissingExtraError, OptionError


@pytest.mark.parametrize("kind", ["precisions", "losses", "scores", "difference", "groups"])
def test_no_name_becomes_markup(kind):
    names = list(ATTACKS.values())
    systems = dict.fromkeys(names[: 2 if kind == "difference" else None], SYSTEMS["A"])
    labels = [names[i % len(names)] for i in range(len(REFS))]
    figure = tb.plot(
        {"B": SYSTEMS["B"], **systems}, REFS, kind, documents=labels if kind == "groups" else None,
        resamples=50, look=charts.Look(width=900),
    )  # fmt: skip
    root = ET.fromstring(figure.svg())
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {
        "svg",
        "g",
        "path",
        "text",
        "rect",
        "line",
        "defs",
        "clipPath",
        "tspan",
        "title",
    }
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert not name.endswith("href")
            assert "url(" not in value
    texts = "".join(element.text or "" for element in root.iter())
    assert "<script>" in texts


def test_systems_whose_names_look_alike_are_told_apart():
    systems = {"a\x1b": SYSTEMS["A"], "a\\x1b": SYSTEMS["B"], "": SYSTEMS["C"]}
    shown = rows(tb.plot(systems, REFS).chart, "precision")
    assert {r["system"] for r in shown} == {"a\\x1b", "a\\x1b (2)", "''"}


def test_a_pdf_is_as_wide_as_a_column_and_has_its_fonts():
    from pypdf import PdfReader

    for width, points in (("single", 240), ("double", 497)):
        look = charts.Look(width=width)
        pdf = render(charts.precisions(scored(), look), "pdf")
        (page,) = PdfReader(io.BytesIO(pdf)).pages
        assert float(page.mediabox.width) == points
        fonts = page["/Resources"]["/Font"].values()
        assert fonts
        for font in fonts:
            (inner,) = font.get_object()["/DescendantFonts"]
            descriptor = inner.get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & descriptor.keys()
        assert "n-gram order n" in page.extract_text()


def test_a_png_has_300_pixels_to_an_inch():
    png = render(charts.precisions(scored()), "png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (1000, 154 * 300 // 72)


def test_nothing_is_fetched():
    import altair as alt

    with pytest.raises(ValueError, match=r"http://127\.0\.0\.1"):
        render(alt.Chart("http://127.0.0.1:9/data.json").mark_bar(), "svg")


def test_the_look():
    chart = charts.precisions(
        scored(), charts.Look(width=300, height=200, font="DejaVu Serif", size=10, colors="dark")
    )
    spec = chart.to_dict()
    assert (spec["width"], spec["height"]) == (300, 200)
    assert (spec["config"]["font"], spec["config"]["background"]) == ("DejaVu Serif", "#16191d")
    assert spec["config"]["axis"]["titleFontSize"] == 10


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ({"width": "sinlge"}, "did you mean single"),
        ({"width": 5}, "the width cannot be 5; it must be 100 to 4000 points"),
        ({"height": float("nan")}, "the height cannot be nan"),
        ({"size": "big"}, "the size cannot be 'big'"),
        ({"colors": "drak"}, "did you mean dark"),
        ({"collors": "dark"}, "did you mean colors"),
    ],
)
def test_a_look_that_cannot_be(look, message):
    with pytest.raises(OptionError, match=message):
        scored()[0][1].plot(**look)


def test_every_system_has_its_own_shape_and_dash():
    look = charts.Look()
    together = set(zip(look.hues(56), look.shapes(56), strict=True))
    assert len(together) == 56
    assert len({tuple(dash) for dash in look.dashes(8)}) == 8


@pytest.mark.parametrize("missing", ["altair", "vl_convert"])
def test_what_is_not_installed_is_named(missing, monkeypatch):
    figure = tb.plot(SYSTEMS, REFS)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'truebleu\[report\]'"):
        tb.plot(SYSTEMS, REFS).svg()
    if missing == "vl_convert":
        with pytest.raises(MissingExtraError):
            figure.svg()


# Numbers of the layout.


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12), st.floats(0.1, 20), st.booleans())
def test_names_are_moved_apart_and_no_farther(positions, gap, bounded):
    low, high = (0, 100) if bounded and (len(positions) - 1) * gap <= 100 else (-1e9, 1e9)
    found = spaced(positions, gap, low, high)
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    apart = [found[b] - found[a] for a, b in pairwise(order)]
    assert all(one >= gap - 1e-6 for one in apart)
    assert low - 1e-6 <= min(found) <= max(found) <= high + 1e-6
    kept = [positions[b] - positions[a] for a, b in pairwise(order)]
    if all(one > gap for one in kept) and min(positions) >= 0:
        assert found == pytest.approx(positions)
    # No shift of all names together brings them nearer, unless an end is in the way.
    shift = sum(a - b for a, b in zip(found, positions, strict=True)) / len(found)
    assert abs(shift) < 1e-6 or min(found) < low + 1e-6 or max(found) > high - 1e-6


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.booleans())
def test_axes_hold_all_values(values, from_zero):
    if from_zero:
        values = [abs(value) for value in values]
    low, high = nice_ends(values, from_zero=from_zero)
    room = 1e-9 * max(1.0, *map(abs, values))
    assert low - room <= min(values)
    assert max(values) <= high + room
    assert low < high
    assert not from_zero or low == 0


@pytest.mark.parametrize("look", [{"size": 72}, {"height": 60}, {"width": 100, "size": 20}])
def test_odd_looks_are_drawn(look):
    for kind in ("precisions", "losses", "groups"):
        figure = tb.plot(SYSTEMS, REFS, kind, documents=LABELS, look=charts.Look(**look))
        assert "<svg" in figure.svg()
