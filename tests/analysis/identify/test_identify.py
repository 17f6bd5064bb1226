# SPDX-License-Identifier: Apache-2.0
"""Scorers are named: rows, home-made BLEUs with and without mistakes, other metrics."""

import math
import random
import sys
from itertools import product
from statistics import median
from time import process_time

import pytest
from support.black_boxes import DEVELOPMENT, HELD_OUT, MISSED
from support.example_texts import EXAMPLES, lines
from support.profiles import SLOW

import truebleu
from truebleu import DIALECTS, corpus_bleu, identify
from truebleu.analysis.identify.calling import FORMS, Box, Form, numbers
from truebleu.analysis.identify.candidates import Candidate, Scorer
from truebleu.analysis.identify.mistakes import MISTAKES
from truebleu.analysis.identify.probes import DECISIONS, Probe, probes, smallest

EVERY = [*DEVELOPMENT, *HELD_OUT]
#: What `make test` runs: a dialect with options, a mistake, and another metric.
SAMPLE = ("own_weights", "rewards_length", "google_bleu")


def corpora(count):
    """Corpora that `identify` does not ask about: pieces of the examples, and words at random."""
    drawn, texts = random.Random(1), {}
    for folder in ("de-en", "en-zh"):
        files = sorted((EXAMPLES / folder).glob("[hr]*.txt"))
        texts[folder] = [lines(f"{folder}/{file.name}") for file in files]
    for i in range(count):
        size, refs = drawn.randint(1, 5), drawn.randint(1, 2)
        if i % 2:
            draw = lambda: " ".join(drawn.choices("abcdefA.,", k=drawn.randint(1, 12)))  # noqa: E731
            rows = [[draw() for _ in range(refs + 1)] for _ in range(size)]
        else:
            columns = drawn.sample(texts[drawn.choice(["de-en", "en-zh"])], refs + 1)
            places = drawn.sample(range(min(map(len, columns))), size)
            rows = [[column[place] for column in columns] for place in places]
        yield Probe("", tuple(row[0] for row in rows), tuple(tuple(row[1:]) for row in rows))


def check(black_box):
    """Whether a scorer is named, and its calls; a wrong "equal" or difference is an error."""
    result, box = identify(black_box.function, call=black_box.call), Box(black_box.function)
    form = box.form = FORMS[result.call]

    def asked(probe):
        shown = probe if form.references else Probe("", probe.hyps, tuple(r[:1] for r in probe.refs))
        return shown if form.segments else Probe("", shown.hyps[:1], shown.refs[:1])

    assert str(result).startswith(result.verdict)
    for difference in result.differences:
        value = box.ask(Probe("", difference.hyps, difference.refs))
        assert value == difference.scorer or (math.isnan(value) and math.isnan(difference.scorer))
        assert difference.scorer != pytest.approx(difference.nearest, rel=1e-6, abs=1e-12)
    if result.exact:
        assert result.line
        assert not result.differences
        for probe in map(asked, corpora(200 if SLOW else 50)):
            value = form.run(result.line, probe)
            assert value == pytest.approx(box.ask(probe), rel=3e-6, abs=1e-10, nan_ok=True), probe
        return black_box.expected == "exact", result.calls
    words = f"{result.mistake} {result.metric}".lower()
    return black_box.expected != "exact" and black_box.expected.lower() in words, result.calls


@pytest.mark.parametrize("name", SAMPLE)
def test_a_scorer_is_named(name):
    assert check(next(box for box in EVERY if box.name == name))[0]


@pytest.mark.slow
def test_enough_scorers_are_named():
    """What was promised of all black boxes."""
    rows = []
    for box in EVERY:
        start = process_time()
        rows.append((box, *check(box), process_time() - start))
        print(f"{box.name}: named {rows[-1][1]}, {rows[-1][2]} calls, {rows[-1][3]:.1f} s")
    equal = [named for box, named, *_ in rows if box.expected == "exact"]
    others = [named for box, named, *_ in rows if box.expected != "exact"]
    medians = median(calls for *_, calls, _ in rows), median(seconds for *_, seconds in rows)
    print(f"exact: {sum(equal)} of {len(equal)}; others: {sum(others)} of {len(others)}; {medians}")
    assert sum(equal) >= len(equal) * 56 / 60 >= 56
    assert sum(others) >= len(others) / 2
    assert medians[0] <= 1_100
    assert medians[1] < 10
    assert {box.name for box, named, *_ in rows if not named} == set(MISSED)
    assert len(HELD_OUT) >= len(EVERY) / 3


