# SPDX-License-Identifier: Apache-2.0
"""Reported scores lead to their settings, also on WMT data, whose settings are known."""

import math
import random
from functools import cache, lru_cache, partial
from itertools import pairwise

import numpy as np
import pytest
import sacrebleu
from hypothesis import example, given, reject
from hypothesis import strategies as st
from support.corpora import corpora, present
from support.example_texts import HYPS, REFS, TWO_REFS, lines
from support.golden import golden
from support.profiles import SLOW, examples

from truebleu import BLEU, CHRF, DIALECTS, TER, InputError, OptionError, dialect, reconcile, streams
from truebleu.analysis.reconcile import _SAME, _Search
from truebleu.analysis.reconcile.candidates import Candidates
from truebleu.analysis.reconcile.matches import LEVEL, Reported
from truebleu.analysis.reconcile.texts import CORPUS, LAST, MEAN, CorpusCounts, Setting, Variant
from truebleu.compat.nltk import SmoothingFunction, corpus_bleu


def every(matches):
    """Matches and their equivalents."""
    for match in matches:
        yield match
        yield from match.equivalents


def every_fit(matches):
    """Matches, those by accident last."""
    return [*matches, *matches.accidental]


def candidates_of(hyps, refs, names=DIALECTS):
    counts = CorpusCounts(hyps, refs)
    return Candidates(Variant([counts]), 0, names), (counts.references, counts.tokenized)


def search(hyps, refs, names, reported="1"):
    candidates, about = candidates_of(hyps, refs, names)
    return candidates, _Search([[candidates]], about, Reported.read(reported))


class Corpus:
    """A corpus with many reported scores."""

    def __init__(self, hyps, refs, names=DIALECTS):
        self.hyps, self.refs = hyps, refs
        self.candidates, self.about = candidates_of(hyps, refs, names)

    def find(self, reported):
        return _Search([[self.candidates]], self.about, Reported.read(reported)).matches()


#: The scores of the examples, counted once; `find` searches them as `reconcile` does at first.
two_refs, single_ref = (cache(lambda refs=refs: Corpus(HYPS, refs)) for refs in (TWO_REFS, REFS))
#: Rows that are searched where others would only take time.
FEW = ("sacrebleu", "nltk", "multi-bleu", "fairseq")


def recomputed(match, hyps, refs):
    """The score of a setting by the metric itself."""
    used = [[row[i] for i in match.references if i < len(row)] for row in refs]
    if match.aggregation == MEAN:
        return float(BLEU(match.dialect).sentences(hyps, used).mean())
    assert match.aggregation == CORPUS
    return BLEU(match.dialect).corpus(hyps, used).value


def check_all_settings(hyps, refs, names, step=1):
    _, engine = search(hyps, refs, names)
    checked = 0
    for cell in range(0, len(engine._cells), step):
        match = engine._match(cell, int(engine._own_scales[cell]), "", 0)
        if match.aggregation != LAST:
            expected = recomputed(match, hyps, refs)
            assert match.value == pytest.approx(expected, rel=1e-14, abs=1e-300), match
            checked += 1
    return checked


def test_every_setting_scores_as_its_dialect_does():
    refs = [[a, b] if i % 3 else [b, a, a[:20]] for i, (a, b) in enumerate(TWO_REFS)]
    step = 3 if SLOW else 48
    assert check_all_settings(HYPS[:9], refs[:9], DIALECTS, step) > 3000 / step


def test_every_setting_scores_as_its_dialect_does_in_long_lines():
    """Places of up to 64 and 512 tokens are bits; longer texts are counted in a table."""
    words = " ".join(HYPS * 20).split()
    lines = [words[start : start + 600] for start in (0, 150, 300)]
    refs = [[line[200:] + line[:200], line[300:], line[:300]] for line in lines]
    measures = {dialect(name).count.measure: name for name in DIALECTS}
    names = [name for measure, name in measures.items() if measure != "recall"]
    assert len(names) == 3
    joined = [" ".join(line) for line in lines]
    rows = [list(map(" ".join, row)) for row in refs]
    step = 2 if SLOW else 8
    assert check_all_settings(joined, rows, ["sacrebleu", *names], step) > 200 / step


