# SPDX-License-Identifier: Apache-2.0
"""`truebleu completion SHELL`: a completion script, made from the declared flags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from truebleu.cli.commands import COMMANDS, load
from truebleu.cli.flags import HELP, HELP_ALL, Flag
from truebleu.dialects.decisions import TOKENIZERS
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError, suggest

SHELLS = ("bash", "zsh", "fish")

USAGE = f"truebleu completion {{{','.join(SHELLS)}}}"


def run(arguments: Sequence[str]) -> None:
    """Print the script for a shell."""
    if len(arguments) != 1:
        raise OptionError(f"name one shell; type {USAGE}")
    if arguments[0] not in SHELLS:
        raise OptionError(f"no completion for {suggest(arguments[0], SHELLS)}")
    print({"bash": bash, "zsh": zsh, "fish": fish}[arguments[0]]())


#: Possible first words of commands that do not read files.
WORDS = {"completion": SHELLS, "dialects": tuple(DIALECTS)}


def _flags(command: str) -> list[Flag]:
    """The flags of a command; `sacrebleu` declares none."""
    groups = getattr(load(command), "GROUPS", ())
    flags = [flag for _, group in groups for flag in group]
    return [*flags, HELP, HELP_ALL] if flags else []


def _values(flag: Flag) -> tuple[str, ...]:
    names = {"tokenize": TOKENIZERS, "dialect": tuple(DIALECTS)}
    return names.get(flag.key, flag.choices)


def bash() -> str:
    """For bash: `source <(truebleu completion bash)`."""

    def words(place: str, values: Iterable[str]) -> str:
        return f'    {place}) _truebleu_words "{" ".join(values)}"'

    flags = {command: _flags(command) for command in COMMANDS}
    values = [
        words("|".join(f"{command}:{name}" for name in flag.names), _values(flag)) + "; return ;;"
        for command, own in flags.items()
        for flag in own
        if _values(flag)
    ]
    cases = [words(f"{command}:[!-]*|{command}:", WORDS[command]) + " ;;" for command in WORDS]
    cases += [
        words(f"{command}:-*", (name for flag in own for name in flag.names)) + " ;;" for command, own in flags.items()
    ]
    return f"""\
_truebleu_words() {{ COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}")); }}
_truebleu() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}}
  if [ "$COMP_CWORD" -eq 1 ]; then
    _truebleu_words "{" ".join(COMMANDS)}"; return
  fi
  case "$command:$prev" in
{chr(10).join(values)}
  esac
  case "$command:$cur" in
{chr(10).join(cases)}
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}}
complete -o filenames -F _truebleu truebleu"""


def zsh() -> str:
    """For zsh: bash's script through bashcompinit."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """For fish: `truebleu completion fish | source`."""
    lines = []
    for command, purpose in COMMANDS.items():
        start = f"complete -c truebleu -n '__fish_seen_subcommand_from {command}'"
        lines.append(f"complete -c truebleu -n __fish_use_subcommand -f -a {command} -d '{_quoted(purpose)}'")
        if command in WORDS:
            lines.append(f"{start} -f -a '{' '.join(WORDS[command])}'")
        for flag in _flags(command):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-o {name[1:]}" for name in flag.names)
            value = f" -x -a '{' '.join(_values(flag))}'" if _values(flag) else ""
            required = " -r" if flag.takes != 0 and not value else ""
            lines.append(f"{start} {names}{value}{required} -d '{_quoted(flag.help)}'")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return text.replace("'", "")
