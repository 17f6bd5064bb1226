# SPDX-License-Identifier: Apache-2.0
"""The kernel reads tokens at the ends of texts, and finds shared ones, as plain Python does."""

import re
from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from truebleu.analysis.check import added
from truebleu.analysis.check.marks import only_here, plain
from truebleu.metrics.kernel import end_tokens, end_words, shared_ends

TOKEN = re.compile(r"\\[nrt]|[^\W\d_]+|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
TEXTS = st.text(st.sampled_from('abé猫ſ٣7²Ⅷ.,:\\nrt_-–"“　 \t\x1c\xa0\U0001f600')) | st.text()
ENDS = st.sampled_from([(3, False), (3, True), (8, False), (8, True), (40, True)])


def tokens(text, letters, *, at_end):
    text = text.strip()
    part = plain(text[-letters:] if at_end else text[:letters])
    found = [
        "0" if token[0].isdigit() else " " if token.isspace() else token
        for token in TOKEN.findall(part)
    ]
    if len(text) > letters:
        found = found[1:] if at_end else found[:-1]
    return found[::-1] if at_end else found


@given(st.lists(TEXTS), ENDS)
def test_tokens(texts, end):
    letters, at_end = end
    expected = [tokens(text, letters, at_end=at_end) for text in texts]
    assert end_tokens(texts, letters, at_end, added._character) == expected


@given(st.lists(TEXTS | st.text(st.sampled_from("abc \u732b1"), max_size=30)), ENDS)
def test_words_are_the_beginnings_of_long_tokens(texts, end):
    letters, at_end = end
    tokens_of = end_tokens(texts, letters, at_end, added._character)
    expected = [list(dict.fromkeys(one[:5] for one in row if len(one) > 3)) for row in tokens_of]
    words = end_words(texts, letters, at_end, added._character)
    numbers = np.frombuffer(words, np.uint32).reshape(len(texts), -(-letters // 4))
    found = [[number for number in row if number] for row in numbers.tolist()]
    assert list(map(len, found)) == list(map(len, expected))
    pairs = set(zip(chain(*found), chain(*expected), strict=True))
    assert len(pairs) == len({number for number, _ in pairs}) == len({word for _, word in pairs})


@given(
    st.lists(st.tuples(*[st.sampled_from(["a b c", "a b", "a", "b", "b a", "1. a", ""])] * 3)),
    st.sampled_from([1, 2, 4]),
    st.booleans(),
)
def test_shared_ends(rows, fewest, at_end):
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    read = [[tokens(text, 40, at_end=at_end) for text in column] for column in columns]
    expected = []

    def visit(path):
        have = [
            [row for row, one in enumerate(column) if one[: len(path)] == path] for column in read
        ]
        new = only_here(have[0], set().union(*have[1:]), fewest) if path else []
        at = len(expected)
        if new:
            expected.append([path, new, 0])
        own = [read[0][row] for row in have[0]]
        longer = dict.fromkeys(one[len(path)] for one in own if len(one) > len(path))
        for token in reversed(longer):
            if sum(one[len(path) : len(path) + 1] == [token] for one in own) >= fewest:
                visit([*path, token])
        if new:
            expected[at][2] = len(expected)

    visit([])
    found = shared_ends(columns, 40, at_end, added._character, (fewest, added.TIMES))
    assert list(map(list, found)) == expected
