# SPDX-License-Identifier: Apache-2.0
"""`truebleu explain REF... -i HYP`: the calculation of a score.

example: truebleu explain ref.txt -i hyp.txt -n 17

Explain a score. For a corpus: the calculation, the points lost to each n-gram order and to
the brevity penalty, and the segments and n-grams that cost most. With -n: one segment, step
by step. JSON has all segments.
"""

from __future__ import annotations

from typing import Any

from truebleu.analysis.explain import CorpusExplanation, explain_corpus
from truebleu.cli import inputs
from truebleu.cli.flags import Args, Flag, exclude, format_flag
from truebleu.cli.metrics import BLEU_GROUP, DIALECT, make_metrics
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import looks, print_groups

FLAGS = (
    *inputs.SYSTEM_FLAGS,
    DIALECT,
    Flag("-n, --segment N", "explain only this segment; lines are counted from 1", common=True),
    Flag("--worst N", "number of costliest segments to show", range=(0, None), default=5, common=True),
    Flag("--ngrams N", "number of costliest n-grams to show", range=(0, None), default=10, common=True),
    inputs.GROUP_BY,
    format_flag("text", "json"),
    *inputs.LAST_FLAGS,
)
GROUPS = (("files and output", FLAGS), BLEU_GROUP)

USAGE = "truebleu explain REF... [-i HYP...] [-n SEGMENT] [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    alone = "segment" in args
    if alone:
        exclude(args, "-n", "worst", "group_by")
    (bleu,) = make_metrics(args)
    plan = inputs.Plan(args, paths)
    corpus = plan.read()
    most = 0 if alone else args["ngrams"]
    with Progress("explaining"):
        results = corpus.each(lambda part, hyps: explain_corpus(bleu, hyps, part.references, most, part.numbers))

    def entry(corpus: CorpusExplanation) -> dict[str, Any]:
        if alone:
            return corpus.segment(args["segment"]).to_dict()
        segments = [corpus.segment(number).to_dict() for number in corpus.worst(args["worst"])]
        return {**corpus.to_dict(), "worst": segments}

    def text(corpus: CorpusExplanation) -> str:
        if alone:
            return corpus.segment(args["segment"]).format(**looks(args))
        return corpus.format(args["worst"], **looks(args))

    print_groups(args, plan.group_title, results, entry, text)
