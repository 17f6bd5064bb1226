# SPDX-License-Identifier: Apache-2.0
"""The commands and what they do, for the help and the shell completion."""

from __future__ import annotations

COMMANDS = {
    "score": "score translations against references",
    "dialects": "list the BLEU tools that are reproduced, or show one in full",
    "sacrebleu": "sacreBLEU's command line, argument for argument",
    "completion": "print a completion script for bash, zsh or fish",
}
