# SPDX-License-Identifier: Apache-2.0
"""Whatever holds the texts, the score is the same; and what a score is made of can be kept."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sacrebleu
import sentencepiece
from conftest import ROOT
from corpora import SUMMATION
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM

from truebleu import (
    BLEU,
    InputError,
    MissingExtraError,
    OptionError,
    Stats,
    corpus_bleu,
    dialect,
    parse_signature,
    sentence_bleu,
    streams,
)


def lines(name):
    return (ROOT / "examples" / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


HYPS = lines("de-en/hyp.basalt.txt")
REFS = lines("de-en/ref.A.txt")
TWO_REFS = list(zip(REFS, lines("de-en/ref.B.txt"), strict=True))
RAGGED = [[a, b] if i % 3 else [a] for i, (a, b) in enumerate(TWO_REFS)]
METRIC = BLEU(summation=SUMMATION)
WHOLE = METRIC.corpus(HYPS, REFS)
WHOLE_OF_TWO = METRIC.corpus(HYPS, TWO_REFS)

JAPANESE = ["市議会は火曜日の夜に決定しました。", "おはようございます!", " 2026年 春 まで", ""]
KOREAN = [
    "시의회는 화요일 저녁에 만장일치로 결정했습니다.",
    "좋은 아침입니다!",
    " 2026년 봄까지 ",
    "",
]


# Columns of one text for each segment.


def sliced(values):
    return pa.array(["before", *values, "behind", None])[1:-2]


def chunked(values):
    return pa.chunked_array([values[:3], [], values[3:]], type=pa.string())


COLUMNS = {
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "numpy objects": lambda values: np.array(values, dtype=object),
    "numpy U": np.array,
    "numpy strided": lambda values: np.repeat(np.array(values), 2)[::2],
    "pandas": lambda values: pd.Series(values, dtype=object, index=range(len(values), 0, -1)),
    "pandas strings": lambda values: pd.Series(values, dtype="string"),
    "pandas Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index,
    "Arrow": pa.array,
    "Arrow large": lambda values: pa.array(values, pa.large_string()),
    "Arrow views": lambda values: pa.array(values, pa.string_view()),
    "Arrow sliced": sliced,
    "Arrow sliced views": lambda values: sliced(values).cast(pa.string_view()),
    "Arrow sliced large": lambda values: sliced(values).cast(pa.large_string()),
    "Arrow chunks": chunked,
    "Arrow chunks sliced": lambda values: chunked(["before", *values])[1:],
    "Arrow table": lambda values: pa.table({"text": values}),
    "Arrow batch": lambda values: pa.record_batch({"text": pa.array(values)}),
    "polars": pl.Series,
    "polars sliced": lambda values: pl.Series(["before", *values])[1:],
    "polars frame": lambda values: pl.DataFrame({"text": values}),
}


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_scores_as_a_list(make):
    assert METRIC.corpus(make(HYPS), make(REFS)) == WHOLE
    assert METRIC.corpus(make(HYPS), REFS) == WHOLE
    assert METRIC.corpus(HYPS, make(REFS)) == WHOLE
    assert METRIC.stats(make(HYPS), make(REFS)) == METRIC.stats(HYPS, REFS)


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_goes_through_a_tokenizer_in_python(make):
    metric = BLEU(tokenize=str.split)
    assert metric.corpus(make(HYPS), make(REFS)) == metric.corpus(HYPS, REFS)


@pytest.mark.parametrize("dtype", [object, pd.StringDtype("python")], ids=str)
def test_columns_of_pandas_do_not_need_pyarrow(dtype, monkeypatch):
    hyps, refs = pd.Series(HYPS, dtype=dtype), pd.Series(REFS, dtype=dtype)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert METRIC.corpus(hyps, refs) == WHOLE


def test_a_frame_of_pandas_is_not_taken_for_its_column_names():
    frame = pd.DataFrame({"a name": ["a text"]})
    try:
        score = corpus_bleu(frame, ["a text"])
    except InputError:
        return
    assert score == corpus_bleu(["a text"], ["a text"])


# Columns of several texts for each segment.


def sliced_lists(values):
    return pa.array([["before"], *values, [], ["behind", None]], pa.list_(pa.string()))[1:-2]


def chunked_lists(values):
    kind = pa.large_list(pa.large_string())
    return pa.chunked_array([values[:5], [], values[5:]], type=kind)


LIST_COLUMNS = {
    "lists": lambda values: [list(value) for value in values],
    "tuples": lambda values: tuple(tuple(value) for value in values),
    "generator": lambda values: (list(value) for value in values),
    "numpy of lists": lambda values: pd.Series([list(v) for v in values]).to_numpy(),
    "pandas of lists": lambda values: pd.Series([list(value) for value in values]),
    "list of arrays": lambda values: [np.array(value, dtype=object) for value in values],
    "Arrow": pa.array,
    "Arrow large": lambda values: pa.array(values, pa.large_list(pa.string())),
    "Arrow views": lambda values: pa.array(values, pa.list_(pa.string_view())),
    "Arrow sliced": sliced_lists,
    "Arrow chunks": chunked_lists,
    "polars": lambda values: pl.Series([list(value) for value in values]),
}


@pytest.mark.parametrize("make", LIST_COLUMNS.values(), ids=LIST_COLUMNS)
@pytest.mark.parametrize("refs", [TWO_REFS, RAGGED], ids=["two", "ragged"])
def test_any_column_of_references_scores_as_a_list(make, refs):
    assert METRIC.corpus(HYPS, make(refs)) == METRIC.corpus(HYPS, refs)


@pytest.mark.parametrize("dtype", ["U", object])
def test_a_table_of_numpy_has_a_row_of_references_for_each_segment(dtype):
    assert METRIC.corpus(HYPS, np.array(TWO_REFS, dtype=dtype)) == WHOLE_OF_TWO


def test_a_null_among_references_is_an_absent_one():
    refs = [[a, None] if i % 2 else [None, b, a] for i, (a, b) in enumerate(TWO_REFS)]
    present = [[ref for ref in row if ref is not None] for row in refs]
    expected = METRIC.corpus(HYPS, present)
    for make in (list, pa.array, sliced_lists, chunked_lists, pl.Series, pd.Series):
        assert METRIC.corpus(HYPS, make(refs)) == expected


def test_a_null_among_single_references_is_an_error_in_any_column():
    for make in (list, pa.array, pl.Series, pd.Series):
        with pytest.raises(InputError, match=r"refs\[1\]"):
            METRIC.corpus(["a", "b"], make(["a", None]))


def test_subclasses_of_str_are_strings():
    assert METRIC.corpus(list(np.array(HYPS)), list(np.array(REFS))) == WHOLE


def test_streams_are_the_transposed_references():
    two = list(zip(*TWO_REFS, strict=True))
    assert METRIC.corpus(HYPS, streams(*two)) == WHOLE_OF_TWO
    assert METRIC.corpus(HYPS, streams(pa.array(two[0]), np.array(two[1]))) == WHOLE_OF_TWO


def test_a_batch_of_sentences_is_scored_as_its_sentences():
    each = [METRIC.sentence(hyp, refs).value for hyp, refs in zip(HYPS, RAGGED, strict=True)]
    assert METRIC.sentences(HYPS, RAGGED).tolist() == each
    assert METRIC.sentences(pa.array(HYPS), pa.array(RAGGED)).tolist() == each


def test_two_threads_score_arrow_as_one_does():
    hyps, refs = pa.array(HYPS * 500), pa.array(RAGGED * 500)
    one, two = BLEU(threads=1), BLEU(threads=2)
    assert len(hyps) > 20_000
    assert one.corpus(hyps, refs) == two.corpus(hyps, refs)
    assert one.stats(hyps, refs) == two.stats(hyps, refs)


# Words and tokenizers of the caller.


def words(texts):
    return [text.split() for text in texts]


@pytest.mark.parametrize("make", [list, tuple, pa.array, pl.Series])
def test_lists_of_words_score_as_their_joined_text(make):
    joined = BLEU(tokenize="none", summation=SUMMATION).corpus(HYPS, REFS)
    given = METRIC.corpus(make(words(HYPS)), make(words(REFS)))
    assert (given.value, given.stats) == (joined.value, joined.stats)
    assert "|tok:given|" in given.signature


def test_lists_of_words_have_several_references():
    joined = BLEU(tokenize="none").stats(HYPS, RAGGED)
    refs = [words(row) for row in RAGGED]
    assert METRIC.stats(words(HYPS), refs) == joined
    assert METRIC.stats(pa.array(words(HYPS)), pa.array(refs)) == joined


def test_a_word_with_a_blank_is_one_word():
    score = corpus_bleu([["New York", "is"]], [["New York", "is"]])
    assert (score.hyp_len, score.totals) == (2, [2, 1, 0, 0])


@pytest.mark.parametrize("split", [lambda text: [c for c in text if not c.isspace()], " ".join])
def test_a_function_that_splits_characters_is_the_tokenizer_char(split):
    ours, char = BLEU(tokenize=split), BLEU(tokenize="char")
    assert ours.stats(HYPS, RAGGED) == char.stats(HYPS, RAGGED)
    assert ours.corpus(HYPS, RAGGED).value == char.corpus(HYPS, RAGGED).value


@pytest.mark.parametrize(
    ("name", "peer", "texts"),
    [("ja-mecab", TokenizerJaMecab, JAPANESE), ("ko-mecab", TokenizerKoMecab, KOREAN)],
)
def test_mecab_tokenizes_as_in_sacrebleu(name, peer, texts):
    metric = BLEU(tokenize=name, summation=SUMMATION)
    tokenize = peer()
    assert [metric.tokens(text) for text in texts] == [tokenize(text).split() for text in texts]
    refs = texts[:1] * len(texts)
    theirs = sacrebleu.BLEU(tokenize=name)
    expected = theirs.corpus_score(texts, [refs])
    score = metric.corpus(texts, refs)
    assert score.value == expected.score
    assert score.signature.replace(f"summation:{SUMMATION}|", "") == str(theirs.get_signature())


@pytest.fixture(scope="module")
def spm_model(tmp_path_factory):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(HYPS + REFS), model_writer=model, vocab_size=300, minloglevel=2
    )
    path = tmp_path_factory.mktemp("spm") / "tiny.model"
    path.write_bytes(model.getvalue())
    return path


@pytest.fixture
def sacrebleu_spm(spm_model):
    """sacreBLEU's metric with its own SentencePiece tokenizer, but with our tiny model."""
    tokenizer = object.__new__(TokenizerSPM)
    tokenizer.sp = sentencepiece.SentencePieceProcessor(model_file=str(spm_model))
    metric = sacrebleu.BLEU()
    metric.tokenizer = tokenizer
    return metric


