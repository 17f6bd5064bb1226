# SPDX-License-Identifier: Apache-2.0
"""Long columns are read in parts; where the parts meet, nothing is lost, doubled or misnamed."""

from __future__ import annotations

import pytest

from truebleu import BLEU, InputError

#: Segments that one thread reads at a time (crates/python/src/chunks.rs).
CHUNK = 1 << 13
SIZES = [CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1]


def texts(size, step):
    return [f"a b c d {i % step} {i}" for i in range(size)]


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("size", SIZES)
def test_parts_make_the_whole(size, kind):
    bleu = BLEU(threads=1)
    hyps, refs = kind(texts(size, 7)), kind(texts(size, 5))
    stats = bleu.stats(hyps, refs)
    assert len(stats) == size
    for at in {0, CHUNK - 1, CHUNK, size - 1} & set(range(size)):
        alone = bleu.stats([hyps[at]], [refs[at]])
        assert stats[at] == alone[0]
        assert bleu.sentences(hyps, refs)[at] == bleu.sentence(hyps[at], refs[at]).value
    assert bleu.corpus(hyps, refs).stats == stats.sum()
    assert bleu.corpus(hyps, [[ref] for ref in refs]).stats == stats.sum()


@pytest.mark.parametrize("at", [0, CHUNK - 1, CHUNK, 2 * CHUNK])
def test_a_fault_is_named_by_its_place_in_the_whole(at):
    good = texts(2 * CHUNK + 1, 7)
    bad = [*good[:at], None, *good[at + 1 :]]
    surrogate = [*good[:at], "\udc80", *good[at + 1 :]]
    nested = [[ref, None] for ref in bad]
    bleu = BLEU(threads=1)
    for hyps, refs, message in [
        (bad, good, rf"hyps\[{at}\] is None" if at else "hyps"),
        (good, bad, rf"refs\[{at}\] has no reference"),
        (good, nested, rf"refs\[{at}\] has no reference"),
        (surrogate, good, rf"hyps\[{at}\] holds the lone surrogate U\+DC80"),
        (good, surrogate, rf"refs\[{at}\] holds the lone surrogate U\+DC80"),
    ]:
        with pytest.raises(InputError, match=message):
            bleu.corpus(hyps, refs)


def test_references_of_one_kind_do_not_turn_into_another():
    good = texts(2 * CHUNK, 7)
    refs = good[:CHUNK] + [[ref] for ref in good[CHUNK:]]
    with pytest.raises(InputError, match=rf"refs\[{CHUNK}\] is a list or no list"):
        BLEU(threads=1).corpus(good, refs)
