# SPDX-License-Identifier: Apache-2.0
"""Data larger than memory: batches of segments from files of many formats."""

from __future__ import annotations

import os

from truebleu.errors import InputError, OptionError, check_int, describe
from truebleu.inputs.lines import LinesSource
from truebleu.inputs.paths import files_of, kind_of, system_size
from truebleu.inputs.records import (
    LABEL,
    MAYBE,
    TEXT,
    TEXTS,
    RecordsSource,
    jsonl,
    numbered,
    tsv,
)  # fmt: skip
from truebleu.inputs.scanning import Alignment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu.inputs.records import Wanted
    from truebleu.inputs.scanning import Batch, Source
    from truebleu.metrics.tally import Tally

__all__ = ["Scan", "scan"]

#: Segments in a batch: some milliseconds of work.
BATCH = 1 << 14


class Scan:
    """Files of hypotheses and references, which are read anew by each loop over it.

    Attributes:
        skipped: rows that the last loop left out.
    """

    def __init__(
        self,
        path: Any,
        hyps: Sequence[Any],
        hyp: Sequence[str],
        ref: Sequence[str],
        by: str | None,
        *,
        batch_size: int = BATCH,
        on_error: str = "stop",
        encoding: str = "utf-8",
        errors: str = "strict",
        fields: int | None = None,
        notice: Callable[[str], None] = print,
    ) -> None:
        if not isinstance(on_error, str) or on_error not in ("stop", "skip"):
            raise OptionError(
                f"on_error cannot be {describe(on_error)}; it must be 'stop' or 'skip'"
            )
        self._paths, self._systems = path, list(hyps)
        self.hyp, self.ref, self.by = list(hyp), list(ref), by
        self._size, self._skip = check_int("batch_size", batch_size, 1), on_error == "skip"
        self._text = (encoding, errors, notice)
        self._fields = fields
        self.skipped = 0
        self._check()
        self._groups: list[tuple[str, list[str], Wanted]] = []
        self._plan()

    def _check(self) -> None:
        for name in (*self.hyp, *self.ref):
            if not isinstance(name, str):
                raise OptionError(f"{describe(name)} is no name of a column; give strings")
        if hasattr(self._paths, "__next__") and not self.ref:
            raise OptionError("which columns of the batches are they? Give hyp=... and ref=...")
        if not self._systems and not self.hyp:
            raise OptionError("which are the hypotheses? Name their column, or their files")
        if not self._systems and not self.ref:
            raise OptionError("which are the references? Name their column")
        if self.by is not None and not self.hyp and not self.ref:
            raise OptionError("groups are a column of a table; name the columns to score, too")
        if self.hyp and self._systems and len(self.hyp) > 1:
            raise OptionError("name one column of hypotheses; it is read from each file of them")

    def _plan(self) -> None:
        """Which sources there are, and where in them each column is."""
        self._at_refs: list[tuple[int, int]] = []
        self._at_systems: list[tuple[int, int]] = []
        self._at_by: tuple[int, int] | None = None
        kind = TEXTS if len(self.ref) == 1 else MAYBE
        if self.ref:
            wanted = [(name, kind) for name in self.ref]
            self._at_refs = [(0, i) for i in range(len(wanted))]
            if not self._systems:
                self._at_systems = [(0, len(wanted) + i) for i in range(len(self.hyp))]
                wanted += [(name, TEXT) for name in self.hyp]
            if self.by is not None:
                self._at_by = (0, len(wanted))
                wanted.append((self.by, LABEL))
            self._add(self._paths, wanted)
        else:
            for path in self._paths:
                self._at_refs.append((self._add([path], []), 0))
        for path in self._systems:
            wanted = [(name, TEXT) for name in self.hyp]
            if self.by is not None and self._at_by is None:
                self._at_by = (len(self._groups), len(wanted))
                wanted.append((self.by, LABEL))
            self._at_systems.append((self._add([path], wanted), 0))

    def _add(self, paths: Any, wanted: Wanted) -> int:
        if hasattr(paths, "__next__"):
            self._groups.append(("batches", paths, wanted))
        else:
            files = [file for path in paths for file in files_of(path)]
            self._groups.append((paths[0] if len(paths) == 1 else files[0], files, wanted))
        return len(self._groups) - 1

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self._at_systems)

    def groups(self, metric: Any) -> dict[str, Any]:
        """The score of each group, by its name.

        Raises:
            InputError: as in a loop over the scan.
            OptionError: the scan has no groups, or `metric` is none.
        """
        if self.by is None:
            raise OptionError("this scan has no groups; name their column: by=...")
        return {name: scores[0] for name, scores in self._tally(metric).groups().items()}

    def score(self, metric: Any) -> Any:
        """The score of all rows, as `metric.corpus` of this scan gives it.

        Raises:
            InputError: as in a loop over the scan.
            OptionError: `metric` is none.
        """
        return self._tally(metric).scores()[0][0]

    def _tally(self, metric: Any) -> Tally:
        from truebleu.metrics.bleu import choose_metric
        from truebleu.metrics.stream_scoring import score

        tally = score([choose_metric(metric, "sacrebleu", None, {})], self)
        self.skipped = tally.skipped
        return tally

    @property
    def files(self) -> list[str]:
        """All files, each once."""
        return list(
            dict.fromkeys(
                file for _, files, _ in self._groups if isinstance(files, list) for file in files
            )
        )

    @property
    def total(self) -> int:
        """Bytes of all files as often as they are read; 0 if nobody knows."""
        return sum(system_size(files) for _, files, _ in self._groups if isinstance(files, list))

    def aligned(
        self,
        places: Sequence[Sequence[int]] | None = None,
        rows: int = 0,
        *,
        parallel: bool = True,
    ) -> Alignment:
        """The rows side by side, from places on at which another run stood behind `rows`.

        Args:
            parallel: whether libraries may read on other cores.
        """
        sources: list[Source] = []
        for i, (name, files, wanted) in enumerate(self._groups):
            place = places[i] if places else None
            sources.append(self._source(name, files, wanted, place, parallel))
        return Alignment(
            sources, self._at_systems, self._at_refs, self._at_by, fields=self._fields,
            skip=self._skip, size=self._size, rows=rows,
        )  # fmt: skip

    def _source(self, name: str, files: Any, wanted: Wanted, place: Any, parallel: bool) -> Source:
        if not isinstance(files, list):
            from truebleu.inputs.arrow import BatchesSource

            return BatchesSource(files, wanted)
        kind = kind_of(files) if wanted else "lines"
        if kind == "arrow":
            from truebleu.inputs.arrow import ArrowSource

            size = max(self._size, BATCH)
            begin = tuple(place or (0, 0))
            return ArrowSource(name, files, wanted, begin, size=size, parallel=parallel)
        # Tables have their encoding in their formats, and it is UTF-8.
        how = self._text if kind in ("lines", "tsv", "csv") else ("utf-8", "strict", self._text[2])
        lines = LinesSource(name, files, *how, place=tuple(place or (0, 0, 0)))
        if kind == "lines":
            return lines
        if kind == "jsonl":
            return RecordsSource(lines, wanted, jsonl, headed=False)
        if kind == "tsv":
            return RecordsSource(lines, wanted, tsv, headed=not numbered(wanted))
        from truebleu.inputs.quoted import QuotedSource

        return QuotedSource(lines, wanted)

    def __iter__(self) -> Iterator[Batch]:
        """Batch by batch.

        Raises:
            InputError: a row is bad, a file cannot be read, or they differ in length.
        """
        self.skipped = 0
        alignment = self.aligned()
        try:
            for raw in alignment:
                batch = raw.batch()
                self.skipped += len(batch.bad)
                yield batch
        finally:
            alignment.close()


