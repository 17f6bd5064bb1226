# SPDX-License-Identifier: Apache-2.0
"""BLEU of columns of pandas: importing this module gives each data frame the accessor `bleu`.

    import truebleu.integrations.pandas

    frame.bleu.corpus("hyp", "ref", by="lang")

Columns that pandas keeps with PyArrow are read where they are; of others, each string is.
"""

from __future__ import annotations

from truebleu.errors import InputError, MissingExtraError
from truebleu.metrics.accumulation import accumulator_of, group_sums, states
from truebleu.metrics.bleu import choose_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.dialects.decisions import Dialect


class BLEUAccessor:
    """What `frame.bleu` offers.

    References are a column of strings or of lists of strings, or several columns with a reference
    each. `dialect`, `metric` and changes are as elsewhere: `metric` is a `BLEU`, `CHRF` or `TER` in
    place of a dialect.

    Example:
        >>> import pandas as pd
        >>> import truebleu.integrations.pandas
        >>> frame = pd.DataFrame({"hyp": ["a b c d e", "a c"], "ref": ["a b c d f", "a b"]})
        >>> print(frame.bleu.corpus("hyp", "ref"))
        BLEU = 61.48 71.4/60.0/66.7/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def corpus(
        self,
        hyp: str = "hyp",
        refs: str | Sequence[str] = "ref",
        by: str | Sequence[str] | None = None,
        *,
        dialect: str | Dialect = "sacrebleu",
        metric: Any = None,
        **changes: Any,
    ) -> Any:
        """Score the corpus.

        Args:
            hyp: the column of hypotheses.
            refs: the column, or columns, of references.
            by: a column, or several, whose values say to which group a segment belongs.
            dialect: as for `BLEU`.
            metric: a `BLEU`, `CHRF` or `TER`, in place of a dialect.
            changes: as for `BLEU`.

        Returns:
            The score. With `by`, a data frame whose index are the groups, in order, with the
            columns `score`, `segments` and `signature`.

        Raises:
            InputError: a column does not exist or is of another type, a hypothesis is null, or a
                segment has no reference.
        """
        metric = choose_metric(metric, dialect, None, changes)
        hyps, references, names = self._read(hyp, refs)
        if by is None:
            return _counted(metric.corpus, hyps, references, names)
        return self._groups(metric, hyps, references, names, by)

    def sentences(
        self,
        hyp: str = "hyp",
        refs: str | Sequence[str] = "ref",
        *,
        dialect: str | Dialect = "sacrebleu",
        metric: Any = None,
        **changes: Any,
    ) -> Any:
        """The score of each segment by itself: a series with the index of the data frame."""
        import pandas as pd

        metric = choose_metric(metric, dialect, None, changes)
        hyps, references, names = self._read(hyp, refs)
        scores = _counted(metric.sentences, hyps, references, names) if len(hyps) else []
        return pd.Series(scores, index=self._frame.index, name="bleu", dtype="float64")

    def stats(
        self,
        hyp: str = "hyp",
        refs: str | Sequence[str] = "ref",
        *,
        dialect: str | Dialect = "sacrebleu",
        metric: Any = None,
        **changes: Any,
    ) -> Any:
        """The statistics of each segment: a data frame of integers with the same index."""
        import pandas as pd

        metric = choose_metric(metric, dialect, None, changes)
        hyps, references, names = self._read(hyp, refs)
        stats = _counted(metric.stats, hyps, references, names) if len(hyps) else None
        columns = metric.zero_stats().column_names()
        rows = None if stats is None else stats.__array__()
        return pd.DataFrame(rows, index=self._frame.index, columns=columns, dtype="int64")

    def _groups(self, metric: Any, hyps: Any, refs: Any, names: str, by: Any) -> Any:
        import pandas as pd

        for name in [by] if isinstance(by, str) else by:
            self._column(name)
        groups = self._frame.groupby(by, dropna=False, observed=True)
        sizes = groups.size()
        columns: dict[str, list[Any]] = {"score": [], "segments": [], "signature": []}
        if len(sizes):

            def count(hyps: Any, refs: Any) -> Any:
                return states(metric, hyps, refs, _counts(refs))

            rows = _counted(count, hyps, refs, names)
            for state in group_sums(rows, groups.ngroup().to_numpy(), len(sizes)):
                accumulator = accumulator_of(metric, state)
                score = accumulator.compute()
                for name, value in (
                    ("score", score.value), ("segments", accumulator.segments),
                    ("signature", score.signature),
                ):  # fmt: skip
                    columns[name].append(value)
        return pd.DataFrame(columns, index=sizes.index)

    def _read(self, hyp: str, refs: str | Sequence[str]) -> tuple[Any, Any, str]:
        """The columns as the kernel reads them, and how errors call them."""
        names = [refs] if isinstance(refs, str) else list(refs)
        hyps = self._texts(hyp)
        said = f"with hyps in column {hyp!r} and refs in {', '.join(map(repr, names))}"
        if len(names) == 1:
            return hyps, self._texts(names[0]), said
        columns = [self._column(name).astype(object) for name in names]
        columns = [column.where(column.notna(), None).tolist() for column in columns]
        return hyps, list(zip(*columns, strict=True)), said

    def _texts(self, name: str) -> Any:
        column = self._column(name)
        missing = column.isna().to_numpy()
        if missing.any():
            row = int(missing.argmax())
            raise InputError(
                f"column {name!r} is null, row {row} (index {column.index[row]!r}); drop such "
                'rows, or fillna("") to have them count as empty'
            )
        if _in_arrow(column.dtype):
            return column.array.__arrow_array__()
        return column.tolist()

    def _column(self, name: str) -> Any:
        if name not in self._frame.columns:
            known = ", ".join(map(str, self._frame.columns))
            raise InputError(f"there is no column {name!r}; there are {known}")
        return self._frame[name]


def _in_arrow(dtype: Any) -> bool:
    """Whether pandas keeps a column of this type with PyArrow."""
    return hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow"


def _counts(refs: Any) -> Any:
    """How many references each segment has, or None if each has one."""
    if hasattr(refs, "to_pylist"):
        from pyarrow import types

        if not types.is_list(refs.type) and not types.is_large_list(refs.type):
            return None
        refs = refs.to_pylist()
    if isinstance(refs[0], str):
        return None
    return [sum(ref is not None for ref in some) for some in refs]


def _counted(count: Callable[[Any, Any], Any], hyps: Any, refs: Any, names: str) -> Any:
    try:
        return count(hyps, refs)
    except InputError as error:
        raise InputError(f"{names}: {error}") from None


def _register() -> None:
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError.of("the accessor of pandas", "pandas") from None
    pd.api.extensions.register_dataframe_accessor("bleu")(BLEUAccessor)


_register()
