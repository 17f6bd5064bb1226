# SPDX-License-Identifier: Apache-2.0
"""Figures are whole pictures with the size, fonts, colors and axes that they say."""

import io
import os
import signal
import struct
import time
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawn_systems import REFS, SYSTEMS, scored

import truebleu as tb
from truebleu import charts
from truebleu.charts.figure import render
from truebleu.charts.layout import nice_ends
from truebleu.charts.look import COLORS, Look
from truebleu.errors import TrueBLEUError


def test_a_pdf_is_as_wide_as_a_column_and_has_its_fonts():
    from pypdf import PdfReader

    for width, points in (("single", 240), ("double", 497)):
        pdf = render(charts.precisions(scored(), charts.Look(width=width)), "pdf")
        (page,) = PdfReader(io.BytesIO(pdf)).pages
        assert float(page.mediabox.width) == points
        fonts = page["/Resources"]["/Font"].values()
        assert fonts
        for font in fonts:
            (inner,) = font.get_object()["/DescendantFonts"]
            descriptor = inner.get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & descriptor.keys()
        assert "n-gram order n" in page.extract_text()


def test_a_png_has_300_pixels_per_inch():
    png = render(charts.precisions(scored()), "png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (1000, 164 * 300 // 72)


def test_a_notebook_shows_a_picture_without_a_script():
    bundle = tb.plot(scored()[0][1])._repr_mimebundle_()
    root = ET.fromstring(bundle["image/svg+xml"])
    assert (root.attrib["width"], root.attrib["viewBox"]) == ("384", "0 0 240 154")
    assert bundle.keys() == {"text/html", "image/svg+xml", "text/plain"}
    assert "<script" not in bundle["text/html"]


def test_a_notebook_shows_a_figure_in_the_colors_of_its_theme():
    systems = {str(i): SYSTEMS["A"] for i in range(14)}
    page = tb.plot(systems, REFS)._repr_mimebundle_()["text/html"]
    style, svg = page.removeprefix("<style>").split("</style>")
    assert "color-scheme:dark" in style
    root = ET.fromstring(svg)
    used = {part.attrib[name] for part in root.iter() for name in ("fill", "stroke") if name in part.attrib}
    themed = ("light-dark(", "color-mix(", "currentColor", "none", "transparent")
    assert {"currentColor", "none"} <= used
    assert all(color.startswith(themed) for color in used)
    # Colors that were chosen stay.
    for colors in ("light", "dark"):
        bundle = tb.plot(systems, REFS, colors=colors)._repr_mimebundle_()
        assert bundle.keys() == {"image/svg+xml", "text/plain"}


def test_nothing_is_fetched():
    import altair as alt

    with pytest.raises(ValueError, match=r"http://127\.0\.0\.1"):
        tb.Figure(alt.Chart("http://127.0.0.1:9/data.json").mark_bar()).svg()


def test_an_altair_chart_can_be_changed():
    chart = charts.precisions(scored()).chart.properties(title="a heading of our own")
    assert "a heading of our own" in tb.Figure(chart).svg()


def test_a_signal_waits_for_one_chart_at_most():
    chart = charts.precisions(scored())
    render(chart, "svg")  # the first chart of a process takes longer

    def stop(*_):
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    begin = time.monotonic()
    try:
        with pytest.raises(InterruptedError):
            [render(chart, "svg") for _ in range(1000)]
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_says_that_it_cannot_draw():
    chart = charts.precisions(scored())
    render(chart, "svg")
    child = os.fork()
    if child == 0:
        try:
            render(chart, "svg")
        except TrueBLEUError as error:
            os._exit(0 if "'spawn'" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


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
