# SPDX-License-Identifier: Apache-2.0
"""Flags: declared once, read by the parser, the help and the shell completion.

Not argparse: importing it takes 7 ms, of the 17 that a whole `truebleu score` may take.
"""

from __future__ import annotations

from truebleu.dialects.decisions import OPTIONS
from truebleu.dialects.options import CHRFOptions, TEROptions
from truebleu.errors import OptionError, check_int, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.dialects.options import Option


class Flag:
    """One flag of a command.

    Attributes:
        names: as typed, the long one last, which without its hyphens is its key in the result.
        takes: how many values: 0, 1, or `"+"` for all up to the next flag.
        kind: the type of a value.
        range: the least and the most that a whole number can be, if it has bounds.
        choices: what a value may be; empty if anything.
        help: one line.
        file: whether a value is a path, for completion.
    """

    __slots__ = ("choices", "file", "help", "kind", "names", "range", "takes")

    def __init__(
        self,
        names: tuple[str, ...],
        help: str,
        *,
        takes: int | str = 1,
        kind: type = str,
        choices: tuple[str, ...] = (),
        file: bool = False,
        range: tuple[int, int | None] | None = None,
    ) -> None:
        self.names = names
        self.help = help
        self.takes = takes
        self.kind = kind
        self.choices = choices
        self.file = file
        self.range = range

    @property
    def key(self) -> str:
        """Its key in the result of `parse`."""
        return self.names[-1].lstrip("-").replace("-", "_")

    def convert(self, text: str) -> Any:
        """The value of `text`.

        Raises:
            OptionError: it is no number where one is asked for or not in its range, or no choice.
        """
        if self.choices and text not in self.choices:
            raise OptionError(f"{self.names[-1]} cannot be {suggest(text, self.choices)}")
        try:
            value = self.kind(text)
        except ValueError:
            value = None
        if value is None or value != value:  # noqa: PLR0124  (NaN, which compares with nothing)
            kind = "whole number" if self.kind is int else "number"
            raise OptionError(f"{self.names[-1]} cannot be {text!r}; it must be a {kind}")
        return check_int(self.names[-1], value, *self.range) if self.range else value


def of_option(option: Option, prefix: str = "") -> Flag:
    """The flag of an option. Its values are checked by the option itself."""
    names = (*option.flags, "--" + (prefix + option.name).replace("_", "-"))
    if option.kind is bool:
        return Flag(names, option.help, takes=0, kind=bool)
    kinds: dict[type, Any] = {tuple: lambda text: tuple(text.split(","))}
    # spm:PATH is a tokenizer too, so the list is for completion only.
    choices = () if option.name == "tokenize" else option.choices
    return Flag(names, option.help, kind=kinds.get(option.kind, option.kind), choices=choices)


#: A flag for each option of a dialect, of chrF and of TER.
DIALECT_FLAGS = tuple(of_option(option) for option in OPTIONS.values())
CHRF_FLAGS = tuple(of_option(option, "chrf_") for option in CHRFOptions.options)
TER_FLAGS = tuple(of_option(option, "ter_") for option in TEROptions.options)


def parse(arguments: Sequence[str], flags: Sequence[Flag]) -> tuple[dict[str, Any], list[str]]:
    """Read a command line: the values of the flags that are given, and the rest.

    `--flag value` and `--flag=value` are the same; `--no-flag` turns an option of the dialect off;
    `--` ends the flags; `-` is a value.

    Raises:
        OptionError: a flag does not exist, is given twice, or lacks a value.
    """
    by_name = {name: flag for flag in flags for name in flag.names}
    given: dict[str, Any] = {}
    rest: list[str] = []
    queue = list(arguments)
    while queue:
        word = queue.pop(0)
        if word == "--":
            rest += queue
            break
        if not _is_flag(word):
            rest.append(word)
            continue
        name, equals, attached = word.partition("=")
        flag = by_name.get(name)
        negated = by_name.get(name.replace("--no-", "--", 1)) if flag is None else None
        if negated is not None and negated.kind is bool and not equals:
            given[negated.key] = False
            continue
        if flag is None:
            raise OptionError(f"no flag is named {suggest(name, by_name)}")
        if flag.key in given:
            raise OptionError(f"{flag.names[-1]} is given twice; give it once")
        if flag.takes == 0:
            if equals:
                raise OptionError(f"{name} takes no value; leave out {equals + attached}")
            given[flag.key] = True
            continue
        values = [attached] if equals else _values(queue, flag)
        if not values:
            raise OptionError(f"{name} needs a value")
        converted = [flag.convert(value) for value in values]
        given[flag.key] = converted if flag.takes == "+" else converted[0]
    return given, rest


def _is_flag(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _values(queue: list[str], flag: Flag) -> list[str]:
    if flag.takes == 1:
        return [queue.pop(0)] if queue else []
    values = []
    while queue and not _is_flag(queue[0]):
        values.append(queue.pop(0))
    return values


def help_text(usage: str, purpose: str, groups: Sequence[tuple[str, Sequence[Flag]]]) -> str:
    """The help of a command, from its flags."""
    lines = [f"usage: {usage}", "", purpose]
    for title, flags in groups:
        lines += ["", f"{title}:"]
        for flag in flags:
            value = {0: "", 1: " VALUE", "+": " VALUE..."}[flag.takes]
            choices = f" ({', '.join(flag.choices)})" if flag.choices else ""
            lines.append(f"  {', '.join(flag.names)}{value}")
            lines.append(f"      {flag.help}{choices}")
    return "\n".join(lines)
