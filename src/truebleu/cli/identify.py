# SPDX-License-Identifier: Apache-2.0
"""`truebleu identify module:function`, or `-- COMMAND {hyps} {refs}`: which BLEU is it?

example: truebleu identify my_bleu:score

Find the BLEU that a function or command computes, and the line of Python that replaces it.
It is called hundreds of times with small corpora: run only code that you trust. A command
reads a file of hypotheses and one or more of references, whose names replace {hyps} and
{refs}, and prints a number; no shell reads it.
Exit codes: 0 equal on all probes, 1 not equal, 2 bad input.
"""

from __future__ import annotations

from truebleu.analysis.identify import identify
from truebleu.analysis.identify.calling import HYPS
from truebleu.cli.flags import Args, Flag, exclude, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import print_result
from truebleu.errors import OptionError

FLAGS = (
    Flag(
        "--call ARGUMENTS",
        "arguments of the function, such as 'hyp, refs as tokens' (default: learnt by calling it)",
        common=True,
    ),
    Flag(
        "--calls N",
        "the most calls, each a process if it is a command (default: about 1,000; 60 of a command)",
        range=(20, None),
        common=True,
    ),
    format_flag("text", "json"),
)
GROUPS = (("options", FLAGS),)

USAGE = "truebleu identify module:function | file.py:function | -- COMMAND {hyps} {refs}"


def run(args: Args, words: list[str]) -> int:
    """Run the command; returns its exit code."""
    is_command = any(HYPS in word for word in words)
    if not is_command and len(words) != 1:
        raise OptionError(f"name one function, or a command with {HYPS}; type {USAGE}")
    if is_command:
        exclude(args, "a command", "call")
    with Progress("asking"):
        result = identify(words if is_command else words[0], call=args["call"], calls=args["calls"])
    print_result(args, result.to_dict, result.__str__)
    return 0 if result.exact else 1
