# SPDX-License-Identifier: Apache-2.0
"""Data larger than memory: which files are read, and how, as batches of aligned segments."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from truebleu.errors import InputError, OptionError, check_int, describe
from truebleu.inputs.alignment import Alignment, Batch, Source
from truebleu.inputs.arrow_files import read_batches
from truebleu.inputs.paths import files_of, total_size
from truebleu.inputs.table_rows import LABEL, TEXT, TEXTS, TEXTS_OR_NULL, Wanted
from truebleu.inputs.tables import read_rows
from truebleu.inputs.text_lines import read_text
from truebleu.metrics.names import check_metric
from truebleu.metrics.streaming import Tally, score

#: Segments in a batch: a few milliseconds of work.
BATCH = 1 << 14


class Scan:
    """Files of hypotheses and references, which each loop over the scan reads anew.

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
        self.hyp, self.ref, self.by = list(hyp), list(ref), by
        self._size, self._skip = check_int("batch_size", batch_size, 1), on_error == "skip"
        self._text = (encoding, errors, notice)
        self._fields = fields
        self.skipped = 0
        self._check(path, hyps)
        #: For each source, its name, its files or batches, and its columns.
        self._sources: list[tuple[str, Any, Wanted]] = []
        self._plan(path, hyps)

    def _check(self, path: Any, hyps: Sequence[Any]) -> None:
        for name in (*self.hyp, *self.ref):
            if not isinstance(name, str):
                raise OptionError(f"a column name cannot be {describe(name)}; give strings")
        if hasattr(path, "__next__") and not self.ref:
            raise OptionError("name the columns of the batches: hyp=... and ref=...")
        if not hyps and not self.hyp:
            raise OptionError("name the column of hypotheses, or their files")
        if not hyps and not self.ref:
            raise OptionError("name the column of references")
        if hyps and len(self.hyp) > 1:
            raise OptionError("name one column of hypotheses; it is read from each of their files")

    def _plan(self, path: Any, hyps: Sequence[Any]) -> None:
        """Find out which sources there are, and where in them each column is."""
        self._at_refs: list[tuple[int, int]] = []
        self._at_systems: list[tuple[int, int]] = []
        self._at_by: tuple[int, int] | None = None
        if self.ref:
            kind = TEXTS if len(self.ref) == 1 else TEXTS_OR_NULL
            wanted = [(name, kind) for name in self.ref]
            self._at_refs = [(0, i) for i in range(len(wanted))]
            if not hyps:
                self._at_systems = [(0, len(wanted) + i) for i in range(len(self.hyp))]
                wanted += [(name, TEXT) for name in self.hyp]
            if self.by is not None:
                self._at_by = (0, len(wanted))
                wanted.append((self.by, LABEL))
            self._add(path, wanted)
        else:
            self._at_refs = [(self._add([place], []), 0) for place in path]
        for place in hyps:
            wanted = [(name, TEXT) for name in self.hyp]
            if self.by is not None and self._at_by is None and self.hyp:
                self._at_by = (len(self._sources), len(wanted))
                wanted.append((self.by, LABEL))
            self._at_systems.append((self._add([place], wanted), 0))
        if self.by is not None and self._at_by is None:
            self._at_by = (self._add([self.by], []), 0)

    def _add(self, paths: Any, wanted: Wanted) -> int:
        if hasattr(paths, "__next__"):
            self._sources.append(("batches", paths, wanted))
        else:
            files = [file for path in paths for file in files_of(path)]
            self._sources.append((paths[0] if len(paths) == 1 else files[0], files, wanted))
        return len(self._sources) - 1

    @property
    def systems(self) -> int:
        """The number of systems."""
        return len(self._at_systems)

    def groups(self, metric: Any) -> dict[str | None, Any]:
        """The score of each group, by its name; None is the name of the group of null, the last.

        Raises:
            InputError: as in a loop over the scan.
            OptionError: the scan has no groups, or `metric` is not a metric.
        """
        if self.by is None:
            raise OptionError("this scan has no groups; name their column: by=...")
        return {name: scores[0][0] for name, scores in self._tally(metric).groups().items()}

    def score(self, metric: Any) -> Any:
        """The score of all rows, as `metric.corpus` of this scan returns it.

        Raises:
            InputError: as in a loop over the scan.
            OptionError: `metric` is not a metric.
        """
        return self._tally(metric).scores()[0][0]

    def _tally(self, metric: Any) -> Tally:
        tally = score([check_metric(metric)], self)
        self.skipped = tally.skipped
        return tally

    @property
    def total(self) -> int:
        """Bytes of all files as often as they are read; 0 if that is not known."""
        return sum(total_size(files) for _, files, _ in self._sources if isinstance(files, list))

    def aligned(self, *, parallel: bool = True) -> Alignment:
        """The rows of all sources side by side.

        Args:
            parallel: whether libraries may read on other cores.
        """
        sources = [
            Source(name, "rows" if wanted else "lines", self._read(files, wanted, parallel))
            for name, files, wanted in self._sources
        ]
        return Alignment(
            sources, self._at_systems, self._at_refs, self._at_by, fields=self._fields,
            size=self._size, skip=self._skip,
        )  # fmt: skip

    def _read(self, files: Any, wanted: Wanted, parallel: bool) -> Iterator[Any]:
        if not isinstance(files, list):
            return read_batches(files, wanted)
        if not wanted:
            return read_text(files, *self._text)
        size = max(self._size, BATCH)
        return read_rows(files, wanted, *self._text, size=size, parallel=parallel)

    def __iter__(self) -> Iterator[Batch]:
        """Batch by batch."""
        self.skipped = 0
        for rows in self.aligned():
            batch = rows.batch()
            self.skipped += len(batch.bad)
            yield batch


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
    r"""Read files that may be larger than memory, as batches of segments.

    Args:
        path: a file, a folder, a pattern, or a list of them: the parts of one table, or text files
            of references with `hyps`. Or an iterator of Arrow batches of any library.
        hyp: the column of hypotheses. In JSON Lines, Parquet and Arrow, dots lead into fields.
        ref: the column of references, or several; a column may hold lists of references.
        by: the column of groups, such as documents or languages; for text files, a file with a
            group on each line.
        hyps: the file of hypotheses, if they are not in `path`: text, or a table with the column
            `hyp`.
        batch_size: the most segments in a batch.
        on_error: `skip` leaves bad rows out (`Scan.skipped` counts them), `stop` raises.
        encoding, errors: of text files, as Python's `open`.

    Raises:
        InputError: a file does not exist, or its format is not known.
        OptionError: the columns to read are not named.

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
        paths: Any = [os.fspath(place) for place in path]
    else:
        paths = path if is_iterator else [os.fspath(path)]
    if not is_iterator and not paths:
        raise InputError("there is no file to read; give at least one")
    names = [ref] if isinstance(ref, str) else [] if ref is None else list(ref)
    return Scan(
        paths, [] if hyps is None else [os.fspath(hyps)], [] if hyp is None else [hyp], names, by,
        batch_size=batch_size, on_error=on_error, encoding=encoding, errors=errors,
    )  # fmt: skip
