# SPDX-License-Identifier: Apache-2.0
"""`truebleu dialects [NAME | WORDS]`: the dialects and the uses of tools, some of them, or one.

example: truebleu dialects caption

List the BLEU tools that TrueBLEU reproduces; with NAME, show all options of one. Other
words select the tools that mention all of them, and show the lines that give their numbers:
`truebleu dialects swift`. `truebleu score -d NAME` scores as that tool does.
"""

from __future__ import annotations

from truebleu.cli.flags import NO_COLOR, Args, format_flag
from truebleu.cli.terminal import has_color, print_result
from truebleu.dialects.decisions import PARTS, Dialect
from truebleu.dialects.tools import DIALECTS
from truebleu.dialects.uses import Use, uses
from truebleu.errors import OptionError
from truebleu.text.tables import BOLD, PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GROUPS = (("options", (format_flag("text", "json"), NO_COLOR)),)

USAGE = "truebleu dialects [NAME | WORD...] [options]"


def run(args: Args, names: list[str]) -> None:
    """Run the command."""
    color = has_color(args)
    entries = _mentioning(names)
    in_full = len(names) == 1 and len(entries) == 1
    print_result(
        args,
        lambda: _as_json(entries[0]) if in_full else [_as_json(entry) for entry in entries],
        lambda: _in_full(entries[0], color=color) if in_full else _table(entries, names, color),
    )


def _mentioning(words: list[str]) -> list[Dialect | Use]:
    """The rows and uses whose descriptions have all words; a name alone stands for itself."""
    everything: dict[str, Dialect | Use] = {**DIALECTS, **uses()}
    if len(words) == 1 and words[0] in everything:
        return [everything[words[0]]]
    texts = {name: " ".join([name, *entry._about().values()]).casefold() for name, entry in everything.items()}
    entries = [everything[name] for name, text in texts.items() if all(word.casefold() in text for word in words)]
    if not entries:
        from difflib import get_close_matches

        near = [f"; did you mean {name}?" for name in get_close_matches(words[0], everything, 1)]
        raise OptionError(f"no dialect mentions {' and '.join(map(repr, words))}{''.join(near)}")
    return entries


def _as_json(entry: Dialect | Use) -> dict[str, Any]:
    if isinstance(entry, Use):
        return {**entry._about(), "dialect": entry.dialect, "options": entry.options}
    return {**entry._about(), "options": entry.options()}


def _table(entries: list[Dialect | Use], words: list[str], color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    name, version = (max(len(getattr(e, key)) for e in entries) for key in ("name", "version"))
    lines = []
    for entry in entries:
        text = entry.tool if isinstance(entry, Use) else entry.users or entry.source
        lines.append(f"{bold}{entry.name:{name}}{plain}  {entry.version:{version}}  {text}")
        if words and isinstance(entry, Use):
            shown = [*entry.code.splitlines(), entry.command]
            lines += [f"    {line}" for line in shown if line]
    return "\n".join(line.rstrip() for line in lines)


def _in_full(entry: Dialect | Use, *, color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    texts = {**entry._about(), "name": f"{bold}{entry.name}{plain}"}
    if isinstance(entry, Use):
        texts = {label: text.replace("\n", f"\n{'':9}") for label, text in texts.items()}
        return "\n".join(f"{label:9}{text}" for label, text in texts.items())
    texts["quirks"] = entry.quirks or "none known"
    lines = [f"{label:9}{text}" for label, text in texts.items() if text]
    for part, values in zip(PARTS, entry.parts(), strict=True):
        title = f"{bold}{part.__name__.lower()}{plain}"
        lines += ["", f"{title}: {(part.__doc__ or '').partition(chr(10))[0]}"]
        for option in values.options:
            value = getattr(values, option.name)
            changed = "" if value == option.default else f"  (sacrebleu: {option.default})"
            lines.append(f"  {option.name:26}{value}{changed}")
    return "\n".join(lines)
