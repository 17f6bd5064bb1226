# SPDX-License-Identifier: Apache-2.0
"""Intervals and tests use sacreBLEU's random numbers."""

import random

import pytest
import sacrebleu.significance
from support.accelerated import accelerated, alike, in_process_of_its_own

import truebleu
from truebleu.compat.accelerate.significance import _drawn

WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", "and", "it", "was", "3.5", "m", "long", "."]


def systems(count, segments):
    draw = random.Random(5)
    refs = [" ".join(draw.choices(WORDS, k=draw.randint(1, 15))) for _ in range(segments)]
    pairs = []
    for system in range(count):
        noisy = [" ".join(word for word in ref.split() if draw.random() > 0.1 + 0.03 * system) for ref in refs]
        pairs.append((f"system {system}", noisy))
    return pairs, [refs]


NAMED, REFS = systems(3, 40)


def run_test(module, metric="BLEU", settings=None, refs=REFS, cached=False, **options):
    one = getattr(module, metric)(**(settings or {}), references=refs if cached else None)
    test = module.significance.PairedTest(NAMED, {metric: one}, None if cached else refs, **options)
    signatures, scores = test()
    plain = {name: [repr(one) for one in column] for name, column in scores.items()}
    return {name: str(one) for name, one in signatures.items()}, plain


BLEU_SETTINGS = [
    {"smooth_method": "floor", "smooth_value": 0.3},
    {"smooth_method": "add-k"},
    {"smooth_method": "none", "effective_order": True, "max_ngram_order": 6},
    {"tokenize": "intl", "lowercase": True},
]


@pytest.mark.parametrize(
    "options",
    [
        {"test_type": "bs", "n_samples": 60},
        {"test_type": "ar", "n_samples": 60},
        {"test_type": "ar", "n_samples": 60, "n_ar_confidence": 45},
        {"test_type": "bs", "n_samples": 60, "cached": True},
        {"test_type": "ar", "n_samples": 60, "cached": True, "n_jobs": 2},
        {"test_type": "bs", "n_samples": 60, "n_jobs": 0},
        *({"test_type": "bs", "n_samples": 50, "settings": one} for one in BLEU_SETTINGS),
        *({"test_type": "ar", "n_samples": 50, "settings": one} for one in BLEU_SETTINGS),
        {"test_type": "x"},
    ],
    ids=repr,
)
def test_paired_tests(options, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    result, _ = alike(lambda module: repr(run_test(module, **options)))
    assert "p_value=" in result or options["test_type"] == "x"


#: chrF and TER, and whether the kernel resamples them with one, two or three references.
OTHERS = [
    ("CHRF", {"word_order": 2, "beta": 3, "lowercase": True}, (True, True, True)),
    ("CHRF", {"whitespace": True, "beta": 0.3}, (True, True, True)),
    ("CHRF", {"eps_smoothing": True}, (False, False, False)),
    ("TER", {"normalized": True}, (True, True, False)),
]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(("metric", "settings", "by_kernel"), OTHERS, ids=repr)
def test_paired_tests_and_intervals_of_other_metrics(metric, settings, by_kernel, count, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    draw = random.Random(count)
    shorter = [" ".join(w for w in ref.split() if draw.random() > 0.2) or "x" for ref in REFS[0]]
    refs = [*REFS, shorter, ["a cat"] * len(shorter)][:count]

    def interval(module):
        one = getattr(module, metric)(**settings)
        return repr(vars(one.corpus_score(NAMED[0][1], refs, n_bootstrap=60)))

    kinds = {"test_type": "bs"}, {"test_type": "ar", "n_ar_confidence": 45}
    tests = (lambda m, kind=kind: repr(run_test(m, metric, settings, refs, n_samples=60, **kind)) for kind in kinds)
    alike(interval, *tests)
    scorer = getattr(sacrebleu, metric)(**settings)

    def is_drawn():
        rows = scorer._extract_corpus_statistics(NAMED[0][1], refs)
        return _drawn(scorer, [rows], "bs", 2, 1) is not None

    assert accelerated(["sacrebleu"], is_drawn) == by_kernel[count - 1]


@pytest.mark.parametrize("name", ["CHRF", "TER"])
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_scores_of_zero_have_64_bits(name, kind):
    """A chrF of 0 makes 64 bits of all scores, and so does a TER without words."""
    hyps, refs = ["abc", "xyz", "q"], [["abd", "uvw", ""]]
    systems = [("A", hyps), ("B", ["abd", "xyz", ""])]

    def tested(module):
        metric = getattr(module, name)()
        interval = repr(vars(metric.corpus_score(hyps, refs, n_bootstrap=50)))
        test = module.significance.PairedTest(systems, {name: metric}, refs, kind, 50)
        return interval, repr(test())

    alike(tested)


@pytest.mark.parametrize("seed", ["1", "12345", "999"])
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_seeds_come_from_the_environment(kind, seed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    alike(lambda module: repr(run_test(module, test_type=kind, n_samples=40)))


@pytest.mark.parametrize("seed", ["None", "0"])
@in_process_of_its_own
def test_other_seeds_are_drawn(seed, monkeypatch):
    """As in the original, 0 is a seed for intervals, and none for paired tests."""
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    with truebleu.accelerate("sacrebleu"):
        runs = [run_test(sacrebleu, test_type="ar", n_samples=200) for _ in range(3)]
    assert f"seed:{seed.lower()}" in runs[0][0]["BLEU"]
    assert len({repr(run) for run in runs}) > 1


@pytest.mark.parametrize("samples", [2, 39, 40, 100])
@pytest.mark.parametrize(
    "settings", [{}, {"smooth_method": "add-k", "smooth_value": 0.5}, {"tokenize": "zh"}], ids=repr
)
def test_confidence_intervals_of_corpora(settings, samples):
    def result(module):
        bleu = module.BLEU(**settings)
        score = bleu.corpus_score(NAMED[0][1], REFS, n_bootstrap=samples)
        signature = str(bleu.get_signature())
        text = score.format(is_json=True, signature=signature)
        return repr(vars(score)), text, score.format(1), signature

    alike(result)
