# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's TER, counted by the kernel where `metrics.kernel` says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truebleu.compat.sacrebleu.metrics.base import Score, Signature
from truebleu.compat.sacrebleu.metrics.kernel import KernelMetric
from truebleu.compat.sacrebleu.metrics.lib_ter import translation_edit_rate
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from truebleu.compat.sacrebleu.utils import sum_of_lists
from truebleu.metrics.ter import LENGTH_UNITS
from truebleu.metrics.ter import TER as Kernel

__all__ = [
    "TER", "Score", "Signature", "TERScore", "TERSignature", "TercomTokenizer", "sum_of_lists",
    "translation_edit_rate",
]  # fmt: skip


class TERSignature(Signature):
    """The settings of a TER score (sacreBLEU 2.6.0, `metrics.ter.TERSignature`).

    Args:
        args: the attributes of the metric.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update({"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"})
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """A TER score (sacreBLEU 2.6.0, `metrics.ter.TERScore`).

    Args:
        score: the number.
        num_edits: edits.
        ref_length: words of the references; with several, their mean.
    """

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(KernelMetric):
    """TER (sacreBLEU 2.6.0, `metrics.ter.TER`), after Tercom. Lower is better.

    Args:
        normalized: split off punctuation and replace entities.
        no_punct: remove punctuation.
        asian_support: apply both options to Asian text as well, and split its characters.
        case_sensitive: do not lowercase.
        references: streams of references to cache for several systems.

    Example:
        >>> from truebleu.compat.sacrebleu.metrics import TER
        >>> ter = TER()
        >>> ter.corpus_score(["sat the cat"], [["the cat sat"]])
        TER = 33.33
        >>> ter.get_signature()
        nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0
    """

    _SIGNATURE_TYPE = TERSignature

    _REFERENCE_SETTINGS = ("tokenizer",)

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        self._keep_references(references)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _compute_score_from_stats(self, stats: list[float]) -> TERScore:
        edits, length = stats[0], stats[1]
        nothing = 1.0 if edits > 0 else 0.0
        score = edits / length if length > 0 else nothing
        return TERScore(100 * score, edits, length)

    def _aggregate_and_compute(self, stats: list[list[float]]) -> TERScore:
        return self._compute_score_from_stats(sum_of_lists(stats))

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: dict[str, Any]
    ) -> list[float]:
        words = hypothesis.split()
        references = ref_kwargs["ref_words"]
        counted = [translation_edit_rate(words, reference) for reference in references]
        fewest = min([int(1e16), *(edits for edits, _ in counted)])
        return [fewest, sum(length for _, length in counted) / len(references)]

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        # As in sacreBLEU, references are tokenized twice, hypotheses once.
        return {"ref_words": [self._preprocess_segment(ref).split() for ref in refs]}

    def _lowers(self) -> bool:
        return not self.tokenizer._case_sensitive

    def _row(self, row: list[int]) -> list[float]:
        return [row[0], row[1] / LENGTH_UNITS]

    def _kernel_total(self, hyps: Any, streams: Any) -> list[float] | None:
        # Means of reference lengths are summed as floats, in the order of the segments.
        rows = self._kernel_rows(hyps, streams)
        return None if rows is None else sum_of_lists(rows)

    def _kernel(self) -> Kernel | None:
        if type(self) is not TER or type(self.tokenizer) is not TercomTokenizer:
            return None
        return None if self._is_patched() else self.tokenizer._kernel()