def test_a_command_is_named_with_few_calls(tmp_path):
    script = tmp_path / "bleu.py"
    script.write_text("""
import sys, math
from collections import Counter
hyps, refs = ([line.split() for line in open(path, encoding="utf-8")] for path in sys.argv[1:])
score = min(0, 1 - sum(map(len, refs)) / sum(map(len, hyps)))
for n in (1, 2, 3, 4):
    grams = lambda words: Counter(tuple(words[i:i + n]) for i in range(len(words) - n + 1))
    matches = sum((grams(hyp) & grams(ref)).total() for hyp, ref in zip(hyps, refs))
    total = sum(grams(hyp).total() for hyp in hyps)
    score += math.log(matches / total) / 4 if matches else -math.inf
print("BLEU: %.3f" % (100 * math.exp(score)))
""")
    result = identify([sys.executable, "-S", str(script), "{hyps}", "{refs}"])
    names = {"tb": truebleu, "hyps": ["the cat sat on a mat", "no"], "refs": ["the cat sat", "yes"]}
    expected = corpus_bleu(names["hyps"], names["refs"], "papineni-2002", scale=100).value
    assert (result.exact, result.calls <= 60) == (True, True), str(result)
    assert eval(result.line, names) == pytest.approx(expected, abs=5e-4)  # noqa: S307


def test_call_settles_what_is_not_known():
    def of_pair(pair):
        return corpus_bleu(*pair, "nltk").value

    result = identify(of_pair, call=lambda f, hyps, refs: f((hyps, refs)), calls=40)
    assert (result.exact, result.dialect.name, result.calls) == (True, "nltk", 40)


def test_numbers_of_answers():
    assert numbers({"a": [1, (2.5,)]}) == {"['a'][0]": 1, "['a'][1][0]": 2.5}
    assert numbers("BLEU|nrefs:1 = 27.3 60.1/33.0 (BP = 1.0)") == {"": 27.3}
    assert numbers('{"precision": 3, "score": 12.5}') == {"": 12.5}
    assert numbers(None) == numbers("none") == {}


def test_forms_pass_what_they_say():
    probe = Probe("", ("a b", "c"), (("a", "b"), ("c", "d")))
    passed = {name: form.arguments(probe) for name, form in FORMS.items()}
    assert len(passed) == 24
    assert passed["hyps, refs by segment"] == (["a b", "c"], [["a", "b"], ["c", "d"]])
    assert passed["refs by stream, hyps"] == ([["a", "c"], ["b", "d"]], ["a b", "c"])
    assert passed["hyps, refs"] is passed["hyp, refs"] is None
    assert Form("hyp, ref", str.split, True).arguments(Probe("", ("a b",), (("c",),))) == (["c"], ["a", "b"])


def test_probes_separate_decisions_and_mistakes():
    assert {probe.topic for probe in probes()} | {"sentences"} == set(DECISIONS)
    scorer = Scorer(probes(), tokens=False)
    rows = [
        Candidate(row, mistake)
        for row, mistake in product((DIALECTS["papineni-2002"], DIALECTS["sacrebleu"]), ("", *MISTAKES))
    ]
    values = {scorer.values(row).round(6).tobytes() for row in rows}
    assert len(values) == len(rows)


def test_differences_are_smallest():
    probe = Probe("corpora", ("a b c", "d e f"), (("x", "y z"), ("d", "w")))
    small = smallest(probe, lambda p: any("e" in hyp for hyp in p.hyps), 100)
    assert (small.hyps, len(small.refs[0])) == (("e",), 1)
