# SPDX-License-Identifier: Apache-2.0
"""`truebleu dialects [NAME]`: the table of dialects, or one row in full."""

from __future__ import annotations

from truebleu.cli.flags import Flag
from truebleu.cli.inputs import HELP, NO_COLOR, colored
from truebleu.cli.terminal import show
from truebleu.dialects.decisions import PARTS, Dialect
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import OptionError
from truebleu.text.tables import BOLD, PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FLAGS = (
    Flag(("-f", "--format"), "how it is printed", choices=("text", "json")),
    NO_COLOR,
    HELP,
)
GROUPS = (("options", FLAGS),)

USAGE = "truebleu dialects [NAME] [options]"
PURPOSE = (
    "The BLEU tools that TrueBLEU reproduces; with NAME, all decisions of one.\n"
    "`truebleu score -d NAME` scores as it does."
)


def run(given: dict[str, Any], names: list[str]) -> int:
    """Run the command; returns its exit code."""
    if len(names) > 1:
        raise OptionError(f"one name at a time; usage: {USAGE}")
    rows = [dialect(name) for name in names or DIALECTS]
    if given.get("format") == "json":
        from truebleu.text.json_text import json_text

        entries = [_to_dict(row) for row in rows]
        print(json_text(entries[0] if names else entries))
    else:
        color = colored(given)
        show(_in_full(rows[0], color=color) if names else _table(rows, color=color))
    return 0


def _to_dict(row: Dialect) -> dict[str, object]:
    return {
        "name": row.name, "version": row.version, "source": row.source, "exact": row.exact,
        "quirks": row.quirks, "fixed": row.fixed, "options": row.options(),
    }  # fmt: skip


def _table(rows: Sequence[Dialect], *, color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    name, version = (max(len(getattr(row, key)) for row in rows) for key in ("name", "version"))
    lines = [
        f"{bold}{row.name:{name}}{plain}  {row.version:{version}}  {row.source}" for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def _in_full(row: Dialect, *, color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    lines = [
        f"{label:9}{bold if label == 'name' else ''}{text}{plain if label == 'name' else ''}"
        for label, text in [
            ("name", row.name),
            ("version", row.version),
            ("source", row.source),
            ("exact", row.exact),
            ("quirks", row.quirks or "none known"),
            ("fixed", row.fixed),
        ]
        if text
    ]
    for part, values in zip(PARTS, row.parts(), strict=True):
        lines += [
            "",
            f"{bold}{part.__name__.lower()}{plain}: {(part.__doc__ or '').partition(chr(10))[0]}",
        ]
        for option in values.options:
            value = getattr(values, option.name)
            changed = "" if value == option.default else f"  (sacrebleu: {option.default})"
            lines.append(f"  {option.name:26}{value}{changed}")
    return "\n".join(lines)
