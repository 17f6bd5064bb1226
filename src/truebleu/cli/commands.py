# SPDX-License-Identifier: Apache-2.0
"""The commands and what they do, for the front door, the help and the shell completion."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMANDS = {
    "score": "score translations against references",
    "explain": "why a score is what it is: segments, n-grams, each factor",
    "diff": "why two dialects disagree, one decision at a time",
    "check": "find what is wrong with the files, and what it does to the score",
    "reconcile": "find the setting that gives a reported number",
    "compare": "compare systems: intervals, tests of every pair, ranks, power",
    "report": "write a page to look at: scores, charts, findings, every segment",
    "plot": "draw a figure for a paper: precisions, losses, lengths, differences",
    "mbr": "choose the best of several candidates for each source",
    "self-bleu": "measure how much the texts of a file repeat each other",
    "dialects": "list the BLEU tools that are reproduced, or show one in full",
    "sacrebleu": "sacreBLEU's command line, argument for argument",
    "completion": "print a completion script for bash, zsh or fish",
}


def load(command: str) -> Any:
    """The module of a command.

    It has `GROUPS` of flags, `USAGE` and `PURPOSE`, and `run`, which takes the flags that are given
    and the other words; or `run` alone, which takes the arguments as they are.
    """
    name = f"truebleu.cli.{command.replace('-', '_')}"
    __import__(name)  # `importlib` takes 0.4 of the 8 ms that are ours of `truebleu score`
    return sys.modules[name]
