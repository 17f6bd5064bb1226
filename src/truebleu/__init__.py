# SPDX-License-Identifier: Apache-2.0
"""TrueBLEU: every BLEU, exactly; at any scale, at once; and it can tell you why."""

from truebleu.corpus import streams
from truebleu.dialect import Dialect
from truebleu.dialects import DIALECTS, dialect
from truebleu.errors import (
    InputError,
    InternalError,
    MissingExtraError,
    OptionError,
    TrueBLEUError,
)
from truebleu.ids import Ids
from truebleu.metric import BLEU
from truebleu.score import Parts, Score
from truebleu.signature import parse_signature
from truebleu.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.accumulation import Accumulator
    from truebleu.chrf import CHRF
    from truebleu.difference import Diff, diff
    from truebleu.difference.surveys import survey
    from truebleu.diversity import SelfBLEU, self_bleu
    from truebleu.explanation import CorpusExplanation, Explanation, SegmentExplanation, explain
    from truebleu.figure import Figure
    from truebleu.figures import plot
    from truebleu.findings import Finding, check
    from truebleu.pairs import MBR, mbr, pairwise
    from truebleu.recent import corpus_bleu, sentence_bleu
    from truebleu.reconciliation import reconcile
    from truebleu.reconciliation.matches import Match, Matches
    from truebleu.reconciliation.verification import Verification, verify
    from truebleu.report import write_report
    from truebleu.significance import compare
    from truebleu.significance.comparison import Comparison, Pair, System
    from truebleu.streaming import Scan, scan
    from truebleu.streaming.scanning import Batch
    from truebleu.ter import TER
    from truebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "DIALECTS",
    "MBR",
    "TER",
    "Accumulator",
    "Batch",
    "Comparison",
    "CorpusExplanation",
    "Dialect",
    "Diff",
    "Explanation",
    "Figure",
    "Finding",
    "Ids",
    "InputError",
    "InternalError",
    "Match",
    "Matches",
    "MissingExtraError",
    "OptionError",
    "Pair",
    "Parts",
    "Scan",
    "Score",
    "SegmentExplanation",
    "SelfBLEU",
    "Stats",
    "System",
    "TrueBLEUError",
    "Verification",
    "__version__",
    "check",
    "compare",
    "corpus_bleu",
    "dialect",
    "diff",
    "explain",
    "mbr",
    "pairwise",
    "parse_signature",
    "plot",
    "reconcile",
    "scan",
    "self_bleu",
    "sentence_bleu",
    "streams",
    "survey",
    "verify",
    "write_report",
]

#: Names whose modules are imported when they are first asked for, because scoring needs none of
#: them. A module is not called as its function: importing it would put it in the function's place.
_LATER = {
    name: module
    for module, names in {
        "truebleu.accumulation": ("Accumulator",),
        "truebleu.chrf": ("CHRF",),
        "truebleu.difference": ("Diff", "diff"),
        "truebleu.difference.surveys": ("survey",),
        "truebleu.diversity": ("SelfBLEU", "self_bleu"),
        "truebleu.explanation": (
            "CorpusExplanation", "Explanation", "SegmentExplanation", "explain",
        ),
        "truebleu.figure": ("Figure",),
        "truebleu.figures": ("plot",),
        "truebleu.findings": ("Finding", "check"),
        "truebleu.pairs": ("MBR", "mbr", "pairwise"),
        "truebleu.recent": ("corpus_bleu", "sentence_bleu"),
        "truebleu.reconciliation": ("reconcile",),
        "truebleu.reconciliation.matches": ("Match", "Matches"),
        "truebleu.reconciliation.verification": ("Verification", "verify"),
        "truebleu.report": ("write_report",),
        "truebleu.significance": ("compare",),
        "truebleu.significance.comparison": ("Comparison", "Pair", "System"),
        "truebleu.streaming": ("Scan", "scan"),
        "truebleu.streaming.scanning": ("Batch",),
        "truebleu.ter": ("TER",),
        "truebleu.version": ("__version__",),
    }.items()
    for name in names
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
