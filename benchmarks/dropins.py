# SPDX-License-Identifier: Apache-2.0
"""The drop-ins for NLTK and pycocoevalcap against the originals: the same calls."""

import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import nltk.translate
from corpora import Corpus, english, wmt
from nltk.tokenize import word_tokenize
from nltk.translate import bleu_score as original
from peers import named
from results import Row, race
from timing import Contender

from truebleu import BLEU
from truebleu.compat import nltk as dropin
from truebleu.compat import pycocoevalcap

References = list[list[list[Any]]]
Hypotheses = list[list[Any]]

PACKAGES = dropin, nltk.translate
#: Words of a caption, and references of an image.
_WORDS, _REFERENCES = 11, 5


def nltk_dropin(*, quick: bool) -> Iterator[Row]:
    """Calls of `nltk.translate.bleu_score` with the import changed; tokens are given."""
    segments, sentences = (500, 50) if quick else (2_000, 300)
    rounds = 3 if quick else 9
    corpus = english().head(segments)
    hyps = [line.split() for line in corpus.hyps]
    refs = [[line.split()] for line in corpus.refs]
    ids: dict[str, int] = {}
    hyp_ids = [[ids.setdefault(word, len(ids)) for word in hyp] for hyp in hyps]
    ref_ids = [[[ids.setdefault(word, len(ids)) for word in ref] for ref in row] for row in refs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both warn of segments without a 4-gram in common
        yield corpora("words", (dropin, original), refs, hyps, rounds)
        yield corpora("ids", (dropin, original), ref_ids, hyp_ids, rounds)
        for name in ("gleu_score", "nist_score"):
            own, peer = (import_module(f"{module.__name__}.{name}") for module in PACKAGES)
            yield corpora("words", (own, peer), refs, hyps, rounds)
        for method in (None, "method1", "method2", "method3", "method4", "method5", "method7"):
            yield one_at_a_time(method, refs[:sentences], hyps[:sentences], rounds)
        for corpus in filter(None, (english(), wmt("de"))):
            yield of_text(corpus.head(segments), rounds)


def of_text(corpus: Corpus, rounds: int) -> Row:
    """A score of text, against NLTK's tokenizer alone, without the score."""
    bleu = BLEU("nltk", tokenize="nltk-line", threads=1)

    def words() -> tuple[References, Hypotheses]:
        hyps, refs = (
            [word_tokenize(line, preserve_line=True) for line in lines] for lines in (corpus.hyps, corpus.refs)
        )
        return [[ref] for ref in refs], hyps

    contenders = [
        Contender("nltk-line", lambda: bleu.corpus(corpus.hyps, corpus.refs).value, repeat=5),
        Contender(named("nltk", " word_tokenize"), words),
    ]
    return race(
        "nltk",
        corpus.name,
        len(corpus),
        *contenders,
        rounds,
        lambda score, words: score == original.corpus_bleu(*words),
    )


def corpora(kind: str, modules: tuple[Any, Any], refs: References, hyps: Hypotheses, rounds: int) -> Row:
    """One call of all segments: `corpus_bleu`, `corpus_gleu` or `corpus_nist`."""
    name = modules[1].__name__.rpartition(".")[2].replace("_score", "")
    own, peer = (getattr(module, f"corpus_{name}") for module in modules)
    contenders = [
        Contender(f"corpus_{name}", lambda: own(refs, hyps), repeat=5),
        Contender(named("nltk", f" corpus_{name}"), lambda: peer(refs, hyps)),
    ]
    return _row(f"{english().name}, {kind}", len(hyps), contenders, rounds)


def one_at_a_time(method: str | None, refs: References, hyps: Hypotheses, rounds: int) -> Row:
    """A `sentence_bleu` of each segment, in a loop."""

    def scores(module: Any) -> list[Any]:
        smooth = method and getattr(module.SmoothingFunction(), method)
        return [module.sentence_bleu(ref, hyp, smoothing_function=smooth) for ref, hyp in zip(refs, hyps, strict=True)]

    contenders = [
        Contender("sentence_bleu", lambda: scores(dropin), repeat=5),
        Contender(named("nltk", " sentence_bleu"), lambda: scores(original)),
    ]
    return _row(f"{english().name}, {method or 'default'}", len(hyps), contenders, rounds)


def _row(corpus: str, segments: int, contenders: Sequence[Contender], rounds: int) -> Row:
    return race("nltk", corpus, segments, *contenders, rounds, lambda a, b: repr(a) == repr(b))


def captions(*, quick: bool) -> Iterator[Row]:
    """`Bleu.compute_score` of a test set, and of a batch in training."""
    if find_spec("pycocoevalcap") is None:
        return
    from pycocoevalcap.bleu import bleu as original

    corpus = english().repeated(5_000 + _REFERENCES)
    hyps, refs = ([" ".join(line.split()[:_WORDS]) for line in column] for column in (corpus.hyps, corpus.refs))
    for count in (500 if quick else 5_000, 50):
        images = range(count)
        gts = {i: refs[i : i + _REFERENCES] for i in images}
        res = {i: [hyps[i]] for i in images}
        ours = Contender("compute_score", partial(_scores, pycocoevalcap, gts, res), repeat=5)
        peer = Contender(named("pycocoevalcap"), partial(_scores, original, gts, res))
        rounds = 3 if quick else 9 if count > 50 else 99
        yield race("captions", corpus.name, count, ours, peer, rounds)


def _scores(module: Any, gts: Any, res: Any) -> Any:
    return module.Bleu(4).compute_score(gts, res, verbose=0)
