# SPDX-License-Identifier: Apache-2.0
"""BLEU as a metric of torchmetrics, whose own BLEU keeps its counts in float32."""

from __future__ import annotations

import re
from typing import Any

from truebleu.dialects.decisions import Dialect
from truebleu.errors import MissingExtraError
from truebleu.metrics.bleu import BLEU


def bleu_metric(dialect: str | Dialect = "sacrebleu", **changes: Any) -> Any:
    """A `torchmetrics.Metric` that computes BLEU.

    Its state is one vector of int64 that adds, so `sync`, `dist_reduce_fx`, checkpoints, `forward`
    and `MetricCollection` work as for any metric. `update(preds, target)` takes the hypotheses and
    references of `BLEU.corpus`, and `pad_id`, `eos_id` and `group`.

    Args:
        dialect: as for `BLEU`.
        changes: as for `BLEU`.

    Returns:
        The metric; `compute()` gives a float64 tensor, and `score()` the whole `Score`.

    Raises:
        MissingExtraError: torchmetrics is not installed.
    """
    try:
        import torch
        from torchmetrics import Metric
    except ImportError:
        raise MissingExtraError.of("a torchmetrics metric", "torchmetrics") from None

    bleu = BLEU(dialect, **changes)
    name = state_name(bleu)

    class TrueBLEU(Metric):  # type: ignore[misc]  # is Any where torchmetrics is not installed
        """BLEU of all segments so far."""

        is_differentiable = False
        higher_is_better = True
        full_state_update = False

        def __init__(self) -> None:
            super().__init__()
            empty = torch.from_numpy(bleu.accumulator().state)
            self.add_state(name, default=empty, dist_reduce_fx="sum")

        @property
        def counts(self) -> Any:
            """The state."""
            return getattr(self, name)

        def update(self, preds: Any, target: Any, **options: Any) -> None:
            batch = bleu.accumulator()
            batch.update(preds, target, **options)
            counts = self.counts
            counts += torch.from_numpy(batch.state).to(counts.device)

        def compute(self) -> Any:
            return torch.tensor(self._whole().value, dtype=torch.float64)

        def score(self) -> Any:
            """The score with its factors, of all processes."""
            with self.sync_context(
                dist_sync_fn=self.dist_sync_fn,
                should_sync=self._to_sync,
                should_unsync=self._should_unsync,
            ):
                return self._whole()

        def _whole(self) -> Any:
            whole = bleu.accumulator()
            whole.state = self.counts.cpu().numpy()
            return whole.compute()

        def __reduce__(self) -> Any:
            return _restore, (bleu.dialect, self.__getstate__())

    return TrueBLEU()


def state_name(bleu: BLEU) -> str:
    """The name of the metric's state, different for different options.

    A `MetricCollection` computes metrics with equal states once, and compares only their names and
    values: metrics with different options must not have a name in common.

    Example:
        >>> from truebleu import BLEU
        >>> from truebleu.integrations.torchmetrics import state_name
        >>> state_name(BLEU()) == state_name(BLEU(lowercase=True))
        False
    """
    return "counts_" + re.sub(r"\W+", "_", bleu.signature)


def _restore(dialect: Dialect, state: dict[str, Any]) -> Any:
    metric = bleu_metric(dialect)
    metric.__setstate__(state)
    return metric
