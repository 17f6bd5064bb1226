# SPDX-License-Identifier: Apache-2.0
"""Arguments that are whole numbers or true or false: any other value is named in the error."""

import re
from functools import cache

import numpy as np
import polars as pl
import pytest

import truebleu as tb
from truebleu import BLEU, CHRF, InputError, OptionError, compare, explain, mbr, pairwise, scan

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
    call, least, _ = WHOLE[name]
    for value in (least - 1, -(10**30)):
        with pytest.raises((OptionError, InputError), match=f"{least}|no segment"):
            call(value)


@pytest.mark.parametrize("value", [np.arange(2), FRAME], ids=["array", "frame"])
@pytest.mark.parametrize(
    "call",
    [
        lambda value: pairwise(HYPS, exact=value), lambda value: mbr([HYPS], exact=value),
        lambda value: BLEU().column("texts", HYPS, once=value),
        lambda value: SCORE.format(signature=value), lambda value: SCORE.format(short=value),
        lambda value: CHRF().corpus(HYPS, REFS).format(short=value),
        lambda value: tb.write_report("none.html", SYSTEMS, REFS, force=value),
        lambda value: WHY.format(color=value), lambda value: explain(HYPS, REFS, segment=value),
    ],
)  # fmt: skip
def test_a_value_without_truth_is_named(call, value):
    with pytest.raises(OptionError, match="it must be true or false"):
        call(value)


@pytest.mark.parametrize("kind", [int, np.bool_, bool])
def test_a_truth_may_be_a_number(kind):
    expected = pairwise(HYPS, exact=True)
    assert pairwise(HYPS, exact=kind(1)).tobytes() == expected.tobytes()


@pytest.mark.parametrize("other", [None, 7, "x", [1], np.arange(2), FRAME, SCORE])
def test_only_accumulators_are_merged(other):
    accumulator = BLEU().accumulator()
    with pytest.raises(InputError, match="is not an accumulator"):
        accumulator.merge(other)
    with pytest.raises(InputError, match="not a state of an accumulator"):
        accumulator.load_state_dict(other)
    with pytest.raises(InputError, match="this is a state of"):
        accumulator.load_state_dict({"signature": other, "state": []})


def test_a_value_that_is_not_a_pair_is_named():
    comparison = compare(SYSTEMS, REFS, resamples=9)
    assert len(comparison.differences(comparison.pair("B", "A"))) == 9
    for pair in (None, ("A", "B"), SCORE.stats, FRAME):
        with pytest.raises(OptionError, match="is not a pair of this comparison"):
            comparison.differences(pair)
    for names in [("A", "C"), ("A", "A"), (["A"], "B")]:
        with pytest.raises(OptionError, match="the systems are A, B"):
            comparison.pair(*names)


@pytest.mark.parametrize("names", ["ref", ["a", "b"], [], [1], {}, 7, np.arange(2), FRAME])
def test_references_have_one_name_each(names):
    for result in reconciled():
        assert result.format(["1"]) == result.format()  # numbers are the default names
        with pytest.raises(
            OptionError, match=r"^names cannot be .*; give 1, one for each reference"
        ):
            result.format(names)


def test_names_of_references_are_shown():
    several = [[ref, hyp] for ref, hyp in zip(REFS, HYPS, strict=True)]
    result = tb.verify(HYPS, several, BLEU().signature.replace("nrefs:?", "nrefs:2"), 30.0)
    assert "with references gold, silver" in result.format(["gold", "silver"])


def test_a_wrong_name_is_answered_by_what_it_means_or_what_is_near():
    hints = {
        ("tokenize", "flores"): "'flores'; did you mean flores200 or flores101?",
        ("tokenize", "abc"): "'abc'; known: none, 13a",
        ("dialect", "moses"): "'moses'; its scripts are multi-bleu",
        ("dialect", "evaluate"): "'evaluate'; its bleu is hf-bleu",
        ("dialect", "nothing"): "'nothing'; truebleu dialects lists all",
        ("dialect", "sacreblue"): "'sacreblue'; did you mean sacrebleu",
    }
    for (option, value), hint in hints.items():
        with pytest.raises(OptionError, match=re.escape(hint)):
            BLEU(**{option: value})
    for option, hint in {"force": "leave it out", "smoth": "did you mean smooth_"}.items():
        with pytest.raises(OptionError, match=hint):
            BLEU(**{option: 1})
    with pytest.raises(OptionError, match=r"'c\+\+'; did you mean cpp\?"):
        tb.CodeBLEU("c++")
    with pytest.raises(OptionError, match="CHRF has no option 'bta'; did you mean beta"):
        CHRF(bta=2)
