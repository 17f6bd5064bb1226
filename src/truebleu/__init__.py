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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.difference import Diff, diff
    from truebleu.diversity import SelfBLEU, self_bleu
    from truebleu.explanation import CorpusExplanation, Explanation, SegmentExplanation, explain
    from truebleu.pairs import MBR, mbr, pairwise
    from truebleu.surveys import survey

__all__ = [
    "BLEU",
    "DIALECTS",
    "MBR",
    "Accumulator",
    "CorpusExplanation",
    "Dialect",
    "Diff",
    "Explanation",
    "InputError",
    "MissingExtraError",
    "OptionError",
    "Score",
    "SegmentExplanation",
    "SelfBLEU",
    "Stats",
    "TrueBLEUError",
    "__version__",
    "corpus_bleu",
    "dialect",
    "diff",
    "explain",
    "mbr",
    "pairwise",
    "parse_signature",
    "self_bleu",
    "sentence_bleu",
    "streams",
    "survey",
]

#: Names whose modules are imported when they are first asked for, because scoring needs none of
#: them. A module is not called as its function: importing it would put it in the function's place.
_LATER: dict[str, str] = {
    "MBR": "truebleu.pairs",
    "CorpusExplanation": "truebleu.explanation",
    "Diff": "truebleu.difference",
    "Explanation": "truebleu.explanation",
    "SegmentExplanation": "truebleu.explanation",
    "SelfBLEU": "truebleu.diversity",
    "diff": "truebleu.difference",
    "explain": "truebleu.explanation",
    "mbr": "truebleu.pairs",
    "pairwise": "truebleu.pairs",
    "self_bleu": "truebleu.diversity",
    "survey": "truebleu.surveys",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
