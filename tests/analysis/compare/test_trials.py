# SPDX-License-Identifier: Apache-2.0
"""Which verdicts survive other texts and settings, and how trials are counted and tested."""

import json
import random
import re
from dataclasses import replace
from itertools import product

import pytest
from support.example_texts import NAMED, TWO_REFS, lines

import truebleu as tb
from truebleu.analysis.compare import trials
from truebleu.analysis.compare.comparison import Trial
from truebleu.analysis.compare.formats import render
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.nist import NIST
from truebleu.text.normalizations import TYPOGRAPHY, normalizations


def texts(segments=80, seed=1):
    """References with German quotation marks, a system with the same, and one with others."""
    draw = random.Random(seed)
    words = [f"{a}{b}" for a, b in product(("Ka", "mo", "ti", "Su"), ("ra", "ne", "lis", "u"))]
    refs = [draw.choices(words, k=10) for _ in range(segments)]

    def system(rate, opening, closing):
        lines = []
        for ref in refs:
            line = [draw.choice(words) if draw.random() < rate else word for word in ref]
            lines.append(" ".join([*line[:3], f"{opening}{line[3]} {line[4]}{closing},", *line[5:]]))
        return lines

    return system(0, "„", "“"), {"A": system(0.2, "„", "“"), "B": system(0.2, '"', '"')}


REFS, SYSTEMS = texts()


def applied(name):
    """What a trial does to a text."""
    if name == "no punctuation":
        return lambda text: re.sub(r"[^\w\s]", "", text)
    if name == "lower case":
        return str.lower

    def normalized(text):
        for row in normalizations(name):
            text = row(text)
        return text

    return normalized


def test_quotation_marks_decide_and_the_comparison_says_so():
    (pair,) = tb.compare(SYSTEMS, REFS).pairs
    assert (pair.better, pair.survives) == ("A", False)
    assert [trial.name for trial in pair.causes] == ["quotes"]
    cause = pair.causes[0]
    assert cause.p > 0.3
    assert -2 * cause.difference < -pair.difference
    (advised,) = tb.compare(SYSTEMS, REFS, normalize="quotes").pairs
    assert (advised.difference, advised.p, advised.better) == (cause.difference, cause.p, None)
    lost, advice = pair.survival(1)
    shown = f"{-cause.difference:+.1f} (p = {cause.p:.2f})"
    assert lost == f"Does not survive: quotation marks written alike, {shown}"
    assert advice == (
        f'Publish the scores with --normalize quotes. For a paper: "A leads B by '
        f"{-pair.difference:+.1f} BLEU (p = 0.0001), but by {shown} with quotation marks written "
        'alike."'
    )
    entry = json.loads(render("json", tb.compare(SYSTEMS, REFS)))["pairs"][0]
    assert (entry["survives"], entry["mean_difference"]) == (False, pair.mean_difference)
    assert entry["trials"][0] == {
        "name": "quotes", "kind": "typography", "difference": cause.difference, "p": cause.p,
        "changes": True,
    }  # fmt: skip


