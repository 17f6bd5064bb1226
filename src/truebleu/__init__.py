# SPDX-License-Identifier: Apache-2.0
"""Every BLEU: exact, fast at any scale, and explained."""

#: All names by module, imported on first use; `make docs` writes them to `__init__.pyi` for type
#: checkers and editors. No module has the name of its function: importing it would replace the
#: function.
_NAMES = {
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
    "dialects.decisions": "Dialect",
    "dialects.signature": "parse_signature",
    "dialects.tools": "DIALECTS dialect",
    "errors": "InputError InternalError MissingExtraError OptionError TrueBLEUError",
    "inputs.alignment": "Batch",
    "inputs.corpus": "streams",
    "inputs.ids": "Ids",
    "metrics.accumulation": "Accumulator",
    "metrics.bleu": "BLEU corpus_bleu sentence_bleu",
    "metrics.chrf": "CHRF CHRFScore",
    "metrics.codebleu": "CodeBLEU CodeBLEUScore",
    "metrics.crystalbleu": "CrystalBLEU CrystalBLEUScore trivial_ngrams",
    "metrics.gleu": "GLEU GLEUScore",
    "metrics.metric": "Metric",
    "metrics.nist": "NIST NISTScore",
    "metrics.pairs": "MBR mbr pairwise",
    "metrics.runs": "Run load_run save_run",
    "metrics.scan": "Scan read_lines scan",
    "metrics.score": "MetricScore Parts Score",
    "metrics.self_bleu": "SelfBLEU self_bleu",
    "metrics.stats": "Stats",
    "metrics.ter": "TER TERScore",
    "metrics.tokenizers": "Tokenizer",
    "playground": "write_playground",
    "report": "write_report",
    "report.campaign": "write_campaign",
    "text.normalizations": "Normalization",
    "version": "__version__",
}
__all__ = sorted(name for names in _NAMES.values() for name in names.split())  # noqa: PLE0605


def __getattr__(name: str) -> object:
    for module, names in _NAMES.items():
        if name in names.split():
            # Importing `importlib` takes 0.4 ms.
            value = getattr(__import__(f"truebleu.{module}", fromlist=[name]), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
