# SPDX-License-Identifier: Apache-2.0
"""Faults of other tools in what they make of scores, and in how they run: see peers_faults.toml."""

from __future__ import annotations

import fractions
import inspect
import json
import socket
import tracemalloc

import numpy as np
import pytest
import sacrebleu
from conftest import ROOT
from nltk.translate import bleu_score as nltk
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from support.command import run, scored
from support.simulated_systems import as_stats, p_value, rows

from truebleu import (
    BLEU,
    DIALECTS,
    OptionError,
    compare,
    diff,
    mbr,
    pairwise,
    parse_signature,
    reconcile,
    self_bleu,
    sentence_bleu,
)
from truebleu.compat import nltk as our_nltk
from truebleu.compat import sacrebleu as our_sacrebleu
from truebleu.compat.sacrebleu.significance import PairedTest as OurPairedTest
from truebleu.integrations.huggingface import compute


def lines(name):
    return (ROOT / "examples" / "de-en" / name).read_text("utf-8").splitlines()


REFS = lines("ref.A.txt")
SYSTEMS = {name: lines(f"hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")}
HYPS, CINDER = SYSTEMS["aurora"], SYSTEMS["cinder"]


# ---------------------------------------------------------------- one score


@pytest.mark.usefixtures("folder")
def test_two_defaults_for_sentences(caplog, recwarn):
    assert sacrebleu.sentence_bleu("a b", ["a b"]).score == pytest.approx(100)
    assert sacrebleu.BLEU().sentence_score("a b", ["a b"]).score == 0
    assert len(caplog.records) == 1
    caplog.clear()
    bleu = BLEU()
    values = [sentence_bleu(h, r).value for h, r in zip(HYPS, REFS, strict=True)]
    assert [bleu.sentence(h, r).value for h, r in zip(HYPS, REFS, strict=True)] == values
    assert list(bleu.sentences(HYPS, REFS)) == values
    paths = [str(ROOT / "examples" / "de-en" / name) for name in ("ref.A.txt", "hyp.aurora.txt")]
    scored("score", paths[0], "-i", paths[1], "--per-segment", "segments.jsonl")
    with open("segments.jsonl", encoding="utf-8") as file:
        assert [json.loads(line)["bleu"] for line in file] == values
    assert not caplog.records
    assert not recwarn.list


def test_two_tools_disagree():
    found = diff(HYPS, REFS, "sacrebleu", "nltk")
    ends = [BLEU("sacrebleu").corpus(HYPS, REFS).value, BLEU("nltk").corpus(HYPS, REFS).value * 100]
    assert [found.steps[0].before, found.steps[-1].after] == pytest.approx(ends, rel=1e-12)
    assert sum(step.effect for step in found.steps) == pytest.approx(ends[1] - ends[0], abs=1e-9)


@pytest.mark.parametrize(
    "options", [{"tokenize": "intl", "lowercase": True}, {"dialect": "hf-bleu"}], ids=repr
)
def test_a_number_without_its_settings(options):
    bleu = BLEU(**options)
    reported = f"{bleu.corpus(HYPS, REFS).value:.4f}"
    matches = reconcile(HYPS, REFS, reported=reported)
    found = [match.dialect for first in matches for match in (first, *first.equivalents)]
    assert bleu.dialect in found


def test_signature_without_the_order():
    signatures = []
    for order in (2, 4):
        theirs = sacrebleu.BLEU(max_ngram_order=order)
        theirs.corpus_score(HYPS, [REFS])
        signatures.append(str(theirs.get_signature()))
        ours = BLEU(max_ngram_order=order)
        assert parse_signature(ours.corpus(HYPS, REFS).signature) == ours.dialect
    assert signatures[0] == signatures[1]
    assert BLEU(max_ngram_order=2).signature != BLEU().signature
    assert BLEU(weights=[0.7, 0.3]).signature != BLEU(weights=[0.3, 0.7]).signature


# ---------------------------------------------------------------- significance


