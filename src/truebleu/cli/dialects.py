# SPDX-License-Identifier: Apache-2.0
"""`truebleu dialects [NAME | WORDS]`: the table of dialects, some rows of it, or one in full."""

from __future__ import annotations

from truebleu.cli.flags import NO_COLOR, Args, format_flag
from truebleu.cli.terminal import has_color, print_result
from truebleu.dialects.decisions import PARTS, Dialect
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import OptionError
from truebleu.text.tables import BOLD, PLAIN

GROUPS = (("options", (format_flag("text", "json"), NO_COLOR)),)

USAGE = "truebleu dialects [NAME | WORD...] [options]"
PURPOSE = (
    "List the BLEU tools that TrueBLEU reproduces; with NAME, show all options of one. Other\n"
    "words select the tools that mention all of them: `truebleu dialects caption`.\n"
    "`truebleu score -d NAME` scores as that tool does."
)


def run(args: Args, names: list[str]) -> int:
    """Run the command; returns its exit code."""
    in_full = len(names) == 1 and names[0] in DIALECTS
    rows = [dialect(names[0])] if in_full else _mentioning(names)
    entries = [{"name": row.name, **row._about(), "options": row.options()} for row in rows]
    color = has_color(args)
    print_result(
        args,
        lambda: entries[0] if in_full else entries,
        lambda: _in_full(rows[0], color=color) if in_full else _table(rows, color=color),
    )
    return 0


def _mentioning(words: list[str]) -> list[Dialect]:
    """The rows whose descriptions have all words."""
    rows = []
    for row in DIALECTS.values():
        text = " ".join([row.name, *row._about().values()]).casefold()
        if all(word.casefold() in text for word in words):
            rows.append(row)
    if not rows:
        from difflib import get_close_matches

        near = [f"; did you mean {name}?" for name in get_close_matches(words[0], DIALECTS, 1)]
        raise OptionError(f"no dialect mentions {' and '.join(map(repr, words))}{''.join(near)}")
    return rows


def _table(rows: list[Dialect], *, color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    name, version = (max(len(getattr(row, key)) for row in rows) for key in ("name", "version"))
    lines = [
        f"{bold}{row.name:{name}}{plain}  {row.version:{version}}  {row.users or row.source}"
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def _in_full(row: Dialect, *, color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    texts = {"name": f"{bold}{row.name}{plain}", **row._about()}
    texts["quirks"] = row.quirks or "none known"
    lines = [f"{label:9}{text}" for label, text in texts.items() if text]
    for part, values in zip(PARTS, row.parts(), strict=True):
        title = f"{bold}{part.__name__.lower()}{plain}"
        lines += ["", f"{title}: {(part.__doc__ or '').partition(chr(10))[0]}"]
        for option in values.options:
            value = getattr(values, option.name)
            changed = "" if value == option.default else f"  (sacrebleu: {option.default})"
            lines.append(f"  {option.name:26}{value}{changed}")
    return "\n".join(lines)
