# SPDX-License-Identifier: Apache-2.0
"""What all metrics promise: one kernel, the same methods."""

import copy
import gzip
import json
import pickle
from functools import cache

import pytest
from hypothesis import given
from support.command import refusal, truebleu
from support.corpora import corpora, words
from support.each_metric import MAKERS, METRICS, RELATIVES

import truebleu as tb
from truebleu._core import simd_levels

each_metric = pytest.mark.parametrize("metric", METRICS, ids=range(len(METRICS)))
FAMILY = [make() for make in RELATIVES]
each_relative = pytest.mark.parametrize("metric", FAMILY, ids=range(len(FAMILY)))

HYPS = ["The cat sat on the mat.", "b c d a", ""]
REFS = [["The cat sits on the mat.", "A cat sat there."], ["a b c d"], ["x", None, ""]]


@given(corpora())
def test_any_split_of_the_rows_adds_up(corpus):
    hyps, refs = corpus
    for metric in METRICS:
        stats = metric.stats(hyps, refs)
        score = metric.corpus(hyps, refs)
        assert metric.score(stats) == metric.score(stats.sum())
        assert metric.score(stats).value == score.value
        for at in range(len(stats)):
            assert stats[:at].sum() + stats[at:].sum() == score.stats
        scores = [metric.sentence(*pair).value for pair in zip(hyps, refs, strict=True)]
        assert metric.sentences(hyps, refs).tolist() == scores
        assert metric.sentence_values(stats).tolist() == scores
        assert metric.values(stats).tolist() == [metric.score(stats[i : i + 1]).value for i in range(len(stats))]
        assert metric.values(stats[:0]).tolist() == []


@each_metric
def test_hypotheses_in_a_row_share_references(metric):
    hyps = ["a b c", "a c", "b", "c a"]
    expected = metric.stats(hyps, [REFS[0], REFS[0], ["a b"], ["a b"]])
    assert metric.stats(hyps, [REFS[0], ["a b"]], group=2) == expected
    assert metric.corpus(hyps, [REFS[0], ["a b"]], group=2).stats == expected.sum()


@each_metric
def test_copies_count_the_same(metric):
    stats = metric.stats(HYPS, REFS)
    for twin in (copy.copy(metric), pickle.loads(pickle.dumps(metric))):  # noqa: S301
        assert (twin.signature, twin.stats(HYPS, REFS)) == (metric.signature, stats)
    for rows in (stats, stats[:0]):
        read = type(rows).from_bytes(rows.to_bytes())
        assert read == rows == pickle.loads(pickle.dumps(rows))  # noqa: S301
        assert (hash(read), read.signature) == (hash(rows), rows.signature)
    score = metric.corpus(HYPS, REFS)
    for twin in (copy.copy(score), pickle.loads(pickle.dumps(score))):  # noqa: S301
        assert (twin, hash(twin)) == (score, hash(score))
    with pytest.raises(AttributeError):
        score.value = 100
    assert stats.width == len(set(stats.column_names()))


@each_relative
def test_rows_of_another_tokenizer_do_not_mix(metric):
    other = type(metric)(tokenize="intl").stats(HYPS, REFS)
    with pytest.raises(tb.InputError, match=r"do not mix|different n-gram orders or"):
        type(other).concat([metric.stats(HYPS, REFS), other])


@cache
def texts(longest):
    """Hypotheses and references, enough for two threads."""
    hyps = [words(n % longest, n) for n in range(3_000)]
    refs = [[words(n % longest, n + 1), words(n % 7, n)][: 1 + n % 2] for n in range(3_000)]
    return hyps, refs


@pytest.mark.parametrize("make", MAKERS[:-1], ids=range(len(MAKERS) - 1))
def test_threads_and_instruction_sets_change_nothing(make, monkeypatch):
    """Those of CodeBLEU: test_syntax.py."""
    metric = make()
    hyps, refs = texts(12 if isinstance(metric, tb.TER) else 90)
    stats, score = metric.stats(hyps, refs), metric.corpus(hyps, refs)
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        twin = make(threads=1)
        assert twin.stats(hyps, refs) == stats
        assert twin.corpus(hyps, refs) == score


