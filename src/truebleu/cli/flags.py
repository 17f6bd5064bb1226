# SPDX-License-Identifier: Apache-2.0
"""Flags: declared once, read by the parser, the help and the shell completion.

Not argparse: importing it takes 7 ms, and a whole `truebleu score` takes 17.
"""

from __future__ import annotations

import os
from math import isnan

from truebleu.dialects.decisions import OPTIONS, READING
from truebleu.dialects.options import OPTIONS_OF, Option
from truebleu.errors import OptionError, check_int, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Flag:
    """One flag of a command.

    Attributes:
        names: as typed, the long one last; without hyphens, it is the key of the value.
        help: one line.
        takes: how many values: 0, 1, or `"+"` for all up to the next flag.
        kind: the type of a value, or what parses it.
        choices: the allowed values; empty if any value is allowed.
        range: the smallest and the largest value of an integer.
        default: the value without the flag, if it does not depend on other flags.
        file: whether a value is a path.
        placeholder: what the help calls a value.
        common: whether `--help` lists the flag; `--help-all` lists every flag.
    """

    def __init__(
        self,
        usage: str,
        help: str,
        *,
        kind: Callable[[str], Any] | None = None,
        choices: tuple[str, ...] = (),
        range: tuple[int, int | None] | None = None,
        default: Any = None,
        common: bool = False,
    ) -> None:
        """Declare a flag.

        Args:
            usage: as in the help: `-i, --input FILE...` takes several paths, `--force` no value.
                `N` is an integer and `NUMBER` a number, if there is no `kind`.
            help, kind, choices, range, default, common: the attributes.
        """
        *short, last = usage.split(", ")
        long, _, value = last.partition(" ")
        word = value if "," in value else value.removesuffix("...")
        self.names = (*short, long)
        self.help = help
        self.placeholder = f"{{{','.join(choices)}}}" if choices else word
        self.takes = "+" if word != value else int(self.placeholder != "")
        self.kind = kind or {"N": int, "NUMBER": float}.get(word, str)
        self.choices = choices
        self.range = range
        self.default = default
        self.file = word in ("FILE", "DIR", "FILE|DIR")
        self.common = common

    @property
    def key(self) -> str:
        """The key of its value in `Args`."""
        return self.names[-1].lstrip("-").replace("-", "_")

    def convert(self, text: str) -> Any:
        """The value of `text`."""
        if self.choices and text not in self.choices:
            raise OptionError(f"{self.names[-1]} cannot be {suggest(text, self.choices)}")
        try:
            value = self.kind(text)
        except ValueError:
            value = None
        if value is None or (self.kind is float and isnan(value)):
            kind = "whole number" if self.kind is int else "number"
            raise OptionError(f"{self.names[-1]} cannot be {text!r}; it must be a {kind}")
        return check_int(self.names[-1], value, *self.range) if self.range else value


class Args(dict["str", "Any"]):
    """The flags of a command line with their values.

    `args[key]` is the flag's default if the command line does not have the flag; `key in args`
    is true if it has.
    """

    def __init__(self, flags: Sequence[Flag]) -> None:
        super().__init__()
        self._defaults = {flag.key: flag.default for flag in flags}

    def __missing__(self, key: str) -> Any:
        return self._defaults[key]


def of_option(option: Option, prefix: str = "") -> Flag:
    """The flag of an option of a metric, which itself checks its values."""
    usage = ", ".join((*option.flags, "--" + (prefix + option.name).replace("_", "-")))
    help, default, choices, kind = option.help, option.default, option.choices, option.kind
    word = {bool: "", int: " N", float: " NUMBER", tuple: " A,B,..."}.get(kind, " NAME")
    if option.name == "normalize":
        word, kind = " NAME...", str
    if option.name == "tokenize":  # the option checks it: a path is not among the choices
        word, choices = f" {{{','.join(choices)},auto,chars,re:PATTERN,spm:PATH,...}}", ()
    if isinstance(default, tuple):
        default = ",".join(map(str, default))
    if word and default not in (None, ""):
        help += f" (default: {default})"
    return Flag(usage + word, help, kind=_numbers if kind is tuple else kind, choices=choices, common=option.common)


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


#: A flag for each option of a metric; those of reading are some of BLEU's.
DIALECT_FLAGS = tuple(of_option(option) for option in OPTIONS.values())
READING_FLAGS = tuple(of_option(OPTIONS[name]) for name in READING)
TOKENIZE, NORMALIZE = of_option(OPTIONS["tokenize"]), of_option(OPTIONS["normalize"])
OWN_FLAGS = {
    name: tuple(of_option(o, f"{name}_") for o in part.options if o.name != "normalize")
    for name, part in OPTIONS_OF.items()
}

THREADS = Flag("--threads N", "largest number of threads (default: all cores)")
NO_COLOR = Flag("--no-color", "no colors on a terminal")
SEED = Flag("--seed N", "random seed", range=(0, (1 << 64) - 1), default=12345)
GIVEN_ORDER = Flag("--given-order", "list systems in the given order instead of the best first")
#: The output formats of tables.
FORMATS = ("text", "json", "tsv", "latex", "markdown")
HELP = Flag("-h, --help", "show the common options")
HELP_ALL = Flag("--help-all", "show all options")

#: What to do instead of options that only other commands have.
_INSTEAD = {
    **dict.fromkeys(
        ("-t", "--test-set", "--echo", "--list", "--download"), "for sacreBLEU's test sets: truebleu sacrebleu -t"
    ),
    **dict.fromkeys(("-l", "--language-pair"), "name the tokenizer with -tok"),
    "--group-by": "this command has no result by group",
}


def format_flag(*choices: str) -> Flag:
    """The flag for the output format; the first choice is the default."""
    return Flag("-f, --format", "output format", choices=choices, default=choices[0], common=True)


