# SPDX-License-Identifier: Apache-2.0
"""`truebleu completion SHELL`: a completion script, made from the declared flags."""

from __future__ import annotations

from truebleu.cli.commands import COMMANDS
from truebleu.cli.flags import DIALECT_FLAGS, Flag
from truebleu.cli.score import FLAGS
from truebleu.dialect import TOKENIZERS
from truebleu.dialects import DIALECTS
from truebleu.errors import OptionError, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHELLS = ("bash", "zsh", "fish")


def run(arguments: Sequence[str]) -> int:
    """Print the script for the shell that is named."""
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        text = f"usage: truebleu completion {{{','.join(SHELLS)}}}"
        if arguments and arguments[0] in ("-h", "--help"):
            print(text)
            return 0
        raise OptionError(f"one shell is needed; {text}")
    scripts = {"bash": bash, "zsh": zsh, "fish": fish}
    if arguments[0] not in scripts:
        raise OptionError(f"no completion for {suggest(arguments[0], SHELLS)}")
    print(scripts[arguments[0]]())
    return 0


def _values(flag: Flag) -> tuple[str, ...]:
    known = {"tokenize": TOKENIZERS, "dialect": tuple(DIALECTS)}
    return known.get(flag.key, flag.choices)


def bash() -> str:
    """For bash: `source <(truebleu completion bash)`."""
    cases = "\n".join(
        f'    {"|".join(flag.names)}) _truebleu_words "{" ".join(_values(flag))}"; return ;;'
        for flag in (*FLAGS, *DIALECT_FLAGS)
        if _values(flag)
    )
    names = " ".join(name for flag in (*FLAGS, *DIALECT_FLAGS) for name in flag.names)
    return f"""\
_truebleu_words() {{ COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}")); }}
_truebleu() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  if [ "$COMP_CWORD" -eq 1 ]; then
    _truebleu_words "{" ".join(COMMANDS)}"; return
  fi
  case "$prev" in
    completion) _truebleu_words "{" ".join(SHELLS)}"; return ;;
    dialects) _truebleu_words "{" ".join(DIALECTS)}"; return ;;
{cases}
  esac
  case "$cur" in
    -*) _truebleu_words "{names}" ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}}
complete -o filenames -F _truebleu truebleu"""


def zsh() -> str:
    """For zsh: bash's script through bashcompinit."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """For fish: `truebleu completion fish | source`."""
    lines = [
        f"complete -c truebleu -n __fish_use_subcommand -f -a {name} -d '{does}'"
        for name, does in COMMANDS.items()
    ]
    inside = "complete -c truebleu -n '__fish_seen_subcommand_from score'"
    for flag in (*FLAGS, *DIALECT_FLAGS):
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-o {name[1:]}" for name in flag.names
        )
        value = f" -x -a '{' '.join(_values(flag))}'" if _values(flag) else ""
        required = " -r" if flag.takes != 0 and not value else ""
        description = flag.help.replace("'", "")
        lines.append(f"{inside} {names}{value}{required} -d '{description}'")
    lines += [
        f"complete -c truebleu -n '__fish_seen_subcommand_from {command}' -f -a '{' '.join(words)}'"
        for command, words in {"completion": SHELLS, "dialects": tuple(DIALECTS)}.items()
    ]
    return "\n".join(lines)
