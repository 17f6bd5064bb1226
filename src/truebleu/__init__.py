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
    "CHRF",
    "DIALECTS",
    "TER",
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

#: Names whose modules are imported when they are first asked for, because scoring needs none of
#: them. A module is not called as its function: importing it would put it in the function's place.
_LATER: dict[str, str] = {
    "CHRF": "truebleu.chrf",
    "TER": "truebleu.ter",
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.chrf import CHRF
    from truebleu.ter import TER


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
