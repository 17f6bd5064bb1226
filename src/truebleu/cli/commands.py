# SPDX-License-Identifier: Apache-2.0
"""The commands of `truebleu` and their purposes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMANDS = {
    "score": "score translations against references",
    "explain": "explain a score: segments, n-grams, each factor",
    "diff": "explain why two dialects disagree, one decision at a time",
    "check": "find problems in the files and their effect on the score",
    "reconcile": "find the settings that give a reported score",
    "identify": "find the BLEU that a function or a command computes",
    "compare": "compare systems: intervals, tests of every pair, ranks, power",
    "campaign": "score many systems on many test sets, with averages and their tests",
    "contrast": "explain why one system scores higher than another",
    "meaning": "show how often people agreed with a difference of this size",
    "report": "write an HTML page: scores, charts, findings, every segment",
    "playground": "write an HTML page on which every BLEU can be tried",
    "plot": "draw a figure for a paper: precisions, losses, lengths, differences",
    "mbr": "choose the best of several candidates for each source",
    "self-bleu": "measure how much the texts of a file repeat each other",
    "gate": "fail if a system is significantly worse than a baseline",
    "dialects": "list the reproduced BLEU tools, or show one in full",
    "sacrebleu": "sacreBLEU's command line, argument for argument",
    "accelerate": "run a Python program in which sacreBLEU, NLTK and pycocoevalcap are fast",
    "completion": "print a completion script for bash, zsh or fish",
}


def load(command: str) -> Any:
    """The module of a command.

    It has `GROUPS` of flags, `USAGE`, a docstring that `--help` shows, and `run(args, words)`; or
    only `run(arguments)`, which parses the command line itself. `run` returns the exit code, or
    None for 0.
    """
    # Importing `importlib` takes 0.4 ms of each command.
    return __import__(f"truebleu.cli.{command.replace('-', '_')}", fromlist=["run"])