def scan(
    path: Any,
    hyp: str | None = None,
    ref: str | Sequence[str] | None = None,
    by: str | None = None,
    *,
    hyps: Any = None,
    batch_size: int = BATCH,
    on_error: str = "stop",
    encoding: str = "utf-8",
    errors: str = "strict",
) -> Scan:
    r"""Files that may be larger than memory, as batches of segments.

    Args:
        path: a file, a folder, a pattern, or a list of such: the parts of one table, or text files
            of references with `hyps`. Or an iterator of Arrow batches of any library.
        hyp: the column of hypotheses. In JSON Lines, Parquet and Arrow, dots lead into fields.
        ref: the column of references, or several; a column may hold lists of references.
        by: the column of groups, such as documents or languages.
        hyps: where the hypotheses are, if not in `path`: text, or a table with the column `hyp`.
        batch_size: the most segments in a batch.
        on_error: `skip` leaves bad rows out (`Scan.skipped` counts them), `stop` raises.
        encoding, errors: of text files, as Python's `open`.

    Raises:
        InputError: a file is not there, or of no kind that is known.
        OptionError: it is not said which columns to read.

    Example:
        >>> import pathlib, tempfile
        >>> import truebleu as tb
        >>> path = pathlib.Path(tempfile.mkdtemp(), "systems.tsv")
        >>> _ = path.write_text("mt\tref\na b c d\ta b c d\ne f g h\te f g i\n")
        >>> print(tb.BLEU().corpus(tb.scan(path, hyp="mt", ref="ref")))
        BLEU = 72.31 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
    """
    is_iterator = hasattr(path, "__next__")
    if not is_iterator and hasattr(path, "__iter__") and not isinstance(path, (str, bytes)):
        paths: Any = [os.fspath(one) for one in path]
    else:
        paths = path if is_iterator else [os.fspath(path)]
    if not is_iterator and not paths:
        raise InputError("there is no file to read; give one at least")
    names = [ref] if isinstance(ref, str) else [] if ref is None else list(ref)
    return Scan(
        paths, [] if hyps is None else [os.fspath(hyps)], [] if hyp is None else [hyp], names, by,
        batch_size=batch_size, on_error=on_error, encoding=encoding, errors=errors,
    )  # fmt: skip
