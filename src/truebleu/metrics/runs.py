# SPDX-License-Identifier: Apache-2.0
"""Saved runs: files with the statistics of scored systems, without their texts.

A file begins with the 8 bytes `93 54 42 52 55 4E 01 0A`: one that no UTF-8 text begins with,
`TBRUN`, version 1, line feed. The head follows, a JSON object on one line; then the statistics,
compressed by zlib; then the CRC-32 of all bytes before, 4 bytes, little-endian. The keys of the
head:

- `systems`: their names; `segments`: their number; `nrefs`: as in signatures.
- `references`: a BLAKE2b hash of 16 bytes, of a JSON list with a list of references for each
  segment, as Python's `json.dumps` writes it.
- `tags`: text or numbers by name; `time`: of the scoring, ISO 8601, UTC.
- `metrics`: for each its name, its options (of BLEU, those that differ from the defaults), the
  signature of its scores, and the size of the statistics of each system.

The statistics are those of the first metric, system by system, then of the second, each as
`Stats.to_bytes` writes them: a row of 64-bit integers for each segment.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import accumulate, chain
from typing import Any
from zlib import crc32

from truebleu.dialects.signature import nrefs as nrefs_of
from truebleu.dialects.tools import dialect
from truebleu.errors import InputError, OptionError, describe, suggest, within
from truebleu.inputs.corpus import as_python, column, named_systems
from truebleu.inputs.files import RUN, open_bytes, unreadable
from truebleu.inputs.ids import Ids
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import NAMES, choose_metric, metric_class
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows
from truebleu.metrics.tokenizers import NATIVE
from truebleu.text.atomic import check_output, write_whole

Tags = Mapping[str, str | int | float]

#: The first bytes of a run file: those of all versions of the format, and the version.
_MAGIC = RUN + b"\x01\n"
#: The keys of the head that are attributes of a run.
_HEAD = ("systems", "segments", "references", "nrefs", "tags", "time")


@dataclass(frozen=True, slots=True)
class Scoring:
    """A metric by which the systems of a run were scored, and their statistics.

    Attributes:
        kind: the metric's name as an argument, such as `chrf`.
        options: of the metric.
        signature: of its scores.
        rows: the statistics of each system.
    """

    kind: str
    options: Mapping[str, Any]
    signature: str
    rows: Mapping[str, Rows]

    @property
    def is_native(self) -> bool:
        """Whether the tokenizer is part of the kernel; a file must not name another to load."""
        return self.options.get("tokenize", "none") in NATIVE

    def metric(self) -> Metric:
        """The metric that computes scores; it reads texts only if `is_native`."""
        options = self.options if self.is_native else {**self.options, "tokenize": "none"}
        return metric_class(self.kind)(**options)

    def unsigned(self, system: str) -> Rows:
        """The statistics of a system for `metric()`, whose tokenizer may be another."""
        rows = self.rows[system]
        return rows._wrap(rows.buffer, rows.shape, None)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Run:
    """Scored systems on one test set: their statistics, without the texts.

    `run["aurora"]` is the run with one of the systems. `compare`, `learning_curve` and `TestSet`
    take runs.

    Attributes:
        path: of its file.
        systems: their names.
        segments: their number.
        references: a hash of the references.
        nrefs: references of a segment, as in signatures.
        tags: notes of the user, such as `{"step": 12000}`.
        time: of the scoring: ISO 8601, UTC.
        scorings: the metrics, with the statistics of each system.
    """

    path: str
    systems: tuple[str, ...]
    segments: int
    references: str
    nrefs: int | str
    tags: Tags
    time: str
    scorings: tuple[Scoring, ...]

    def __len__(self) -> int:
        return self.segments

    def __repr__(self) -> str:
        return f"<Run {self.path}: {', '.join(self.systems)}>"

    def __getitem__(self, system: str) -> Run:
        if system not in self.systems:
            raise InputError(f"{self.path}: no system is named {suggest(system, self.systems)}")
        return replace(self, systems=(system,))

    @property
    def scores(self) -> dict[str, tuple[MetricScore, ...]]:
        """The scores of each system, one by each metric."""
        return {
            system: tuple(
                scoring.metric().score(scoring.unsigned(system)).with_signature(scoring.signature)
                for scoring in self.scorings
            )
            for system in self.systems
        }

    @property
    def system(self) -> str:
        """The name of its only system.

        Raises:
            InputError: it has several.
        """
        if len(self.systems) > 1:
            raise InputError(
                f"{self.path} has the systems {', '.join(self.systems)}; select one, as in "
                f"load_run(path)[{self.systems[0]!r}]"
            )
        return self.systems[0]

    def by(self, signature: str) -> Run:
        """The run with one of its metrics, or with none if no score has the signature."""
        scorings = (own for own in self.scorings if own.signature == signature)
        return replace(self, scorings=tuple(scorings))


def save_run(
    path: str | os.PathLike[str],
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any,
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    *,
    tags: Tags | None = None,
    force: bool = False,
) -> Run:
    """Score systems, and save their statistics in a file, but not their texts.

    Args:
        path: the file, such as `base.bleu`.
        systems: hypotheses by the system's name: text, as for `BLEU.corpus`.
        refs: as for `BLEU.corpus`.
        metrics: names or metrics.
        tags: notes: text or numbers by name, such as `{"step": 12000}`.
        force: replace an existing file.

    Returns:
        The run, with its scores.

    Raises:
        InputError: the texts are not aligned, or are tokens.
        OptionError: the file exists or cannot be written, a tag is neither text nor a number, or
            the tokenizer is a function.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "it is late"]
        >>> run = tb.save_run("base.bleu", {"base": ["a cat sat on the mat", "it is late"]}, refs)
        >>> print(f"{run.scores['base'][0].value:.1f}")
        79.8
        >>> tb.load_run("base.bleu").scores == run.scores
        True
    """
    check_output(os.fspath(path), force=force)
    listed = metrics if isinstance(metrics, (list, tuple)) else [metrics]
    measures = [choose_metric(metric, "sacrebleu", None, {}) for metric in listed]
    run = record(named_systems(systems), refs, measures, tags or {})
    return write_run(run, path, force=force)


def record(systems: Sequence[tuple[str, Any]], refs: Any, metrics: Sequence[Any], tags: Tags) -> Run:
    """A run of systems that is not saved yet; see `save_run`.

    Systems may be runs or statistics, too.
    """
    if not systems or not metrics:
        raise InputError("there is nothing to save; give at least one system and one metric")
    checked = checked_tags(tags)
    refs = column("refs", refs)
    references, nrefs = identified(refs)
    columns = [(name, hyps if isinstance(hyps, (Run, Rows)) else column("hyps", hyps)) for name, hyps in systems]
    if any(map(_are_tokens, dict(columns).values())):
        raise InputError("a run file holds scores of text, not of tokens; give strings")
    scorings = []
    for metric in metrics:
        kind, options = _recipe(metric)
        rows = {}
        for name, hyps in without_runs(columns, None, metric, references=references)[0]:
            with within(f"system {name!r}"):
                rows[name] = hyps if isinstance(hyps, Rows) else metric.stats(hyps, refs)
        scorings.append(Scoring(kind, options, metric._score_signature(nrefs), rows))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    names = tuple(name for name, _ in systems)
    return Run("", names, len(refs), references, nrefs, checked, now, tuple(scorings))


def _are_tokens(hyps: Any) -> bool:
    is_list = isinstance(hyps, (list, tuple)) and bool(hyps)
    return isinstance(hyps, Ids) or (is_list and isinstance(hyps[0], (list, tuple)))


def write_run(run: Run, path: str | os.PathLike[str], *, force: bool = False) -> Run:
    """Write the file of a run, whole or not at all."""
    blocks = [[scoring.rows[system].to_bytes() for system in run.systems] for scoring in run.scorings]
    metrics = [
        {
            "metric": scoring.kind,
            "options": scoring.options,
            "signature": scoring.signature,
            "bytes": list(map(len, of_metric)),
        }
        for scoring, of_metric in zip(run.scorings, blocks, strict=True)
    ]
    head = {**{name: getattr(run, name) for name in _HEAD}, "metrics": metrics}
    packed = zlib.compress(b"".join(chain.from_iterable(blocks)))
    data = b"".join([_MAGIC, json.dumps(head).encode(), b"\n", packed])
    path = os.fspath(path)
    write_whole(path, data + crc32(data).to_bytes(4, "little"), force=force)
    return replace(run, path=path)


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a file that `save_run`, or `--save` of a command, wrote.

    Raises:
        InputError: the file cannot be read, is damaged, or is not a run file.
    """
    path = os.fspath(path)
    with open_bytes(path) as file:
        try:
            data = file.read()
        except OSError as error:
            raise unreadable(path, error) from None
    return run_of(path, data)


