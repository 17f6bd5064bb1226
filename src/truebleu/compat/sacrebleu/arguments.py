# SPDX-License-Identifier: Apache-2.0
"""Reads the arguments of sacreBLEU's command line."""

from __future__ import annotations

import argparse
import os

from truebleu.compat.sacrebleu.argument_table import ARGUMENTS, FORMATS
from truebleu.compat.sacrebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_DESCRIPTION = """\
sacreBLEU: Hassle-free computation of shareable BLEU scores.
Quick usage: score your detokenized output against WMT'14 EN-DE:
    cat output.detok.de | sacrebleu -t wmt14 -l en-de"""

#: Of these, one can be given.
_EITHER = ("--paired-ar", "--paired-bs")


def parse_args(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read a command line; SACREBLEU_FORMAT overrides its format."""
    parser = argparse.ArgumentParser(
        prog="sacrebleu",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    groups: dict[str, Any] = {"": parser}
    for title, names, about in ARGUMENTS:
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        group = groups[title]
        if names[0] in _EITHER:
            if "either" not in groups:
                groups["either"] = group.add_mutually_exclusive_group()
            group = groups["either"]
        group.add_argument(*names, **about)
    parser.add_argument("--version", "-V", action="version", version=f"%(prog)s {__version__}")
    args = parser.parse_args(arguments)
    chosen = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if chosen in FORMATS:
        args.format = chosen
    return args
