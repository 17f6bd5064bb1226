# SPDX-License-Identifier: Apache-2.0
"""Tables: as wide as the terminal, and text in every format."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from support.unsafe_texts import ALL, ATTACKS, RAW

from truebleu.text import tables
from truebleu.text.escaping import columns, shortened, visible
from truebleu.text.json_text import json_text

TEXTS = st.text(max_size=30).map(visible)


@given(TEXTS, st.integers(0, 40))
def test_a_short_text_has_both_ends_of_the_long_one(text, most):
    short = shortened(text, most)
    assert columns(short) <= most
    if columns(text) <= most:
        assert short == text
    elif most > 0:
        start, ellipsis, end = short.partition("\u2026")
        assert ellipsis
        assert text.startswith(start)
        assert text.endswith(end)
        # One more character of either end would not fit, nor be as wide as two may be.
        assert columns(short) >= most - 3


@given(st.lists(st.tuples(TEXTS, st.integers(0, 10**6), st.integers(0, 9)), min_size=1), st.integers(14, 60))
def test_a_table_fits_wherever_its_first_columns_do(rows, width):
    cells = [["name", "score", "n"], *([name, str(one), str(n)] for name, one, n in rows)]
    fitted = tables.padded(cells, width)
    lines = ["  ".join(row) for row in fitted]
    assert len({columns(line) for line in lines}) == 1
    needed = min(8, max(columns(row[0]) for row in cells)) + 2 + max(len(r[1]) for r in cells)
    assert columns(lines[0]) <= max(width, needed + 3)
    full = tables.padded(cells)
    if columns("  ".join(full[0])) <= width:
        assert fitted == full


@given(st.lists(TEXTS, min_size=1), st.integers(20, 60))
def test_blocks_have_every_column_and_fit(names, width):
    rows = [["set", *names], ["a long name of a set", *(str(i) for i in range(len(names)))]]
    blocks = tables.blocks(rows, width)
    cells = [cell.strip() for block in blocks for cell in block[1][1:]]
    assert cells == rows[1][1:]
    for block in blocks:
        assert len(block[0]) == 2 or columns("  ".join(block[0])) <= width
    assert tables.blocks(rows) == [tables.padded(rows)]


MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def in_markdown(cells):
    """The cells of a Markdown table as a page would show them; fails if one is more than text."""
    tokens = MARKDOWN.parse("\n".join(tables.markdown([["head"] * len(cells), cells])))
    assert {token.type for token in tokens} <= {
        f"{name}_{end}" for name in ("table", "thead", "tbody", "tr", "th", "td") for end in ("open", "close")
    } | {"inline"}
    inner = [token for token in tokens if token.type == "inline"]
    for token in inner:
        assert {child.type for child in token.children} <= {"text", "text_special"}
    return [token.content and "".join(c.content for c in token.children) for token in inner]


@pytest.mark.parametrize("attack", ALL, ids=list(ATTACKS))
def test_markdown_shows_text(attack):
    assert in_markdown([attack, "b"]) == ["head", "head", visible(attack), "b"]
    assert in_markdown(["a", attack]) == ["head", "head", "a", visible(attack)]


@given(st.text(alphabet="ab \\|`*_[]()<>&!~$#@:/.-+\n", max_size=12))
def test_markdown_shows_any_text(text):
    assert in_markdown(["a", text + "."])[3].split() == (visible(text) + ".").split()


def test_links_are_none():
    line = tables.markdown([["a"], ["http://example.org www.example.org a@example.org"]])[2]
    assert line == "| http&#58;//example.org www&#46;example.org a&#64;example.org |"


def read_latex(cell):
    """What LaTeX prints for a cell; fails at anything that is a command of its own."""
    known = {
        "$-$": "-", "$^{*}$": "*", r"$\leq$": "<=", r"$^{\sim}$": "~",
        r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^",
        r"\textbar\allowbreak{}": "|", r"\textless{}": "<", r"\textgreater{}": ">",
        r"\symbol{34}": '"', r"\textasciigrave{}": "`", r"\&": "&", r"\%": "%", r"\$": "$",
        r"\#": "#", r"\_": "_", r"\{": "{", r"\}": "}", "{[}": "[", "{]}": "]", "{*}": "*",
    }  # fmt: skip
    parts = re.split("(" + "|".join(map(re.escape, known)) + ")", cell)
    assert not set('\\&%$#_{}~^|<>"`[]*\n') & set("".join(parts[::2]))
    return "".join(known.get(part, part) for part in parts)


@pytest.mark.parametrize("attack", ALL, ids=list(ATTACKS))
def test_latex_prints_text(attack):
    *_, line, _, _ = tables.latex([["a", "b"], [attack, "x"]])
    name, x = line.removesuffix(r" \\").split(" & ")
    assert (read_latex(name), x) == (visible(attack), "x")
    comment = tables.latex_comment(attack)
    assert comment.startswith("% ")
    assert len(comment.splitlines()) == 1


@given(st.text(max_size=12))
def test_any_text_is_one_cell_of_a_line(text):
    for lines in (tables.tsv([["a", "b"], [text, "x"]]), tables.latex([["a", "b"], [text, "x"]])):
        assert all(len(line.splitlines()) == 1 for line in lines)
        assert RAW.search("".join(lines)) is None
    assert tables.tsv([[text, "x"]])[0].count("\t") == 1
    assert read_latex(tables.latex([["a"], [text]])[5].removesuffix(r" \\")) == visible(text)


@given(st.text(max_size=12))
def test_json_is_the_same_json_and_visible(text):
    output = json_text({"text": text})
    assert json.loads(output) == {"text": text}
    assert RAW.search(output) is None
