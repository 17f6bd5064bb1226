# SPDX-License-Identifier: Apache-2.0
"""Every BLEU: exact, fast at any scale, and explained."""

from truebleu.dialects.decisions import Dialect
from truebleu.dialects.signature import parse_signature
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import (
    InputError,
    InternalError,
    MissingExtraError,
    OptionError,
    TrueBLEUError,
)  # fmt: skip
from truebleu.inputs.corpus import streams
from truebleu.inputs.ids import Ids
from truebleu.metrics.bleu import BLEU, corpus_bleu, sentence_bleu
from truebleu.metrics.metric import Metric
from truebleu.metrics.score import MetricScore, Parts, Score
from truebleu.metrics.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.analysis.agreement import HumanAgreement, difference_for, human_agreement
    from truebleu.analysis.check import Finding, Repaired, check, repair
    from truebleu.analysis.compare import Comparison, Pair, System, Trial, compare
    from truebleu.analysis.contrast import contrast
    from truebleu.analysis.contrast.result import Contrast
    from truebleu.analysis.diff import Diff, diff
    from truebleu.analysis.diff.surveys import survey
    from truebleu.analysis.explain import (
        CorpusExplanation,
        Explanation,
        SegmentExplanation,
        explain,
    )
    from truebleu.analysis.identify import identify
    from truebleu.analysis.identify.result import Difference, Identification
    from truebleu.analysis.reconcile import reconcile
    from truebleu.analysis.reconcile.matches import Match, Matches
    from truebleu.analysis.reconcile.verification import Verification, verify
    from truebleu.campaigns.curves import Curve, learning_curve
    from truebleu.campaigns.results import Campaign
    from truebleu.campaigns.scoring import campaign
    from truebleu.campaigns.sets import TestSet
    from truebleu.charts import plot
    from truebleu.charts.figure import Figure
    from truebleu.compat.accelerate import Acceleration, accelerate
    from truebleu.inputs.alignment import Batch
    from truebleu.metrics.accumulation import Accumulator
    from truebleu.metrics.chrf import CHRF, CHRFScore
    from truebleu.metrics.codebleu import CodeBLEU, CodeBLEUScore
    from truebleu.metrics.crystalbleu import CrystalBLEU, CrystalBLEUScore, trivial_ngrams
    from truebleu.metrics.gleu import GLEU, GLEUScore
    from truebleu.metrics.nist import NIST, NISTScore
    from truebleu.metrics.pairs import MBR, mbr, pairwise
    from truebleu.metrics.runs import Run, load_run, save_run
    from truebleu.metrics.scan import Scan, scan
    from truebleu.metrics.self_bleu import SelfBLEU, self_bleu
    from truebleu.metrics.ter import TER, TERScore
    from truebleu.metrics.text_files import read_lines
    from truebleu.metrics.tokenizers import Tokenizer
    from truebleu.playground import write_playground
    from truebleu.report import write_report
    from truebleu.report.campaign import write_campaign
    from truebleu.text.normalizations import Normalization
    from truebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "DIALECTS",
    "GLEU",
    "MBR",
    "NIST",
    "TER",
    "Acceleration",
    "Accumulator",
    "Batch",
    "CHRFScore",
    "Campaign",
    "CodeBLEU",
    "CodeBLEUScore",
    "Comparison",
    "Contrast",
    "CorpusExplanation",
    "CrystalBLEU",
    "CrystalBLEUScore",
    "Curve",
    "Dialect",
    "Diff",
    "Difference",
    "Explanation",
    "Figure",
    "Finding",
    "GLEUScore",
    "HumanAgreement",
    "Identification",
    "Ids",
    "InputError",
    "InternalError",
    "Match",
    "Matches",
    "Metric",
    "MetricScore",
    "MissingExtraError",
    "NISTScore",
    "Normalization",
    "OptionError",
    "Pair",
    "Parts",
    "Repaired",
    "Run",
    "Scan",
    "Score",
    "SegmentExplanation",
    "SelfBLEU",
    "Stats",
    "System",
    "TERScore",
    "TestSet",
    "Tokenizer",
    "Trial",
    "TrueBLEUError",
    "Verification",
    "__version__",
    "accelerate",
    "campaign",
    "check",
    "compare",
    "contrast",
    "corpus_bleu",
    "dialect",
    "diff",
    "difference_for",
    "explain",
    "human_agreement",
    "identify",
    "learning_curve",
    "load_run",
    "mbr",
    "pairwise",
    "parse_signature",
    "plot",
    "read_lines",
    "reconcile",
    "repair",
    "save_run",
    "scan",
    "self_bleu",
    "sentence_bleu",
    "streams",
    "survey",
    "trivial_ngrams",
    "verify",
    "write_campaign",
    "write_playground",
    "write_report",
]

#: Names by module, imported on first use, because scoring does not need them. No module has the
#: name of its function: importing it would replace the function.
_LAZY = {
    "analysis.agreement": "HumanAgreement difference_for human_agreement",
    "analysis.check": "Finding Repaired check repair",
    "analysis.compare": "Comparison Pair System Trial compare",
    "analysis.contrast": "contrast",
    "analysis.contrast.result": "Contrast",
    "analysis.diff": "Diff diff",
    "analysis.diff.surveys": "survey",
    "analysis.explain": "CorpusExplanation Explanation SegmentExplanation explain",
    "analysis.identify": "identify",
    "analysis.identify.result": "Difference Identification",
    "analysis.reconcile": "reconcile",
    "analysis.reconcile.matches": "Match Matches",
    "analysis.reconcile.verification": "Verification verify",
    "campaigns.curves": "Curve learning_curve",
    "campaigns.results": "Campaign",
    "campaigns.scoring": "campaign",
    "campaigns.sets": "TestSet",
    "charts": "plot",
    "charts.figure": "Figure",
    "compat.accelerate": "Acceleration accelerate",
    "inputs.alignment": "Batch",
    "metrics.accumulation": "Accumulator",
    "metrics.chrf": "CHRF CHRFScore",
    "metrics.codebleu": "CodeBLEU CodeBLEUScore",
    "metrics.crystalbleu": "CrystalBLEU CrystalBLEUScore trivial_ngrams",
    "metrics.gleu": "GLEU GLEUScore",
    "metrics.nist": "NIST NISTScore",
    "metrics.pairs": "MBR mbr pairwise",
    "metrics.runs": "Run load_run save_run",
    "metrics.scan": "Scan scan",
    "metrics.self_bleu": "SelfBLEU self_bleu",
    "metrics.ter": "TER TERScore",
    "metrics.tokenizers": "Tokenizer",
    "metrics.text_files": "read_lines",
    "playground": "write_playground",
    "report": "write_report",
    "report.campaign": "write_campaign",
    "text.normalizations": "Normalization",
    "version": "__version__",
}


if not TYPE_CHECKING:  # else no name would be wrong to a type checker

    def __getattr__(name: str) -> object:
        for module, names in _LAZY.items():
            if name in names.split():
                from importlib import import_module

                value = getattr(import_module(f"truebleu.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
