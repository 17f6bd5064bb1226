# SPDX-License-Identifier: Apache-2.0
"""BLEU, chrF and TER as metrics of torchmetrics, whose own keep their counts in float32."""

from __future__ import annotations

import re
from math import nan
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack, cast

from truebleu.dialects.changes import BLEUStateOptions, StateOptions
from truebleu.dialects.decisions import Dialect
from truebleu.errors import needing
from truebleu.inputs.corpus import Marks
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF, CHRFScore
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import label
from truebleu.metrics.score import MetricScore, Score
from truebleu.metrics.ter import TER, TERScore

if TYPE_CHECKING:
    import torchmetrics
    from torch import Tensor

    ScoreT = TypeVar("ScoreT", bound=MetricScore)
    ValueT = TypeVar("ValueT")

    class CountedMetric(torchmetrics.Metric, Generic[ScoreT, ValueT]):  # type: ignore[misc]
        """A metric of torchmetrics whose state are counts, for type checkers."""

        def update(
            self, preds: Any, target: Any, *, pad_id: Marks = None, eos_id: Marks = None, group: int = 1
        ) -> None:
            """Count hypotheses and their references."""

        def compute(self) -> ValueT:
            """The value of all segments so far."""

        def score(self) -> ScoreT:
            """The score with its factors."""


def bleu_metric(
    dialect: str | Dialect = "sacrebleu", **changes: Unpack[BLEUStateOptions]
) -> CountedMetric[Score, Tensor]:
    """A `torchmetrics.Metric` that computes BLEU.

    Its state is one vector of int64 that adds, so `sync`, `dist_reduce_fx`, checkpoints, `forward`
    and `MetricCollection` work as for any metric; in a list of metrics, it has the name `bleu` with
    the options that were changed. `update(preds, target)` takes the hypotheses and references of
    `BLEU.corpus`, and `pad_id`, `eos_id` and `group`.

    Args:
        dialect: as for `BLEU`.
        changes: as for `BLEU`, and torchmetrics' own, such as `sync_on_compute`.

    Returns:
        The metric; `compute()` gives a float64 tensor (NaN without segments), and `score()` the
        whole `Score`.

    Raises:
        MissingExtraError: torchmetrics is not installed.
    """
    options: dict[str, Any] = {**changes}
    kwargs = {name: options.pop(name) for name in _KWARGS.split() if name in options}
    return _of(BLEU(dialect, **options), **kwargs)


def chrf_metric(
    n_char_order: int = 6,
    n_word_order: int = 2,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    return_sentence_level_score: bool = False,
    **kwargs: Unpack[StateOptions],
) -> CountedMetric[CHRFScore, Tensor | tuple[Tensor, Tensor]]:
    """A metric with the arguments and values of torchmetrics' `CHRFScore`.

    Args:
        n_char_order, n_word_order: longest n-grams of characters and words.
        beta: weight of recall.
        lowercase, whitespace: whether case is ignored, and blanks are characters.
        return_sentence_level_score: whether `compute` also returns the scores of all segments.
        kwargs: torchmetrics' own, such as `sync_on_compute`.

    Returns:
        The metric; `compute()` gives a float64 tensor from 0 to 1, and `score()` the `CHRFScore`.

    Raises:
        MissingExtraError: torchmetrics is not installed.
        OptionError: an argument has no such value.
    """
    chrf = CHRF(
        char_order=n_char_order,
        word_order=n_word_order,
        beta=beta,
        lowercase=lowercase,
        whitespace=whitespace,
        eps_smoothing=True,
    )
    return _of(chrf, chrf.scale, has_segments=return_sentence_level_score, **kwargs)


