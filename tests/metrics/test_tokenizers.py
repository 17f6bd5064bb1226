# SPDX-License-Identifier: Apache-2.0
"""Words of the caller, and tokenizers of the caller and of libraries."""

import hashlib
import io
from types import SimpleNamespace

import numpy as np
import pytest
import sacrebleu
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM
from support.corpora import SUMMATION
from support.example_texts import HYPS, RAGGED, REFS

from truebleu import BLEU, CHRF, InputError, OptionError, parse_signature

JAPANESE = ["市議会は火曜日の夜に決定しました。", "おはようございます!", " 2026年 春 まで", ""]
KOREAN = [
    "시의회는 화요일 저녁에 만장일치로 결정했습니다.", "좋은 아침입니다!", " 2026년 봄까지 ", "",
]  # fmt: skip


@settings(max_examples=20)
@given(st.lists(st.text("aΣσςÀ'.ßİ\u0301\u00a0", max_size=9), min_size=1), st.integers(1, 9))
def test_long_texts_are_lowered_as_short_ones(words, extra):
    """They are lowered in pieces, and a final sigma depends on the letters around it."""
    text = " ".join(words * (20_000 // len(words) + extra))
    lower = BLEU(tokenize="none", lowercase=True, threads=1)
    expected = text.lower()
    assert lower.tokens(text) == BLEU(tokenize="none", threads=1).tokens(expected)
    assert CHRF(lowercase=True).corpus([text], [expected]).value == (CHRF().corpus([expected], [expected]).value)


def words(texts):
    return [text.split() for text in texts]


@pytest.mark.parametrize(
    "split",
    [
        lambda text: (word for word in text.split()),
        lambda text: np.array(text.split()),
        lambda text: [ord(word[0]) + 1000 * len(word) for word in text.split()],
        lambda text: np.array([ord(word[0]) + 1000 * len(word) for word in text.split()]),
        lambda text: SimpleNamespace(ids=[1], tokens=text.split()),
        lambda text: SimpleNamespace(tokens=list, input_ids=[len(word) * 999 + ord(word[0]) for word in text.split()]),
    ],
)
def test_a_function_returns_what_tokenizers_do(split):
    hyps, refs = ["the cat is on a mat"], ["the cat sat on a mat"]
    expected = BLEU(tokenize="none").stats(hyps, refs)
    assert list(BLEU(tokenize=split).stats(hyps, refs)) == list(expected)


@pytest.mark.parametrize("split", [lambda text: [c for c in text if not c.isspace()], " ".join])
def test_a_function_that_splits_characters_is_the_tokenizer_char(split):
    ours, char = BLEU(tokenize=split), BLEU(tokenize="char")
    assert ours.stats(HYPS, RAGGED) == char.stats(HYPS, RAGGED)
    assert ours.corpus(HYPS, RAGGED).value == char.corpus(HYPS, RAGGED).value


@pytest.mark.parametrize(
    ("name", "peer", "texts"), [("ja-mecab", TokenizerJaMecab, JAPANESE), ("ko-mecab", TokenizerKoMecab, KOREAN)]
)
def test_mecab_tokenizes_as_in_sacrebleu(name, peer, texts):
    metric = BLEU(tokenize=name, summation=SUMMATION)
    tokenize = peer()
    assert parse_signature(metric.signature) == metric.dialect
    assert [metric.tokens(text) for text in texts] == [tokenize(text).split() for text in texts]
    refs = texts[:1] * len(texts)
    theirs = sacrebleu.BLEU(tokenize=name)
    expected = theirs.corpus_score(texts, [refs])
    score = metric.corpus(texts, refs)
    assert score.value == expected.score
    assert score.signature.replace(f"summation:{SUMMATION}|", "") == str(theirs.get_signature())


def test_mecab_refuses_what_is_too_long_for_it():
    with pytest.raises(InputError, match=r"hyps\[0\]: the tokenizer returned None"):
        BLEU(tokenize="ja-mecab").corpus(["\u6587 ,a" * 100_000], ["a"])


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
    checksum = hashlib.sha256(spm_model.read_bytes()).hexdigest()
    assert f"|tok:spm-{checksum[:12]}|" in metric.signature
    hyps = [*HYPS, "", "  two  blanks ", "unseen: 中文 ▁"]
    refs = [*REFS, "a", "two blanks", "unseen: 中 文"]
    tokenized = [sacrebleu_spm.tokenizer(hyp.rstrip()).split() for hyp in hyps]
    assert [metric.tokens(hyp) for hyp in hyps] == tokenized
    assert metric.corpus(hyps, refs).value == sacrebleu_spm.corpus_score(hyps, [refs]).score


def test_a_missing_or_broken_sentencepiece_model_is_named(tmp_path):
    broken = tmp_path / "broken.model"
    broken.write_bytes(b"no model")
    for path in (tmp_path / "missing.model", tmp_path, broken):
        with pytest.raises(OptionError, match=path.name):
            BLEU(tokenize=f"spm:{path}")


def test_a_named_model_is_that_of_sacrebleu(spm_model, tmp_path, monkeypatch):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    theirs = tmp_path / "models" / "flores200sacrebleuspm"
    with pytest.raises(OptionError, match=rf"^{theirs}: no such model; save https://tinyurl\.com/flores200sacre"):
        BLEU(tokenize="flores200")
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(spm_model.read_bytes())
    named, path = BLEU(tokenize="flores200"), BLEU(tokenize=f"spm:{spm_model}")
    assert named.stats(HYPS, REFS) == path.stats(HYPS, REFS)
    assert "|tok:flores200|" in named.signature
