# SPDX-License-Identifier: Apache-2.0
"""Input that is larger than memory or limits is refused at once, before it takes time or memory."""

import time

import pytest

from truebleu import BLEU, TER, InputError, OptionError, mbr, pairwise

MANY = ["a b"] * 1_000_000
LONG = " ".join(["a", "b", "c", "d"] * 2_048)

CALLS = {
    "pairwise": (
        lambda: pairwise(MANY),
        r"this takes up to 8000\.0 GB of memory, but \d+\.\d GB are free; ",
    ),
    "mbr": (lambda: mbr(MANY), r"this takes up to 8000\.0 GB of memory, but "),
    "TER": (
        lambda: TER().corpus(["a", LONG], ["a", LONG + " e"]),
        r"refs\[1\] has 8193 words and its hypothesis 8192",
    ),
    "order": (lambda: BLEU(max_ngram_order=1_000_000_000), "max_ngram_order cannot be 1000000000"),
    "ids": (
        lambda: BLEU().corpus([[10**50]], [[1]]),
        r"hyps\[0\]\[0\] is a number of more than 40",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_too_large_a_call_is_refused_at_once(name):
    call, message = CALLS[name]
    start = time.monotonic()
    with pytest.raises((InputError, OptionError), match=message):
        call()
    assert time.monotonic() - start < 10


def test_the_longest_words_of_ter_have_a_score():
    assert TER().corpus([LONG], [LONG]).value == 0
    assert TER().corpus([LONG * 4], ["a b"]).value > 0
    assert BLEU().corpus([LONG * 4], ["a b"]).hyp_len > 4 * 8_000
