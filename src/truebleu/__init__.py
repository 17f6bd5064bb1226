# SPDX-License-Identifier: Apache-2.0
"""TrueBLEU: every BLEU, exactly; at any scale, at once; and it can tell you why."""

from truebleu.corpus import streams
from truebleu.dialect import Dialect
from truebleu.dialects import DIALECTS, dialect
from truebleu.errors import InputError, MissingExtraError, OptionError, TrueBLEUError
from truebleu.metric import BLEU, Accumulator, corpus_bleu, sentence_bleu
from truebleu.score import Score
from truebleu.signature import parse_signature
from truebleu.stats import Stats
from truebleu.version import VERSION as __version__

__all__ = [
    "BLEU",
    "DIALECTS",
    "Accumulator",
    "Dialect",
    "InputError",
    "MissingExtraError",
    "OptionError",
    "Score",
    "Stats",
    "TrueBLEUError",
    "__version__",
    "corpus_bleu",
    "dialect",
    "parse_signature",
    "sentence_bleu",
    "streams",
]
