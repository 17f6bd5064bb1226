# SPDX-License-Identifier: Apache-2.0
"""Intervals and tests draw the random numbers that sacreBLEU draws."""

from __future__ import annotations

import pickle
import random

import pytest
import sacrebleu as original
from support.twins_sacrebleu import TWINS, alike, described

from truebleu.compat import sacrebleu as ours

WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", "and", "it", "was", "3.5", "m", "long", "."]


def systems(count, segments):
    draw = random.Random(5)
    refs = [" ".join(draw.choices(WORDS, k=draw.randint(1, 15))) for _ in range(segments)]
    found = []
    for system in range(count):
        noisy = [
            " ".join(word for word in ref.split() if draw.random() > 0.1 + 0.03 * system)
            for ref in refs
        ]
        found.append((f"system {system}", noisy))
    return found, [refs]


NAMED, REFS = systems(3, 40)


def run_test(module, **how):
    from importlib import import_module

    significance = import_module(f"{module.__name__}.significance")
    name, settings = how.pop("metric", "BLEU"), how.pop("settings", {})
    cached, refs = how.pop("cached", False), how.pop("refs", REFS)
    metric = getattr(module, name)(**settings, references=refs if cached else None)
    references = None if cached else refs
    test = significance.PairedTest(NAMED, {name: metric}, references, **how)
    signatures, scores = test()
    plain = {name: [repr(one) for one in column] for name, column in scores.items()}
    return {name: str(one) for name, one in signatures.items()}, plain


