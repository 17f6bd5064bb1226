# SPDX-License-Identifier: Apache-2.0
"""A campaign: every system on every test set is scored and compared, and then averaged."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Unpack

import numpy as np

from truebleu.analysis.compare import SEED, Comparison, compare
from truebleu.analysis.compare.significance import (
    ComparisonSettings,
    check_options,
    compare_strata,
    score_systems,
    with_people,
)
from truebleu.analysis.compare.strata import Stratum
from truebleu.analysis.compare.trials import is_tried, with_trials
from truebleu.analysis.progress import between, part_of
from truebleu.campaigns.layouts import Layout, Unused
from truebleu.campaigns.manifest import read_manifest
from truebleu.campaigns.results import Campaign, Matrix, Row, best_of
from truebleu.campaigns.sets import SetFiles, TestSet, all_systems
from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.dialects.languages import TOKENIZED, tokenizer
from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError, OptionError, describe, suggest, within
from truebleu.inputs.columns import reference_counts
from truebleu.inputs.corpus import label_names
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.runs import Tags, record, without_runs, write_run
from truebleu.metrics.stats import Rows
from truebleu.text.atomic import check_output, make_folder

#: The tests of averages; sacreBLEU's tests have none.
TESTS = ("permutation", "bootstrap")

#: The metrics with a tokenizer of BLEU.
Measures = Callable[[str], Sequence[Any]]

#: The statistics of the systems on a set, its row, and the metric of both.
_Part = tuple[Stratum, Row, Any]


def campaign(
    sets: str | os.PathLike[str] | TestSet | Iterable[str | os.PathLike[str] | TestSet | SetFiles],
    dialect: str | Dialect = "sacrebleu",
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    by_doc: bool = False,
    test: str = "permutation",
    correction: str = "maxt",
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    save: str | os.PathLike[str] | None = None,
    tags: Tags | None = None,
    force: bool = False,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda _: None,
    **changes: Unpack[BLEUChanges],
) -> Campaign:
    """Score many systems on many test sets, and test every difference and every average.

    The tokenizer of BLEU follows the target language of each set: `zh`, `ja-mecab`, `ko-mecab`,
    `char` for Thai, Khmer, Lao and Burmese, else `13a`. `tokenize=` or another dialect sets it for
    all.

    Args:
        sets: folders, whose files are found by their names; manifests, whose names end in `.toml`;
            or a `TestSet` for each set.
        dialect: of BLEU.
        metrics: names or metrics; each has a matrix of its own.
        by_doc: score documents as segments (d-BLEU), and draw documents in the tests.
        test: `permutation` or `bootstrap`, as for `compare`.
        correction: of the p-values of all pairs of a set, and of those of all averages: `maxt`,
            `holm` or `bh`, as for `compare`.
        resamples, seed, alpha: as for `compare`.
        save: a folder for a run file of each set and system; it is made if it does not exist.
        tags: of the run files, which have the set and its pair as tags, too.
        force: replace existing run files.
        threads: the most threads to use; they never change a result.
        progress: called with the share of the work that is done.
        changes: options of BLEU to change, by name.

    Raises:
        InputError: no set was found, or the texts of a set are not aligned.
        OptionError: an option that does not exist or cannot have this value.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "a dog ran home", "it is very late now"] * 10
        >>> worse = ["the cat is on the mat", "a dog ran to home", "it is late now"] * 10
        >>> better = ["the cat sat on a mat", "a dog ran home", "it is very late"] * 10
        >>> sets = [tb.TestSet(f"set{i}", refs, {"A": worse, "B": better}) for i in (1, 2)]
        >>> result = tb.campaign(sets)
        >>> print(result)
        B is better than A: +53.7 average BLEU, 95 % interval 49.2 to 58.0, p = 0.0001
        >>> result.matrix().rows[0].best, result.table()["score"][0] < 20
        ('B', True)
    """

    def chosen(metric: Any, own: dict[str, Any]) -> Any:
        if metric == "bleu":
            return choose_metric(metric, dialect, threads, {**own, **changes})
        if isinstance(metric, str):
            return choose_metric(metric, "sacrebleu", threads, own if metric in TOKENIZED else {})
        return choose_metric(metric, "sacrebleu", None, {})

    @cache
    def measures(tokenize: str) -> list[Any]:
        tokenizer = tokenize or changes.get("tokenize")
        own = {"tokenize": tokenizer} if tokenizer else {}
        return [chosen(metric, own) for metric in metrics]

    if isinstance(metrics, str):
        metrics = [metrics]
    follows = (
        dialect == "sacrebleu" and "tokenize" not in changes and any(name in TOKENIZED for name in map(str, metrics))
    )
    if test not in TESTS:
        raise OptionError(f"no test of averages is named {suggest(str(test), TESTS)}")
    settings = check_options(test, correction, resamples, seed, alpha)
    files, _ = gathered(sets)
    return score_sets(
        files, measures, settings, by_doc=by_doc, save=save, tags=tags, force=force, progress=progress, follows=follows
    )


def gathered(sets: Any) -> tuple[list[Any], Unused]:
    """The test sets in folders, manifests and memory, and the files in folders of no set.

    Raises:
        InputError: there is no set, or two have the same name and pair.
    """
    if isinstance(sets, (str, os.PathLike, TestSet, SetFiles)):
        sets = [sets]
    listed: list[Any] = []
    unused: Unused = ()
    for item in sets:
        if isinstance(item, (TestSet, SetFiles)):
            listed.append(item)
        elif not isinstance(item, (str, os.PathLike)):
            raise InputError(f"a test set cannot be {describe(item)}; give a path or a TestSet")
        elif os.fspath(item).endswith(".toml"):
            listed += read_manifest(item)
        else:
            layout = Layout(item)
            listed += layout.sets
            unused += layout.unused
    if not listed:
        raise InputError("there is no test set; give at least one")
    titles = [test_set.title for test_set in listed]
    for title in titles:
        if titles.count(title) > 1:
            raise InputError(f"two test sets are named {title!r}; their names must differ")
    return listed, unused


def score_sets(
    sets: Sequence[SetFiles | TestSet],
    measures: Measures,
    settings: ComparisonSettings,
    *,
    by_doc: bool,
    save: str | os.PathLike[str] | None,
    tags: Tags | None,
    force: bool,
    follows: bool,
    progress: Callable[[float], None],
    read: Callable[[SetFiles | TestSet], TestSet] = lambda files: files.read(),
) -> Campaign:
    """As `campaign`, with the metrics by the name of a tokenizer and the way to read a set.

    `follows` says whether the tokenizer follows the target language; else its name is empty.
    """
    systems = all_systems(sets)
    parts: dict[tuple[int, str | None], list[_Part]] = {}
    tokenizers = {test_set.pair: tokenizer(test_set.pair) for test_set in sets if follows}
    metrics = {test_set.title: tuple(measures(tokenizers.get(test_set.pair, ""))) for test_set in sets}
    steps = sum(map(len, metrics.values())) or 1
    done = 0
    for files in sets:
        texts = read(files)
        texts = texts.by_document() if by_doc else texts
        scored = texts if save is None else _saved(texts, metrics[files.title], save, tags or {}, force=force)
        for k, metric in enumerate(metrics[files.title]):
            with within(texts.title):
                for label, stratum, row in _rows(scored, texts, metric, settings):
                    parts.setdefault((k, label), []).append((stratum, row, metric))
            done += 1
            progress(0.6 * done / steps)

    def average(parts: Sequence[_Part], progress: Callable[[float], None] = lambda _: None) -> Comparison:
        """The comparison of the systems of some rows by their averages."""
        strata = {row.title: stratum for stratum, row, _ in parts}
        present = [name for name in systems if any(name in row.scores for _, row, _ in parts)]
        averages = compare_strata(parts[0][2], strata, present, settings, progress)
        return replace(averages, by_document=by_doc)

    matrices = []
    # The matrices of whole sets come first, those of labels in the order of their names.
    for i, ((_, label), rows) in enumerate(
        sorted(parts.items(), key=lambda item: (item[0][1] is not None, item[0][1] or "", item[0]))
    ):
        step = part_of(between(progress, 0.6, 1), i, len(parts))
        metric, title = rows[0][2], next(iter(rows[0][1].scores.values())).name
        averages = average(rows, step)
        by_pair: dict[str, Comparison] = {}
        for pair in dict.fromkeys(row.pair for _, row, _ in rows):
            own = [part for part in rows if part[1].pair == pair]
            tested = own[0][1].comparison if len(own) == 1 else None
            whole = averages if len(own) == len(rows) else None
            by_pair[pair] = tested or whole or average(own)
        decimals, listed = 4 if metric.scale == 1 else 1, tuple(row for _, row, _ in rows)
        matrices.append(Matrix(title, label, metric.higher_is_better, decimals, listed, averages, by_pair))
    tests = settings.test, settings.seed, settings.alpha
    return Campaign(tuple(systems), tuple(matrices), *tests, by_doc, tokenizers, tuple(sets), metrics)


def _saved(
    texts: TestSet, metrics: Sequence[Any], folder: str | os.PathLike[str], tags: Tags, *, force: bool
) -> TestSet:
    """The set with runs as its systems, each of which is saved in a file."""
    place = {"set": texts.name, "pair": texts.pair}
    paths = {}
    make_folder(folder)
    for system in texts.systems:
        title = ".".join(filter(None, [texts.name, texts.pair, system]))
        paths[system] = os.path.join(folder, re.sub(r"[^\w.-]+", "_", title) + ".bleu")
        check_output(paths[system], force=force)
    with within(texts.title):
        run = record(list(texts.systems.items()), texts.refs, metrics, {**place, **tags})
    runs = {system: write_run(run[system], path, force=force) for system, path in paths.items()}
    return replace(texts, systems=runs)


def _rows(
    texts: TestSet, to_try: TestSet, metric: Any, settings: ComparisonSettings
) -> Iterator[tuple[str | None, Stratum, Row]]:
    """The statistics and the row of all segments, and then those of each label.

    `texts` may have runs for systems, of which `to_try` has the texts.
    """
    systems, _, line = without_runs(list(texts.systems.items()), texts.refs, metric)
    if not line:
        counts = reference_counts(texts.refs)
        line = metric._score_signature(nrefs((int(np.min(counts)), int(np.max(counts)))))
    _, rows, _ = score_systems(metric, systems, texts.refs, line)
    stats = dict(zip(texts.systems, rows, strict=True))
    for label, labeled in _by_label(texts.labels, stats):
        _, _, listed = score_systems(metric, list(labeled.items()), None, line)
        scores = dict(zip(labeled, listed, strict=True))
        values = {name: score.value for name, score in scores.items()}
        units = len(next(iter(labeled.values())))
        sign = 1 if metric.higher_is_better else -1
        best = max(values, key=lambda name: sign * values[name])
        comparison = None
        if len(labeled) > 1 and units > 1:
            comparison = compare(labeled, metric=metric, **asdict(settings))
            if label is None and is_tried(rows):
                comparison = with_trials(comparison, metric, to_try.systems, to_try.refs, rows, only=best)
            comparison = with_people(comparison, metric, line, units)
        equals = best_of(comparison) if comparison else (best,)
        row = Row(texts.name, texts.pair, units, scores, best, equals, comparison)
        yield label, labeled, row


def _by_label(
    labels: Sequence[Any] | None, stats: Mapping[str, Rows]
) -> Iterator[tuple[str | None, Mapping[str, Rows]]]:
    """The statistics of all segments, and then of those with each label."""
    yield None, stats
    if labels is not None:
        by_label = label_names(labels)
        names = np.array([by_label[label] for label in labels], dtype=object)
        for label in sorted(by_label.values()):
            mask = names == label
            yield label, {name: rows[mask] for name, rows in stats.items()}
