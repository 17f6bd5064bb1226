# SPDX-License-Identifier: Apache-2.0
"""The command `truebleu`."""

from __future__ import annotations

import os
import sys

from truebleu.cli.commands import COMMANDS, load
from truebleu.cli.flags import HELP, HELP_ALL, check_outputs, command_help, parse, purpose
from truebleu.errors import OptionError, TrueBLEUError, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = "truebleu COMMAND [options]; `truebleu help COMMAND` explains a command"

_HELP = {*HELP.names, *HELP_ALL.names}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line.

    Returns:
        The exit code: 0, 1 if a check failed, 2 for a usage or input error, 130 after Ctrl-C.
    """
    if sys.stdout is None:
        return _complain("standard output is closed; redirect it to a file or a program")
    if sys.stdin is None:  # libraries and files would get its number
        os.open(os.devnull, os.O_RDONLY)
    if sys.stderr is None:  # Python would print errors on standard output
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may have any character
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (TrueBLEUError, MemoryError) as error:
        out_of_memory = "out of memory; score fewer segments at a time"
        return _complain(str(error) if isinstance(error, TrueBLEUError) else out_of_memory)
    except BrokenPipeError:
        # The reader has closed the pipe. Python would print an error when it closes its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        return _complain(f"standard output cannot be written: {error.strerror or error}")
    except (SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001  (a panic of a library is not an Exception)
        return _complain(_unforeseen(error))
    return code


def _unforeseen(error: BaseException) -> str:
    """The message about any other error: of the exit codes, 1 is for failed checks."""
    what = " ".join(str(error.__cause__ or error).split())
    if isinstance(error, ImportError) or what == "can't start new thread":
        return f"{what:.500}; allow the process more memory and threads, or install truebleu again"
    from traceback import walk_tb

    from truebleu.version import __version__

    *_, (frame, line) = walk_tb(error.__traceback__)
    place = f"{frame.f_globals.get('__name__')}:{line}"

    return (
        f"internal error: {type(error).__name__}: {what:.500} ({place}); this is a bug in TrueBLEU "
        f"{__version__}: please report it with the command"
    )


def _complain(message: str) -> int:
    """Print an error as one line on standard error; returns the exit code."""
    try:
        from truebleu.text.escaping import visible  # imported for errors only

        message = " ".join(map(visible, message.splitlines()))
    except (ImportError, MemoryError):  # no memory
        message = ascii(message)
    print("truebleu:", message, file=sys.stderr)
    return 2


def _run(arguments: Sequence[str]) -> int:
    command, *operands = arguments or ["--help"]
    if command == "help" and operands:
        command, operands = operands[0], ["--help"]
    if command in COMMANDS:
        return _run_command(command, operands, arguments)
    if command in {*_HELP, "help"}:
        width = max(map(len, COMMANDS))
        commands = "\n".join(f"  {name:{width}}  {purpose}" for name, purpose in COMMANDS.items())
        print(f"usage: {USAGE}\n\n{commands}")
    elif command in ("-V", "--version", "version"):
        from truebleu.version import __version__

        print(f"truebleu {__version__}")
    else:
        scoring = "to score files, type truebleu score REF -i HYP" if os.path.isfile(command) else ""
        raise OptionError(f"unknown command {suggest(command, COMMANDS, scoring)}")
    return 0


def _run_command(command: str, operands: list[str], typed: Sequence[str]) -> int:
    module = load(command)
    if not hasattr(module, "GROUPS"):  # it parses its arguments itself
        if not (hasattr(module, "USAGE") and {*operands[:1]} & _HELP):
            return int(module.run(operands) or 0)
        print(f"usage: {module.USAGE}\n\n{purpose(module)}".rstrip())
        return 0
    flags = [flag for _, group in module.GROUPS for flag in group]
    args, words = parse(operands, [*flags, HELP, HELP_ALL])
    if "help" in args or "help_all" in args:
        print(command_help(module, every="help_all" in args))
        return 0
    if "cite" in args:
        from truebleu.cli.citations import bibtex

        print(bibtex(args))
        return 0
    needs_files = module.USAGE.startswith(f"truebleu {command} REF")
    if needs_files and not words and "test_set" not in args:
        from truebleu.inputs.files import is_run  # not needed by most runs

        if not any(map(is_run, args.get("input", ()))):
            raise OptionError(f"no reference file; type {module.USAGE}")
    if "" in words:
        raise OptionError("a file name is empty; name a file")
    if command != "campaign":  # which reads only some files of its folders
        check_outputs(args, words, flags)
    args["typed"] = typed
    return int(module.run(args, words) or 0)