@pytest.mark.parametrize(
    "how",
    [
        {"test_type": "bs", "n_samples": 60},
        {"test_type": "ar", "n_samples": 60},
        {"test_type": "ar", "n_samples": 60, "n_ar_confidence": 45},
        {"test_type": "bs", "n_samples": 60, "cached": True},
        {"test_type": "ar", "n_samples": 60, "cached": True, "n_jobs": 2},
        {"test_type": "bs", "n_samples": 60, "n_jobs": 0},
        *(
            {"test_type": kind, "n_samples": 50, "settings": settings}
            for kind in ("bs", "ar")
            for settings in (
                {"smooth_method": "floor"},
                {"smooth_method": "floor", "smooth_value": 0.3},
                {"smooth_method": "add-k"},
                {"smooth_method": "add-k", "smooth_value": 0.5},
                {"smooth_method": "none", "effective_order": True, "max_ngram_order": 6},
                {"tokenize": "intl", "lowercase": True},
            )
        ),
        {"test_type": "x"},
    ],
    ids=repr,
)
def test_paired_tests(how, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    result, _ = alike(lambda module: repr(run_test(module, **dict(how))))
    assert result
    if how["test_type"] != "x":
        assert "p_value=" in result


#: chrF and TER, and whether the kernel draws for them with one, two or three references.
OTHERS = [
    ("CHRF", {}, (True, True, True)),
    ("CHRF", {"word_order": 2, "beta": 3, "lowercase": True}, (True, True, True)),
    ("CHRF", {"whitespace": True, "beta": 0.3}, (True, True, True)),
    ("CHRF", {"eps_smoothing": True}, (False, False, False)),
    ("TER", {}, (True, True, False)),
    ("TER", {"normalized": True}, (True, True, False)),
]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(("metric", "settings", "drawn"), OTHERS, ids=repr)
def test_paired_tests_and_intervals_of_other_metrics(metric, settings, drawn, count, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    draw = random.Random(count)
    shorter = [" ".join(w for w in ref.split() if draw.random() > 0.2) or "x" for ref in REFS[0]]
    refs = [*REFS, shorter, ["a cat"] * len(shorter)][:count]
    for how in ({"test_type": "bs"}, {"test_type": "ar", "n_ar_confidence": 45}):
        options = {**how, "metric": metric, "settings": settings, "refs": refs, "n_samples": 60}
        alike(lambda module, options=options: repr(run_test(module, **options)))

    def interval(module):
        one = getattr(module, metric)(**settings)
        return repr(vars(one.corpus_score(NAMED[0][1], refs, n_bootstrap=60)))

    alike(interval)
    one = getattr(ours, metric)(**settings)
    rows = one._extract_corpus_statistics(NAMED[0][1], refs)
    assert (ours.significance._resampling(one, [rows]) is not None) == drawn[count - 1]


def test_scores_of_zero_are_pythons_numbers():
    """A chrF of 0 makes 64 bits of all that were 32; a TER of 0 does if no words are there."""
    hyps, refs = ["abc", "xyz", "q"], [["abd", "uvw", ""]]
    for name in ("CHRF", "TER"):
        alike(lambda module, name=name: repr(
            vars(getattr(module, name)().corpus_score(hyps, refs, n_bootstrap=50))
        ))  # fmt: skip
        for kind in ("bs", "ar"):

            def tested(module, name=name, kind=kind):
                test = module.significance.PairedTest(
                    [("A", hyps), ("B", ["abd", "xyz", ""])], {name: getattr(module, name)()}, refs,
                    kind, 50,
                )  # fmt: skip
                return repr(test())

            alike(tested)


@pytest.mark.parametrize("seed", ["1", "12345", "999"])
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_seeds_come_from_the_environment(kind, seed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    alike(lambda module: repr(run_test(module, test_type=kind, n_samples=40)))


def test_a_seed_of_zero_is_a_seed(monkeypatch):
    """The original draws one from the system then, while its signature says `seed:0`."""
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    runs = [run_test(ours, test_type="ar", n_samples=200) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
    assert "seed:0" in runs[0][0]["BLEU"]
    assert len({repr(run_test(original, test_type="ar", n_samples=200)) for _ in range(3)}) > 1


def test_a_seed_of_none_is_drawn(monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    runs = [run_test(ours, test_type="ar", n_samples=200) for _ in range(3)]
    assert "seed:none" in runs[0][0]["BLEU"]
    assert len({repr(run) for run in runs}) > 1


@pytest.mark.parametrize("samples", [2, 39, 40, 100])
@pytest.mark.parametrize(
    "settings", [{}, {"smooth_method": "add-k", "smooth_value": 0.5}, {"tokenize": "zh"}], ids=repr
)
def test_confidence_intervals_of_corpora(settings, samples):
    def seen(module):
        bleu = module.BLEU(**settings)
        score = bleu.corpus_score(NAMED[0][1], REFS, n_bootstrap=samples)
        signature = str(bleu.get_signature())
        text = score.format(is_json=True, signature=signature)
        return repr(vars(score)), text, score.format(1), signature

    alike(seen)


def test_resamples_and_their_estimates():
    import numpy as np

    for module in TWINS:
        __import__(f"{module.__name__}.significance")
    bleus = [module.BLEU(references=REFS) for module in TWINS]
    rows = [bleu._extract_corpus_statistics(NAMED[1][1], None) for bleu in bleus]
    resampled = [
        module.significance._bootstrap_resample(row, bleu, 80)
        for module, row, bleu in zip(TWINS, rows, bleus, strict=True)
    ]
    assert [seed for seed, _ in resampled] == ["12345"] * 2
    assert list(map(described, resampled[1][1])) == list(map(described, resampled[0][1]))
    numbers = np.array([one.score for one in resampled[0][1]])
    estimates = [module.significance.estimate_ci(numbers) for module in TWINS]
    assert repr(estimates[1]) == repr(estimates[0])
    for difference in (0.0, 40.0, 100.0):
        p = [module.significance._compute_p_value(numbers, difference) for module in TWINS]
        assert repr(p[1]) == repr(p[0])


def test_the_originals_paired_test_takes_our_metric():
    from sacrebleu.significance import PairedTest

    for kind in ("bs", "ar"):
        runs = [
            PairedTest(NAMED, {"BLEU": module.BLEU(references=REFS)}, None, kind, 50)()
            for module in TWINS
        ]
        assert str(runs[1]) == str(runs[0])


def test_results_are_shown_and_pickled():
    result = ours.significance.Result(1.5, p_value=0.25)
    assert repr(result) == "score=1.5,p_value=0.25,mean=None,ci=None"
    assert vars(pickle.loads(pickle.dumps(result))) == vars(result)  # noqa: S301
