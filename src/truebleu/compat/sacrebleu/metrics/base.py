# SPDX-License-Identifier: Apache-2.0
"""The base classes of sacreBLEU's metrics, scores and signatures, with its hooks in Python.

Scores usually come from the kernel; `metrics.kernel` says when the hooks are called instead.
"""

from __future__ import annotations

import json
import logging
from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from typing import Any

from truebleu.compat.sacrebleu.version import __version__

__all__ = ["Metric", "Score", "Signature", "__version__", "sacrelogger"]

sacrelogger = logging.getLogger("sacrebleu")


class Score:
    """A score of any metric (sacreBLEU 2.6.0, `metrics.base.Score`).

    Args:
        name: the metric's name.
        score: the number.
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # the mean and half width of a bootstrap interval; -1 without one
        self._mean = -1.0
        self._ci = -1.0
        # text that is printed after the number
        self._verbose = ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score as a line, or as JSON.

        Args:
            width: decimals.
            score_only: only the number (and its confidence interval).
            signature: a signature to print; JSON needs one.
            is_json: JSON with the signature's settings as keys.
        """
        number = f"{self.score:.{width}f}"
        entries = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {mean} ± {half}"
            number += f" ({confidence})"
            if is_json:
                entries["confidence_mean"] = float(mean)
                entries["confidence_var"] = float(half)
                entries["confidence"] = confidence
        if self._verbose:
            entries["verbose_score"] = self._verbose
        if score_only:
            return number
        if is_json:
            for setting in signature.split("|"):
                key, value = setting.split(":")
                entries[key] = value
            return json.dumps(entries, indent=1, ensure_ascii=False)
        title = f"{self.name}|{signature}" if signature else self.name
        line = f"{title} = {number}"
        return f"{line} {self._verbose}" if self._verbose else line

    def estimate_ci(self, scores: list[Score]) -> None:
        """Set the mean of resampled scores, and half the width of their middle 95 %."""
        from statistics import mean

        numbers = sorted([score.score for score in scores])
        tail = len(numbers) // 40
        self._ci = 0.5 * (numbers[len(numbers) - tail - 1] - numbers[tail])
        self._mean = mean(numbers)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """The settings of a score (sacreBLEU 2.6.0, `metrics.base.Signature`).

    Args:
        args: the attributes of the metric.

    Raises:
        ValueError: the metric has not scored anything, so the number of references is unknown.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        self._abbr = {
            "version": "v", "nrefs": "#", "test": "t", "lang": "l", "subset": "S",
            "origlang": "o", "bs": "bs", "ar": "ar", "seed": "rs",
        }  # fmt: skip
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """The settings in one line, without those that are None; the version is last."""
        pairs = []
        for name, value in sorted(self.info.items(), key=lambda item: item[0] == "version"):
            if value is None:
                continue
            text = ("yes" if value else "no") if isinstance(value, bool) else value
            pairs.append(f"{self._abbr[name] if short else name}:{text}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Add or change a setting."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


class Metric(metaclass=ABCMeta):
    """A metric of segments and their references (sacreBLEU 2.6.0, `metrics.base.Metric`).

    A subclass defines the hooks: how a segment is preprocessed, what is counted, and how counts
    become a score. References are streams: `references[i][j]` is reference i of segment j.
    """

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int
    _ref_cache: Any

    def __init__(self) -> None:
        self._ref_cache = None
        # False: warn about periods that look tokenized
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
        self._raise(message)

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
        # As in sacreBLEU, a message about references replaces one about hypotheses.
        if refs is not None:
            if not isinstance(refs, Sequence):
                message = "`refs` should be a sequence of sequence of strings."
            elif not isinstance(refs[0], Sequence):
                message = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                message = "`refs` should be a sequence of sequence of strings."
        self._raise(message)

    def _raise(self, message: str | None) -> None:
        if message:
            raise TypeError(f"{self.__class__.__name__}: {message}")

    @abstractmethod
    def _aggregate_and_compute(self, stats: list[list[Any]]) -> Any:
        """The score of the sum of rows."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: list[Any]) -> Any:
        """The score of one row, which is a list or a NumPy array."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """A segment, ready to be counted."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """The counts of a segment's references."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """The row of a segment, from its hypothesis and the counts of its references."""

    def _cache_references(self, references: Sequence[Sequence[str]]) -> list[Any]:
        """The counts of the references of each segment. Also sets `num_refs`."""
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
        """The row of each segment. Without references, the cached ones are used."""
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
        warn_about_periods(periods)
        return rows

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Score one segment.

        Args:
            hypothesis: a string.
            references: strings; `None` stands for a missing one.

        Raises:
            TypeError: the arguments have other types.
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
            references: streams of n strings; None for the cached ones.
            n_bootstrap: the number of resamples for a confidence interval; 1 for none.

        Raises:
            TypeError: the arguments have other types.
            RuntimeError: there are no references, and none are cached.
        """
        self._check_corpus_score_args(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            from truebleu.compat.sacrebleu import significance  # which imports NumPy

            self.n_bootstrap = n_bootstrap
            self.seed, resampled = significance._bootstrap_resample(rows, self, n_bootstrap)
            score.estimate_ci(resampled)
        return score

    def get_signature(self) -> Signature:
        """The settings of the scores. Needs a score first."""
        return self._SIGNATURE_TYPE(self.__dict__)


def warn_about_periods(lines: int) -> None:
    """Warn as sacreBLEU does if many hypotheses end in a period after a space."""
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
