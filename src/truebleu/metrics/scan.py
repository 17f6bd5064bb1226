# SPDX-License-Identifier: Apache-2.0
"""Data larger than memory: which files are read, and how, as batches of aligned segments."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from truebleu.errors import InputError, OptionError, check_int, describe
from truebleu.inputs import files
from truebleu.inputs.alignment import Alignment, Batch, Source
from truebleu.inputs.arrow import read_batches
from truebleu.inputs.columns import LABEL, TEXT, TEXTS, Wanted
from truebleu.inputs.files import Decoding, Origin, origins
from truebleu.inputs.paths import files_of, total_size
from truebleu.inputs.tables import read_rows
from truebleu.inputs.text_lines import read_text
from truebleu.metrics.names import check_metric
from truebleu.metrics.streaming import Tally, score

if TYPE_CHECKING:
    from truebleu.dialects.changes import ScoreOfMetric
    from truebleu.metrics.metric import Metric

#: Segments in a batch: a few milliseconds of work.
BATCH = 1 << 14


class Scan:
    """Files of hypotheses and references, which each loop over the scan reads anew.

    Attributes:
        skipped: rows that the last loop left out.
    """

    def __init__(
        self,
        refs: Sequence[Origin],
        systems: Sequence[Origin],
        by: Origin | None = None,
        *,
        batch_size: int = BATCH,
        on_error: str = "stop",
        encoding: str = "utf-8",
        errors: str = "strict",
        fields: int | None = None,
        notice: Callable[[str], None] = print,
    ) -> None:
        if not isinstance(on_error, str) or on_error not in ("stop", "skip"):
            raise OptionError(f"on_error cannot be {describe(on_error)}; it must be 'stop' or 'skip'")
        self._size, self._skip = check_int("batch_size", batch_size, 1), on_error == "skip"
        self._decoding = Decoding(encoding, errors, notice)
        self._fields = fields
        self.skipped = 0
        #: The columns to read, by whether their source is a table, and by its files.
        self._wanted: dict[tuple[bool, tuple[Any, ...]], list[tuple[str, str]]] = {}
        self._at_refs, self._at_systems = ([self._add(origin) for origin in origins] for origins in (refs, systems))
        self._at_by = None if by is None else self._add(by)
        #: For each source, its name, its files or batches, and its columns.
        self._sources = [_source(paths, wanted) for (_, paths), wanted in self._wanted.items()]

    def _add(self, origin: Origin) -> tuple[int, int]:
        """Read a column; returns the number of its source, and its place there."""
        source = bool(origin.name), origin.paths
        wanted = self._wanted.setdefault(source, [])
        if origin.name:
            wanted.append((origin.name, origin.kind))
        return list(self._wanted).index(source), max(0, len(wanted) - 1)

    @property
    def systems(self) -> int:
        """The number of systems."""
        return len(self._at_systems)

    def groups(self, metric: Metric[Any, ScoreOfMetric]) -> dict[str | None, ScoreOfMetric]:
        """The score of each group, by its name; None is the name of the group of null, the last.

        Raises:
            InputError: as in a loop over the scan.
            OptionError: the scan has no groups, or `metric` is not a metric.
        """
        if self._at_by is None:
            raise OptionError("this scan has no groups; name their column: by=...")
        return {name: scores[0][0] for name, scores in self._tally(metric).groups().items()}

    def score(self, metric: Metric[Any, ScoreOfMetric]) -> ScoreOfMetric:
        """The score of all rows, as `metric.corpus` of this scan returns it.

        Raises:
            InputError: as in a loop over the scan.
            OptionError: `metric` is not a metric.
        """
        total: ScoreOfMetric = self._tally(metric).scores()[0][0]
        return total

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
            Source(name, "row" if wanted else "line", self._read(files, wanted, parallel))
            for name, files, wanted in self._sources
        ]
        return Alignment(
            sources, self._at_systems, self._at_refs, self._at_by, fields=self._fields, size=self._size, skip=self._skip
        )

    def _read(self, files: Any, wanted: Wanted, parallel: bool) -> Iterator[Any]:
        if not isinstance(files, list):
            return read_batches(files, wanted)
        if not wanted:
            return read_text(files, self._decoding)
        size = max(self._size, BATCH)
        return read_rows(files, wanted, self._decoding, size=size, parallel=parallel)

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
    names = [ref] if isinstance(ref, str) else [] if ref is None else list(ref)
    for name in (*names, *([] if hyp is None else [hyp])):
        if not isinstance(name, str):
            raise OptionError(f"a column name cannot be {describe(name)}; give strings")
    if hasattr(path, "__next__"):
        paths: list[Any] = [path]
    elif hasattr(path, "__iter__") and not isinstance(path, (str, bytes)):
        paths = list(map(os.fspath, path))
    else:
        paths = [os.fspath(path)]
    if not paths:
        raise InputError("there is no file to read; give at least one")
    if hyp is None and hyps is None:
        raise OptionError("name the column of hypotheses, or their files")
    if not names and (hyps is None or hasattr(path, "__next__")):
        raise OptionError("name the column of references")
    refs = origins(TEXTS, paths, names)
    system = Origin(TEXT, paths if hyps is None else [os.fspath(hyps)], hyp or "")
    groups = None
    if by is not None:
        table = next((origin.paths for origin in (*refs, system) if origin.name), None)
        groups = Origin(LABEL, [by]) if table is None else Origin(LABEL, table, by)
    return Scan(refs, [system], groups, batch_size=batch_size, on_error=on_error, encoding=encoding, errors=errors)


def _source(paths: tuple[Any, ...], wanted: Wanted) -> tuple[str, Any, Wanted]:
    """The name of a source, its files or batches, and its columns."""
    if hasattr(paths[0], "__next__"):
        return "batches", paths[0], wanted
    files = [file for path in paths for file in files_of(path)]
    return paths[0] if len(paths) == 1 else files[0], files, wanted


def read_lines(path: str | os.PathLike[str], encoding: str = "utf-8", errors: str = "strict") -> list[str]:
    r"""Read the segments of a text file, one on each line, as the command line does.

    Lines end at `\n` only. `str.splitlines` also ends them at a carriage return, a form feed or
    U+2028, which shifts all segments that follow. gzip, bzip2, xz and zstd files are recognized by
    content, and so are UTF-16 and UTF-32 by their byte order mark, with a warning. Of SGML and XML,
    a line is the text of a segment.

    Args:
        path: file to read; `-` is standard input. `all.xml#ref:A` and `all.xml#hyp:X` are texts of
            a file that has several.
        encoding, errors: as Python's `open`, for files without a byte order mark.

    Raises:
        InputError: the file cannot be read or decoded, or is empty.

    Example:
        >>> import pathlib, tempfile
        >>> import truebleu as tb
        >>> path = pathlib.Path(tempfile.mkdtemp(), "hyp.txt")
        >>> _ = path.write_text("the cat\u2028sat\nit is late\n", encoding="utf-8")
        >>> tb.read_lines(path)
        ['the cat\u2028sat', 'it is late']
    """
    notices: list[str] = []
    lines = files.read_lines(os.fspath(path), files.Decoding(encoding, errors, notices.append))
    for notice in notices:
        warnings.warn(notice, stacklevel=2)
    return list(lines)
