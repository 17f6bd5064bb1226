# SPDX-License-Identifier: Apache-2.0
"""Misaligned lines: the pairs with the highest sum, and what is found in real texts."""

from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from support.example_texts import HYPS, REFS, TWO_REFS
from support.findings import changed, only

from truebleu import check, corpus_bleu, repair
from truebleu.analysis.check.alignment import _chain


@given(st.permutations(range(7)), st.integers(0, 7))
def test_the_chain_is_the_longest(places, size):
    pairs = [*enumerate(places)][:size]
    chains = (
        some
        for count in range(size, -1, -1)
        for some in combinations(pairs, count)
        if all(a[1] < b[1] for a, b in pairwise(some))
    )
    chain = [*_chain(pairs).items()]
    assert len(chain) == len(next(chains))
    assert chain == sorted(chain)
    assert [place for _, place in chain] == sorted(place for _, place in chain)


def test_of_two_lines_the_more_similar_takes_a_place():
    refs = [*REFS[:20], "The board meets on Monday.", "The board meets on Friday.", *REFS[20:]]
    hyps = [*refs[:17], *refs[18:21], "The board meets on Mondays.", *refs[22:]]
    assert only("lost-line", check(hyps, refs)).lines == (17,)


def test_effects_of_alignment_are_exact():
    finding = only("lost-line", check(HYPS[:17] + HYPS[18:], TWO_REFS))
    assert (finding.lines, finding.before, finding.effect) == ((17,), None, None)
    assert finding.after == corpus_bleu(changed(HYPS, 17, ""), TWO_REFS).value
    extra = [*HYPS[:30], "Something that was never asked for.", *HYPS[30:]]
    finding = only("inserted-line", check(extra, TWO_REFS))
    assert (finding.lines, finding.after) == ((30,), corpus_bleu(HYPS, TWO_REFS).value)
    shifted = [*HYPS[:17], *HYPS[18:40], "Something that was never asked for.", *HYPS[40:]]
    finding = only("shifted-lines", check(shifted, TWO_REFS))
    assert finding.lines == tuple(range(17, 39))
    assert finding.before == corpus_bleu(shifted, TWO_REFS).value
    assert finding.after == corpus_bleu(changed(HYPS, 17, ""), TWO_REFS).value


def test_a_lost_line_of_one_reference():
    refs = [(a, TWO_REFS[row + (row >= 9)][1] if row < 47 else None) for row, (a, _) in enumerate(TWO_REFS)]
    finding = only("shifted-lines", check(HYPS, refs))
    assert finding.where.startswith("refs[9][1]")


def test_shuffled_lines_are_put_back():
    rows = Random(1).sample(range(48), 10)
    shuffled = list(HYPS)
    for row, other in zip(rows, rows[1:] + rows[:1], strict=True):
        shuffled[row] = HYPS[other]
    finding = only("shuffled-lines", check(shuffled, REFS))
    assert set(finding.lines) <= set(rows)
    assert len(finding.lines) >= 8
    repaired = repair(shuffled, REFS).hyps
    assert sum(a == b for a, b in zip(repaired, HYPS, strict=True)) >= 46
    everything = Random(2).sample(HYPS, 48)
    assert only("shuffled-lines", check(everything, REFS)).severity == "error"


def test_unrelated_and_very_different_files():
    refs = [(a, TWO_REFS[(row + 24) % 48][1][::-1]) for row, a in enumerate(REFS)]
    finding = only("unrelated-lines", check(HYPS, refs))
    assert (finding.severity, finding.where) == ("error", "refs[1]")
    words = Random(3).sample(" ".join(HYPS).split(), len(" ".join(HYPS).split()))
    soup = [" ".join(words[row::48]) for row in range(48)]
    assert only("unrelated-lines", check(soup, REFS)).column == "hyps"
    finding = only("unequal-lines", check(HYPS * 2, [text[::-1] for text in REFS]))
    assert (finding.severity, finding.after) == ("error", None)
    assert only("unequal-lines", check(HYPS[:1], REFS * 1000))
    assert only("lost-line", check(HYPS[:10], REFS)).where == "hyps[10]"
    assert only("unequal-lines", check(HYPS, REFS, srcs=REFS[:-1])).column == "srcs"


def test_blank_lines_at_the_end():
    finding = only("trailing-blank-line", check([*HYPS, "", ""], REFS))
    assert (finding.lines, finding.before) == ((48, 49), None)
    assert finding.after == corpus_bleu(HYPS, REFS).value
