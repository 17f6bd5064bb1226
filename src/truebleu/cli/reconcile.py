# SPDX-License-Identifier: Apache-2.0
"""`truebleu reconcile REF... -i HYP --score 27.3`: the settings that give a reported score."""

from __future__ import annotations

from truebleu.analysis.reconcile import reconcile
from truebleu.analysis.reconcile.matches import Matches
from truebleu.analysis.reconcile.reported import Reported
from truebleu.analysis.reconcile.verification import Verification, verify
from truebleu.cli import inputs
from truebleu.cli.flags import NO_COLOR, THREADS, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result
from truebleu.errors import OptionError
from truebleu.text.escaping import visible

FLAGS = (
    inputs.INPUT,
    Flag(("--score",), "reported score of each system; decimals count: 27.30 has two", takes="+",
         placeholder="NUMBER", common=True),
    Flag(("--signature",), "verify this signature or this line of sacreBLEU instead",
         placeholder="LINE", common=True),
    Flag(("-d", "--dialect"), "search only these tools", takes="+", common=True),
    Flag(("-n", "--limit"), "largest number of settings to show", kind=int, range=(1, None),
         default=5, common=True),
    format_flag("text", "json"),
    *inputs.FILE_FLAGS,
    THREADS,
    NO_COLOR,
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu reconcile REF... [-i HYP...] --score NUMBER... | --signature LINE [options]"
PURPOSE = (
    "Find the settings that give a reported score: tools, tokenizers, case, smoothing, references\n"
    "and more are tried, and the most common matches are listed first. With several systems, one\n"
    "score each: the settings that give all scores. With --signature: whether that setting gives\n"
    "the score, and if not, which ones do.\n"
    "Exit codes: 0 found or verified, 1 not found or not verified, 2 bad input."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "score" not in args and "signature" not in args:
        raise OptionError("no score to search for; give --score 27.3 or --signature LINE")
    if "signature" in args and "dialect" in args:
        raise OptionError("a signature names its dialect; leave out --dialect")
    # Check scores before reading files.
    plan = inputs.Plan(args, paths)
    count, scores = len(plan.hyps), args.get("score", [])
    if "signature" in args and count > 1:
        raise OptionError("--signature verifies one system; name one file with -i")
    if scores and len(scores) != count:
        raise OptionError(f"--score needs one number per system: {count}, not {len(scores)}")
    if scores:
        Reported.read(*scores)
    corpus = plan.read()
    references, systems = corpus.references, corpus.systems
    result: Matches | Verification
    with Progress("searching"):
        if "signature" in args:
            ((_, lines),) = systems
            line, score = args["signature"], scores[0] if scores else None
            result = verify(lines, references, line, score, threads=args["threads"])
            is_success = result.agrees
        else:
            hyps = {i: lines for i, (_, lines) in enumerate(systems)}
            options = {"dialects": args["dialect"], "threads": args["threads"]}
            result = reconcile(hyps, references, scores, **options)
            is_success = bool(result)
    names = None
    if corpus.ref_names is not None:
        names = [visible(name) for name in inputs.file_names(corpus.ref_names)]
    print_result(
        args,
        result.to_dict,
        lambda: result.format(names, limit=args["limit"], color=has_color(args)),
    )
    return 0 if is_success else 1
