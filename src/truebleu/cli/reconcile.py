# SPDX-License-Identifier: Apache-2.0
"""`truebleu reconcile REF... -i HYP --score 27.3`: which setting gives a reported number."""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.flags import Flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import show
from truebleu.errors import OptionError
from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.analysis.reconcile.matches import Matches
    from truebleu.analysis.reconcile.verification import Verification

FLAGS = (
    Flag(("-i", "--input"), "the hypothesis file; without, standard input", file=True),
    Flag(("--score",), "the reported number; its decimals count: 27.30 is known to two"),
    Flag(("--signature",), "verify this signature, or this line of sacreBLEU's, instead"),
    Flag(("-d", "--dialect"), "search these tools only", takes="+"),
    Flag(("-n", "--limit"), "the most settings to show (5)", kind=int, range=(1, None)),
    Flag(("-f", "--format"), "how the result is printed", choices=("text", "json")),
    *inputs.FILE_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)
GROUPS = (("options", FLAGS),)

USAGE = "truebleu reconcile REF... [-i HYP] --score NUMBER | --signature LINE [options]"
PURPOSE = (
    "Which setting gives the number in the paper? Tools, tokenizers, case, smoothing, references\n"
    "and more are tried; those that give it are shown, the most usual first. With --signature:\n"
    "whether that gives the number, and if not, what does.\n"
    "Exit codes: 0 found or verified, 1 not, 2 bad input."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "score" not in given and "signature" not in given:
        raise OptionError("nothing to look for; give --score 27.3 or --signature LINE")
    if "signature" in given and "dialect" in given:
        raise OptionError("a signature names its dialect; leave out --dialect")
    limit = given.get("limit", 5)
    from truebleu.analysis.reconcile import reconcile
    from truebleu.analysis.reconcile.reported import Reported
    from truebleu.analysis.reconcile.verification import verify

    if "score" in given:
        Reported.read(given["score"])  # a slip is told before files are read
    references, (lines,) = inputs.read(paths, [given.get("input", "-")], given)
    threads, score = given.get("threads"), given.get("score")
    result: Matches | Verification
    with Progress("searching"):
        if "signature" in given:
            result = verify(lines, references, given["signature"], score, threads=threads)
            found = result.agrees
        else:
            dialects = given.get("dialect")
            result = reconcile(lines, references, score, dialects=dialects, threads=threads)
            found = bool(result)
    if given.get("format") == "json":
        from truebleu.text.json_text import json_text

        print(json_text(result.to_dict()))
    else:
        names = (
            None if "num_refs" in given else [visible(name) for name in inputs.system_names(paths)]
        )
        show(result.format(names, limit=limit, color=inputs.colored(given)))
    return 0 if found else 1
