# SPDX-License-Identifier: Apache-2.0
"""What all metrics promise that read text as BLEU does: one kernel, the same methods."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from support.command import truebleu
from support.corpora import corpora, words

import truebleu as tb
from truebleu._core import simd_levels

METRICS = [tb.GLEU(), tb.GLEU(min_len=2, max_len=6, lowercase=True, tokenize="char")]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=repr)

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
        for cut in range(len(stats)):
            assert stats[:cut].sum() + stats[cut:].sum() == score.stats
        assert metric.sentences(hyps, refs).tolist() == [
            metric.sentence(*pair).value for pair in zip(hyps, refs, strict=True)
        ]
        assert metric.sentence_values(stats).tolist() == metric.sentences(hyps, refs).tolist()


@each_metric
def test_accumulators_and_batches_are_the_corpus(metric, tmp_path):
    whole = metric.corpus(HYPS, REFS)
    accumulator, other = metric.accumulator(), metric.accumulator()
    accumulator.update(HYPS[:1], REFS[:1])
    other.update(HYPS[1:], REFS[1:])
    accumulator.merge(other)
    assert accumulator.compute() == whole
    path = tmp_path / "rows.jsonl"
    rows = [{"hyp": hyp, "refs": row} for hyp, row in zip(HYPS, REFS, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert metric.corpus(tb.scan(path, hyp="hyp", ref="refs", batch_size=1)) == whole


@each_metric
def test_copies_count_the_same(metric):
    stats = metric.stats(HYPS, REFS)
    for twin in (copy.copy(metric), pickle.loads(pickle.dumps(metric))):  # noqa: S301
        assert (twin.signature, twin.stats(HYPS, REFS)) == (metric.signature, stats)
    assert pickle.loads(pickle.dumps(stats)) == stats  # noqa: S301
    assert type(stats).from_bytes(stats.to_bytes()).signature == stats.signature
    with pytest.raises(tb.InputError, match="do not mix"):
        type(stats).concat([stats, type(metric)(tokenize="intl").stats(HYPS, REFS)])


@each_metric
def test_threads_and_instruction_sets_change_nothing(metric, monkeypatch):
    hyps = [words(n % 90, n) for n in range(12_000)]
    refs = [[words(n % 90, n + 1), words(n % 70, n)][: 1 + n % 2] for n in range(12_000)]
    expected = metric.stats(hyps, refs)
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        twin = type(metric)(**metric.settings, threads=1)
        assert twin.stats(hyps, refs) == expected
        assert twin.corpus(hyps, refs) == metric.corpus(hyps, refs)


@each_metric
def test_long_texts_are_counted_alike(metric):
    texts = [words(n) for n in (40, 64, 65, 200, 600)]
    rows = [metric.sentence(hyp, refs).value for hyp in texts for refs in (texts[:2], texts[3:])]
    twins = [metric.sentence(hyp.split(), [ref.split() for ref in refs]).value
             for hyp in texts for refs in (texts[:2], texts[3:])]  # fmt: skip
    if metric.reader.dialect.tokenize.tokenize != "char":
        assert rows == twins


@given(corpora(max_refs=1))
def test_a_matrix_is_its_pairs(corpus):
    hyps, refs = corpus[0], [row[0] for row in corpus[1]]
    for metric in METRICS:
        pairs = [[metric.sentence(hyp, ref).value for ref in refs] for hyp in hyps]
        assert metric.pairwise(hyps, refs).tolist() == pairs
        assert tb.pairwise(hyps, refs, metric=metric, exact=True).tolist() == pairs


def test_functions_tokenize():
    for metric in (tb.GLEU,):
        ours = metric(tokenize=str.split)
        assert ours.corpus(HYPS, REFS).value == metric(tokenize="none").corpus(HYPS, REFS).value
        assert "|tok:python[?.str.split]|" in ours.corpus(HYPS, REFS).signature
        assert ours.tokens("a b") == ["a", "b"]
        given = metric().corpus([["a", "b"]], [["a", "c"]])
        assert "tok:given" in given.signature
        assert metric().corpus([[1, 2]], [[1, 3]]).value == given.value


def test_systems_are_compared():
    refs = [words(9, n) for n in range(40)]
    systems = {"A": refs[:20] + [words(9, n + 99) for n in range(20)], "B": refs}
    for name in ("gleu",):
        result = tb.compare(systems, refs, metric=name, resamples=200)
        assert result.pairs[0].better == "B"
        stats = {name: tb.GLEU().stats(hyps, refs) for name, hyps in systems.items()}
        assert tb.compare(stats, metric=tb.GLEU(), resamples=200).pairs == result.pairs


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
