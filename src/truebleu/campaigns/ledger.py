# SPDX-License-Identifier: Apache-2.0
"""A ledger: a file that remembers what was scored, so that nothing is counted twice."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from truebleu.campaigns.ledger_file import DAMAGED, changing, one_line, open_ledger, patiently
from truebleu.campaigns.ledger_runs import Run, Tags, checked_tags, recipe, select
from truebleu.campaigns.ledger_texts import Texts, pack, unpack
from truebleu.errors import InputError, OptionError, describe
from truebleu.inputs.corpus import column
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

if TYPE_CHECKING:
    from truebleu.analysis.compare import Comparison
    from truebleu.campaigns.ledger_compare import Gate
    from truebleu.campaigns.ledger_curve import Curve

_RUNS = (
    "SELECT runs.id, name, tags, time, metric, score, runs.signature, segments, hyp, refs, kind,"
    " options FROM runs JOIN counts ON counts.id = counts ORDER BY time, runs.id"
)
_ADD_RUN = (
    "INSERT INTO runs (counts, name, tags, time, metric, score, signature, kind, options)"
    " SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM counts WHERE hyp = ? AND refs = ? AND settings = ?"
    " ON CONFLICT DO UPDATE SET time = excluded.time"
)


class Ledger:
    """A file of scored texts: their statistics, not the texts.

    An SQLite database that several processes may use at once. Statistics are found by the hashes of
    the texts and the settings that decide what is counted, so the same texts with another smoothing
    are not counted again. Every scoring is a run, with a name, a time and tags. A `with` block
    closes the ledger.

    Args:
        path: the file; it is made if it does not exist.

    Raises:
        InputError: the file cannot be opened, or is not a ledger.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "it is late"]
        >>> with tb.Ledger(":memory:") as ledger:  # a file, such as "runs.db", stays
        ...     score = ledger.log(["a cat sat on the mat", "it is late"], refs, name="small")
        ...     again = ledger.find(["a cat sat on the mat", "it is late"], refs)
        ...     print(f"{score.value:.1f}", again.sum() == score.stats, len(ledger.runs("small")))
        79.8 True 1
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        if not isinstance(self.path, str):
            raise OptionError(f"path cannot be {describe(path)}; give text")
        self._connection = open_ledger(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with one_line(self.path):
            self._connection.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r})"

    def find(self, hyps: Any, refs: Any, metric: str | Metric[Any, Any] = "bleu") -> Any:
        """The statistics of texts, as `metric.stats` counts them; None if they are not stored.

        Args:
            hyps: n texts, as for `BLEU.corpus`; not tokens.
            refs: n texts or lists of texts.
            metric: a metric, or its name.

        Raises:
            InputError: the texts are not aligned, or the ledger is damaged.
        """
        measure = choose_metric(metric, "sacrebleu", None, {})
        recipe(measure)
        return self._find(Texts.of(column("hyps", hyps), column("refs", refs)), measure)

    def stats(
        self,
        hyps: Any,
        refs: Any,
        metric: str | Metric[Any, Any] = "bleu",
        *,
        name: str,
        tags: Tags | None = None,
    ) -> Any:
        """The statistics of texts, counted only if they are not stored; and a new run.

        A run with the same name, tags, texts and signature is not repeated: its time changes.

        Args:
            hyps, refs, metric: as for `find`.
            name: of the system.
            tags: more about the run: text or numbers by name, such as `{"step": 12000}`.

        Returns:
            One row for each segment, as `metric.stats` returns.

        Raises:
            InputError: as `find`, or the disk is full.
            OptionError: a tag has a name or value that cannot be, or the tokenizer is a function.
        """
        return self._record(hyps, refs, metric, name, tags)[0]

    def log(
        self,
        hyps: Any,
        refs: Any,
        metric: str | Metric[Any, Any] = "bleu",
        *,
        name: str,
        tags: Tags | None = None,
    ) -> Any:
        """The score of texts, as `metric.corpus` computes it; and a new run, as by `stats`.

        In a training loop: `ledger.log(hyps, refs, name="run-7", tags={"step": step})`.
        """
        return self._record(hyps, refs, metric, name, tags)[1]

    def _record(
        self, hyps: Any, refs: Any, metric: Any, name: str, tags: Tags | None
    ) -> tuple[Rows, MetricScore]:
        if not isinstance(name, str) or not name:
            raise OptionError(f"name cannot be {describe(name)}; give text")
        measure = choose_metric(metric, "sacrebleu", None, {})
        kind, options = recipe(measure)
        tagged = checked_tags(tags or {})
        hyps, refs = column("hyps", hyps), column("refs", refs)
        texts = Texts.of(hyps, refs)
        stats = self._find(texts, measure)
        if stats is None:
            stats = measure.stats(hyps, refs)
        line = measure._score_signature(texts.nrefs)
        score = measure.score(stats).with_signature(line)
        key = (texts.hyp, texts.refs, _settings(measure))
        run = (name, tagged, _now(), score.name, score.value, line, kind, options, *key)
        with one_line(self.path), changing(self._connection):
            if self._connection.execute(_ADD_RUN, run).rowcount == 0:
                data = pack(stats.buffer, stats.width)
                self._connection.execute(
                    "INSERT INTO counts (hyp, refs, settings, signature, segments, data)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (*key, stats.signature, len(stats), data),
                )
                self._connection.execute(_ADD_RUN, run)
        return stats, score

    def _find(self, texts: Texts, metric: Any) -> Rows | None:
        with one_line(self.path):
            entry = self._connection.execute(
                "SELECT signature, segments, data FROM counts"
                " WHERE hyp = ? AND refs = ? AND settings = ?",
                (texts.hyp, texts.refs, _settings(metric)),
            ).fetchone()
        return None if entry is None else self._unpacked(metric, *entry)

    def _unpacked(self, metric: Any, signature: str | None, segments: int, data: bytes) -> Rows:
        zero: Rows = metric.zero_stats()
        try:
            rows = unpack(data, zero.width, segments)
        except ValueError:
            raise InputError(f"{self.path}: {DAMAGED}") from None
        return zero._wrap(rows, zero.shape, signature)

    def runs(self, *selections: str | int) -> list[Run]:
        """Runs, the last scored one last.

        Args:
            selections: each selects some by their number, their name, or tags, as in
                `"step=12000"` or `"set=wmt22,pair=de-en"`; without one, all.

        Raises:
            InputError: there is no such run, or the ledger is damaged.
        """
        with one_line(self.path):
            entries = self._connection.execute(_RUNS).fetchall()
        try:
            runs = [Run.of(*entry) for entry in entries]
        except (AttributeError, TypeError, ValueError):
            raise InputError(f"{self.path}: {DAMAGED}") from None
        if not selections:
            return runs
        ids = {run.id for one in selections for run in select(runs, one)}
        return [run for run in runs if run.id in ids]

    def rows(self, run: Run) -> Any:
        """The statistics of a run, a row for each segment; any metric of their shape scores them.

        Raises:
            InputError: the run is not in the ledger any more, or the ledger is damaged.
        """
        with one_line(self.path):
            entry = self._connection.execute(
                "SELECT NULL, segments, data FROM counts JOIN runs ON counts.id = counts"
                " WHERE runs.id = ?",
                (run.id,),
            ).fetchone()
        if entry is None:
            raise InputError(f"{self.path}: run {run.id} was removed")
        return self._unpacked(run.make_metric(), *entry)

    def compare(self, *selections: str | int, **options: Any) -> dict[str, list[Comparison]]:
        """Compare past runs, without their texts.

        Args:
            selections: of runs, as for `runs`; of each system in each, the last scored one counts.
            options: of `truebleu.compare`: `test`, `correction`, `resamples`, `seed`, `alpha`.

        Returns:
            A comparison for each metric, by a name for the references: the tags that runs share.

        Raises:
            InputError: no two runs have the same references and signature.
        """
        from truebleu.campaigns.ledger_compare import comparable, compare_runs, titled

        runs = self.runs()
        groups = comparable([select(runs, one) for one in selections])
        result: dict[str, list[Comparison]] = {}
        for name, some in titled([list(chain(*parts)) for parts in groups]):
            result.setdefault(name, []).append(compare_runs(some, self.rows, **options))
        return result

    def gate(self, baseline: str | int, *selections: str | int, **options: Any) -> Gate:
        """Test whether systems are significantly worse than a baseline.

        Each is compared with the baseline on every test set and by every metric that they have in
        common, by a paired permutation test with Holm's correction for all comparisons.

        Args:
            baseline: selects runs; of each system, the last scored one counts. If there are
                several systems, each run is compared with that of its name.
            selections: of the others (default: all runs that are not of the baseline); of each
                system, the last scored one counts.
            options: `test`, `resamples`, `seed` and `alpha`, as for `truebleu.compare`.

        Raises:
            InputError: there is nothing to compare.
        """
        from truebleu.campaigns.ledger_compare import comparable, gate

        runs = self.runs()
        base = select(runs, baseline)
        excluded = {run.id for run in base}
        others = [run for run in runs if run.id not in excluded]
        if selections:
            others = [run for one in selections for run in select(runs, one)]
            for one in selections:
                comparable([base, select(runs, one)])  # or an error
        return gate(others, base, self.rows, name=str(baseline), **options)

    def curve(self, *selections: str | int, tag: str = "step", **options: Any) -> list[Curve]:
        """Learning curves: scores over steps, each compared with the best step before.

        Args:
            selections: of runs, as for `runs`; without one, all runs that have the tag.
            tag: the name of the steps, whose values are numbers.
            options: of `truebleu.compare`: `test`, `correction`, `resamples`, `seed`, `alpha`.

        Returns:
            A curve for each system, references and signature.

        Raises:
            InputError: no run has the tag, or its value is not a number.
        """
        from truebleu.campaigns.ledger_curve import curves

        return curves(self.runs(*selections), self.rows, tag, **options)

    def export(
        self, path: str | os.PathLike[str], *selections: str | int, force: bool = False
    ) -> None:
        """Write a table with a row for each run, to a .csv or .parquet file.

        The columns are the attributes of a run, and `tag_KEY` for each tag. Parquet also has
        `rows`: the statistics of each segment, a list of lists of integers.

        Args:
            path: the file.
            selections: of runs, as for `runs`; without one, all.
            force: replace an existing file.

        Raises:
            OptionError: the name ends otherwise, or the file exists or cannot be written.
            MissingExtraError: PyArrow is not installed, which writes Parquet.
        """
        from truebleu.campaigns.ledger_export import export

        export(self.runs(*selections), self.rows, os.fspath(path), force=force)

    def gc(self, *selections: str | int) -> tuple[int, int]:
        """Remove the selected runs and all statistics that no run has; shrink the file.

        Returns:
            The number of runs and of texts whose statistics were removed.
        """
        ids = [(run.id,) for run in self.runs(*selections)] if selections else []
        with one_line(self.path):
            with changing(self._connection):
                self._connection.executemany("DELETE FROM runs WHERE id = ?", ids)
                removed = self._connection.execute(
                    "DELETE FROM counts WHERE id NOT IN (SELECT counts FROM runs)"
                ).rowcount
            patiently(self._connection, "VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(ids), removed


def _settings(metric: Any) -> str:
    """All that decides the rows of a metric, apart from the texts."""
    zero = metric.zero_stats()
    return f"{type(zero).__name__} {' '.join(map(str, zero.shape))}|{zero.signature}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