@examples(share=10)
@given(corpora(), st.sampled_from([name for name in DIALECTS if "method" not in name]))
@example((["-<skipped>\n"], [["-<skipped>\n"]]), "sacrebleu")  # 13a joins lines at a hyphen
def test_any_text_scores_under_every_setting_as_its_dialect_does(corpus, name):
    hyps, refs = corpus
    refs = present(refs)
    try:
        _, engine = search(hyps, refs, [name])
    except InputError:  # a tool may fail on texts without words
        reject()
    for cell in range(0, len(engine._cells), 17):
        match = engine._match(cell, int(engine._own_scales[cell]), "", 0)
        assert match.value == pytest.approx(recomputed(match, hyps, refs), rel=1e-14, abs=1e-300)


@pytest.mark.parametrize("method", [5, 6, 7])
def test_smoothing_that_reads_the_last_segment_is_nltks(method):
    corpus = Corpus(HYPS, TWO_REFS, [f"nltk-method{method}"])
    words = [text.split() for text in HYPS], [[ref.split() for ref in row] for row in TWO_REFS]
    smooth = getattr(SmoothingFunction(), f"method{method}")
    expected = corpus_bleu(words[1], words[0], smoothing_function=smooth)
    matches = [match for match in every(every_fit(corpus.find(expected))) if match.aggregation == LAST]
    assert matches[0].departures == (LAST,)
    assert matches[0].value == pytest.approx(expected, rel=1e-12)


def test_words_of_the_caller_are_not_tokenized():
    hyps = [text.split() for text in HYPS]
    refs = [[ref.split() for ref in row] for row in TWO_REFS]
    value = BLEU(lowercase=True).corpus(hyps, refs).value
    matches = reconcile(hyps, refs, f"{value:.4f}")
    assert matches[0].dialect == BLEU(lowercase=True).dialect
    assert "tok:given" in matches[0].signature
    assert not any("tokenize" in dict(match.setting.changes) for match in every(matches))


def test_references_that_some_segments_lack_are_not_used_alone():
    refs = [[a, b if i else None] for i, (a, b) in enumerate(TWO_REFS)]
    corpus = Corpus(HYPS, refs, ["sacrebleu"])
    used = {corpus.candidates.setting(i).references for i in range(len(corpus.candidates.values))}
    assert used == {(0, 1), (0,)}
    assert corpus.find(BLEU().corpus(HYPS, refs).value)[0].references == (0, 1)


def test_the_default_comes_first():
    value = BLEU().corpus(HYPS, TWO_REFS).value
    first = reconcile(HYPS, TWO_REFS, value)
    for matches in (first, *map(two_refs().find, (f"{value:.1f}", f" {value:.2f} % "))):
        assert matches[0].dialect == DIALECTS["sacrebleu"]
        assert (matches[0].references, matches[0].aggregation) == ((0, 1), CORPUS)
        assert (matches[0].points, matches[0].departures, matches[0].rounding) == (0, (), "rounded")
        assert matches[0].value == pytest.approx(value, rel=1e-15)
        assert str(matches[0]) == matches[0].signature == BLEU().corpus(HYPS, TWO_REFS).signature
        assert matches[0].chance < 0.1
        assert "multi-bleu-detok" in {match.dialect.name for match in matches[0].equivalents}


def test_each_row_is_found_by_its_exact_score():
    for name in DIALECTS:
        value = BLEU(name).corpus(HYPS, REFS).value
        matches = every(every_fit(reconcile(HYPS, REFS, value, dialects=[name])))
        assert any(match.dialect == DIALECTS[name] for match in matches), name


def test_a_reference_may_be_empty():
    """Then sacreBLEU scores no segment if it gets references in the other layout."""
    assert reconcile(["a b c d e", "x"], ["a b c d f", ""], "12.3") == []


def test_settings_are_different_and_sorted_by_penalty_points():
    result = two_refs().find("37")
    assert not result
    matches = result.accidental
    assert len(matches) > 10
    assert [match.points for match in matches] == sorted(match.points for match in matches)
    for match in matches:
        alike = match.equivalents
        assert [other.points for other in alike] == sorted(other.points for other in alike)
        assert all(other.points >= match.points for other in alike)
        assert all(other.value == pytest.approx(match.value, rel=2 * _SAME) for other in alike)
    values = sorted(match.value for match in matches)
    assert all(b - a > 1e-7 for a, b in pairwise(values))
    on_threads = [reconcile(HYPS, REFS, "37", dialects=FEW, threads=n) for n in (1, None)]
    assert on_threads[0].to_dict() == on_threads[1].to_dict()


