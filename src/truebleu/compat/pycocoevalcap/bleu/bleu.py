# SPDX-License-Identifier: Apache-2.0
"""The metric `Bleu`, with the interface of all metrics of pycocoevalcap."""

# ruff: noqa: S101  (`python -O` skips the assertions of pycocoevalcap, too)

from __future__ import annotations

from typing import Any

from truebleu.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer


class Bleu:
    """BLEU-1 to BLEU-n of captions.

    Args:
        n: the highest n-gram order (in the original at most 4).

    Example:
        >>> from truebleu.compat.pycocoevalcap import Bleu
        >>> gts = {7: ["a man rides a wave", "a man is surfing"], 9: ["two dogs in the snow"]}
        >>> res = {7: ["a man rides a big wave"], 9: ["two dogs play in snow"]}
        >>> scores, of_images = Bleu(4).compute_score(gts, res, verbose=0)
        >>> [round(score, 3) for score in scores], [round(score, 3) for score in of_images[0]]
        ([0.818, 0.603, 0.47, 0.38], [0.833, 0.8])
    """

    def __init__(self, n: int = 4) -> None:
        self._n = n
        self._hypo_for_image: dict[Any, Any] = {}
        self.ref_for_image: dict[Any, Any] = {}

    def compute_score(self, gts: Any, res: Any, verbose: int = 1) -> tuple[list[float], list[list[float]]]:
        """Score the captions of images.

        Args:
            gts: the references of each image, a list of strings by the image's id.
            res: the caption of each image, a list of one string by the same id.
            verbose: 1 prints the counts and the ratio of lengths, 2 also those of each image.

        Returns:
            The scores of the corpus for orders 1 to n, and for each order those of the images, in
            the order of `gts`; from 0 to 1.

        Raises:
            AssertionError: the ids differ, or an image does not have one caption and references.
            InputError: a caption is not a string.
        """
        assert gts.keys() == res.keys()
        scorer = BleuScorer(n=self._n)
        for image, refs in gts.items():
            hypo = res[image]
            assert type(hypo) is list
            assert len(hypo) == 1
            assert type(refs) is list
            assert len(refs) >= 1
            scorer.ctest.append(hypo[0])
        scorer.crefs = [*gts.values()]
        result: tuple[list[float], list[list[float]]]
        result = scorer.compute_score(option="closest", verbose=verbose)
        return result

    def method(self) -> str:
        """The name of the metric."""
        return "Bleu"
