# SPDX-License-Identifier: Apache-2.0
"""Long columns are read in parts: no segment is lost, read twice or named by a wrong place.

With one thread, a part has `CHUNK` segments. Two threads share the parts of `LONG` segments, which
are smaller: while one reads, the other counts.
"""

import re

import pytest
from support.corpora import CHUNK

from truebleu import BLEU, InputError

LONG = 2 * CHUNK + 1
each_number_of_threads = pytest.mark.parametrize("threads", [1, 2])


def texts(size, step):
    return [f"a b c d {i % step} {i}" for i in range(size)]


def same(text):
    return text


def ids(text):
    return [int(word, 36) for word in text.split()]


#: Forms of the same tokens.
FORMS = {
    "strings": (same, "none"),
    "words": (str.split, "none"),
    "ids": (ids, "none"),
    "words of a function": (same, str.split),
}
each_form = pytest.mark.parametrize(("form", "tokenize"), FORMS.values(), ids=FORMS)


@each_form
@each_number_of_threads
@pytest.mark.parametrize(("size", "kind"), [(CHUNK, list), (LONG, iter)])
def test_parts_make_the_whole(size, kind, threads, form, tokenize):
    bleu = BLEU(tokenize=tokenize, threads=threads)
    strings = texts(size, 7), texts(size, 5)
    hyps, refs = ([form(text) for text in column] for column in strings)
    stats = bleu.stats(kind(hyps), kind(refs))
    assert len(stats) == size
    scores = bleu.sentences(kind(hyps), kind(refs))
    for at in {0, CHUNK - 1, CHUNK, size - 1} & set(range(size)):
        assert stats[at] == BLEU(tokenize="none").stats([strings[0][at]], [strings[1][at]])[0]
        assert scores[at] == bleu.sentence(hyps[at], refs[at]).value
    for column in (refs, [[ref] for ref in refs]):
        assert bleu.corpus(kind(hyps), kind(column)).stats == stats.sum()


@each_form
@each_number_of_threads
def test_groups_and_prefixes_in_parts(threads, form, tokenize):
    bleu, few = BLEU(tokenize=tokenize, threads=threads), CHUNK // 2 + 1
    hyps, refs = ([form(text) for text in texts(size, 7)] for size in (3 * few, few))
    repeated = [ref for ref in refs for _ in range(3)]
    assert bleu.stats(hyps, refs, group=3).buffer == bleu.stats(hyps, repeated).buffer
    with pytest.raises(InputError, match=rf"refs\[{few - 1}\] "):
        bleu.stats(hyps, [*refs[:-1], None], group=3)
    several = [[ref, ref] for ref in refs]
    score = bleu.corpus(iter(hyps), several, group=3)
    assert score.value == bleu.corpus(hyps, repeated).value
    assert score == bleu.corpus(hyps, iter(several), group=3)
    scores, offsets = bleu.prefixes(hyps, repeated)
    assert offsets.tolist() == list(range(0, 6 * len(hyps) + 1, 6))
    assert scores[5::6].tobytes() == bleu.sentences(hyps, repeated).tobytes()


@each_number_of_threads
@pytest.mark.parametrize("word", ["a", 7])
def test_a_part_of_empty_lists(word, threads):
    """The part alone does not say whether it holds words or ids."""
    some, none = [[word] * 5], [[]] * CHUNK
    hyps, refs = some + none * 2 + some, some + [[word]] * CHUNK * 2 + some
    bleu = BLEU(threads=threads)
    for column in (refs, [[ref] for ref in refs], hyps, [[ref] for ref in hyps]):
        stats = bleu.stats(hyps, column)
        assert stats[0] == stats[LONG] == bleu.stats(some, some)[0]
        assert [row[0] for row in (stats[1], stats[LONG - 1])] == [0, 0]


#: Items, another tokenizer, an item that is not one, and what is said of it in hyps and in refs.
WORDS, IDS = ["a", "b"], [1, 2]
FAULTS = [
    ("a b", None, None, " is missing", " has no reference"),
    ("a b", None, "\udc80", " holds the lone surrogate U+DC80"),
    ("a b", str.split, 7, " is of type int"),
    (WORDS, None, "a b", " is of type str; it must be a list"),
    (WORDS, None, ["a", 7], "[1] is of type int; it must be a string"),
    (IDS, None, [1, "b"], "[1] is of type str; it must be an integer"),
    (IDS, None, [1, 2, 1 << 70], "[2] is 1180591620717411303424, which is not a 64-bit id"),
]


@each_number_of_threads
@pytest.mark.parametrize("at", [1, CHUNK - 1, CHUNK])
@pytest.mark.parametrize(("good", "tokenize", "bad", "said", "of_refs"), [(*fault, *fault[3:])[:5] for fault in FAULTS])
def test_a_fault_is_named_by_its_place_in_the_whole(threads, at, good, tokenize, bad, said, of_refs):
    whole = [good] * LONG
    fault = [*whole[:at], bad, *whole[at + 1 : -1], bad]  # the first is named
    columns = [(fault, whole, f"hyps[{at}]{said}"), (whole, fault, f"refs[{at}]{of_refs}")]
    if bad is None:
        columns.append((whole, [[item, None] for item in fault], f"refs[{at}]{of_refs}"))
    elif isinstance(good, list):
        columns.append((whole, [[good, item] for item in fault], f"refs[{at}][1]{said}"))
    bleu = BLEU(tokenize=tokenize or "13a", threads=threads)
    for hyps, refs, message in columns:
        with pytest.raises(InputError, match=f"^{re.escape(message)}"):
            bleu.corpus(hyps, refs)


@each_number_of_threads
def test_references_of_one_kind_do_not_turn_into_another(threads):
    good = texts(LONG, 7)
    lists = [[ref] for ref in good]
    for refs, problem in [
        (good[:CHUNK] + lists[CHUNK:], "list; it must be a string"),
        (lists[:CHUNK] + good[CHUNK:], "str; it must be a list, like the items before it"),
    ]:
        with pytest.raises(InputError, match=rf"refs\[{CHUNK}\] is of type {problem}"):
            BLEU(threads=threads).corpus(good, refs)


@each_number_of_threads
def test_what_a_function_raises_ends_the_call(threads):
    def tokenize(text):
        if text.endswith(f" {CHUNK}"):
            raise error
        return text.split()

    column = texts(LONG, 7)
    for error in (KeyboardInterrupt(), SystemExit(3), RuntimeError("no")):
        with pytest.raises(type(error)):
            BLEU(tokenize=tokenize, threads=threads).corpus(column, column)
    score = BLEU(tokenize=str.split, threads=threads).corpus(column, column)
    assert score.value == pytest.approx(100)
