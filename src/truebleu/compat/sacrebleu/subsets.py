# SPDX-License-Identifier: Apache-2.0
"""Parts of a test set: its fields, and its segments of one original language or domain."""

from __future__ import annotations

import logging
import re
import sys

from truebleu.compat.sacrebleu.dataset import DATASETS, SUBSETS, WMTXMLDataset
from truebleu.compat.sacrebleu.files import smart_open
from truebleu.compat.sacrebleu.report import Color
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from typing import Any

    from truebleu.compat.sacrebleu.dataset import Dataset

sacrelogger = logging.getLogger("sacrebleu")


def find(test_set: str) -> Dataset:
    """A test set by its name.

    Raises:
        InputError: there is none.
    """
    if test_set not in DATASETS:
        raise InputError(f"No such test set {test_set}")
    return DATASETS[test_set]


def filter_subset(
    systems: list[list[str]],
    test_sets: str | None,
    langpair: str | None,
    origlang: str | None,
    subset: str | None = None,
) -> list[list[str]]:
    """The segments of an original language and of a domain, of each stream.

    Args:
        systems: streams of segments.
        test_sets: names with commas between them, whose segments follow each other.
        langpair: the language pair.
        origlang: the original language; `non-xx` is any other.
        subset: a pattern that the domain or `COUNTRY-DOMAIN` must hold; `country:XX` is XX.

    Raises:
        InputError: there is no test set, it does not say where its segments are from, or the
            pattern is none.
    """
    if origlang is None and subset is None:
        return systems
    if test_sets is None or langpair is None:
        raise InputError(
            "Filtering for --origlang or --subset needs a test (-t) and a language pair (-l)."
        )
    wanted = None if subset is None else _pattern(subset.removeprefix("country:"))
    kept: list[bool] = []
    for test_set in test_sets.split(","):
        for language, mark in _origins(test_set, langpair, wanted is not None):
            within = wanted is None or (mark is not None and wanted.search(mark) is not None)
            kept.append(within and _is_from(language, origlang))
    # As the original: what is longer than the test set is cut. The command line looks before.
    return [[line for line, one in zip(each, kept, strict=False) if one] for each in systems]


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise InputError(f"--subset {text!r}: no regular expression of Python: {error}") from error


def _is_from(language: str | None, origlang: str | None) -> bool:
    if origlang is None or language is None:
        return language is not None
    if origlang.startswith("non-"):
        return language != origlang[4:]
    return language == origlang


def _origins(test_set: str, langpair: str, marks: bool) -> Iterator[tuple[str | None, str | None]]:
    """The original language of each segment, and what says its domain if that is asked for."""
    dataset = find(test_set)
    if isinstance(dataset, WMTXMLDataset):
        yield from dataset.origins(langpair)
        return
    origins = dataset.origins(langpair)
    if marks and test_set not in SUBSETS:
        raise InputError(
            f"No subset annotation available for test set {test_set}; there are some for "
            f"{', '.join(SUBSETS)}, and domains from WMT 2023 on"
        )
    labels = SUBSETS[test_set] if marks else {}
    for language, name in origins:
        yield language, None if name is None else labels.get(name, "")


def get_available_origlangs(test_sets: str | None, langpair: str) -> list[str]:
    """The original languages of test sets, where they say them."""
    found = set()
    for test_set in _names(test_sets):
        if find(test_set).has_origins(langpair):
            found |= {language for language, _ in _origins(test_set, langpair, False)}
    return sorted(language for language in found if language is not None)


def get_available_subsets(test_sets: str | None, langpair: str) -> list[str]:
    """The domains of test sets, and the countries as `country:XX`."""
    found: set[str] = set()
    for test_set in _names(test_sets):
        if isinstance(find(test_set), WMTXMLDataset):
            found |= {mark for _, mark in _origins(test_set, langpair, True) if mark is not None}
        else:
            labels = [label.split("-") for label in SUBSETS.get(test_set, {}).values()]
            found |= {f"country:{label[0]}" for label in labels} | {label[1] for label in labels}
    return sorted(found)


def _names(test_sets: str | None) -> list[str]:
    return [] if test_sets is None else test_sets.split(",")


def print_test_set(
    test_set: str,
    langpair: str,
    requested_fields: list[str],
    origlang: str | None = None,
    subset: str | None = None,
) -> None:
    """Print fields of a test set, with tabs between them."""
    dataset = find(test_set)
    names = dataset.fieldnames(langpair)
    files = dict(zip(names, dataset.get_files(langpair), strict=True))
    wanted = requested_fields
    if "all" in wanted:
        if len(wanted) != 1:
            sacrelogger.error("Cannot use --echo all with other fields")
            sys.exit(1)
        wanted = names
    first = min((name for name in names if name.startswith("ref")), default="")
    wanted = [first if name == "ref" and "ref" not in names else name for name in wanted]
    for name in wanted:
        if name not in names:
            sacrelogger.error(
                "No such field %s in test set %s for language pair %s.", name, test_set, langpair
            )
            sacrelogger.error(
                "available fields for %s/%s: %s", test_set, langpair, ", ".join(names)
            )
            if "ref" not in names:
                sacrelogger.error(
                    "'ref' also allowed for backwards compatibility (will return %s)", first
                )
            sys.exit(1)
    streams = []
    for name in wanted:
        with smart_open(files[name]) as opened:
            streams.append([line.rstrip() for line in opened])
    if len({len(stream) for stream in streams}) > 1:
        counts = ", ".join(
            f"{name} {len(each)}" for name, each in zip(wanted, streams, strict=True)
        )
        raise InputError(f"{test_set} {langpair}: the fields differ in length: {counts}")
    for row in zip(*filter_subset(streams, test_set, langpair, origlang, subset), strict=True):
        print("\t".join(row))


def print_subset_results(
    metrics: dict[str, Any], full_system: list[str], full_refs: list[list[str]], args: Namespace
) -> None:
    """Print the score for each original language, and each domain within."""
    languages = (
        [args.origlang] if args.origlang else get_available_origlangs(args.test_set, args.langpair)
    )
    if not languages:
        print("No subset information found. Consider using --origlang argument.")
        return
    results: dict[str, list[tuple[int, Any]]] = {}
    for language in languages:
        parts = [args.subset]
        if args.subset is None:
            parts = get_available_subsets(args.test_set, args.langpair)
        for part in [None, *parts]:
            hyps, *refs = filter_subset(
                [full_system, *full_refs], args.test_set, args.langpair, language, part
            )
            if hyps:
                key = f"origlang={language} {_described(part)}"
                scores = [(len(hyps), one.corpus_score(hyps, refs)) for one in metrics.values()]
                results[key] = scores
    left = max(map(len, results)) + 1
    middle = max(len(score.name) for _, score in next(iter(results.values())))
    for key, scores in results.items():
        title = Color.format(f"{key:<{left}}", "yellow")
        for count, score in scores:
            number = f"{score.score:.{args.width}f}"
            print(f"{title}: sentences={count:<6} {score.name:<{middle}} = {number}")


def _described(part: str | None) -> str:
    if part is None:
        return "domain=ALL"
    if part.startswith("country:"):
        return f"country={part.removeprefix('country:')}"
    return f"domain={part}"
