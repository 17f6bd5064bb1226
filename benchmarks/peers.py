# SPDX-License-Identifier: Apache-2.0
"""The other tools, called as their users call them, and whether they agree with us."""

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from typing import Any

import bleuscore
import sacrebleu
from corpora import Corpus
from nltk.translate import bleu_score as nltk_bleu
from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from timing import Contender

from truebleu import BLEU, Score, corpus_bleu

#: Since 3.12 Python's `sum` loses less of the last bit, and so does sacreBLEU when it runs there.
SUMMATION = "naive" if sys.version_info < (3, 12) else "compensated"


def named(package: str, function: str = "") -> str:
    """A package with its version."""
    return f"{package} {version(package)}{function}"


def clear_caches() -> None:
    """Have sacreBLEU forget the lines it has tokenized, as a fresh process would.

    What it knows of single characters (tokenizer `zh`) it may keep.
    """
    classes: list[type] = [BaseTokenizer]
    for tokenizer in classes:
        classes += tokenizer.__subclasses__()
        getattr(tokenizer.__call__, "cache_clear", lambda: None)()


def ours(corpus: Corpus, repeat: int = 1) -> Contender:
    """The corpus score of TrueBLEU."""
    options = {"tokenize": corpus.tokenize, "summation": SUMMATION, "threads": 1}
    return Contender("corpus_bleu", lambda: corpus_bleu(corpus.hyps, corpus.refs, **options), repeat=repeat)


def sacrebleu_corpus(corpus: Corpus) -> Contender:
    """The corpus score of sacreBLEU."""
    hyps, references, tokenize = corpus.hyps, [corpus.refs], corpus.tokenize
    work = partial(sacrebleu.corpus_bleu, hyps, references, tokenize=tokenize)
    return Contender(named("sacrebleu"), work, clear_caches)


def equals_sacrebleu(score: Score, theirs: Any) -> bool:
    """Whether all integers and all floats are equal, to the last bit."""
    return (
        (score.matches, score.totals, score.hyp_len, score.ref_len)
        == (theirs.counts, theirs.totals, theirs.sys_len, theirs.ref_len)
    ) and ((score.value, score.bp, list(score.precisions)) == (theirs.score, theirs.bp, theirs.precisions))


def bleuscore_corpus(corpus: Corpus) -> Contender:
    """The corpus score of bleuscore; it knows the tokenizer 13a only."""
    references = [[ref] for ref in corpus.refs]
    work = partial(bleuscore.compute, references, corpus.hyps, ref_len_method="closest")
    return Contender(named("bleuscore"), work)


def equals_bleuscore(score: Score, theirs: Any) -> bool:
    """Whether lengths are equal and scores to 1e-9: bleuscore adds in another order."""
    return (score.hyp_len, score.ref_len) == (
        theirs["translation_length"],
        theirs["reference_length"],
    ) and math.isclose(score.value, 100 * theirs["bleu"], rel_tol=1e-9)


def nltk_corpus(corpus: Corpus) -> Contender:
    """The corpus score of NLTK, of words: it does not tokenize, so here it is spared that."""
    words = BLEU(tokenize=corpus.tokenize).tokens
    hyps = [words(hyp) for hyp in corpus.hyps]
    references = [[words(ref)] for ref in corpus.refs]
    work = partial(nltk_bleu.corpus_bleu, references, hyps)
    return Contender(named("nltk", ", words given"), work)


def equals_nltk(corpus: Corpus) -> Callable[[Any, float], bool]:
    """Whether our dialect for NLTK gives the same."""
    expected = BLEU("nltk", tokenize=corpus.tokenize).corpus(corpus.hyps, corpus.refs).value
    return lambda _, theirs: theirs == expected


def sacrebleu_sentences(corpus: Corpus) -> Iterator[Contender]:
    """Scores of single sentences by sacreBLEU: its function, and an object made once."""

    def by_function() -> list[float]:
        return [
            sacrebleu.sentence_bleu(hyp, [ref], tokenize=corpus.tokenize).score
            for hyp, ref in zip(corpus.hyps, corpus.refs, strict=True)
        ]

    def by_object() -> list[float]:
        metric = sacrebleu.BLEU(effective_order=True, tokenize=corpus.tokenize)
        return [metric.sentence_score(hyp, [ref]).score for hyp, ref in zip(corpus.hyps, corpus.refs, strict=True)]

    yield Contender(named("sacrebleu", " sentence_bleu"), by_function, clear_caches)
    yield Contender(named("sacrebleu", " sentence_score"), by_object, clear_caches)
