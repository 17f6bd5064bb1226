# SPDX-License-Identifier: Apache-2.0
"""`truebleu reconcile REF... -i HYP --score 27.3`: the settings that give a reported score.

example: truebleu reconcile ref.txt -i hyp.txt --score 34.2

Find the settings that give a reported score: tools, tokenizers, case, smoothing, references
and more are tried, and the most common matches are listed first. With several systems or
groups, one score each: the settings that give all scores. With --signature: whether that
setting gives the score, and if not, which ones do.
Exit codes: 0 found or verified, 1 not found or not verified, 2 bad input.
"""

from __future__ import annotations

from collections import Counter

from truebleu.analysis.reconcile import reconcile
from truebleu.analysis.reconcile.matches import Matches, Reported
from truebleu.analysis.reconcile.verification import Verification, verify
from truebleu.cli import inputs
from truebleu.cli.flags import Args, Flag, exclude, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result
from truebleu.errors import OptionError, suggest
from truebleu.text.escaping import visible

FLAGS = (
    inputs.INPUT,
    Flag("--score NUMBER...", "reported score of each system; decimals count: 27.30 has two; with "
         "--group-by, news=27.3 is that of the group news", kind=str, common=True),
    Flag("--signature LINE", "verify this signature or this line of sacreBLEU instead",
         common=True),
    Flag("-m, --metrics", "metric of the score (default: BLEU, and if no setting of it gives the "
         "score, chrF and TER)", choices=("bleu", "chrf", "ter"), common=True),
    Flag("-d, --dialect NAME...", "search only these tools", common=True),
    Flag("-n, --limit N", "largest number of settings to show", range=(1, None), default=5,
         common=True),
    inputs.GROUP_BY,
    format_flag("text", "json"),
    *inputs.LAST_FLAGS,
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu reconcile REF... [-i HYP...] --score NUMBER... | --signature LINE [options]"


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "score" not in args and "signature" not in args:
        raise OptionError("no score to search for; give --score 27.3 or --signature LINE")
    if "signature" in args:
        exclude(args, "--signature", "dialect", "metrics")
    # Check scores before reading files.
    plan = inputs.Plan(args, paths)
    count = len(plan.hyps)
    if "signature" in args and (count > 1 or plan.groups is not None):
        raise OptionError("--signature verifies one score; name one file with -i, and no groups")
    parts = [score.rpartition("=") if plan.groups else ("", "", score) for score in args.get("score", ())]
    groups = [name if equals else None for name, equals, _ in parts]  # None for the whole corpus
    scores = [number for *_, number in parts]
    for name, size in Counter(groups).items():
        if size != count:
            where = "" if name is None else f" of the group {name}"
            raise OptionError(f"--score needs one number per system{where}: {count}, not {size}")
    if scores:
        Reported.read(*scores, metric=args["metrics"])
    corpus = plan.read()
    references, systems = corpus.references, corpus.systems
    result: Matches | Verification
    with Progress("searching"):
        if "signature" in args:
            ((_, lines),) = systems
            line, score = args["signature"], scores[0] if scores else None
            result = verify(lines, references, line, score, threads=args["threads"])
        else:
            corpora = {None: corpus, **corpus.parts()}
            if unknown := [name for name in groups if name not in corpora]:
                labels = (name for name in corpora if name is not None)
                raise OptionError(f"--score: no group is named {suggest(str(unknown[0]), labels)}")
            each = {name: iter(part.systems) for name, part in corpora.items()}
            hyps = {i: next(each[name])[1] for i, name in enumerate(groups)}
            refs = {i: corpora[name].references for i, name in enumerate(groups)}
            result = reconcile(
                hyps, refs, scores, metric=args["metrics"], dialects=args["dialect"], threads=args["threads"]
            )
    names = None
    if corpus.ref_names is not None:
        names = [visible(name) for name in inputs.file_names(corpus.ref_names)]
    print_result(
        args,
        lambda: result.to_dict() | ({} if plan.groups is None else {"groups": groups}),
        lambda: result.format(names, limit=args["limit"], color=has_color(args)),
    )
    return 0 if (result.agrees if isinstance(result, Verification) else result) else 1
