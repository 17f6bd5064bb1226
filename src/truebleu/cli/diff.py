# SPDX-License-Identifier: Apache-2.0
"""`truebleu diff REF... -i HYP -a NAME -b NAME`: the differences between two dialects.

example: truebleu diff ref.txt -i hyp.txt -a sacrebleu -b nltk

Explain why two dialects disagree: how the score changes from one to the other, one decision
at a time, and the first segments that differ. --all lists the score under every dialect.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from truebleu.analysis.diff import Diff, diff
from truebleu.analysis.diff.surveys import Survey, survey
from truebleu.analysis.progress import part_of
from truebleu.cli import inputs
from truebleu.cli.flags import NO_COLOR, TOKENIZE, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, looks, print_groups
from truebleu.errors import OptionError
from truebleu.text.results import plain

FLAGS = (
    *inputs.SYSTEM_FLAGS,
    Flag("-a DIALECT", "first dialect, by name or signature", default="sacrebleu", common=True),
    Flag("-b DIALECT", "second dialect, by name or signature", common=True),
    Flag("--all", "score the corpus under every dialect instead", common=True),
    Flag("--segments N", "number of segments with a difference to show", range=(0, None), default=5,
         common=True),
    Flag(f"-tok, --tokenize {TOKENIZE.placeholder}", "tokenizer of both dialects, or with --all "
         "of every dialect, instead of its own", common=True),
    inputs.GROUP_BY,
    format_flag("text", "json"),
    *inputs.FILE_FLAGS,
    NO_COLOR,
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu diff REF... [-i HYP...] [-a DIALECT] -b DIALECT [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    if "all" in args and ("a" in args or "b" in args):
        raise OptionError("--all takes every dialect; leave out -a and -b")
    if "all" not in args and "b" not in args:
        raise OptionError("no dialect to compare with; name one with -b, or use --all")
    changes = {"tokenize": args["tokenize"]} if "tokenize" in args else {}
    plan = inputs.Plan(args, paths)
    corpus = plan.read()
    results: dict[str | None, dict[str, Any]]
    if "all" in args:
        with Progress("scoring under every dialect") as progress:
            done, steps = count(), len(set(corpus.groups or [None])) * len(corpus.systems)

            def scored(part: inputs.Corpus, hyps: Any) -> Survey:
                share = part_of(progress, next(done), steps)
                return survey(hyps, part.references, progress=share, **changes)

            results = corpus.each(scored)
    else:
        with Progress("comparing dialects"):
            results = corpus.each(lambda part, hyps: _diff(part, hyps, args, changes))

    def text(result: Any) -> str:
        return str(result.format(**looks(args)) if "all" in args else result.format(color=has_color(args)))

    print_groups(args, plan.group_title, results, plain, text)


def _diff(part: inputs.Corpus, hyps: Any, args: Args, changes: dict[str, Any]) -> Diff:
    """The difference on a part of the corpus, with the numbers of segments in their files."""
    most = args["segments"]
    result = diff(hyps, part.references, args["a"], args["b"], most=most, **changes)
    first = (replace(own, segment=part.numbers[own.segment - 1]) for own in result.first)
    return replace(result, first=tuple(first))