@pytest.mark.parametrize(
    ("changes", "departures"),
    [
        ({"lowercase": True}, ("lowercase",)),
        ({"tokenize": "intl"}, ("tokenize=intl",)),
        ({"tokenize": "char", "lowercase": True}, ("tokenize=char", "lowercase")),
        ({"max_ngram_order": 2}, ("max_ngram_order=2",)),
        ({"ref_len": "longest"}, ("ref_len=longest",)),
        ({"smooth_method": "add-k"}, ("smooth_method=add-k",)),
        ({"scale": 1}, ("divided by 100",)),
    ],
)
def test_departures_are_found_and_named(changes, departures):
    value = BLEU(**changes).corpus(HYPS, TWO_REFS).value
    first = two_refs().find(value)[0]
    assert (first.dialect, first.departures) == (BLEU(**changes).dialect, departures)


def test_each_reference_alone_and_each_choice_of_three_is_found():
    refs = [[a, b, f"{a} {b}"] for a, b in TWO_REFS]
    for subset in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]:
        value = BLEU().corpus(HYPS, [[row[i] for i in subset] for row in refs]).value
        matches = every(reconcile(HYPS, refs, value, dialects=["sacrebleu"]))
        assert subset in {match.references for match in matches if match.departures == ()}


def test_the_mean_of_sentence_scores_is_found():
    value = BLEU().sentences(HYPS, REFS).mean()
    first = single_ref().find(f"{value:.6f}")[0]
    assert (first.dialect.name, first.aggregation) == ("sacrebleu", MEAN)
    assert first.dialect.combine.sentence_effective_order


def test_scales_and_percent_are_understood():
    percent = BLEU("nltk").corpus(HYPS, REFS).value * 100
    for reported, scale in ((f"{percent / 100:.5f}", 1), (f"{percent:.3f}", 100)):
        matches = reconcile(HYPS, REFS, reported, dialects="nltk")
        assert (matches[0].dialect.name, matches[0].scale) == ("nltk", scale)
        assert matches[0].departures == (("times 100",) if scale == 100 else ())
    assert f"scale of {scale}" in str(matches)
    assert single_ref().find(f"{percent:.3f}%")[0].scale == 100
    assert not single_ref().find(f"{percent / 100:.5f}%")


def test_halves_round_either_way_and_truncation_costs_points():
    number = Reported.read("34.2")
    ends = np.array([[34.15, 34.25]])
    assert number.readings(ends)[0].all()
    assert not number.readings(np.add(ends, [-1e-6, 1e-6]))[0].any()
    assert number.readings(np.add(ends, [0.05, 0.049]))[1].all()
    assert not number.readings(np.add(ends, [0.049, 0.05]))[1].any()
    value = next(
        value
        for value in (BLEU(lowercase=lc).corpus(HYPS, TWO_REFS).value for lc in (False, True))
        if f"{value:.3f}" != f"{math.floor(value * 1e3) / 1e3:.3f}"
    )
    matches = two_refs().find(f"{math.floor(value * 1e3) / 1e3:.3f}")
    cut = [match for match in matches if match.rounding == "truncated"]
    assert cut[0].value == pytest.approx(value, rel=1e-14)
    assert cut[0].departures[-1] == "truncated, not rounded"


def test_a_score_that_no_setting_gives_has_a_nearest_setting():
    matches = reconcile(HYPS, TWO_REFS, "99.1234", metric="bleu")
    assert (list(matches), matches.ambiguous) == ([], False)
    away = [abs(match.value - 99.1234) for match in matches.nearest]
    points = [match.points for match in matches.nearest]
    assert away == sorted(away)
    assert points == sorted(points, reverse=True)
    assert points[-1] == 0
    values = two_refs().candidates.values
    assert away[0] == pytest.approx(np.nanmin(abs(values * 100 - 99.1234)))
    assert "No common setting gives 99.1234" in str(matches)


def test_matches_by_accident_are_none():
    """Of the numbers that no setting gave, the level's share has a convincing match."""
    corpus, draw = single_ref(), random.Random(1)
    drawn = [corpus.find(f"{draw.uniform(10, 60):.2f}") for _ in range(200 if SLOW else 80)]
    assert 0 < sum(map(bool, drawn)) <= 2 * LEVEL * len(drawn)
    assert all(m.chance <= LEVEL for result in drawn for m in result)
    assert all(m.chance > LEVEL for result in drawn for m in result.accidental)
    accidents = next(result for result in drawn if result.accidental and not result)
    first, *farther = accidents.nearest
    assert (first, farther[-1].points) == (accidents.accidental[0], 0)
    assert not any(match.rounding for match in farther)
    assert "No convincing setting gives" in str(accidents)


