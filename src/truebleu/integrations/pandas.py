# SPDX-License-Identifier: Apache-2.0
"""BLEU of columns of pandas: importing this module gives each data frame the accessor `bleu`.

    import truebleu.integrations.pandas

    frame.bleu.corpus("hyp", "ref", by="lang")

Columns that pandas keeps in PyArrow's memory are not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Unpack, overload

import numpy as np

from truebleu.dialects.changes import FrameOptions, MetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, needing, within
from truebleu.inputs.columns import reference_counts
from truebleu.metrics.accumulation import accumulator_of, group_sums, states
from truebleu.metrics.names import choose_metric
from truebleu.metrics.score import MetricScore

with needing("the accessor of pandas", "pandas"):
    import pandas as pd


def bleu(frame: pd.DataFrame) -> BLEUAccessor:
    """The accessor `bleu` of a data frame, as a function that type checkers know.

    Example:
        >>> import pandas as pd
        >>> from truebleu.integrations.pandas import bleu
        >>> bleu(pd.DataFrame({"hyp": ["a b c d"], "ref": ["a b"]})).corpus("hyp", "ref").matches
        [2, 1, 0, 0]
    """
    return BLEUAccessor(frame)


@pd.api.extensions.register_dataframe_accessor("bleu")
class BLEUAccessor:
    """The methods of `frame.bleu`.

    Columns are named by any label of the frame, a number for example. References are a column of
    strings or of lists of strings, or a list of columns with one reference each. `metric` is a
    `BLEU`, `CHRF` or `TER`, instead of a dialect.

    Example:
        >>> import pandas as pd
        >>> import truebleu.integrations.pandas
        >>> frame = pd.DataFrame({"hyp": ["a b c d e", "a c"], "ref": ["a b c d f", "a b"]})
        >>> print(frame.bleu.corpus("hyp", "ref"))
        BLEU = 61.48 71.4/60.0/66.7/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    @overload
    def corpus(
        self, hyp: Hashable = ..., refs: Any = ..., by: None = ..., **options: Unpack[FrameOptions]
    ) -> MetricScore: ...

    @overload
    def corpus(
        self, hyp: Hashable = ..., refs: Any = ..., by: Hashable = ..., **options: Unpack[FrameOptions]
    ) -> pd.DataFrame: ...

    def corpus(
        self,
        hyp: Hashable = "hyp",
        refs: Hashable | Sequence[Hashable] = "ref",
        by: Hashable | Sequence[Hashable] = None,
        *,
        dialect: str | Dialect = "sacrebleu",
        metric: Any = None,
        **changes: Unpack[MetricChanges],
    ) -> Any:
        """Score the corpus.

        Args:
            hyp: the column of hypotheses.
            refs: the column, or columns, of references.
            by: a column, or a list of columns, whose values form groups.
            dialect: as for `BLEU`.
            metric: a name, such as `"chrf"`, or a metric, instead of a dialect.
            changes: as for `BLEU`.

        Returns:
            The score. With `by`, a data frame with the columns `score`, `segments` and `signature`
            whose index are the sorted groups.

        Raises:
            InputError: a column is missing, has another type or a name that several columns have,
                a hypothesis is null, or a segment has no reference.
        """
        metric = choose_metric(metric, dialect, None, changes)
        if by is None:
            return self._counted(metric.corpus, hyp, refs)
        keys = self._labels(by)
        for name in keys:
            self._column(name)
        groups = self._frame.groupby(keys if len(keys) > 1 else keys[0], dropna=False, observed=True)
        sizes = groups.size()
        rows: list[Any] = []
        segments = self._counted(lambda hyps, own: states(metric, hyps, own, reference_counts(own)), hyp, refs)
        for state in group_sums(segments, groups.ngroup().to_numpy(), len(sizes)):
            score = accumulator_of(metric, state).compute()
            rows.append((score.value, int(state[0]), score.signature))
        return pd.DataFrame(rows, index=sizes.index, columns=["score", "segments", "signature"])

    def sentences(
        self,
        hyp: Hashable = "hyp",
        refs: Hashable | Sequence[Hashable] = "ref",
        *,
        dialect: str | Dialect = "sacrebleu",
        metric: Any = None,
        **changes: Unpack[MetricChanges],
    ) -> pd.Series:
        """The score of each segment: a series with the index of the data frame."""
        metric = choose_metric(metric, dialect, None, changes)
        scores = self._counted(metric.sentences, hyp, refs)
        return pd.Series(scores, index=self._frame.index, name="bleu", dtype="float64")

    def stats(
        self,
        hyp: Hashable = "hyp",
        refs: Hashable | Sequence[Hashable] = "ref",
        *,
        dialect: str | Dialect = "sacrebleu",
        metric: Any = None,
        **changes: Unpack[MetricChanges],
    ) -> pd.DataFrame:
        """The statistics of each segment: a data frame of integers with the same index."""
        metric = choose_metric(metric, dialect, None, changes)
        rows = np.asarray(self._counted(metric.stats, hyp, refs))
        columns = metric.zero_stats().column_names()
        return pd.DataFrame(rows, index=self._frame.index, columns=columns, dtype="int64")

    def _counted(self, count: Callable[[Any, Any], Any], hyp: Any, refs: Any) -> Any:
        """The result for the columns as the kernel reads them, with their names in errors."""
        hyps, names = _texts(self._column(hyp)), self._labels(refs)
        columns = [self._column(name) for name in names]
        references = _texts(columns[0])
        if len(columns) > 1:
            texts = (own.astype(object).where(own.notna(), None).tolist() for own in columns)
            references = list(zip(*texts, strict=True))
        with within(f"with hyps in column {hyp!r} and refs in {', '.join(map(repr, names))}"):
            return count(hyps, references)

    def _column(self, name: Any) -> Any:
        if isinstance(name, pd.Series):
            return name
        labels = self._frame.columns
        places = [i for i, label in enumerate(labels) if isinstance(name, Hashable) and label == name]
        if not places:
            raise InputError(f"there is no column {name!r}; there are {', '.join(map(str, labels))}")
        if len(places) > 1:
            raise InputError(f"{len(places)} columns have the name {name!r}; rename them")
        return self._frame.iloc[:, places[0]]

    def _labels(self, names: Any) -> list[Any]:
        """One label or several; a tuple may be either."""
        several = isinstance(names, tuple) and names not in self._frame.columns
        labels = list(names) if several or isinstance(names, list) else [names]
        if not labels:
            raise InputError(f"{names!r} names no column; give at least one")
        return labels


def _texts(column: pd.Series) -> Any:
    """The values, in PyArrow's memory if they are there."""
    dtype = column.dtype
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow":
        return column.array.__arrow_array__()
    return column.tolist()