def test_sentencepiece_tokenizes_as_in_sacrebleu(spm_model, sacrebleu_spm):
    metric = BLEU(tokenize=f"spm:{spm_model}", summation=SUMMATION)
    hyps = [*HYPS, "", "  two  blanks ", "unseen: 中文 ▁"]
    refs = [*REFS, "a", "two blanks", "unseen: 中 文"]
    tokenized = [sacrebleu_spm.tokenizer(hyp.rstrip()).split() for hyp in hyps]
    assert [metric.tokens(hyp) for hyp in hyps] == tokenized
    assert metric.corpus(hyps, refs).value == sacrebleu_spm.corpus_score(hyps, [refs]).score


def test_a_sentencepiece_model_is_named_in_the_signature_by_its_checksum(spm_model):
    checksum = hashlib.sha256(spm_model.read_bytes()).hexdigest()
    assert f"|tok:spm-{checksum[:12]}|" in BLEU(tokenize=f"spm:{spm_model}").signature


def test_a_missing_or_broken_sentencepiece_model_is_named(tmp_path):
    broken = tmp_path / "broken.model"
    broken.write_bytes(b"no model")
    for path in (tmp_path / "missing.model", tmp_path, broken):
        with pytest.raises(OptionError, match=path.name):
            BLEU(tokenize=f"spm:{path}")


