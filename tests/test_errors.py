# SPDX-License-Identifier: Apache-2.0
"""Arguments that are whole numbers or true or false: any other value is named in the error."""

from functools import cache

import numpy as np
import polars as pl
import pytest

import truebleu as tb
from truebleu import BLEU, CHRF, InputError, OptionError, compare, explain, pairwise, scan

HYPS = ["a cat sat on the mat", "a cat sat on a hat", "dogs bark"]
REFS = ["the cat sat on the mat", "a cat sat in a hat", "dogs bark, cats do not"]
SYSTEMS = {"A": HYPS, "B": REFS}
IDS = tb.Ids(np.arange(6).reshape(3, 2))
SCORE = tb.corpus_bleu(HYPS, REFS)
WHY = explain(HYPS, REFS)
CHAR = BLEU(tokenize="char").dialect
FRAME = pl.DataFrame({"hyp": HYPS, "ref": REFS})


@cache
def reconciled():
    """What `reconcile` and `verify` find."""
    return tb.reconcile(HYPS, REFS, 30.0), tb.verify(HYPS, REFS, BLEU().signature, 30.0)


#: Arguments that are whole numbers, each with a call that takes it and two values it can have.
WHOLE = {
    "threads": (lambda n: BLEU(threads=n), 1, 3),
    "max_ngram_order": (lambda n: BLEU(max_ngram_order=n), 1, 4),
    "char_order": (lambda n: CHRF(char_order=n, word_order=2), 0, 6),
    "pad_id": (lambda n: BLEU().corpus(IDS, IDS, pad_id=n), 0, 5),
    "eos_id": (lambda n: BLEU().sentences(IDS, IDS, eos_id=n), 0, 5),
    "group": (lambda n: BLEU().corpus(HYPS * 3, REFS * 3, group=n), 1, 1),
    "resamples": (lambda n: compare(SYSTEMS, REFS, resamples=n), 1, 30),
    "the seed": (lambda n: compare(SYSTEMS, REFS, resamples=9, seed=n), 0, (1 << 64) - 1),
    "sample": (lambda n: tb.self_bleu(HYPS, sample=n), 2, 3),
    "seed": (lambda n: tb.self_bleu(HYPS, sample=2, seed=n), 0, (1 << 64) - 1),
    "most, to explain": (lambda n: explain(HYPS, REFS, most=n), 0, 3),
    "most, to diff": (lambda n: tb.diff(HYPS[:1], REFS[:1], "sacrebleu", CHAR, most=n), 0, 3),
    "width": (SCORE.format, 0, 100),
    "width, of chrF": (CHRF().corpus(HYPS, REFS).format, 0, 100),
    "worst": (WHY.format, 0, 2),
    "count": (WHY.worst, 0, 2),
    "terminal": (lambda n: WHY.format(terminal=n), 0, 90),
    "number": (WHY.segment, 1, 3),
    "batch_size": (lambda n: [*map(len, scan(FRAME.iter_slices(), "hyp", "ref", batch_size=n))],
                   1, 3),
    "limit": (lambda n: reconciled()[0].format(limit=n), 1, 2),
}  # fmt: skip

#: Values that are not whole numbers.
NEITHER = [
    "x", "1", b"1", 1.5, float("nan"), {}, object(), True, np.array(["a"]), np.array(1.5), FRAME,
    pl.Series([1]),
]  # fmt: skip
#: Several whole numbers.
SEVERAL = [[1], np.arange(2)]


@pytest.mark.parametrize("name", WHOLE)
def test_a_value_that_is_not_a_whole_number_is_named(name):
    message = f"^{name.partition(',')[0]} cannot be .*whole number"
    for value in NEITHER if name in ("pad_id", "eos_id") else NEITHER + SEVERAL:
        with pytest.raises(OptionError, match=message):
            WHOLE[name][0](value)


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_number_is_one_in_any_library(name):
    call, *values = WHOLE[name]
    for value in values:
        expected = repr(call(value))
        kinds = [np.uint64, np.array] if value > 1 << 62 else [np.int64, np.uint8, np.array]
        for kind in kinds:
            assert repr(call(kind(value))) == expected


@pytest.mark.parametrize("name", [name for name in WHOLE if not name.endswith("_id")])
def test_a_whole_number_has_its_range(name):
    call, least, most = WHOLE[name]
    for value in (least - 1, -(10**30), *([most + 1, 10**30] if "width" in name or "seed" in name else [])):
        with pytest.raises((OptionError, InputError), match=f"{least}|no segment"):
            call(value)


@pytest.mark.parametrize("kind", [int, np.bool_, bool])
def test_a_truth_may_be_a_number(kind):
    expected = pairwise(HYPS, exact=True)
    assert pairwise(HYPS, exact=kind(1)).tobytes() == expected.tobytes()


def test_names_of_references_are_shown():
    for found in reconciled():
        assert found.format(["1"]) == found.format()  # numbers are the default names
    several = [[ref, hyp] for ref, hyp in zip(REFS, HYPS, strict=True)]
    result = tb.verify(HYPS, several, BLEU().signature.replace("nrefs:?", "nrefs:2"), 30.0)
    assert "with references gold, silver" in result.format(["gold", "silver"])