@pytest.mark.parametrize("options", [
    {}, {"test": "bootstrap", "documents": [i // 2 for i in range(80)]}, {"test": "sacrebleu-ar"},
    {"test": "sacrebleu-bootstrap"}, {"metric": tb.CHRF()}, {"metric": tb.TER(case_sensitive=True)},
    {"metric": GLEU()}, {"metric": NIST()},
], ids=str)  # fmt: skip
def test_a_trial_is_the_comparison_of_the_changed_texts_with_the_same_resamples(options):
    """Also of both references, which differ in their quotation marks."""
    refs = [list(pair) for pair in zip(REFS, SYSTEMS["B"][::-1], strict=True)]
    systems = {"A": SYSTEMS["A"], "C": [line[:-3] for line in SYSTEMS["B"]]}
    (pair,) = tb.compare(systems, refs, **options).pairs
    assert pair.better == "A"
    assert {trial.kind for trial in pair.trials} >= {"typography", "lower case", "reference"}
    for trial in pair.trials:
        changed, own, other = systems, refs, dict(options)
        if trial.kind == "reference":
            own = [pair[int(trial.name[-1]) - 1] for pair in refs]
        elif trial.kind == "chrF":
            other["metric"] = tb.CHRF(word_order=2 * trial.name.endswith("++"))
        elif trial.name in ("BLEU", "intl", "characters"):
            tokenize = {"BLEU": "13a", "intl": "intl", "characters": "char"}[trial.name]
            metric = type(options.get("metric", tb.BLEU()))
            metric = tb.BLEU if metric in (tb.CHRF, tb.TER) else metric
            other["metric"] = metric(tokenize=tokenize)
        else:
            fix = applied(trial.name)
            changed = {name: list(map(fix, lines)) for name, lines in systems.items()}
            own = [list(map(fix, pair)) for pair in refs]
        (expected,) = tb.compare(changed, own, **other, robustness=False).pairs
        assert (trial.difference, trial.p) == (expected.difference, expected.p), trial.name


def test_trials_that_change_nothing_have_the_difference_and_the_p_value_of_the_pair():
    systems = {name: [re.sub("[^a-z ]", "", line.lower()) for line in lines] for name, lines in NAMED.items()}
    refs = [re.sub("[^a-z ]", "", refs[0].lower()) for refs in TWO_REFS]
    for pair in tb.compare(systems, refs).pairs:
        by_name = {trial.name: trial for trial in pair.trials}
        assert list(by_name) == ["no punctuation", "lower case", "intl", "characters", "chrF2",
                                 "chrF2++"]  # fmt: skip
        for name in ("no punctuation", "lower case", "intl"):
            assert (by_name[name].difference, by_name[name].p) == (pair.difference, pair.p)
        six = [4 * pair.difference, by_name["intl"].difference, by_name["characters"].difference]
        assert pair.mean_difference == pytest.approx(-sum(six) / 6)
        assert pair.survives


def test_differences_have_the_direction_of_the_pair_and_the_mean_that_of_the_winner():
    (pair,) = tb.compare(SYSTEMS, REFS).pairs
    (other,) = tb.compare(dict(reversed(SYSTEMS.items())), REFS).pairs
    turned = [replace(trial, difference=-trial.difference) for trial in pair.trials]
    assert list(other.trials) == turned
    assert other.mean_difference == pair.mean_difference > 0
    assert other.survival(1) == pair.survival(1)


def test_the_definition():
    (pair,) = tb.compare(SYSTEMS, REFS, robustness=False).pairs
    families = ("no punctuation", "lower case", "intl", "characters")

    def survives(*lost):
        names = [("typography", "quotes"), ("typography", "typography")]
        names += [(name, name) for name in families] + [("chrF", "chrF2"), ("chrF", "chrF2++")]
        names.append(("reference", "reference 1"))
        tried = tuple(Trial(name, kind, -1.0, 0.01, name in lost) for kind, name in names)
        return replace(pair, trials=tried).survives

    assert survives()
    assert survives("quotes", "intl", "reference 1")
    assert not survives("typography")
    assert not survives("intl", "lower case")
    assert survives("intl", "chrF2")
    assert not survives("intl", "chrF2", "chrF2++")


def test_a_difference_that_only_typography_makes_significant():
    """The better system writes its quotation marks in another way, which hides that it is."""
    worse = [line.replace("Ka", "xx").replace("mora", "xx") for line in REFS]
    better = [line.replace("„", '"').replace("“", '"') for line in REFS]
    (pair,) = tb.compare({"A": worse, "B": better}, REFS).pairs
    assert pair.better is pair.survives is pair.mean_difference is None
    (trial,) = pair.trials
    assert pair.survival(1) == [f"Significant with all typography written alike: {trial.difference:+.1f} (p = 0.0001)"]


def test_nothing_is_tried_without_text():
    stats = {name: tb.BLEU().stats(lines, REFS) for name, lines in SYSTEMS.items()}
    words = {name: list(map(str.split, lines)) for name, lines in SYSTEMS.items()}
    ids = {name: [[len(word) for word in line] for line in lines] for name, lines in words.items()}
    for compared in (
        tb.compare(stats),
        tb.compare(words, list(map(str.split, REFS))),
        tb.compare(ids, ids["A"]),
        tb.compare(SYSTEMS, REFS, strata=["a", "b"] * 40),
        tb.compare(SYSTEMS, REFS, robustness=False),
        tb.compare(SYSTEMS, REFS, metric=tb.CodeBLEU(lang="python")),
    ):
        (pair,) = compared.pairs
        assert (pair.survives, pair.trials, pair.mean_difference) == (None, (), None)
        assert compared.survival(1) == []


def test_large_sets_are_tried_if_asked(monkeypatch):
    monkeypatch.setattr("truebleu.analysis.compare.trials.MOST_SEGMENTS", 159)
    assert tb.compare(SYSTEMS, REFS).pairs[0].trials == ()
    assert tb.compare(SYSTEMS, REFS, robustness=True).pairs[0].survives is False


@pytest.mark.parametrize(("text", "is_spaced"), [
    ("这是关于翻译质量BLEU的例子。", False), ("これは翻訳の評価BLEUです", False),
    ("ภาษาไทย", False), ("ភាសាខ្មែរ", False),
    ("Er sagte 你好 zu ihr", True), ("한국어 문장", True), ("यह हिन्दी है", True),
])  # fmt: skip
def test_intl_is_left_out_of_scripts_without_blanks(text, is_spaced):
    refs = [f"{text} {i}" for i in range(60)]
    worse = [line[:-3] for line in refs]
    (pair,) = tb.compare({"A": worse, "B": refs}, refs, tokenize="char").pairs
    assert ("intl" in {trial.name for trial in pair.trials}) == is_spaced


def test_each_row_of_typography_changes_what_it_would_change_in_each_line():
    """Lines of characters that rows change, alone and repeated; and signs of vowels stay."""
    draw = random.Random(3)
    signs = [chr(code) for code in range(0x20, 0x3100) if any(row(chr(code)) != chr(code) for row in TYPOGRAPHY)]
    signs += [*"aZ .,-'<>`\n\x01ß你", "e\u0301", "...", "....", "``", "''", "--", ",,", "<<"]
    lines = ["".join(draw.choices(signs, k=draw.randrange(5))) for _ in range(4000)]
    changes = dict(trials.typography(lines))
    vowels = trials.no_punctuation(["यह हिन्दी है।", "a_b, c", ""])
    assert vowels == {0: "यह हिन्दी है", 1: "a_b c"}
    for name in [*(row.name for row in TYPOGRAPHY), "typography"]:
        fix = applied(name)
        expected = {i: fix(line) for i, line in enumerate(lines) if fix(line) != line}
        assert changes[name] == expected, name


def test_first_place_and_the_marks_of_many_systems():
    _, others = texts(seed=2)
    bad = {f"C{i}": [line[:-i] for line in others["A"]] for i in range(8, 13)}
    better = {"B": [line.replace("„", '"').replace("“", '"') if i % 8 else line for i, line in enumerate(REFS)]}
    result = tb.compare({"A": SYSTEMS["A"], **better, **bad}, REFS)
    assert result.pair("A", "B").survives is False
    lines = result.survival(1)
    assert re.fullmatch(r"\d of 1\d significant differences do not survive: 1 with quot.*", lines[0])
    assert lines[1:] == [
        "Publish the scores with --normalize quotes",
        "First place changes with quotation marks written alike: B before A",
    ]
    assert re.search(r"\nB +\d+\.\d~ ", render("text", result))
    text = render("text", result, pairs=True)
    assert "\n".join(lines) in text
    assert "~ does not survive" in text
    assert re.search(r"1 A +\+\d+\.\d~", text)
    assert str(result).endswith("\n".join(lines))


def test_numbers_of_wmt22(shared):
    """JDExploreAcademy and Online-A on the English-German test set."""
    folder = shared / "data" / "wmt22" / "en-de"
    ref, *systems = (lines(folder / name) for name in ("ref.A.txt", "hyp.JDExploreAcademy.txt", "hyp.Online-A.txt"))
    result = tb.compare(dict(zip("JO", systems, strict=True)), ref)
    assert [round(system.score.value, 1) for system in result.systems] == [37.8, 36.5]
    (pair,) = result.pairs
    assert (round(-pair.difference, 1), round(pair.p, 4), pair.better) == (1.3, 0.0001, "J")
    (cause,) = pair.causes
    assert (cause.name, round(-cause.difference, 1), round(cause.p, 2)) == ("quotes", 0.1, 0.7)
    quotes = applied("quotes")
    scores = [tb.corpus_bleu(map(quotes, lines), list(map(quotes, ref))) for lines in systems]
    assert [round(score.value, 1) for score in scores] == [38.4, 38.3]
