# SPDX-License-Identifier: Apache-2.0
"""Scores of commands with --ledger: counted only if they are not in it."""

from __future__ import annotations

import os
from typing import Any

from truebleu.campaigns.ledger import Ledger
from truebleu.campaigns.ledger_runs import parse_tags
from truebleu.cli.flags import Args
from truebleu.cli.inputs import Corpus
from truebleu.errors import InputError, OptionError


def open_existing(args: Args) -> Ledger:
    """The ledger of --ledger, which must exist: this command reads it."""
    if "ledger" not in args:
        raise OptionError("no ledger; name its file with --ledger")
    path = args["ledger"]
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file; truebleu score --ledger makes one")
    return Ledger(path)


def scores(args: Args, computed: list[Any], corpus: Corpus) -> list[tuple[str, Any]]:
    """The scores of all systems by all metrics, with the names of the systems."""
    tags = parse_tags(args.get("tag", ()))
    with Ledger(args["ledger"]) as ledger:
        return [
            (name, ledger.log(lines, corpus.references, one, name=name, tags=tags))
            for name, lines in corpus.systems
            for one in computed
        ]


def statistics(
    args: Args, metric: Any, corpus: Corpus, group: dict[str, str]
) -> tuple[dict[str, Any], str]:
    """The statistics of each system, and the signature of its score.

    `group` is a tag for the group of the segments, if there are several.
    """
    tags = parse_tags(args.get("tag", ())) | group
    references = corpus.references
    with Ledger(args["ledger"]) as ledger:
        (first, hyps), *_ = corpus.systems
        line = ledger.log(hyps, references, metric, name=first, tags=tags).signature
        counts = {
            name: ledger.stats(lines, references, metric, name=name, tags=tags)
            for name, lines in corpus.systems
        }
    return counts, line