@pytest.mark.parametrize("scale", [1, 100])
def test_the_most_used_tool_is_named_first_among_equals(scale):
    mean = BLEU("nltk").sentences(HYPS, REFS).mean()
    first = single_ref().find(f"{mean * scale:.7f}")[0]
    assert (first.dialect.name, first.aggregation) == ("nltk", MEAN)
    assert {"ignite", "multi-bleu"} <= {match.dialect.name for match in first.equivalents}


def test_scores_that_are_nearly_zero_are_found_by_what_is_printed():
    value = BLEU("nltk").corpus(["a b c"], ["a b d"]).value
    assert 0 < value < 1e-50
    matches = reconcile(["a b c"], ["a b d"], value, dialects=["nltk"])
    assert matches[0].dialect == DIALECTS["nltk"]
    assert repr(value) in str(matches)
    assert not reconcile(["a b c"], ["a b d"], "1e-400", dialects=["nltk-method2"])


OTHERS = lines("de-en/hyp.aurora.txt")


def test_settings_of_several_systems_give_every_score():
    bleu = BLEU(lowercase=True)
    values = [bleu.corpus(hyps, TWO_REFS).value for hyps in (HYPS, OTHERS)]
    texts = [f"{value:.1f}" for value in values]
    find = partial(reconcile, refs=TWO_REFS, dialects=FEW)
    both = find({"basalt": HYPS, "aurora": OTHERS}, reported=texts)
    assert both[0].dialect == bleu.dialect
    assert both[0].values == tuple(pytest.approx(value, rel=1e-14) for value in values)
    settings = [
        {match.setting for match in every(every_fit(matches))}
        for matches in (both, find(HYPS, reported=texts[0]), find(OTHERS, reported=texts[1]))
    ]
    assert settings[0] <= settings[1] & settings[2]
    assert settings[0] < settings[1]
    by_name = find({"a": HYPS, "b": OTHERS}, reported={"b": texts[1], "a": texts[0]})
    assert by_name.to_dict() == both.to_dict()
    assert both.to_dict()["reported"] == texts
    assert " ".join(f"{value:.4f}" for value in values) in str(both)


def test_chance_falls_with_each_system_as_far_as_scores_are_independent():
    third = lines("de-en/hyp.cinder.txt")
    bleu, systems = BLEU("multi-bleu", lowercase=True), (OTHERS, HYPS, third)
    counted = [candidates_of(hyps, TWO_REFS, FEW) for hyps in systems]
    texts = [f"{bleu.corpus(hyps, TWO_REFS).value:.1f}" for hyps in systems]

    def chance(*places):
        number = Reported.read(*(texts[place] for place in places))
        sources = [[counted[place][0] for place in places]]
        return every_fit(_Search(sources, counted[0][1], number).matches())[0].chance

    single, two, three = chance(0), chance(0, 1), chance(0, 1, 2)
    assert three < two < single
    assert three < LEVEL < single
    assert chance(0, 0) == pytest.approx(single)


def test_settings_of_several_test_sets_give_every_score():
    """Each with its references; a segment of one of them lacks the second reference."""
    bleu = BLEU("nltk")
    hyps = {"odd": HYPS[::2], "even": OTHERS[1::2]}
    refs = {"odd": [list(row) for row in TWO_REFS[::2]], "even": TWO_REFS[1::2]}
    refs["odd"][0][1] = None
    values = {name: f"{bleu.corpus(hyps[name], refs[name]).value:.6f}" for name in hyps}
    matches = reconcile(hyps, refs, values, dialects=FEW)
    assert matches[0].dialect.name == "nltk"
    assert {match.references for match in matches} <= {(0,), (0, 1)}
    with pytest.raises(OptionError, match="refs has other names than hyps"):
        reconcile(hyps, {"odd": refs["odd"]}, values)
    refs["even"] = [row[0] for row in refs["even"]]
    with pytest.raises(InputError, match="differ in their number of references"):
        reconcile(hyps, refs, values)


