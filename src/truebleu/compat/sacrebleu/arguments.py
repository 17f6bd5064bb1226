# SPDX-License-Identifier: Apache-2.0
"""Reads the arguments of sacreBLEU's command line."""

from __future__ import annotations

import argparse
import os

from truebleu.compat.sacrebleu.argument_table import EITHER, FORMATS, GROUPS, PAIRED
from truebleu.compat.sacrebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_DESCRIPTION = "Scores text as sacreBLEU does, by TrueBLEU: sacrebleu REF... -i HYP..."


def parser() -> argparse.ArgumentParser:
    """What reads a command line."""
    made = argparse.ArgumentParser(prog="sacrebleu", description=_DESCRIPTION)
    for title, arguments in GROUPS.items():
        group = made.add_argument_group(title)
        if title == PAIRED:
            either = group.add_mutually_exclusive_group()
            for names, about in EITHER:
                either.add_argument(*names, **about)
        for names, about in arguments:
            group.add_argument(*names, **about)
    made.add_argument("--version", "-V", action="version", version=f"%(prog)s {__version__}")
    return made


def parse_args(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read a command line; SACREBLEU_FORMAT overrides its format."""
    args = parser().parse_args(arguments)
    chosen = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if chosen in FORMATS:
        args.format = chosen
    return args
