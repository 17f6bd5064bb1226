# SPDX-License-Identifier: Apache-2.0
"""`truebleu explain REF... -i HYP`: the calculation of a score."""

from __future__ import annotations

from typing import Any

from truebleu.analysis.explain import CorpusExplanation, explain_corpus
from truebleu.cli import inputs
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.metrics import BLEU_GROUP, DIALECT, make_bleu
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_groups, terminal_width
from truebleu.errors import OptionError

FLAGS = (
    inputs.INPUT,
    inputs.NAMES,
    DIALECT,
    Flag("-n, --segment N", "explain only this segment; lines are counted from 1", common=True),
    Flag("--worst N", "number of costliest segments to show", range=(0, None), default=5,
         common=True),
    Flag("--ngrams N", "number of costliest n-grams to show", range=(0, None), default=10,
         common=True),
    inputs.GROUP_BY,
    format_flag("text", "json"),
    *inputs.LAST_FLAGS,
)  # fmt: skip
GROUPS = (("files and output", FLAGS), BLEU_GROUP)

USAGE = "truebleu explain REF... [-i HYP...] [-n SEGMENT] [options]"
PURPOSE = (
    "Explain a score. For a corpus: the calculation, the points lost to each n-gram order and to\n"
    "the brevity penalty, and the segments and n-grams that cost most. With -n: one segment, step\n"
    "by step. JSON has all segments."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    alone = "segment" in args
    if alone and "worst" in args:
        raise OptionError("-n shows one segment and --worst several; give one of them")
    if alone and "group_by" in args:
        raise OptionError("-n shows one segment; leave out --group-by")
    bleu = make_bleu(args)
    plan = inputs.Plan(args, paths)
    corpus = plan.read()
    most = 0 if alone else args["ngrams"]
    with Progress("explaining"):
        results = corpus.each(
            lambda part, hyps: explain_corpus(bleu, hyps, part.references, most, part.numbers)
        )
    color, worst = has_color(args), args["worst"]

    def entry(corpus: CorpusExplanation) -> dict[str, Any]:
        if alone:
            return corpus.segment(args["segment"]).to_dict()
        segments = [corpus.segment(number).to_dict() for number in corpus.worst(worst)]
        return {**corpus.to_dict(), "worst": segments}

    def text(corpus: CorpusExplanation) -> str:
        if alone:
            segment = corpus.segment(args["segment"])
            return segment.format(color=color, terminal=terminal_width())
        return corpus.format(worst, color=color, terminal=terminal_width())

    print_groups(args, plan.group_title, results, entry, text)
    return 0
