# SPDX-License-Identifier: Apache-2.0
"""The modules of the drop-in under the names that they have in NLTK.

>>> from truebleu.compat.nltk.translate.bleu_score import sentence_bleu
"""

from __future__ import annotations

import sys

from truebleu.compat import nltk as bleu_score
from truebleu.compat.nltk import gleu_score, nist_score
from truebleu.compat.nltk import sentence_bleu as bleu

__all__ = ["bleu", "bleu_score", "gleu_score", "nist_score"]

# The same modules, so that a function that is replaced in one is replaced in the other.
sys.modules[f"{__name__}.bleu_score"] = bleu_score
sys.modules[f"{__name__}.gleu_score"] = gleu_score
sys.modules[f"{__name__}.nist_score"] = nist_score