def run_of(path: str, data: bytes) -> Run:
    """The run in the bytes of a file; see `load_run`."""
    if not data.startswith(RUN):
        raise InputError(f"{path}: not a run file, as --save writes; name another (gate reads texts with --ref)")
    if not data.startswith(_MAGIC):
        raise InputError(f"{path}: a run file of another version of TrueBLEU; save it again")
    try:
        return _parsed(path, data)
    except Exception as error:  # noqa: BLE001  (the bytes may be anything)
        raise InputError(f"{path}: the run file is damaged: {error}; save it again") from None


def _parsed(path: str, data: bytes) -> Run:
    if crc32(data[:-4]).to_bytes(4, "little") != data[-4:]:
        raise ValueError("its checksum differs")
    line, _, packed = data[len(_MAGIC) : -4].partition(b"\n")
    head = json.loads(line)
    systems, metrics = tuple(head["systems"]), head["metrics"]
    texts = (*systems, head["references"], head["time"])
    if not systems or not metrics or not all(isinstance(text, str) for text in texts):
        raise ValueError("its head has no systems")
    if len(set(systems)) < len(systems) or type(head["nrefs"]) not in (int, str):
        raise ValueError("its head is not that of a run")
    sizes = [size for metric in metrics for size in metric["bytes"]]
    reader = zlib.decompressobj()
    body = reader.decompress(packed, sum(sizes) + 1)
    if len(body) != sum(sizes) or min(sizes) < 0 or not reader.eof or reader.unused_data:
        raise ValueError("its rows have another size")
    ends = accumulate(sizes)
    blocks = iter([body[end - size : end] for size, end in zip(sizes, ends, strict=True)])
    scorings = []
    for metric in metrics:
        own = Scoring(metric["metric"], dict(metric["options"]), metric["signature"], {})
        if own.kind not in NAMES or not isinstance(own.signature, str):
            raise ValueError("a metric is not known")
        zero = own.metric().zero_stats()
        rows = {system: type(zero).from_bytes(next(blocks)) for system in systems}
        if any((len(part), part.shape) != (head["segments"], zero.shape) for part in rows.values()):
            raise ValueError("its rows have another shape")
        scorings.append(replace(own, rows=rows))
    head |= {"systems": systems, "segments": len(rows[systems[0]]), "tags": checked_tags(head["tags"])}
    return Run(path, scorings=tuple(scorings), **{name: head[name] for name in _HEAD})


