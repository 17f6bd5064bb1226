# SPDX-License-Identifier: Apache-2.0
"""A drop-in for the BLEU of pycocoevalcap 1.2, the metric of image captions.

>>> from truebleu.compat.pycocoevalcap.bleu.bleu import Bleu

Scores of the corpus and of single images are equal to the last bit. Captions are split at white
space: put them through the same tokenizer as before.
"""

from __future__ import annotations

from truebleu.compat.pycocoevalcap.bleu.bleu import Bleu
from truebleu.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer

__all__ = ["Bleu", "BleuScorer"]