def test_one_outlier_among_several_systems_is_named():
    third = lines("de-en/hyp.cinder.txt")
    systems = {"aurora": OTHERS, "basalt": HYPS, "cinder": third}
    scores = [f"{BLEU().corpus(hyps, TWO_REFS).value:.1f}" for hyps in systems.values()]
    result = reconcile(systems, TWO_REFS, [scores[0], "38.0", scores[2]], dialects=FEW)
    assert (list(result), result.nearest[0].outlier) == ([], 1)
    assert result.nearest[0].dialect == DIALECTS["sacrebleu"]
    assert "all but 38.0 (score 2)" in str(result)
    assert result.to_dict()["nearest"][0]["outlier"] == 2
    match = reconcile(systems, TWO_REFS, scores, dialects=FEW)[0]
    assert match.outlier is None
    assert match.chance < result.nearest[0].chance <= LEVEL


#: The first hypothesis begins as its reference does.
STARTS = [" ".join(REFS[0].split()[:3] + HYPS[0].split()[3:]), *HYPS[1:]]


def marked(texts):
    return ["\ufeff" + texts[0], *texts[1:]]


@pytest.mark.parametrize(
    ("score", "words", "two"),
    [
        (lambda: BLEU().corpus(REFS, STARTS).value, "hypotheses and references exchanged", False),
        (lambda: BLEU(lowercase=True).corpus(REFS, STARTS).value, "exchanged", True),
        (lambda: sacrebleu.corpus_bleu(STARTS, [[ref] for ref in REFS]).score, "references by segment", False),
        (lambda: sacrebleu.corpus_bleu(STARTS, TWO_REFS).score, "references by segment", True),
        (lambda: sacrebleu.corpus_bleu(STARTS, REFS).score, "references as one list", False),
        (lambda: BLEU().corpus(marked(STARTS), REFS).value, "byte order mark", False),
        (lambda: BLEU().corpus(STARTS, marked(REFS)).value, "byte order mark", False),
    ],
)
def test_common_mistakes_are_found(score, words, two):
    refs = TWO_REFS if two else REFS
    first = reconcile(STARTS, refs, f"{score():.4f}", dialects=FEW)[0]
    assert words in first.setting.texts
    assert words in str(first)
    assert first.dialect.name == "sacrebleu"
    assert first.value == pytest.approx(score(), rel=1e-12)


QUOTED = [f"„{line}“ – so" for line in HYPS], [f"“{line}” - so" for line in REFS]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("sacrebleu", "typography"),
        ("sacrebleu", "quotes"),
        ("nltk", "moses-punctuation"),
        ("multi-bleu", "at-splits"),
        ("sacrebleu", "moses-punctuation-de"),
    ],
)
def test_normalizations_before_scoring_are_found(row, name):
    bleu = BLEU(row, normalize=name)
    value = bleu.corpus(*QUOTED).value
    assert value != BLEU(row).corpus(*QUOTED).value
    matches = reconcile(*QUOTED, f"{value:.6f}", dialects=FEW)
    assert any(match.dialect == bleu.dialect for match in every(matches))
    assert matches[0].metric.corpus(*QUOTED).value == pytest.approx(value, rel=2 * _SAME)
    assert "normalize=" in str(matches)


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        (CHRF, {}), (CHRF, {"word_order": 2}), (CHRF, {"word_order": 2, "lowercase": True}),
        (CHRF, {"whitespace": True}), (TER, {}), (TER, {"normalized": True}),
        (TER, {"case_sensitive": True, "normalized": True}),
    ],
)  # fmt: skip
def test_scores_of_chrf_and_ter_are_found(metric, options):
    assert reconcile(["a b c d"], ["x"], "400.0", metric="ter")[0].name == "TER"
    scorer = metric(**options)
    value = scorer.corpus(HYPS, TWO_REFS).value
    first = reconcile(HYPS, TWO_REFS, f"{value:.3f}", metric=metric.__name__.lower())[0]
    assert first.metric.settings == scorer.settings
    assert (first.dialect, first.name) == (None, scorer.name)
    assert first.value == pytest.approx(value, rel=1e-12)
    assert first.signature == scorer.corpus(HYPS, TWO_REFS).signature
    if not options:
        either = reconcile(HYPS, TWO_REFS, f"{value:.3f}")
        assert either[0].setting == first.setting
        assert not reconcile(HYPS, TWO_REFS, f"{value:.3f}", metric="bleu", dialects=FEW)


NLTK = ("nltk", *(f"nltk-method{i}" for i in range(1, 8)))


lines_of = cache(lines)


