# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's TER. The kernel counts, unless a hook of the class is not the one written here."""

from __future__ import annotations

from operator import attrgetter

from truebleu.compat.sacrebleu import kernel
from truebleu.compat.sacrebleu.metrics.lib_ter import translation_edit_rate
from truebleu.compat.sacrebleu.metrics.on_kernel import CountedOnKernel
from truebleu.compat.sacrebleu.metrics.score import Score, Signature
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from truebleu.compat.sacrebleu.utils import sum_of_lists
from truebleu.metrics.metric_scores import LENGTH_UNITS
from truebleu.metrics.ter import TER as Kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = [
    "TER", "Score", "Signature", "TERScore", "TERSignature", "TercomTokenizer", "sum_of_lists",
    "translation_edit_rate",
]  # fmt: skip


class TERSignature(Signature):
    """How a TER score came about (sacreBLEU 2.6.0, `metrics.ter.TERSignature`).

    Args:
        args: attributes of the metric.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update({"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"})
        self.info.update(
            {
                "case": "mixed" if args["case_sensitive"] else "lc",
                "tok": args["tokenizer_signature"],
                "norm": args["normalized"],
                "punct": not args["no_punct"],
                "asian": args["asian_support"],
            }
        )


class TERScore(Score):
    """A TER score (sacreBLEU 2.6.0, `metrics.ter.TERScore`).

    Args:
        score: the number.
        num_edits: edits.
        ref_length: words of the references; of several, their mean.
    """

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(CountedOnKernel):
    """TER (sacreBLEU 2.6.0, `metrics.ter.TER`), after Tercom. Lower is better.

    Args:
        normalized: set signs apart and undo markup.
        no_punct: drop punctuation.
        asian_support: the two do the same for Asian signs; `normalized` sets characters apart.
        case_sensitive: do not lower-case.
        references: streams of references to keep for many systems.

    Example:
        >>> from truebleu.compat.sacrebleu.metrics import TER
        >>> ter = TER()
        >>> ter.corpus_score(["sat the cat"], [["the cat sat"]])
        TER = 33.33
        >>> ter.get_signature()
        nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0
    """

    _SIGNATURE_TYPE = TERSignature

    _PREPARED = ("tokenizer",)

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
        self.tokenizer = TercomTokenizer(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None and not self._keep(references):
            self._ref_cache = self._cache_references(references)

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
        # The text was tokenized before already: references twice, hypotheses once.
        return {"ref_words": [self._preprocess_segment(ref).split() for ref in refs]}

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> TERScore:
        """Score a corpus; see `Metric.corpus_score`."""
        if n_bootstrap <= 1:
            streams = self._kept() if references is None else references
            counted = self._counted(kernel.rows, hypotheses, streams)
            if counted is not None:
                rows, self.num_refs = counted
                return self._aggregate_and_compute(self._rows(rows))
        return super().corpus_score(hypotheses, references, n_bootstrap)  # type: ignore[no-any-return]

    def _rows(self, rows: list[list[int]]) -> list[list[float]]:
        return [[edits, length / LENGTH_UNITS] for edits, length in rows]

    @property
    def _lowers(self) -> bool:
        return not self.tokenizer._case_sensitive

    def _kernel(self) -> Kernel | None:
        """The kernel's metric with these settings, or None if it would not do the same."""
        tokenizer = self.tokenizer
        if (
            _hooks(self.__class__) != _HOOKS
            or not _HOOK_NAMES.isdisjoint(self.__dict__)
            or (translation_edit_rate, sum_of_lists) != _FUNCTIONS
            or type(tokenizer) is not TercomTokenizer
            or TercomTokenizer.__call__ is not _tokenize
        ):
            return None
        settings = (
            bool(tokenizer._normalized), bool(tokenizer._no_punct), bool(tokenizer._asian_support),
        )  # fmt: skip
        if settings not in _kernels:
            normalized, no_punct, asian_support = settings
            _kernels[settings] = Kernel(
                normalized=normalized,
                no_punct=no_punct,
                asian_support=asian_support,
                case_sensitive=True,
            )
        return _kernels[settings]


#: What a score depends on in the class. If one is another, the kernel is not asked.
_HOOK_NAMES = frozenset(
    {
        "_aggregate_and_compute",
        "_cache_references",
        "_check_corpus_score_args",
        "_check_sentence_score_args",
        "_compute_score_from_stats",
        "_compute_segment_statistics",
        "_extract_corpus_statistics",
        "_extract_reference_info",
        "_preprocess_segment",
    }
)
_hooks = attrgetter(*_HOOK_NAMES)
_HOOKS = _hooks(TER)
_FUNCTIONS = (translation_edit_rate, sum_of_lists)
_tokenize = TercomTokenizer.__call__

#: What was compiled, by settings.
_kernels: dict[tuple[bool, ...], Kernel] = {}