@each_relative
def test_words_are_counted_as_texts_are(metric):
    texts = [words(n) for n in (40, 64, 65, 200, 600)]
    if metric.reader.dialect.tokenize.tokenize == "char":
        return
    for refs in (texts[:2], texts[3:]):
        split = [ref.split() for ref in refs]
        for text in texts:
            one = metric.sentence(text.split(), split).value
            assert one == metric.sentence(text, refs).value


@given(corpora(max_refs=1))
def test_a_matrix_is_its_pairs(corpus):
    hyps, refs = corpus[0], [row[0] for row in corpus[1]]
    for metric in FAMILY:
        pairs = [[metric.sentence(hyp, ref).value for ref in refs] for hyp in hyps]
        assert metric.pairwise(hyps, refs).tolist() == pairs
        assert tb.pairwise(hyps, refs, metric=metric, exact=True).tolist() == pairs


@pytest.mark.parametrize("make", RELATIVES, ids=range(len(RELATIVES)))
def test_functions_tokenize(make):
    ours, plain = make(tokenize=str.split), make(tokenize="none")
    assert ours.corpus(HYPS, REFS).value == plain.corpus(HYPS, REFS).value
    assert "|tok:python[?.str.split]|" in ours.corpus(HYPS, REFS).signature
    assert ours.tokens("a b") == ["a", "b"]
    assert "tok:given" in plain.corpus([["a", "b"]], [[["a", "c"], ["b"]]]).signature


@each_metric
def test_systems_are_compared(metric):
    refs = [words(9, n) for n in range(40)]
    systems = {"A": refs[:20] + [words(9, n + 99) for n in range(20)], "B": refs}
    options = {"resamples": 200, "documents": [n // 2 for n in range(40)]}
    result = tb.compare(systems, refs, metric=metric, robustness=False, **options)
    if metric.name != "CrystalBLEU":
        assert result.pairs[0].better == "B"
    stats = {name: metric.stats(hyps, refs) for name, hyps in systems.items()}
    by_stats = tb.compare(stats, metric=metric, **options)
    assert (by_stats.pairs, by_stats.units) == (result.pairs, 20)


def output(*arguments):
    return truebleu(*arguments).decode()


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ref").write_text("The cat sat on the mat.\nit is late\n")
    (tmp_path / "hyp").write_text("the cat sat on a mat.\nit was late\n")
    return str(tmp_path / "ref"), "-i", str(tmp_path / "hyp")


def test_the_command_line(files):
    refs, hyps = (tb.read_lines(files[i]) for i in (0, 2))
    expected = tb.GLEU(lowercase=True, max_len=2).corpus(hyps, refs)
    options = ("-m", "gleu", "-lc", "--gleu-max-len", "2")
    assert output("score", *files, *options) == expected.format(4, signature=True) + "\n"
    result = json.loads(output("score", *files, *options, "-f", "json"))
    assert result["value"] == expected.value
    both = output("score", *files, "-m", "bleu", "gleu", "-tok", "char", "-w", "4")
    assert f"{tb.GLEU(tokenize='char').corpus(hyps, refs).value:.4f}" in both
    lines = output("score", *files, "-m", "gleu", "-sl").splitlines()
    assert [float(line.split(" = ")[1]) for line in lines] == [
        round(value, 4) for value in tb.GLEU().sentences(hyps, refs).tolist()
    ]


def test_nist_does_not_read_standard_input_twice(tmp_path):
    (tmp_path / "ref.gz").write_bytes(gzip.compress(b"a b\nc\n"))
    options = ("score", tmp_path / "ref.gz", "-m", "nist")
    message = "nist reads its files twice; save standard input to a file first"
    assert refusal(*options, stdin=b"a b\nc\n") == message
    (tmp_path / "hyp").write_text("a b\nc\n")
    value = tb.NIST().corpus(["a b", "c"], ["a b", "c"]).value
    assert output(*options, "-i", tmp_path / "hyp", "-b", "-w", "4") == f"{value:.4f}\n"