def paired(module, seed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    # Systems that hardly differ, whose p-values are neither 0 nor 1.
    systems = [HYPS[0::2] + CINDER[1::2], CINDER[0::2] + HYPS[1::2]]
    refs = [REFS[0::2] + REFS[1::2]]
    test = module(
        list(zip("ab", systems, strict=True)), {"BLEU": sacrebleu.BLEU()}, refs, "ar", 500
    )
    signatures, scores = test()
    assert f"seed:{seed}" in str(signatures["BLEU"])
    return scores["BLEU"][1].p_value


def test_seed_zero(monkeypatch):
    assert len({paired(PairedTest, "0", monkeypatch) for _ in range(12)}) > 1
    assert len({paired(PairedTest, "1", monkeypatch) for _ in range(3)}) == 1
    assert len({paired(OurPairedTest, "0", monkeypatch) for _ in range(4)}) == 1
    for test in ("permutation", "bootstrap", "sacrebleu-ar", "sacrebleu-bootstrap"):
        found = [
            compare(SYSTEMS, REFS, test=test, resamples=100, seed=seed).to_dict()
            for seed in (0, 0, 1)
        ]
        assert found[0] == found[1]
        assert found[0]["pairs"] != found[2]["pairs"]


def test_bootstrap_that_finds_too_much():
    """Shares of 100 pairs of equal systems; test_significance_simulated.py has 400 and more."""
    rng, bleu = np.random.default_rng(3), BLEU(threads=1)
    found = {"bootstrap": 0, "sacrebleu-bootstrap": 0}
    for replicate in range(100):
        stats = as_stats(rows(rng, 100))
        for test in found:
            found[test] += p_value(bleu, stats, test, 199, replicate) <= 0.05
    assert found["bootstrap"] <= 10 < found["sacrebleu-bootstrap"]


def test_ties_that_are_wins():
    pairs = {(pair.a, pair.b): pair for pair in compare(SYSTEMS, REFS, resamples=200).pairs}
    other = compare(dict(reversed(SYSTEMS.items())), REFS, resamples=200).pairs
    for pair in other:
        there = pairs[pair.b, pair.a]
        assert pair.superiority + there.superiority == pytest.approx(1)
        assert pair.difference == -there.difference
    (same,) = compare({"a": HYPS, "b": HYPS}, REFS, resamples=200).pairs
    assert (same.superiority, same.better) == (0.5, None)


def test_half_of_the_corpus():
    found = compare(SYSTEMS, REFS, resamples=2000, test="bootstrap")
    assert found.units == len(REFS)
    stats, rng = np.array(BLEU().stats(HYPS, REFS)), np.random.default_rng(1)
    bleu = BLEU()
    spreads = []
    for size in (len(REFS), len(REFS) // 2):
        sums = [stats[rng.integers(len(REFS), size=size)].sum(0) for _ in range(2000)]
        scores = bleu.values(as_stats([np.array(sums, dtype=np.int64)])[0])
        spreads.append(scores.std())
    assert spreads[1] > 1.3 * spreads[0]
    assert found.systems[0].standard_error == pytest.approx(spreads[0], rel=0.1)


def test_only_against_the_first():
    found = compare(SYSTEMS, REFS, resamples=500)
    assert {(pair.a, pair.b) for pair in found.pairs} == {
        ("aurora", "basalt"), ("aurora", "cinder"), ("basalt", "cinder"),
    }  # fmt: skip
    assert all(pair.p <= pair.p_bh <= pair.p_holm for pair in found.pairs)
    assert min(system.cluster for system in found.systems) == 1
    assert all(1 <= low <= high <= 3 for low, high in (system.rank for system in found.systems))


@pytest.mark.usefixtures("folder")
def test_intervals_from_python():
    found = compare({"a": HYPS, "b": CINDER}, REFS, resamples=300)
    for system in found.systems:
        low, high = system.interval
        assert low < system.score.value < high
    paths = [str(ROOT / "examples" / "de-en" / f"{n}.txt") for n in ("hyp.aurora", "hyp.cinder")]
    reference = str(ROOT / "examples" / "de-en" / "ref.A.txt")
    printed, _ = scored("compare", reference, "-i", *paths, "-n", "300", "-f", "json")
    theirs, ours = json.loads(printed)["pairs"][0], found.to_dict()["pairs"][0]
    assert {**theirs, "a": "", "b": "", "better": ""} == {**ours, "a": "", "b": "", "better": ""}


# ---------------------------------------------------------------- many scores


def test_self_bleu_of_many_meanings():
    texts = HYPS[:12]
    others = [texts[:i] + texts[i + 1 :] for i in range(len(texts))]
    each = [sentence_bleu(text, rest).value for text, rest in zip(texts, others, strict=True)]
    found = self_bleu(texts)
    assert found.definition == "leave-one-out"
    assert list(found.scores) == each
    assert found.value == pytest.approx(sum(each) / len(each), rel=1e-14)
    with_itself = [sentence_bleu(text, texts).value for text in texts]
    assert with_itself == pytest.approx([100] * len(texts))  # what Texygen reported
    assert self_bleu(texts[::-1]).value == pytest.approx(found.value, rel=1e-14)
    assert self_bleu(texts, definition="pairwise").definition == "pairwise"


def test_memory_that_is_not_ours():
    """The fault itself cannot be shown: what lies behind the array is whatever it is."""
    texts = ["a b c d e", "a", "b c", "", "a b c d e f g h i j k l", "c d e a b"]
    for _ in range(3):
        found = self_bleu(texts, "fast-bleu")
        expected = [
            BLEU("fast-bleu").sentence(text, texts[:i] + texts[i + 1 :]).value
            for i, text in enumerate(texts)
        ]
        assert list(found.scores) == expected


def test_option_that_does_nothing():
    hyp, refs = ["a", "b", "c"], [["a", "b", "d"], ["a", "c"]]
    smooth = nltk.SmoothingFunction().method1
    expected = [
        nltk.sentence_bleu(refs, hyp, smoothing_function=smooth, auto_reweigh=on)
        for on in (False, True)
    ]
    assert expected[0] != expected[1]
    ours = [BLEU("fast-bleu", auto_reweigh=on).sentence(hyp, refs).value for on in (False, True)]
    assert ours == expected
    theirs = pytest.importorskip("fast_bleu", reason="pip did not build fast-bleu")
    found = [theirs.BLEU(refs, auto_reweight=on).get_score([hyp])[4] for on in (False, True)]
    assert found[0] == found[1]


def kept(score):
    """Bytes that Python holds more after scoring 1,000 new texts."""
    texts = [f"text {i} is {i * i} long" for i in range(1_500)]
    for text in texts[:500]:
        score(text)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for text in texts[500:]:
        score(text)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before


def test_memory_that_grows():
    """test_memory.py looks at what the kernel holds, too, after 42,000 calls."""
    theirs = sacrebleu.BLEU(effective_order=True)
    assert kept(lambda text: theirs.sentence_score(text, [text])) > 100_000
    Tokenizer13a.__call__.cache_clear()
    ours = BLEU()
    assert kept(lambda text: ours.sentence(text, [text])) < 10_000


def test_state_in_files(folder):
    before = sorted(folder.iterdir())
    shards = [BLEU().accumulator() for _ in range(4)]
    for rank, shard in enumerate(shards):
        shard.update(HYPS[rank::4], REFS[rank::4])
    whole = BLEU().accumulator()
    for shard in shards:
        whole.merge(shard)
    assert whole.compute().value == BLEU().corpus(HYPS, REFS).value
    assert len(whole.compute().stats[0]) == 10
    assert sorted(folder.iterdir()) == before


def test_sentences_one_at_a_time():
    for row in DIALECTS:
        bleu = BLEU(row)
        values = list(bleu.sentences(HYPS[:5], REFS[:5]))
        alone = [bleu.sentence(h, r).value for h, r in zip(HYPS[:5], REFS[:5], strict=True)]
        assert np.array_equal(values, alone, equal_nan=True)


def test_a_matrix_of_candidates():
    texts = HYPS[:6]
    single = [[sacrebleu.sentence_bleu(hyp, [ref]).score for ref in texts] for hyp in texts]
    assert pairwise(texts, exact=True).tolist() == single
    expected = [sum(row) / len(row) for row in single]
    assert list(mbr(texts).scores) == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------- programs


def test_network_at_run_time(monkeypatch):
    def refused(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    for row in DIALECTS:
        compute(predictions=HYPS[:3], references=REFS[:3], dialect=row)


def test_models_without_a_checksum(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_MODELS", str(tmp_path))
    with pytest.raises(OptionError, match="no such model"):
        BLEU(tokenize="flores200")
    model = tmp_path / "flores200.model"
    model.write_bytes(b"half of a model")
    with pytest.raises(OptionError, match=r"sha256: no such file"):
        BLEU(tokenize="flores200")
    (tmp_path / "flores200.model.sha256").write_text("0" * 64)
    with pytest.raises(OptionError, match="checksum"):
        BLEU(tokenize="flores200")


def test_broken_by_a_later_version():
    for name in sacrebleu.__all__:
        theirs, ours = getattr(sacrebleu, name), getattr(our_sacrebleu, name)
        if inspect.isfunction(theirs):
            names = [list(inspect.signature(function).parameters) for function in (theirs, ours)]
            assert names[0] == names[1]
    assert run("sacrebleu", "--version").stdout.decode().strip().endswith(sacrebleu.__version__)


def test_broken_by_a_later_python(monkeypatch):
    class Later(fractions.Fraction):
        """As from Python 3.12 on: without a private argument."""

        def __new__(cls, numerator=0, denominator=None):
            return super().__new__(cls, numerator, denominator)

    refs, hyp = [["a", "b", "c", "d", "e"]], ["a", "b", "c", "d", "x"]
    expected = nltk.sentence_bleu(refs, hyp)
    monkeypatch.setattr(fractions, "Fraction", Later)
    with pytest.raises(TypeError):
        fractions.Fraction(1, 2, _normalize=False)
    assert our_nltk.modified_precision(refs, hyp, 1).numerator == 4
    assert our_nltk.sentence_bleu(refs, hyp) == expected