def without_runs(
    systems: Sequence[tuple[str, Any]], refs: Any, metric: Any, *, is_default: bool = False, references: str = ""
) -> tuple[list[tuple[str, Any]], Any, str]:
    """Systems with the statistics of runs in their place, the metric, and its signature.

    Args:
        systems: names with runs, texts or statistics.
        refs: of the texts, or None.
        metric: a metric.
        is_default: whether to take the first metric that all runs have instead.
        references: a hash of `refs`, if it was computed before.

    Returns:
        The signature has the references; it is empty without a run.

    Raises:
        InputError: runs have other references or settings.
    """
    runs = {name: run for name, run in systems if isinstance(run, Run)}
    if not runs:
        return list(systems), metric, ""
    (title, first), *others = runs.items()
    for name, run in others:
        if run.references != first.references:
            raise InputError(f"{title} and {name} have different references; compare runs of one test set")
    references = references or ("" if refs is None else identified(refs)[0])
    if references and references != first.references:
        raise InputError(f"{title} was scored with other references; score it again with these")
    if is_default:
        signature = common_signatures(runs)[0]
        scorings = {name: run.by(signature).scorings[0] for name, run in runs.items()}
        metric = scorings[title].metric()
        if len(runs) == len(systems):
            rows = {name: scorings[name].unsigned(run.system) for name, run in runs.items()}
            return list(rows.items()), metric, signature
        if not scorings[title].is_native:
            raise InputError(f"{title} has {signature}; to score texts with its tokenizer, name it")
    counted = {name: _counted_by(metric, name, run) for name, run in runs.items()}
    named = [(name, counted.get(name, hyps)) for name, hyps in systems]
    return named, metric, metric._score_signature(first.nrefs)