def command_help(command: Any, *, every: bool) -> str:
    """The page of `--help`, or with `every` that of `--help-all`."""
    lines = [f"usage: {command.USAGE}", "", purpose(command), *getattr(command, "DETAILS", ())]
    for title, flags in (*command.GROUPS, ("help", (HELP, HELP_ALL))):
        listed = [flag for flag in flags if every or flag.common or flag in (HELP, HELP_ALL)]
        if listed:
            lines += ["", f"{title}:", *(line for flag in listed for line in _entry(flag))]
    return "\n".join(lines)


def purpose(command: Any) -> str:
    """What a command does: the docstring of its module after the first line."""
    return (command.__doc__ or "").partition("\n\n")[2].rstrip()


def _entry(flag: Flag) -> list[str]:
    value = {0: "", 1: f" {flag.placeholder}", "+": f" {flag.placeholder}..."}[flag.takes]
    default = "" if flag.default is None else f" (default: {flag.default})"
    return [f"  {', '.join(flag.names)}{value}", f"      {flag.help}{default}"]


def parse(arguments: Sequence[str], flags: Sequence[Flag]) -> tuple[Args, list[str]]:
    """Split a command line into flags with their values, and other words.

    `--flag value` and `--flag=value` are the same, and so are `-w 2` and `-w2`; `--no-flag` turns
    an option off; `--` ends the flags; `-` and negative numbers are values. A flag that takes
    several values may occur several times; its numbers end at the first word that is none.

    Raises:
        OptionError: a flag does not exist, occurs twice, or lacks a value.
    """
    by_name = {name: flag for flag in flags for name in flag.names}
    args = Args(flags)
    words: list[str] = []
    queue = list(arguments)
    while queue:
        word = queue.pop(0)
        if word == "--":
            words += queue
            break
        if not _is_flag(word):
            words.append(word)
            continue
        name, equals, attached = word.partition("=")
        if name not in by_name and name[2:].isdecimal():  # -w2
            name, equals, attached = word[:2], "=", word[2:]
        flag = by_name.get(name)
        negated = by_name.get(name.replace("--no-", "--", 1)) if flag is None else None
        if negated is not None and negated.kind is bool and not equals:
            args[negated.key] = False
            continue
        if flag is None:
            if name in _INSTEAD:
                raise OptionError(f"unknown option {name}; {_INSTEAD[name]}")
            candidates = [long for long in by_name if long[:2] == name[:2] == "--"]
            raise OptionError(f"unknown option {suggest(name, candidates, '--help-all lists all')}")
        if flag.key in args and flag.takes != "+":
            raise OptionError(f"{flag.names[-1]} occurs twice; give it once")
        if flag.takes == 0:
            if equals:
                raise OptionError(f"{name} takes no value; leave out {equals + attached}")
            args[flag.key] = True
            continue
        values = [attached] if equals else _values(queue, flag)
        if not values:
            hyphen = f"; for a value with a hyphen: {name}={queue[0]}" if queue else ""
            raise OptionError(f"{name} needs a value: {name} {flag.placeholder}{hyphen}")
        # --join doc_id names a column, --join mean a way to join scores.
        is_column = flag.key == "join" and values[0] not in flag.choices
        flag = by_name.get("--join-col", flag) if is_column else flag
        if flag.file and "" in values:
            raise OptionError(f"{name} is empty; name a file")
        converted = [flag.convert(value) for value in values]
        args[flag.key] = [*args.get(flag.key, ()), *converted] if flag.takes == "+" else converted[0]
    return args, words


def exclude(args: Args, flag: str, *keys: str) -> None:
    """Raise OptionError if the command line has flags that do not go with another."""
    for key in keys:
        if key in args:
            other = key.replace("_", "-")
            raise OptionError(f"{flag} does not go with --{other}; leave out --{other}")


def check_outputs(args: Args, words: Sequence[str], flags: Sequence[Flag]) -> None:
    """Raise OptionError if an output file is also an input, or is in a folder that is read."""
    paths = list(words)
    for flag in flags:
        if flag.file and flag.key in args and flag.key not in _OUTPUTS:
            paths += args[flag.key] if flag.takes == "+" else [args[flag.key]]
    paths += filter(os.path.isfile, [args.get("group_by", "")])  # else it is a column
    refuse_inputs([args[key] for key in _OUTPUTS if key in args], paths)


def refuse_inputs(outputs: Sequence[str], paths: Sequence[str]) -> None:
    """Raise OptionError if an output exists and is one of the files that are read."""
    outputs = list(filter(os.path.isfile, outputs))
    if not outputs:
        return
    from itertools import product

    from truebleu.inputs.files import split_part
    from truebleu.inputs.paths import files_of

    files = [split_part(file)[0] for path in paths for file in files_of(path)]
    for file, output in product(filter(os.path.exists, files), outputs):
        if os.path.samefile(file, output):
            raise OptionError(f"{output} is an input, too; name another output file")


#: The keys of flags that name an output file.
_OUTPUTS = ("output", "save", "per_segment")


def _is_flag(word: str) -> bool:
    return word.startswith("-") and word != "-" and word[1] not in ".0123456789"


def _values(queue: list[str], flag: Flag) -> list[str]:
    values: list[str] = []
    while queue and not _is_flag(queue[0]) and (flag.takes == "+" or not values):
        if values and flag.placeholder == "NUMBER" and not is_number(queue[0]):
            break  # a file follows
        values.append(queue.pop(0))
    return values


def is_number(word: str) -> bool:
    """Whether a word is a number, or that of a group, as in `news=27.3`."""
    try:
        float(word.rpartition("=")[2].rstrip("%"))
    except ValueError:
        return False
    return True
