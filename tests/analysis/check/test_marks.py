# SPDX-License-Identifier: Apache-2.0
"""Which lines may have a mark, looked for in all lines together."""

from hypothesis import given
from hypothesis import strategies as st
from support.corpora import segments

from truebleu.analysis.check.marks import rows_with_any

STARTS = st.sampled_from(["@", " .", "▁", "n'", "##", "é"]).map(lambda sign: sign.encode()[:2])


@given(st.lists(st.one_of(st.none(), segments)), st.lists(STARTS))
def test_rows_are_those_whose_bytes_have_a_start(texts, starts):
    lines = [((text or "").replace("\n", " ") + "\n").encode() for text in texts]
    expected = [row for row, line in enumerate(lines) if any(one in line for one in starts)]
    assert rows_with_any(texts, starts) == expected