def _counted_by(metric: Any, name: str, run: Run) -> Rows:
    """The statistics of a run that a metric would count."""
    zero = metric.zero_stats()
    for scoring in run.scorings:
        rows = scoring.rows[run.system]
        if (type(rows), rows.shape, rows.signature) == (type(zero), zero.shape, zero.signature):
            return rows
    raise InputError(
        f"{name} has no {metric.name} counted with {zero.signature}, but "
        f"{' and '.join(own.signature for own in run.scorings)}; score it again with these options"
    )


def common_signatures(runs: Mapping[str, Run]) -> list[str]:
    """The signatures of the metrics that all runs have.

    Raises:
        InputError: there is none.
    """
    first, *others = runs.values()
    signatures = [own.signature for own in first.scorings]
    common = [line for line in signatures if all(run.by(line).scorings for run in others)]
    if not common:
        raise InputError(
            f"{' and '.join(runs)} have no settings in common; score all with those of "
            f"{next(iter(runs))}: {' or '.join(signatures)}"
        )
    return common


def _recipe(metric: Any) -> tuple[str, dict[str, Any]]:
    """The name of a metric and its options; of BLEU, those that differ from the defaults.

    Raises:
        OptionError: it is not one of the metrics by name, or its tokenizer is a function.
    """
    kind = type(metric).__name__.lower()
    if kind not in NAMES:
        raise OptionError(f"a run file has no {type(metric).__name__}; it has {', '.join(NAMES)}")
    if kind == "bleu":
        usual = dialect("sacrebleu").options()
        every = metric.dialect.options()
        options = {name: value for name, value in every.items() if value != usual[name]}
    else:
        options = dict(metric.settings)
    if callable(options.get("tokenize")):
        raise OptionError("a run file cannot name a function; name a tokenizer, such as re:PATTERN")
    if not all(isinstance(name, str) for name in options.get("normalize", ())):
        raise OptionError("a run file cannot hold a normalization of your own; name those it has")
    return kind, options


def checked_tags(tags: Tags) -> dict[str, str | int | float]:
    """Tags whose numbers are those of Python; an OptionError if a value is no text or number."""
    checked: dict[str, str | int | float] = {}
    for name, value in tags.items():
        try:
            tag = value
            if not isinstance(value, str):
                number = value.__float__()
                tag = int(value) if number.is_integer() else number
            json.dumps({str(name): tag}, ensure_ascii=False, allow_nan=False).encode()
        except (AttributeError, TypeError, ValueError, OverflowError):
            raise OptionError(f"tag {name!a:.80} cannot be {describe(value)}; give text or a number") from None
        checked[str(name)] = tag
    return checked


def identified(refs: Any) -> tuple[str, int | str]:
    """A hash of references, however they are stored, and the `nrefs` of signatures.

    Raises:
        InputError: they are not text.
    """
    listed = (row if isinstance(row, (list, tuple)) else [row] for row in as_python("refs", refs))
    rows = [[ref for ref in row if ref is not None] for row in listed]
    if not all(isinstance(ref, str) for row in rows for ref in row):
        raise InputError("a run file holds scores of text; give references that are strings")
    counts = list(map(len, rows)) or [0]
    digest = blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()
    return digest, nrefs_of((min(counts), max(counts)))


def opened(hyps: Any) -> Any:
    """The run in a file, if hypotheses are the path of one."""
    is_path = isinstance(hyps, os.PathLike) or (isinstance(hyps, str) and hyps.endswith(".bleu"))
    return load_run(hyps) if is_path else hyps


def parse_tags(words: Sequence[str]) -> dict[str, str]:
    """Tags as typed, `TAG=TEXT`.

    Example:
        >>> parse_tags(["step=12000", "version=1.0"])
        {'step': '12000', 'version': '1.0'}
    """
    tags = dict(word.split("=", 1) for word in words if "=" in word)
    if len(tags) < len(words):
        raise OptionError("--tag: each tag is TAG=TEXT, such as step=12000, and occurs once")
    return tags
