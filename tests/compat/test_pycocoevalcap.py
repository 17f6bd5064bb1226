# SPDX-License-Identifier: Apache-2.0
"""The drop-in for pycocoevalcap gives its numbers, prints what it prints and fails as it does."""

import random
from contextlib import redirect_stdout
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.accelerated import accelerated
from support.example_texts import HYPS, REFS, lines

from truebleu.compat import pycocoevalcap as ours

OTHERS = lines("de-en/ref.B.txt")

#: BLEU-1 to BLEU-4 of the example, from pycocoevalcap 1.2.
KNOWN = [0.6729323308262244, 0.5170864977105829, 0.39021559954963836, 0.295340041783049]

CAPTION = st.lists(st.sampled_from(["a", "man", "dog", "rides", "wave", "on"]), max_size=9).map(" ".join) | st.text(
    max_size=12
)
IMAGES = st.dictionaries(st.integers(0, 99), st.tuples(CAPTION, st.lists(CAPTION, min_size=1, max_size=4)), max_size=6)


def original(module):
    """A module of pycocoevalcap."""
    return pytest.importorskip(f"pycocoevalcap.bleu.{module}", reason="pip did not install it")


def outcome(call, capsys=None):
    try:
        result = repr(call())
    except Exception as error:  # noqa: BLE001  (whatever it is)
        result = type(error), str(error)
    return result, capsys and capsys.readouterr().out


def test_scores_of_the_example():
    gts = {i: [ref, other] for i, (ref, other) in enumerate(zip(REFS, OTHERS, strict=True))}
    scores, of_images = ours.Bleu().compute_score(gts, {i: [h] for i, h in enumerate(HYPS)}, 0)
    assert scores == KNOWN
    assert [len(of_order) for of_order in of_images] == [len(HYPS)] * 4


@given(IMAGES, st.integers(1, 4))
def test_any_captions(images, n):
    theirs = original("bleu")
    gts = {image: refs for image, (_, refs) in images.items()}
    res = {image: [caption] for image, (caption, _) in images.items()}
    scores = [module.Bleu(n).compute_score(gts, res, verbose=0) for module in (ours, theirs)]
    assert repr(scores[0]) == repr(scores[1])  # the last bits, and types


@given(IMAGES, st.sampled_from([None, "closest", "shortest", "average"]), st.sampled_from([None, 3, 4.5]))
def test_options(images, option, length):
    theirs = original("bleu_scorer")
    results = []
    for module in (ours, theirs):
        scorer = module.BleuScorer(n=3, special_reflen=length)
        for caption, refs in images.values():
            scorer += (caption, refs)
        first = scorer.compute_score(option=option)
        again = scorer.compute_score(option="shortest"), scorer.recompute_score("shortest")
        results.append([first, again, scorer.testlen(), scorer.reflen(), scorer.size()])
    assert repr(results[0]) == repr(results[1])


@pytest.mark.parametrize("verbose", [0, 1, 2])
@pytest.mark.parametrize("option", ["closest", "shortest", "average"])
def test_what_it_prints(verbose, option, capsys):
    pairs = [("a man rides", ["a man", "a man rides a wave"]), ("", ["b"]), ("b", ["b", "b b b"])]

    def score(module):
        scorer = module.BleuScorer(n=2)
        for pair in pairs:
            scorer += pair
        return scorer.compute_score(option, verbose)

    mine, theirs = (outcome(lambda m=m: score(m), capsys) for m in (ours, original("bleu_scorer")))
    assert mine == theirs
    assert mine[1].count("\n") == (0, 2, 2 + len(pairs))[verbose]


def test_scorers_join_copy_and_change_their_captions():
    def results(module):
        scorer = module.BleuScorer("a b c", ["a b", "a b d"], n=2)
        other = module.BleuScorer("e f", ["e f g h"], n=2)
        copy = scorer.copy()
        scorer += other
        yield copy.size(), scorer.size(), scorer.single_reflen(), copy.single_reflen("shortest")
        yield scorer.compute_score(), copy.compute_score(), other.compute_score("average")
        yield scorer.rescore(["a", "e f g"]), scorer.retest(["", ""]).compute_score()
        yield copy.rescore("a b d"), copy.compatible(scorer), copy.compatible(3)
        yield module.BleuScorer(n=2).compute_score()

    assert list(map(repr, results(ours))) == list(map(repr, results(original("bleu_scorer"))))


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("bleu", lambda m: m.Bleu().compute_score({1: ["a"]}, {2: ["a"]})),
        ("bleu", lambda m: m.Bleu().compute_score({1: ["a"]}, {1: ["a", "b"]})),
        ("bleu", lambda m: m.Bleu().compute_score({1: ["a"]}, {1: "a"})),
        ("bleu", lambda m: m.Bleu().compute_score({1: []}, {1: ["a"]})),
        ("bleu", lambda m: m.Bleu().compute_score({1: "a"}, {1: ["a"]})),
        ("bleu", lambda m: m.Bleu().compute_score([], {})),
        ("bleu", lambda m: m.Bleu().method()),
        ("bleu_scorer", lambda m: m.BleuScorer("a", ["a"]).compute_score("longest")),
        ("bleu_scorer", lambda m: m.BleuScorer("a", ["a"]).retest(["a", "b"])),
        ("bleu_scorer", lambda m: m.BleuScorer("a", ["a"]).__iadd__(m.BleuScorer(n=2))),
        ("bleu_scorer", lambda m: m.BleuScorer("a", ["a"]).__iadd__("a")),
    ],
)
def test_wrong_arguments(module, call):
    assert outcome(lambda: call(ours)) == outcome(lambda: call(original(module)))


def test_the_order_of_images_is_that_of_the_references():
    gts = {image: [REFS[image]] for image in range(5)}
    ids = random.Random(1).sample(range(5), 5)
    res = {image: [HYPS[image]] for image in ids}
    _, of_images = ours.Bleu(1).compute_score(gts, res, verbose=0)
    expected = [ours.BleuScorer(HYPS[i], [REFS[i]], n=1).compute_score("closest")[0][0] for i in gts]
    assert of_images[0] == expected


@given(IMAGES, st.integers(0, 5), st.integers(0, 2))
def test_the_accelerated_original(images, n, verbose):
    theirs = original("bleu")
    gts = {image: refs for image, (_, refs) in images.items()}
    res = {image: [caption] for image, (caption, _) in images.items()}
    wrong = [(gts, {**res, 100: ["a"]}), (gts, dict.fromkeys(res, "a")), (gts, 3)]
    texts = [(gts, {image: ["a \ud800"] for image in res}), (gts, {image: [b"a"] for image in res})]

    def outcomes():
        results = []
        for arguments in ((gts, res), *wrong, *texts):
            with redirect_stdout(StringIO()) as printed:
                result = outcome(lambda a=arguments: theirs.Bleu(n).compute_score(*a, verbose))
            results.append((result, printed.getvalue()))
        return results

    assert accelerated(["pycocoevalcap"], outcomes) == outcomes()