def test_a_named_model_needs_its_checksum(spm_model, tmp_path, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_MODELS", str(tmp_path))
    with pytest.raises(OptionError, match="no such model"):
        BLEU(tokenize="flores200")
    (tmp_path / "flores200.model").write_bytes(spm_model.read_bytes())
    with pytest.raises(OptionError, match="checksum"):
        BLEU(tokenize="flores200")
    recorded = tmp_path / "flores200.model.sha256"
    recorded.write_text("0" * 64)
    with pytest.raises(OptionError, match="says otherwise"):
        BLEU(tokenize="flores200")
    recorded.write_text(hashlib.sha256(spm_model.read_bytes()).hexdigest() + "  flores200.model\n")
    named, path = BLEU(tokenize="flores200"), BLEU(tokenize=f"spm:{spm_model}")
    assert named.stats(HYPS, REFS) == path.stats(HYPS, REFS)
    assert "|tok:flores200|" in named.signature


@pytest.mark.parametrize(
    ("module", "tokenize", "extra"),
    [("MeCab", "ja-mecab", "ja"), ("mecab_ko", "ko-mecab", "ko"), ("sentencepiece", "spm", "spm")],
)
def test_a_missing_library_is_named_with_its_pip_line(
    module, tokenize, extra, spm_model, monkeypatch
):
    monkeypatch.setitem(sys.modules, module, None)
    tokenize = f"spm:{spm_model}" if tokenize == "spm" else tokenize
    with pytest.raises(MissingExtraError, match=rf"pip install 'truebleu\[{extra}\]'"):
        BLEU(tokenize=tokenize)


# References that vary in number, against sacreBLEU.


def test_ragged_and_absent_references_score_as_in_sacrebleu():
    first = [a for a, _ in TWO_REFS]
    second = [b if i % 3 else None for i, (_, b) in enumerate(TWO_REFS)]
    theirs = sacrebleu.BLEU()
    expected = theirs.corpus_score(HYPS, [first, second])
    for refs in (streams(first, second), RAGGED):
        score = METRIC.corpus(HYPS, refs)
        assert score.value == expected.score
        assert (score.matches, score.totals) == (expected.counts, expected.totals)
        assert (score.hyp_len, score.ref_len) == (expected.sys_len, expected.ref_len)
        assert str(score) == str(expected)
        signature = score.signature.replace(f"summation:{SUMMATION}|", "")
        assert signature == theirs.get_signature().format()


# Accumulators.


def test_batches_accumulate_to_the_whole():
    accumulator = METRIC.accumulator()
    for i in range(0, len(HYPS), 7):
        accumulator.update(HYPS[i : i + 7], TWO_REFS[i : i + 7])
    assert accumulator.segments == len(HYPS)
    assert accumulator.compute() == WHOLE_OF_TWO


def test_merged_accumulators_are_the_whole():
    parts = [METRIC.accumulator() for _ in range(3)]
    for i, part in enumerate(parts):
        part.update(HYPS[i::3], RAGGED[i::3])
    total = METRIC.accumulator()
    for part in (*parts, METRIC.accumulator()):
        total.merge(part)
    assert total.compute() == METRIC.corpus(HYPS, RAGGED)


def test_batches_with_other_numbers_of_references_are_signed_as_varying():
    accumulator = METRIC.accumulator()
    accumulator.update(HYPS[:1], REFS[:1])
    accumulator.update(HYPS[1:], TWO_REFS[1:])
    assert accumulator.compute() == METRIC.corpus(HYPS, [REFS[:1], *TWO_REFS[1:]])


def test_a_reset_accumulator_is_a_new_one():
    accumulator = METRIC.accumulator()
    accumulator.update(HYPS[:5], TWO_REFS[:5])
    accumulator.reset()
    with pytest.raises(InputError, match="update"):
        accumulator.compute()
    accumulator.update(HYPS, REFS)
    assert accumulator.compute() == WHOLE


def test_a_bad_batch_leaves_the_accumulator_as_it_was():
    accumulator = METRIC.accumulator()
    accumulator.update(HYPS, REFS)
    with pytest.raises(InputError):
        accumulator.update(["a", None], ["a", "b"])
    assert accumulator.compute() == WHOLE


def test_accumulators_of_two_dialects_do_not_merge():
    other = BLEU(tokenize="char").accumulator()
    other.update(HYPS, REFS)
    with pytest.raises(InputError, match="tok:char"):
        METRIC.accumulator().merge(other)


# Stats.

STATS = METRIC.stats(HYPS, REFS)


def test_stats_of_parts_join_to_those_of_the_whole():
    parts = [METRIC.stats(HYPS[i : i + 10], REFS[i : i + 10]) for i in range(0, len(HYPS), 10)]
    assert Stats.concat(parts) == STATS
    assert METRIC.score(Stats.concat(parts)).value == WHOLE.value


def test_stats_slice_as_a_list_does():
    rows = list(STATS)
    for part in (slice(3, 9), slice(None, None, -1), slice(-5, None), slice(9, 3), slice(1, 40, 3)):
        assert list(STATS[part]) == rows[part]
    assert (STATS[0], STATS[-1], len(STATS)) == (rows[0], rows[-1], len(rows))
    with pytest.raises(IndexError):
        STATS[len(STATS)]


def test_stats_add_row_by_row():
    expected = [tuple(2 * value for value in row) for row in STATS]
    assert list(STATS + STATS) == expected
    with pytest.raises(InputError, match="do not add"):
        STATS + STATS[1:]
    with pytest.raises(InputError, match="do not add"):
        STATS + BLEU(max_ngram_order=2).stats(HYPS, REFS)


def test_stats_are_read_by_numpy():
    array = np.asarray(STATS)
    assert (array.dtype, array.shape) == (np.int64, (len(HYPS), STATS.width))
    assert array.tolist() == [list(row) for row in STATS]
    assert np.asarray(STATS, dtype=float).dtype == float
    assert tuple(array.sum(axis=0)) == STATS.sum()[0]


def test_stats_are_read_by_arrow():
    array = pa.array(STATS)
    assert [tuple(row.values()) for row in array.to_pylist()] == list(STATS)
    assert [field.name for field in array.type] == STATS.column_names()


def test_stats_survive_saving_and_pickling():
    for stats in (STATS, STATS[:0], BLEU(max_ngram_order=7).stats(HYPS, REFS)):
        assert Stats.from_bytes(stats.to_bytes()) == stats
        assert pickle.loads(pickle.dumps(stats)) == stats  # noqa: S301
        assert hash(Stats.from_bytes(stats.to_bytes())) == hash(stats)


def test_stats_do_not_change():
    before = STATS.to_bytes()
    with pytest.raises(AttributeError):
        STATS.orders = 5
    with pytest.raises(AttributeError):
        del STATS.orders
    with pytest.raises(TypeError):
        STATS[0] = (0,) * 10
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(STATS)[0, 0] = 9
    BLEU(smooth_method="add-k").score(STATS)
    assert STATS.to_bytes() == before


def test_a_copy_of_stats_in_numpy_is_the_callers():
    copied = np.array(STATS)
    copied[0, 0] += 1
    assert copied[0, 0] != STATS[0][0]


@pytest.mark.parametrize("at", range(24))
def test_a_damaged_head_of_saved_stats_is_noticed(at):
    data = bytearray(STATS.to_bytes())
    data[at] ^= 0xFF
    with pytest.raises(InputError):
        Stats.from_bytes(bytes(data))


def test_cut_or_overlong_saved_stats_are_noticed():
    data = STATS.to_bytes()
    for damaged in (b"", data[:7], data[:23], data[:-1], data[:-8], data + b"\0", b"x" + data):
        with pytest.raises(InputError):
            Stats.from_bytes(damaged)


@pytest.mark.parametrize("rows", [[[1, 2]], [["a"] * 10], [[2**63] + [0] * 9], [[None] * 10]])
def test_rows_that_are_no_statistics_are_refused(rows):
    with pytest.raises(InputError, match="row 0"):
        Stats(rows)


def test_statistics_are_whole_numbers():
    with pytest.raises(InputError, match="row 0"):
        Stats([[1.5] + [0] * 9])


@pytest.mark.parametrize("count", [2, 200])
def test_a_sum_that_no_longer_fits_is_an_error(count):
    with pytest.raises(InputError):
        Stats([[2**62] * 10] * count).sum()


def test_statistics_of_another_order_are_not_scored():
    with pytest.raises(InputError, match="max_ngram_order=4"):
        BLEU(max_ngram_order=2).score(STATS)


# Score.


def test_a_score_is_a_number_a_line_and_json():
    theirs = sacrebleu.corpus_bleu(HYPS, [REFS])
    assert float(WHOLE) == WHOLE.value == theirs.score
    assert str(WHOLE) == str(theirs)
    loaded = json.loads(json.dumps(WHOLE.to_dict()))
    assert loaded == WHOLE.to_dict()
    assert loaded["value"] == theirs.score
    assert (loaded["matches"], loaded["totals"]) == (theirs.counts, theirs.totals)
    assert loaded["precisions"] == theirs.precisions
    assert loaded["ratio"] == theirs.sys_len / theirs.ref_len


def test_a_score_does_not_change_and_pickles():
    with pytest.raises(AttributeError):
        WHOLE.value = 100
    assert pickle.loads(pickle.dumps(WHOLE)) == WHOLE  # noqa: S301
    assert hash(pickle.loads(pickle.dumps(WHOLE))) == hash(WHOLE)  # noqa: S301


def test_the_html_of_a_score_escapes_its_signature():
    def f(text):
        return text.split()

    html = corpus_bleu(HYPS, REFS, tokenize=f)._repr_html_()
    assert "<locals>" not in html
    assert "&lt;locals&gt;" in html


def test_a_sentence_scores_as_in_sacrebleu():
    for hyp, refs in zip([*HYPS, "a b"], [*TWO_REFS, ("a b", "c")], strict=True):
        expected = sacrebleu.sentence_bleu(hyp, list(refs))
        score = sentence_bleu(hyp, refs, summation=SUMMATION)
        assert (score.value, str(score)) == (expected.score, str(expected))


def test_metrics_and_dialects_pickle():
    metric = BLEU(tokenize="intl", smooth_method="floor", weights=[0.5, 0.5])
    loaded = pickle.loads(pickle.dumps(metric))  # noqa: S301
    assert loaded.dialect == metric.dialect
    assert loaded.corpus(HYPS, REFS) == metric.corpus(HYPS, REFS)


# Signatures.

OPTIONS = [
    {},
    {"tokenize": "intl", "lowercase": True},
    {"tokenize": "zh-fixed"},
    {"tokenize": "ja-mecab"},
    {"smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.123456},
    {"smooth_method": "add-k", "smooth_value": 2},
    {"smooth_method": "none", "effective_order": True},
    {"max_ngram_order": 2},
    {"weights": (0.7, 0.2, 0.1)},
    {"weights": (1 / 3, 2 / 3)},
    {"lowercase": True, "lowercase_rule": "ascii", "whitespace": "ascii", "strip": "none"},
    {"ref_len": "shortest", "summation": "compensated"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("short", [False, True])
def test_our_signatures_read_back(options, short):
    metric = BLEU(**options)
    score = metric.corpus(HYPS, RAGGED)
    line = score.format(signature=True, short=short)
    read = BLEU(parse_signature(line))
    assert read.signature == metric.signature
    assert read.corpus(HYPS, RAGGED) == score


def test_the_signature_of_a_row_is_the_row():
    assert parse_signature(BLEU().signature) == dialect("sacrebleu")
    assert BLEU(parse_signature(BLEU().signature)).sentence("a", "a") == sentence_bleu("a", "a")


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lowercase": True, "tokenize": "intl"},
        {"tokenize": "char", "effective_order": True},
        {"tokenize": "ja-mecab"},
        {"smooth_method": "floor", "smooth_value": 0.25},
        {"smooth_method": "add-k"},
        {"smooth_method": "none"},
    ],
    ids=str,
)
def test_signatures_of_sacrebleu_2_name_what_sacrebleu_computed(options, short):
    theirs = sacrebleu.BLEU(**options)
    expected = theirs.corpus_score(HYPS, list(zip(*TWO_REFS, strict=True)))
    text = f"BLEU|{theirs.get_signature().format(short)} = {expected.score:.1f} (and so on)"
    read = parse_signature(text).replace(summation=SUMMATION)
    assert BLEU(read).corpus(HYPS, TWO_REFS).value == expected.score


PAPERS = {
    "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.4.14": {},
    "BLEU+c.lc+#.1+s.exp+tok.intl+v.1.5.0": {"lowercase": True, "tokenize": "intl"},
    "BLEU+case.mixed+numrefs.1+smooth.floor[0.10]+test.wmt14/full+tok.zh+version.1.5.1 = 25.1": {
        "tokenize": "zh",
        "smooth_method": "floor",
    },
    "nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:char|smooth:exp|version:2.0.0 = 29.0 ± 0.6": {
        "tokenize": "char"
    },
    "#:1|bs:1000|rs:12|c:lc|e:yes|tok:none|s:none|v:2.3.1": {
        "lowercase": True,
        "tokenize": "none",
        "smooth_method": "none",
        "effective_order": True,
    },
}


@pytest.mark.parametrize(("text", "options"), PAPERS.items())
def test_signatures_from_papers_are_read(text, options):
    assert BLEU(parse_signature(text)).signature == BLEU(**options).signature


def test_the_sentencepiece_tokenizer_of_sacrebleu_2_2_is_flores101():
    # `-tok spm` signed so until 2.3 gave the model its name.
    read = parse_signature("nrefs:1|case:mixed|eff:no|tok:spm-flores|smooth:exp|version:2.2.0")
    assert read.tokenize.tokenize == "flores101"


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "BLEU", "BLEU = 27.3", "case:", "case:upper", "kase:lc", "nrefs:1", "tok:13b",
        "smooth:floor[", "smooth:flor", "smooth:floor[-1]", "smooth:floor[nan]", "chrF2|case:mixed",
        "max_ngram_order:0", "max_ngram_order:x", "weights:1,x", "tok:spm-0123456789ab",
    ],
)  # fmt: skip
def test_what_is_no_signature_is_refused(text):
    with pytest.raises(OptionError):
        parse_signature(text)
