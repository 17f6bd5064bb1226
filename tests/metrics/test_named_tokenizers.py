# SPDX-License-Identifier: Apache-2.0
"""Tokenizers by name: NLTK's Treebank rules in the kernel, and those of libraries."""

import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from support.profiles import examples

import truebleu as tb

TREEBANK = NLTKWordTokenizer()
#: What the rules treat in a way of their own, and words around it.
PIECES = [
    *"abdstS",
    *" .,:;'\"`!?()[]<>{}-*&%$\n\t5é«»“”‘’„—…ß_²中", "''", "``", "--", "..", "...", "n't",
    "'s", "'ll", "'tis", "'twas", "cannot", "gonna", "wanna", "more'n", "d'ye", "gimme", "\u00a0",
    "\x1c", "can", "٣", "e\u0301",
]  # fmt: skip


@examples(share=2)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("a.\x1c")
def test_nltk_line_is_nltks(text):
    words = TREEBANK.tokenize(text)
    assert tb.BLEU("nltk", tokenize="nltk-line").tokens(text) == words


def library(name):
    try:
        return tb.BLEU("nltk", tokenize=name)
    except tb.MissingExtraError as error:
        pytest.skip(str(error))


def test_jieba_with_and_without_blanks():
    text = "我喜欢 machine translation"
    jieba = pytest.importorskip("jieba")
    assert library("jieba").tokens(text) == jieba.lcut(text)
    assert library("jieba-words").tokens(text) == [word for word in jieba.lcut(text) if word != " "]
    signature = library("jieba").signature
    assert f"tok:jieba-{jieba.__version__}" in signature
    assert tb.parse_signature(signature) == tb.dialect("nltk", tokenize="jieba")


def test_a_tokenizer_for_each_pair():
    bleu = library("han:jieba,none")
    jieba = pytest.importorskip("jieba")
    hyps, refs = ["我喜欢 music", "a b-c d"], [["我 music"], ["a b-c d", "a b c"]]
    given_words = [jieba.lcut(hyps[0]), hyps[1].split()]
    given_refs = [[jieba.lcut(refs[0][0])], [ref.split() for ref in refs[1]]]
    assert list(bleu.stats(hyps, refs)) == list(tb.BLEU("nltk").stats(given_words, given_refs))
    assert bleu.sentence(hyps[1], refs[1]).precisions[0] == 100
    assert tb.parse_signature(bleu.signature) == tb.dialect("nltk", tokenize="han:jieba,none")
    for wrong in ("han:jieba", "han:13a,none"):
        with pytest.raises(tb.OptionError, match="han"):
            library(wrong)


def test_moses_takes_a_language():
    sacremoses = pytest.importorskip("sacremoses")
    text = "L'homme d'État n'est-il pas là?"
    expected = sacremoses.MosesTokenizer(lang="fr").tokenize(text)
    assert library("moses:fr").tokens(text) == expected != library("moses").tokens(text)
    assert tb.parse_signature(library("moses:fr").signature).tokenize.tokenize == "moses:fr"


def test_ptb_is_the_tokenizer_of_captions():
    ptb = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    pieces = [*sorted({*PIECES} - {*"\n<>\x1c"}), "U.S.", "$3.50", "naïve", "1/2"]
    drawn = random.Random(1)
    texts = ["", *(" ".join(drawn.choices(pieces, k=9)) for _ in range(300))]
    try:
        own = library("ptb").stats(texts, texts[::-1])
    except tb.OptionError as error:
        pytest.skip(str(error))
    lists = ptb.PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in enumerate(texts)})
    words = [lists[i][0].split() for i in range(len(texts))]
    assert list(own) == list(tb.BLEU("nltk").stats(words, words[::-1]))
    assert tb.parse_signature(library("ptb").signature).tokenize.tokenize == "ptb"


def test_models_of_the_library_tokenizers(tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    vocab = tmp_path / "vocab.txt"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "sat"]
    vocab.write_text("\n".join(words))
    assert library(f"wordpiece:{vocab}").tokens("The cats sat") == ["the", "cat", "##s", "sat"]
    path = str(tmp_path / "tokenizer.json")
    tokenizers.BertWordPieceTokenizer(str(vocab)).save(path)
    bleu = library(f"hf:{path}")
    assert bleu.tokens("cats") == ["cat", "##s"]
    assert "tok:hf-" in bleu.signature
    assert tokenizers.__version__ in bleu.signature
    for name in ("hf:nowhere.json", f"hf:{vocab}.json"):
        with pytest.raises(tb.OptionError, match="no such file"):
            library(name)


def test_nltk_splits_sentences_first():
    bleu = library("nltk")
    try:
        assert bleu.tokens("It is late. Go home.") == ["It", "is", "late", ".", "Go", "home", "."]
    except tb.OptionError as error:
        assert "python -m nltk.downloader punkt_tab" in str(error)  # noqa: PT017


def test_the_target_language_chooses():
    for language, name in (("zh", "zh"), ("th", "char"), ("de", "13a"), ("khm_Khmr", "char")):
        dialect = tb.BLEU(target_language=language).dialect
        assert dialect.tokenize.tokenize == name
        assert dialect == tb.BLEU(tokenize="auto", target_language=language).dialect
    assert tb.BLEU(tokenize="intl", target_language="zh").dialect.tokenize.tokenize == "intl"
    assert tb.GLEU(target_language="zh").settings["tokenize"] == "zh"
    with pytest.raises(tb.OptionError, match="target_language='zh'"):
        tb.BLEU(tokenize="auto")


def test_chars_are_all_characters():
    assert tb.BLEU("nltk", tokenize="chars").tokens("a b\tß") == list("a b\tß")


def test_functions_have_names():
    named = tb.Tokenizer(str.split, name="ours v2")
    assert "tok:python[ours%20v2]|" in tb.BLEU(tokenize=named).signature
    again = tb.Tokenizer(str.split, name="ours v2")
    assert "python[ours%20v2]|" in tb.BLEU(tokenize=again).signature
    other = tb.Tokenizer(list, name="ours v2")
    assert "python[ours%20v2#2]|" in tb.BLEU(tokenize=other).signature
    assert tb.BLEU(tokenize=named).tokens("a b") == ["a", "b"]


def test_whispers_normalizers():
    try:
        bleu = tb.BLEU(normalize="whisper-english")
    except tb.MissingExtraError as error:
        pytest.skip(str(error))
    score = bleu.corpus(["He's twenty-one years old."], ["he is 21 years old"])
    assert score.value == pytest.approx(100)
    assert "normalize:whisper-english" in score.signature
    assert "whisper-normalizer-" in score.signature
    assert tb.parse_signature(bleu.signature) == bleu.dialect
    assert json.dumps(tb.BLEU(normalize="whisper-basic").dialect.normalize.normalize)
