# SPDX-License-Identifier: Apache-2.0
"""Contrasts: the points add up, and planted faults land in their groups."""

import json
import math
import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.corpora import SUMS, corpora, segments
from support.example_texts import NAMED, REFS, TWO_REFS, lines
from support.profiles import examples, few

from truebleu import BLEU, compare, contrast
from truebleu.analysis.contrast.groups import GROUPS

AURORA, BASALT = NAMED["aurora"], NAMED["basalt"]
each_row = pytest.mark.parametrize("name", few(SUMS, every=6))


def points(result):
    return {group.name: group.points for group in result.groups}


def check_sum(result):
    values = [group.points for group in result.groups]
    assert [group.name for group in result.groups][-len(GROUPS) :] == [*GROUPS]
    if math.isnan(result.difference):
        assert all(map(math.isnan, values))
        return
    error = abs(math.fsum(values) - result.difference)
    assert error == 0 or error < min(math.ulp(value) for value in values if value)


def check_reversed(result, other):
    """What B has over A is what A has over B with the other sign."""
    assert str(other.difference) == str(-result.difference) or result.difference == 0
    for one, two in zip(result.groups, other.groups, strict=True):
        assert math.isnan(one.points) or two.points == -one.points
        assert {(g.words, g.a, g.b) for g in one.ngrams} == {(g.words, g.b, g.a) for g in two.ngrams}
        low, high = one.interval
        assert two.interval == pytest.approx((-high, -low), abs=1e-9, nan_ok=True)
    assert [-s.influence for s in other.segments] == [s.influence for s in result.segments]


@each_row
@example(corpus=(["a a ."], [["a a ."]]), others=[""] * 4, cut=5)
@example(corpus=(["\x7f"], [[""]]), others=[""] * 4, cut=0)
@example(corpus=(["a a ."], [["a a ."]]), others=[""] * 4, cut=0)
@examples(share=6)
@given(corpus=corpora(), others=st.lists(segments, min_size=4, max_size=4), cut=st.integers(0, 9))
def test_points_add_up_to_the_difference_exactly(name, corpus, others, cut):
    a, refs = corpus
    b = [hyp[cut:] + other for hyp, other in zip(a, others, strict=False)]
    options = {"resamples": 20, "ngrams": 1000}
    result = contrast(a, b, refs, name, **options)
    bleu = BLEU(name)
    assert str(result.score_a.value) == str(bleu.corpus(a, refs).value)
    assert str(result.score_b.value) == str(bleu.corpus(b, refs).value)
    check_sum(result)
    check_reversed(result, contrast(b, a, refs, name, **options))
    json.dumps(result.to_dict(), allow_nan=False)
    assert str(result)
    assert result._repr_html_()


