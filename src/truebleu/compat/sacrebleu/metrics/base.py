# SPDX-License-Identifier: Apache-2.0
"""What metrics derive from: the order in which sacreBLEU calls its hooks, in plain Python.

Scores do not come this way unless a hook is overridden or replaced; see `metrics.bleu`.
"""

from __future__ import annotations

import logging
from abc import ABCMeta, abstractmethod
from collections.abc import Sequence

from truebleu.compat.sacrebleu.metrics.score import Score, Signature
from truebleu.compat.sacrebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Metric", "Score", "Signature", "__version__", "sacrelogger"]

sacrelogger = logging.getLogger("sacrebleu")


class Watched(ABCMeta):
    """Counts what is set or deleted on a class, so that hooks are not compared for each sentence.

    Attributes of objects are not counted, nor are those of classes of another kind.
    """

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        changes[0] += 1

    def __delattr__(cls, name: str) -> None:
        super().__delattr__(name)
        changes[0] += 1


#: How often a class has been changed.
changes = [0]


class Metric(metaclass=Watched):
    """A metric of segments and their references (sacreBLEU 2.6.0, `metrics.base.Metric`).

    A subclass says what is done to a segment, what is counted, and what the counts make.
    References come as streams: `references[i][j]` is the i-th reference of segment j.
    """

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int

    def __init__(self) -> None:
        self._ref_cache: Any = None
        # True: say nothing about periods that look tokenized
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    def _check_sentence_score_args(self, hyp: str, refs: Sequence[str]) -> None:
        message = None
        if not isinstance(hyp, str):
            message = "The argument `hyp` should be a string."
        elif isinstance(refs, str) or not isinstance(refs, Sequence):
            message = "The argument `refs` should be a sequence of strings."
        elif not isinstance(refs[0], str) and refs[0] is not None:
            message = "Each element of `refs` should be a string."
        self._refuse(message)

    def _check_corpus_score_args(
        self, hyps: Sequence[str], refs: Sequence[Sequence[str]] | None
    ) -> None:
        message = None
        if not isinstance(hyps, Sequence):
            message = "`hyps` should be a sequence of strings."
        elif not isinstance(hyps[0], str):
            message = "Each element of `hyps` should be a string."
        elif any(line is None for line in hyps):
            message = "Undefined line in hypotheses stream!"
        # A fault of the references is the one that is told.
        if refs is not None:
            if not isinstance(refs, Sequence):
                message = "`refs` should be a sequence of sequence of strings."
            elif not isinstance(refs[0], Sequence):
                message = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                message = "`refs` should be a sequence of sequence of strings."
        self._refuse(message)

    def _refuse(self, message: str | None) -> None:
        if message:
            raise TypeError(f"{self.__class__.__name__}: {message}")

    @abstractmethod
    def _aggregate_and_compute(self, stats: list[list[Any]]) -> Any:
        """The score of the sum of rows."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: list[Any]) -> Any:
        """The score of one row: a list or a NumPy array."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """What is done to a segment before counting."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """What is counted of the references of a segment."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """The row of a segment, from its hypothesis and what is known of its references."""

    def _cache_references(self, references: Sequence[Sequence[str]]) -> list[Any]:
        """What is counted of the references of every segment; also sets `num_refs`."""
        infos = []
        counts = set()
        for refs in zip(*references):  # noqa: B905  # the shortest stream ends it, as in sacreBLEU
            lines = [ref for ref in refs if ref is not None]
            counts.add(len(lines))
            infos.append(
                self._extract_reference_info([self._preprocess_segment(line) for line in lines])
            )
        self.num_refs = counts.pop() if len(counts) == 1 else -1
        return infos

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> Any:
        """The row of every segment; cached references are used if none are given."""
        if references:
            infos = self._cache_references(references)
        elif self._ref_cache:
            infos = self._ref_cache
        else:
            raise RuntimeError("No references provided and the cache is empty.")
        rows = []
        periods = 0
        for hyp, info in zip(hypotheses, infos):  # noqa: B905  # as above
            if not self._force and hyp.endswith(" ."):
                periods += 1
            rows.append(self._compute_segment_statistics(self._preprocess_segment(hyp), info))
        _warn_of_periods(periods)
        return rows

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Score one segment.

        Args:
            hypothesis: a string.
            references: strings; `None` stands for an absent one.

        Raises:
            TypeError: they are something else.
        """
        self._check_sentence_score_args(hypothesis, references)
        rows = self._extract_corpus_statistics([hypothesis], [[ref] for ref in references])
        return self._aggregate_and_compute(rows)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """Score a corpus.

        Args:
            hypotheses: n strings.
            references: streams of n strings; None to use the cached ones.
            n_bootstrap: if over 1, resamples to estimate a confidence interval from.

        Raises:
            TypeError: they are something else.
            RuntimeError: there are no references, and none are cached.
        """
        self._check_corpus_score_args(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            # NumPy is imported for this only.
            from truebleu.compat.sacrebleu import significance

            self.n_bootstrap = n_bootstrap
            found = significance._bootstrap_values(rows, self, n_bootstrap)
            if found is None:
                self.seed, resampled = significance._bootstrap_resample(rows, self, n_bootstrap)
            else:
                self.seed, values = found
                resampled = [Score(score.name, value) for value in values]
            score.estimate_ci(resampled)
        return score

    def get_signature(self) -> Signature:
        """How scores come about; known once something was scored."""
        return self._SIGNATURE_TYPE(self.__dict__)


def _warn_of_periods(lines: int) -> None:
    """Say what sacreBLEU says if many hypotheses end in a period that stands by itself."""
    if lines < 100:
        return
    sacrelogger.warning("That's 100 lines that end in a tokenized period ('.')")
    sacrelogger.warning(
        "It looks like you forgot to detokenize your test data, which may hurt your score."
    )
    sacrelogger.warning(
        "If you insist your data is detokenized, or don't care, "
        "you can suppress this message with the `force` parameter."
    )
