# SPDX-License-Identifier: Apache-2.0
"""Parts of a test set: its fields, and its segments of one original language or domain."""

from __future__ import annotations

import logging
import re
import sys

from truebleu.compat.sacrebleu.dataset import DATASETS
from truebleu.compat.sacrebleu.files import smart_open
from truebleu.compat.sacrebleu.report import Color
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

sacrelogger = logging.getLogger("sacrebleu")


def _field(test_set: str, langpair: str, field: str) -> list[str] | None:
    """A field of all segments, or None if the test set has no such field."""
    names = DATASETS[test_set].fieldnames(langpair)
    if field not in names:
        return None
    with smart_open(DATASETS[test_set].get_files(langpair)[names.index(field)]) as opened:
        return [line.rstrip("\n") for line in opened]


def keep(
    streams: list[list[str]], args: Namespace, origlang: str | None, subset: str | None
) -> list[list[str]]:
    """The segments of an original language (`non-xx`: of any other) and a domain, of each stream.

    Raises:
        ValueError: there is no test set.
        InputError: the test set does not say of what language or domain its segments are.
    """
    if origlang is None and subset is None:
        return streams
    if args.test_set is None or args.langpair is None:
        raise InputError(
            "Filtering for --origlang or --subset needs a test (-t) and a language pair (-l)."
        )
    kept: list[bool] = []
    for test_set in args.test_set.split(","):
        languages = _field(test_set, args.langpair, "origlang")
        domains = _field(test_set, args.langpair, "domain")
        if languages is None or (subset is not None and domains is None):
            raise InputError(f"{test_set}: the cache does not say to what its segments belong")
        for i, language in enumerate(languages):
            wanted = origlang is None or (
                language != origlang[4:] if origlang.startswith("non-") else language == origlang
            )
            within = subset is None or bool(domains and re.search(subset, domains[i]))
            kept.append(wanted and within)
    return [[line for line, one in zip(stream, kept, strict=False) if one] for stream in streams]


def echo(test_set: str, args: Namespace) -> None:
    """Print fields of a test set, with tabs between them."""
    names = DATASETS[test_set].fieldnames(args.langpair)
    wanted = args.echo
    if "all" in wanted:
        if len(wanted) != 1:
            sacrelogger.error("Cannot use --echo all with other fields")
            sys.exit(1)
        wanted = names
    first = min((name for name in names if name.startswith("ref")), default="")
    wanted = [first if name == "ref" and "ref" not in names else name for name in wanted]
    for name in wanted:
        if name not in names:
            pair = args.langpair
            sacrelogger.error(
                "No such field %s in test set %s for language pair %s.", name, test_set, pair
            )
            sacrelogger.error("available fields for %s/%s: %s", test_set, pair, ", ".join(names))
            if "ref" not in names:
                sacrelogger.error(
                    "'ref' also allowed for backwards compatibility (will return %s)", first
                )
            sys.exit(1)
    fields = [_field(test_set, args.langpair, name) or [] for name in wanted]
    only = type(args)(**{**vars(args), "test_set": test_set})
    for lines in zip(*keep(fields, only, args.origlang, args.subset), strict=True):
        print("\t".join(line.rstrip() for line in lines))


def print_details(
    metrics: dict[str, Any], system: list[str], refs: list[list[str]], args: Namespace
) -> None:
    """Print the score for each original language, and each domain within."""
    # A string is a list of its letters, as in the original.
    languages = args.origlang or sorted(_values("origlang", args))
    if not languages:
        print("No subset information found. Consider using --origlang argument.")
        return
    results: dict[str, list[tuple[int, Any]]] = {}
    for language in languages:
        parts = [args.subset] if args.subset is not None else sorted(_values("domain", args))
        for part in [None, *parts]:
            hyps, *kept = keep([system, *refs], args, language, part)
            if hyps:
                key = f"origlang={language} domain={'ALL' if part is None else part}"
                scores = [(len(hyps), one.corpus_score(hyps, kept)) for one in metrics.values()]
                results[key] = scores
    left = max(map(len, results)) + 1
    middle = max(len(score.name) for _, score in next(iter(results.values())))
    for key, scores in results.items():
        title = Color.format(f"{key:<{left}}", "yellow")
        for count, score in scores:
            number = f"{score.score:.{args.width}f}"
            print(f"{title}: sentences={count:<6} {score.name:<{middle}} = {number}")


def _values(field: str, args: Namespace) -> set[str]:
    if args.test_set is None:
        return set()
    found: set[str] = set()
    for test_set in args.test_set.split(","):
        found |= set(_field(test_set, args.langpair, field) or [])
    return found
