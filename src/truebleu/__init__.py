# SPDX-License-Identifier: Apache-2.0
"""TrueBLEU: every BLEU, exactly; at any scale, at once; and it can tell you why."""

from truebleu.dialects.decisions import Dialect
from truebleu.dialects.signature import parse_signature
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import (
    InputError,
    InternalError,
    MissingExtraError,
    OptionError,
    TrueBLEUError,
)
from truebleu.inputs.corpus import streams
from truebleu.inputs.ids import Ids
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.score import Parts, Score
from truebleu.metrics.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.analysis.check import Finding, check
    from truebleu.analysis.compare import Comparison, Pair, System, compare
    from truebleu.analysis.diff import Diff, diff
    from truebleu.analysis.diff.surveys import survey
    from truebleu.analysis.explain import (
        CorpusExplanation,
        Explanation,
        SegmentExplanation,
        explain,
    )
    from truebleu.analysis.reconcile import reconcile
    from truebleu.analysis.reconcile.matches import Match, Matches
    from truebleu.analysis.reconcile.verification import Verification, verify
    from truebleu.charts import plot
    from truebleu.charts.figure import Figure
    from truebleu.inputs.alignment import Batch
    from truebleu.metrics.accumulation import Accumulator
    from truebleu.metrics.bleu import corpus_bleu, sentence_bleu
    from truebleu.metrics.chrf import CHRF
    from truebleu.metrics.pairs import MBR, mbr, pairwise
    from truebleu.metrics.scan import Scan, scan
    from truebleu.metrics.self_bleu import SelfBLEU, self_bleu
    from truebleu.metrics.ter import TER
    from truebleu.report import write_report
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
        "truebleu.metrics.accumulation": ("Accumulator",),
        "truebleu.metrics.chrf": ("CHRF",),
        "truebleu.analysis.diff": ("Diff", "diff"),
        "truebleu.analysis.diff.surveys": ("survey",),
        "truebleu.metrics.self_bleu": ("SelfBLEU", "self_bleu"),
        "truebleu.analysis.explain": (
            "CorpusExplanation", "Explanation", "SegmentExplanation", "explain",
        ),
        "truebleu.charts.figure": ("Figure",),
        "truebleu.charts": ("plot",),
        "truebleu.analysis.check": ("Finding", "check"),
        "truebleu.metrics.pairs": ("MBR", "mbr", "pairwise"),
        "truebleu.metrics.bleu": ("corpus_bleu", "sentence_bleu"),
        "truebleu.analysis.reconcile": ("reconcile",),
        "truebleu.analysis.reconcile.matches": ("Match", "Matches"),
        "truebleu.analysis.reconcile.verification": ("Verification", "verify"),
        "truebleu.report": ("write_report",),
        "truebleu.analysis.compare": ("Comparison", "Pair", "System", "compare"),
        "truebleu.metrics.scan": ("Scan", "scan"),
        "truebleu.inputs.alignment": ("Batch",),
        "truebleu.metrics.ter": ("TER",),
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