def ter_metric(
    normalize: bool = False,
    no_punctuation: bool = False,
    lowercase: bool = True,
    asian_support: bool = False,
    return_sentence_level_score: bool = False,
    **kwargs: Unpack[StateOptions],
) -> CountedMetric[TERScore, Tensor | tuple[Tensor, Tensor]]:
    """A metric with the arguments and the scale of torchmetrics' `TranslationEditRate`.

    The values are those of sacreBLEU; the original finds other shifts in a few segments of 100.

    Args:
        normalize: whether text is tokenized as by mteval.
        no_punctuation: whether punctuation is removed.
        lowercase: whether case is ignored.
        asian_support: whether both also apply to Chinese, Japanese and Korean.
        return_sentence_level_score: whether `compute` also returns the scores of all segments.
        kwargs: torchmetrics' own, such as `sync_on_compute`.

    Returns:
        The metric; `compute()` gives edits per word as a float64 tensor, and `score()` the
        `TERScore`.

    Raises:
        MissingExtraError: torchmetrics is not installed.
        OptionError: an argument has no such value.
    """
    ter = TER(normalized=normalize, no_punct=no_punctuation, case_sensitive=not lowercase, asian_support=asian_support)
    return _of(ter, ter.scale, has_segments=return_sentence_level_score, **kwargs)


#: The options of every metric of torchmetrics.
_KWARGS = """compute_on_cpu dist_sync_on_step process_group dist_sync_fn distributed_available_fn
sync_on_compute compute_with_cache"""


def _of(
    metric: Metric, scale: float = 1, *, has_segments: bool = False, name: str = "", **kwargs: Any
) -> CountedMetric[Any, Any]:
    """A metric of torchmetrics, whose values are divided by `scale`."""
    with needing("a torchmetrics metric", "torchmetrics"):
        import torch
        import torchmetrics

    name = name or state_name(metric)

    class Counted(torchmetrics.Metric):  # type: ignore[misc]  # is Any where it is not installed
        """The score of all segments so far."""

        is_differentiable = False
        higher_is_better = metric.higher_is_better
        full_state_update = False

        def __init__(self) -> None:
            super().__init__(**kwargs)
            self._dtype = torch.float64  # of the segments of a process that has none
            empty = torch.from_numpy(metric.accumulator().state)
            self.add_state(name, default=empty, dist_reduce_fx="sum")
            if has_segments:
                self.add_state("segments", default=[], dist_reduce_fx="cat")

        @property
        def counts(self) -> Any:
            """The state."""
            return getattr(self, name)

        def update(self, preds: Any, target: Any, **options: Any) -> None:
            batch = metric.accumulator()
            batch.update(preds, target, **options)
            counts = self.counts
            counts += torch.from_numpy(batch.state).to(counts.device)
            if has_segments:
                scores = metric.sentences(preds, target, **options) / scale
                self.segments.append(torch.from_numpy(scores).to(counts.device))

        def compute(self) -> Any:
            number = self._whole().value / scale if self.counts[0] else nan
            value = torch.tensor(number, dtype=torch.float64)
            if has_segments:
                segments = self.segments if len(self.segments) else [value.new_empty(0)]
                return value, torchmetrics.utilities.dim_zero_cat(segments)
            return value

        def score(self) -> Any:
            """The score with its factors, of all processes."""
            with self.sync_context(self.dist_sync_fn, None, self._to_sync, self._should_unsync):
                return self._whole()

        def _whole(self) -> Any:
            whole = metric.accumulator()
            whole.state = self.counts.cpu().numpy()
            return whole.compute()

        def __reduce__(self) -> Any:
            options = {"scale": scale, "has_segments": has_segments, "name": name}
            return _restore, (metric, options, self.__getstate__())

    Counted.__name__ = label(metric)  # its key in a collection
    return cast("CountedMetric[Any, Any]", Counted())


def state_name(metric: Metric) -> str:
    """The name of the metric's state, different for different options.

    A `MetricCollection` computes metrics with equal states once, and compares only their names and
    values: metrics with different options must not have a name in common.

    Example:
        >>> from truebleu import BLEU
        >>> from truebleu.integrations.torchmetrics import state_name
        >>> state_name(BLEU()) == state_name(BLEU(lowercase=True))
        False
    """
    return re.sub(r"\W+", "_", f"counts_{metric.name}_{metric.signature}")


def _restore(metric: Metric, options: dict[str, Any], state: dict[str, Any]) -> Any:
    copy = _of(metric, **options)
    copy.__setstate__(state)
    return copy