@pytest.mark.parametrize("name", ["sacrebleu", "nltk"])
def test_intervals_are_those_of_the_paired_bootstrap(name):
    result = contrast(AURORA, BASALT, REFS, name, resamples=2000, seed=7)
    (pair,) = compare({"B": BASALT, "A": AURORA}, REFS, name, test="bootstrap", resamples=2000, seed=7).pairs
    assert result.interval == pytest.approx(pair.percentile, abs=1e-9)
    for group in result.groups:
        assert group.interval[0] <= group.points <= group.interval[1]
    documents = [i // 4 for i in range(len(REFS))]
    drawn = contrast(AURORA, BASALT, REFS, name, documents=documents, resamples=2000, seed=7)
    (pair,) = compare(
        {"B": BASALT, "A": AURORA}, REFS, name, documents=documents, test="bootstrap", resamples=2000, seed=7
    ).pairs
    assert drawn.units == 12
    assert drawn.interval == pytest.approx(pair.percentile, abs=1e-9)


def test_typography_is_a_group_before_words():
    """B writes quotation marks otherwise, and A has a better word now and then."""
    refs = ['she said "no" and left - at once', "it is late and dark here"] * 20
    a = [*refs[:30], 'she said "no" and left - later', *refs[31:]]
    b = [re.sub('"(.*)"', "„\\1“", ref).replace(" - ", " – ") for ref in refs]
    b[1] = "it is late and bright here"
    options = {"dialect": "sacrebleu", "tokenize": "13a"}
    result = contrast(a, b, refs, **options, resamples=100)
    check_sum(result)
    check_reversed(result, contrast(b, a, refs, **options, resamples=100))
    assert [group.name for group in result.groups[:2]] == ["quotation marks", "dashes"]
    plain = contrast(a, b, refs, normalize="typography", resamples=100)
    differences = [BLEU(normalize=names) for names in ([], ["quotes"], ["quotes", "dashes"])]
    differences = [bleu.corpus(a, refs).value - bleu.corpus(b, refs).value for bleu in differences]
    for group, before, after in zip(result.groups, differences, differences[1:], strict=False):
        assert group.points == pytest.approx(before - after)
        assert group.interval[0] <= group.points <= group.interval[1]
    for group, other in zip(result.groups[2:], plain.groups, strict=True):
        assert (group.name, group.ngrams) == (other.name, other.ngrams)
        assert group.points == pytest.approx(other.points)
        assert group.interval == pytest.approx(other.interval)
    assert result.by_frequency == plain.by_frequency
    assert [segment.number for segment in result.segments][:1] == [1]
    assert "quotation marks" in str(result)
    words = [[text.split() for text in texts] for texts in (a, b, refs)]
    assert [group.name for group in contrast(*words).groups] == [*GROUPS]


def test_the_best_systems_of_wmt22_differ_by_quotation_marks(shared):
    a, b, refs = (
        lines(shared / "data" / "wmt22" / "en-de" / name)
        for name in ("hyp.JDExploreAcademy.txt", "hyp.Online-A.txt", "ref.A.txt")
    )
    result = contrast(a, b, refs)
    check_sum(result)
    assert {name: round(value, 2) for name, value in points(result).items()} == {
        "quotation marks": 1.16, "dashes": -0.01, "ellipses": 0.0, "words": 0.35,
        "names and numbers": -0.02, "punctuation": -0.06, "order": -0.16, "length": 0.0,
    }  # fmt: skip


FAULTS = {
    "words": lambda words, _: ["wrong" if w.islower() and i % 4 == 1 else w
                               for i, w in enumerate(words)],
    "names and numbers": lambda words, _: [w for i, w in enumerate(words)
                                           if not (i and re.match(r"[A-Z\d]", w) and w != "I")],
    "punctuation": lambda words, _: [re.sub(r"[^\w\s]", "", w) for w in words],
    "order": lambda words, drawn: drawn.sample(words, len(words)),
    "length": lambda words, _: words[: len(words) * 2 // 3],
}  # fmt: skip


def with_fault(name, texts):
    drawn = random.Random(5)
    return [" ".join(filter(None, FAULTS[name](text.split(), drawn))) for text in texts]


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("options", [{}, {"tokenize": "intl"}, {"lowercase": True},
                                     {"smooth_method": "add-k"}])  # fmt: skip
def test_a_planted_fault_lands_in_its_group(name, options):
    for hyps, refs in ((AURORA, TWO_REFS), (REFS, REFS)):
        result = contrast(hyps, with_fault(name, hyps), refs, **options)
        found = points(result)
        others = [abs(value) for group, value in found.items() if group != name]
        assert found[name] > 2 * max(others), (name, found)
        low, _ = result.groups[GROUPS.index(name)].interval
        assert low > 0


CAPITALS = [
    (["We met Anna in May .", "Perhaps we may meet Anna and we may not ."], {"anna"}),
    (["Der Hund und die Katze sehen das Haus der NATO .", "Das Haus steht im Wald ."], {"nato"}),
]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(("refs", "names"), CAPITALS)
def test_names_have_capitals_inside_sentences_unless_nouns_have_them(refs, names, lowercase):
    result = contrast([" "] * 10, refs * 5, refs * 5, lowercase=lowercase)
    grams = result.groups[1].ngrams
    assert {gram.words[0].lower() for gram in grams if len(gram.words) == 1} == names


def test_influence_is_scoring_without_the_segment():
    result = contrast(AURORA, BASALT, TWO_REFS, segments=6)
    bleu = BLEU()
    for one in result.segments:
        rest = [i for i in range(len(REFS)) if i != one.number - 1]
        a, b = (bleu.corpus([hyps[i] for i in rest], [TWO_REFS[i] for i in rest]).value for hyps in (AURORA, BASALT))
        assert one.influence == pytest.approx(result.difference - (a - b), abs=1e-9)
        hyps = AURORA[one.number - 1], BASALT[one.number - 1]
        for side, hyp in zip((one.a, one.b), hyps, strict=True):
            assert side.score == bleu.sentence(hyp, TWO_REFS[one.number - 1]).value
            assert list(side.tokens) == bleu.tokens(hyp)
        same = [
            [w for w, different in zip(side.tokens, side.different, strict=True) if not different]
            for side in (one.a, one.b)
        ]
        assert same[0] == same[1]
    influences = [one.influence for one in result.segments]
    assert influences == sorted(influences, reverse=True)
    assert min(influences) > 0  # A is better


def test_differences_are_marked():
    result = contrast(["the cat sat here", "a b"], ["the dog sat", "a b"], ["the cat sat", "a b"], max_ngram_order=2)
    (one,) = result.segments
    assert one.a.different == (False, True, False, True)
    assert one.b.different == (False, True, False)
    lines_of_text = str(result).splitlines()
    assert "    reference   the cat sat" in lines_of_text
    at = lines_of_text.index("    A           the [cat] sat [here]")
    assert lines_of_text[at + 1] == "                2   2     2   ."
    assert "    B           the [dog] sat" in lines_of_text
    assert "\x1b[36m[cat]\x1b[0m" in result.format(color=True)
    assert "\x1b[31m[dog]\x1b[0m" in result.format(color=True)


def test_words_are_counted_by_frequency_and_position():
    refs = ["the cat sat on the mat .", "the dog ran home !"]
    a, b = ["the cat sat ! ! ! .", "the dog"], ["the the the the", "ran ran home"]
    result = contrast(a, b, refs)
    shown = {part.name: (part.size, part.a, part.b) for part in result.by_frequency}
    assert shown["once"] == (7, 100 * 3 / 7, 100 * 2 / 7)
    assert shown["2\u20134"] == (3, 100 * 2 / 3, 100 * 2 / 3)
    places = {part.name: part.size for part in result.by_position}
    assert places == {"beginning": 5, "middle": 4, "end": 1}
    assert result.by_position[0].a == 100.0
    given_texts = contrast(a, b, refs, frequencies=["the the cat"] * 500)
    shown = {part.name: part.size for part in given_texts.by_frequency}
    assert shown == {"never": 6, "100\u2013999": 1, "1000+": 3}


def test_parts_have_the_scores_of_their_segments():
    domains = ["news" if i % 3 else "chat" for i in range(len(REFS))]
    result = contrast(AURORA, BASALT, TWO_REFS, domains=domains)
    bleu = BLEU()
    for part in result.by_domain:
        places = [i for i, domain in enumerate(domains) if domain == part.name]
        for hyps, value in ((AURORA, part.a), (BASALT, part.b)):
            score = bleu.corpus([hyps[i] for i in places], [TWO_REFS[i] for i in places])
            assert value == score.value
    assert [part.name for part in result.by_domain] == ["chat", "news"]
    assert sum(part.size for part in result.by_length) == len(REFS)
    assert contrast(AURORA, BASALT, REFS).by_domain == ()


def test_json_has_the_names_and_points_that_add_up():
    result = contrast(AURORA, BASALT, REFS, names=("one", "two"), resamples=5)
    entry = result.to_dict()
    assert [entry["a"]["name"], entry["b"]["name"]] == ["one", "two"]
    assert sum(group["points"] for group in entry["groups"]) == entry["difference"]


def test_nan_is_null_in_json():
    result = contrast(["", ""], ["a", "b"], ["a", "b"], "mteval-v13a")
    entry = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert entry["difference"] is None
    assert {group["points"] for group in entry["groups"]} == {None}
    assert "nan" in str(result)
