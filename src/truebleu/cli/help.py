# SPDX-License-Identifier: Apache-2.0
"""The help of a command, from its declared flags."""

from __future__ import annotations

from truebleu.cli.flags import HELP, HELP_ALL, Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def command_help(command: ModuleType, *, every: bool) -> str:
    """The page of `--help`, or with `every` that of `--help-all`."""
    lines = [f"usage: {command.USAGE}", "", command.PURPOSE]
    for title, flags in (*command.GROUPS, ("help", (HELP, HELP_ALL))):
        listed = [flag for flag in flags if every or flag.common or flag in (HELP, HELP_ALL)]
        if listed:
            lines += ["", f"{title}:", *(line for flag in listed for line in _entry(flag))]
    return "\n".join(lines)


def _entry(flag: Flag) -> list[str]:
    value = {0: "", 1: f" {flag.placeholder}", "+": f" {flag.placeholder}..."}[flag.takes]
    default = "" if flag.default is None else f" (default: {flag.default})"
    return [f"  {', '.join(flag.names)}{value}", f"      {flag.help}{default}"]