@lru_cache(maxsize=2)  # one has 30 MB of counts
def corpus_of(shared, set_, pair, system, refs, segments, names):
    folder = shared / "data" / set_ / pair
    columns = [lines_of(folder / f"ref.{name}.txt")[:segments] for name in refs.split("+")]
    return Corpus(lines_of(folder / f"hyp.{system}.txt")[:segments], streams(*columns), names)


def some(rows, quick):
    """All rows, or for `make test` those of one system."""
    if not quick:
        return rows
    system_of = {row["pair"]: row["system"] for row in rows}
    pair = min(system_of)
    return [row for row in rows if (row["pair"], row["system"]) == (pair, system_of[pair])]


each_part = pytest.mark.parametrize("part", ["quick", pytest.param("all", marks=pytest.mark.slow)])


@each_part
def test_every_published_score_leads_to_its_setting(shared, part):
    rows = [row for row in golden(shared, "published_check.tsv.gz") if row["metric"] == "BLEU"]
    assert len(rows) == 85
    firsts = 0
    for row in some(rows, part == "quick"):
        folder = shared / "data" / row["set"] / row["pair"]
        names = sorted(path.name[4] for path in folder.glob("ref.*.txt"))
        key = (row["set"], row["pair"], row["system"], "+".join(names))
        corpus = corpus_of(shared, *key, None, tuple(DIALECTS))
        tokenizer = row["nearest_config"].split("tok=")[1].split(";")[0]
        changes = () if tokenizer == "13a" else (("tokenize", tokenizer),)
        used = tuple(names.index(name) for name in row["refs_used"].split("+"))
        for decimals in (1, 2):
            matches = every_fit(corpus.find(f"{float(row['published']):.{decimals}f}"))
            true = [
                match
                for match in matches  # not behind another that gives exactly the same
                if match.setting == Setting(DIALECTS["sacrebleu"], changes, used, CORPUS)
            ]
            assert len(true) == 1, row
            assert true[0].value == pytest.approx(float(row["published"]), abs=5e-4), row
            before = matches[: matches.index(true[0])]
            assert all(match.points < true[0].points for match in before), row
            firsts += not before
    assert firsts > 0


@each_part
def test_every_score_of_nltk_leads_to_its_row(shared, part):
    rows = [r for r in golden(shared, "nltk_corpus.tsv.gz") if r["metric"] == "corpus_bleu"]
    assert len(rows) == 840
    for row in some(rows, part == "quick"):
        key = (row["set"], row["pair"], row["system"], row["refs"], int(row["nseg"]))
        corpus = corpus_of(shared, *key, NLTK if part == "quick" else tuple(DIALECTS))
        method, value = row["config"][6], float(row["value"])
        if value > 100:  # on a scale of 1: what method 6 makes of a corpus
            with pytest.raises(OptionError, match="BLEU goes from"):
                corpus.find(row["value"])
            continue
        for reported in (f"{value:.4f}", row["value"])[: 1 if part == "quick" else None]:
            assert any(
                match.setting.row.name == ("nltk" if method == "0" else f"nltk-method{method}")
                and match.references == tuple(range(len(row["refs"].split("+"))))
                for match in every(every_fit(corpus.find(reported)))
            ), row


def test_settings_drawn_from_all_rows_are_among_the_first_three(shared):
    folder = shared / "data" / "wmt22" / "en-de"
    hyps, ref = (lines(folder / file)[:150] for file in ("hyp.OpenNMT.txt", "ref.A.txt"))
    refs = [[line] for line in ref]
    corpus = Corpus(hyps, refs)
    changes = [{}, {}, {"lowercase": True}, {"tokenize": "13a"}, {"max_ngram_order": 3},
               {"smooth_method": "floor"}, {"smooth_method": "add-k"}]  # fmt: skip
    draw = random.Random(7)
    recovered = []
    count = 40 if SLOW else 15
    for _ in range(count):
        name = draw.choice(list(DIALECTS))
        row = DIALECTS[name]
        fixed = row.combine.weights is not None or row.tokenize.tokenize not in ("none", "13a")
        true = dialect(name, **({} if fixed else draw.choice(changes)))
        decimals = 2 if true.combine.scale == 100 else 4
        matches = corpus.find(f"{BLEU(true).corpus(hyps, refs).value:.{decimals}f}")
        recovered.append(any(match.dialect == true for match in every(every_fit(matches)[:3])))
    assert sum(recovered) >= 0.9 * count, recovered
