# SPDX-License-Identifier: Apache-2.0
"""A text in which a detector's pattern has a match has the sign that the detector asks for."""

from unicodedata import is_normalized

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.corpora import segments

from truebleu.analysis.check import added, characters, foreign_marks, language, tokenization
from truebleu.analysis.check.marks import ODD, alike
from truebleu.analysis.check.scripts import BLOCKS
from truebleu.analysis.check.signs import Scan, Sign, members
from truebleu.analysis.check.texts import Column

ESCAPES = {pattern: sign for pattern, (sign, *_) in foreign_marks._ESCAPES.items()}
SUSPECT = (tokenization._SUSPECT, tokenization._NEGATION)
PATTERNS = {
    "characters": (characters._IS_ODD, characters._ODD),
    "entities": (characters._ENTITY, characters._AMPERSAND),
    "bytes": (characters._SEQUENCE, characters._FIRST_TWO),
    "high": (characters._HIGH, characters._ANY_HIGH),
    "frames": (characters._FRAMES, characters._FRAME),
    "backslash": (foreign_marks._BACKSLASH, ESCAPES[foreign_marks._BACKSLASH]),
    "percent": (foreign_marks._PERCENT, ESCAPES[foreign_marks._PERCENT]),
    "closed": (foreign_marks._CLOSED, foreign_marks._STOPPED),
    "quoted": (added._OPEN, added._QUOTE),
    "subwords": (tokenization._SUBWORD, tokenization._SUBWORDS),
    "hyphen": (tokenization._HYPHEN, *SUSPECT),
    "clitic": (tokenization._CLITIC, *SUSPECT),
    "apart": (tokenization._APART, *SUSPECT),
    "Penn": (tokenization._PENN, *SUSPECT),
    "tokens": (tokenization._TOKENS, *SUSPECT),
    "Han": (tokenization._BETWEEN_CJK, *SUSPECT),
}


def signs_of(texts):
    return Scan.of(texts).signs


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # it makes no lookbehinds
@given(st.data())
def test_what_matches_has_the_sign(data):
    pattern, *signs = PATTERNS[data.draw(st.sampled_from(sorted(PATTERNS)))]
    of_texts = signs_of([data.draw(st.from_regex(pattern).filter(pattern.search))])
    assert any(sign.rows(of_texts) for sign in signs)


def test_marks_have_their_sign():
    texts = [f"a {one} b" for sign in (*ODD, "[") for one in alike(sign)]
    assert foreign_marks._ODD.rows(signs_of(texts)) == list(range(len(texts)))


def test_letters_after_latin_have_their_sign():
    letters = [chr(code) for first, last, script in BLOCKS for code in range(first, last + 1)
               if script != "Latin"]  # fmt: skip
    assert language._BEYOND_LATIN.rows(signs_of(letters)) == list(range(len(letters)))


def test_what_can_change_in_nfc_has_its_sign():
    codes = [*range(0xD800), *range(0xE000, 0x110000)]
    texts = [before + chr(code) for before in ("a", "\u1100") for code in codes]
    texts = [text for text in texts if not is_normalized("NFC", text)]
    assert characters._AFTER_LATIN.rows(signs_of(texts)) == list(range(len(texts)))


PAIR, START = Sign("é▁@", pairs=["x,", "日本"]), Sign(starts="ab日")


@given(st.lists(st.one_of(st.none(), segments, st.text("abx,é▁@日本木 ", max_size=5))))
def test_rows_are_those_with_a_character_a_pair_or_a_start(texts):
    signs = signs_of(texts)
    has = [set(PAIR.rows(signs)), set(START.rows(signs))]
    for row, text in enumerate(texts):
        if any(sign in (text or "") for sign in ("é", "▁", "@", "x,", "日本")):
            assert row in has[0]
        elif (text or "").isascii():
            assert row not in has[0]
        assert not (text or "").startswith(("a", "b", "日")) or row in has[1]


@given(st.lists(segments, min_size=1), st.data())
def test_a_column_with_other_texts_in_some_rows_has_their_scan(texts, data):
    column = Column("hyp", "hyps", texts)
    changed = data.draw(st.dictionaries(st.integers(0, len(texts) - 1), segments))
    scan = column.with_texts(changed).scan
    expected = Scan.of([changed.get(row, text) for row, text in enumerate(texts)])
    for name in ("signs", "lengths", "blanks"):
        assert getattr(scan, name).tolist() == getattr(expected, name).tolist()


def test_members_are_those_of_a_set():
    assert "".join(members("a-cx_")) == "abcx_"
