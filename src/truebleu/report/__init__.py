# SPDX-License-Identifier: Apache-2.0
"""A page about systems: scores, charts, findings and every segment, to send to a colleague."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from truebleu.analysis.compare import SEED, Comparison
from truebleu.analysis.compare.significance import check_options
from truebleu.analysis.processes import Processes
from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError
from truebleu.metrics.bleu import BLEU
from truebleu.report.charts import Charts, checked
from truebleu.report.contents import Material, gather
from truebleu.report.page import page
from truebleu.text.atomic import write_whole


def write_report(
    path: str | os.PathLike[str],
    systems: Comparison | Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any = None,
    dialect: str | Dialect | BLEU = "sacrebleu",
    *,
    title: str = "BLEU report",
    force: bool = False,
    srcs: Any = None,
    documents: Iterable[Any] | None = None,
    groups: Iterable[Any] | None = None,
    scores: Any = None,
    metrics: Sequence[Any] = (),
    ref_names: Sequence[str] | None = None,
    test: str = "permutation",
    correction: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    threads: int | None = None,
    command: str = "",
    progress: Callable[[float], None] = lambda _: None,
    **changes: Unpack[BLEUChanges],
) -> None:
    """Write a page about one or more systems: one file that needs no network.

    Args:
        path: the file to write.
        systems: hypotheses by the system's name, as `BLEU.corpus` takes them, but no token ids; or
            what `compare` returned, which has its references, documents, dialect and test.
        refs: as `BLEU.corpus` takes them.
        dialect: the BLEU to compute.
        title: page title.
        force: replace an existing file.
        srcs: the sources, to be shown with each segment.
        documents: a label for each segment; the tests then resample documents.
        groups: a label for each segment, such as its domain.
        scores: of segments from elsewhere, such as COMET, as `compare` takes them.
        metrics: other metrics to show, such as `[CHRF(), TER()]`.
        ref_names: names of the references in findings, such as those of their files.
        test, correction, resamples, seed, alpha: as `compare` takes them.
        threads: the most threads to use.
        command: what was typed to write the page, which the page shows.
        progress: called with the share of the work that is done, from 0 to 1.
        changes: options of the dialect to change, by name.

    Raises:
        InputError: there is no system or no segment, or the texts are not aligned.
        OptionError: the file exists or cannot be written, or an option does not exist or cannot
            have this value.
        MissingExtraError: the libraries of the extra `report`, which draw charts, are missing.

    Example:
        >>> from truebleu import compare, write_report
        >>> hyps = {"A": ["the cat sat", "it is late"], "B": ["a cat sat", "it was late"]}
        >>> refs = ["the cat sat", "it is late"]
        >>> write_report("report.html", hyps, refs)
        >>> write_report("report.html", compare(hyps, refs), force=True)
    """
    target = checked(path, title, force=force)
    settings = check_options(test, correction, resamples, seed, alpha)
    comparison = None
    if isinstance(systems, Comparison):
        if any(value is not None for value in (refs, documents, resamples, changes or None)):
            raise OptionError("a comparison has its texts and options; pass no others")
        if systems.texts is None:
            raise InputError("a report needs the texts; compare hypotheses, not Stats or strata")
        comparison, texts = systems, systems.texts
        dialect, systems = texts.metric, texts.systems
        refs, documents = texts.refs, texts.documents
    if isinstance(dialect, BLEU):
        threads, dialect = threads or dialect.threads, dialect.dialect
    elif not isinstance(dialect, (str, Dialect)):
        raise OptionError("a report compares BLEU; pass chrF and TER as metrics=")
    bleu = BLEU(dialect, threads=threads, **changes)
    material = Material(bleu, systems, refs, comparison, settings, metrics, srcs, documents, groups, ref_names, scores)
    with Processes(bleu.threads - 1) as processes:
        charts = Charts(processes)
        contents = gather(material, processes, charts.begin, progress)
        written = page(replace(contents, command=command), title, charts)
    write_whole(target, written.encode(), force=force)
