# SPDX-License-Identifier: Apache-2.0
"""The drop-in for pycocoevalcap against the original: captions of images with five references."""

from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from corpora import english
from results import Row, race
from timing import Contender

from truebleu.compat import pycocoevalcap as dropin

#: Words of a caption, and references of an image.
_WORDS, _REFERENCES = 11, 5


def captions(*, quick: bool) -> Iterator[Row]:
    """`Bleu.compute_score` of a test set, and of a batch in training."""
    if find_spec("pycocoevalcap") is None:
        return
    from pycocoevalcap.bleu import bleu as original

    corpus = english().repeated(5_000 + _REFERENCES)
    hyps, refs = ([" ".join(line.split()[:_WORDS]) for line in column]
                  for column in (corpus.hyps, corpus.refs))  # fmt: skip
    for count in (500 if quick else 5_000, 50):
        images = range(count)
        gts = {i: refs[i : i + _REFERENCES] for i in images}
        res = {i: [hyps[i]] for i in images}

        def score(module: Any, gts: Any = gts, res: Any = res) -> Any:
            return module.Bleu(4).compute_score(gts, res, verbose=0)

        ours = Contender("compute_score", lambda score=score: score(dropin), repeat=5)
        peer = Contender(f"pycocoevalcap {version('pycocoevalcap')}",
                         lambda score=score: score(original))  # fmt: skip
        rounds = 3 if quick else 9 if count > 50 else 99
        yield race("captions", corpus.name, count, ours, peer, rounds)
