# SPDX-License-Identifier: Apache-2.0
"""The command `truebleu`."""

from __future__ import annotations

import sys

from truebleu.cli.commands import COMMANDS, load
from truebleu.cli.flags import help_text, parse
from truebleu.errors import OptionError, TrueBLEUError, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

USAGE = "truebleu COMMAND [options]; `truebleu COMMAND --help` explains a command"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code: 0, 1 if a gate failed, 2 for a user's mistake."""
    try:
        return _answered(sys.argv[1:] if arguments is None else arguments)
    except BaseException as error:
        # Python 3.11 raises another error from one that comes while a class is made; and code may
        # fail because it was interrupted.
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        return 130


def command() -> NoReturn:
    """The command `truebleu`, as installed: runs the command line and ends the process."""
    import os

    sys.unraisablehook = _interrupt_again
    code = main()
    if sys.stderr is not None:
        sys.stderr.flush()
    # Standard output is flushed by `main`. The interpreter's own way out takes 1.8 of 14 ms, to
    # free memory that the system takes back anyway.
    os._exit(code)


def _interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """Have Ctrl-C come again if Python drops it.

    It does so where it calls back, as it does at the end of imports: 1 % of the signals that came
    in the first 0.4 s of `truebleu report` were lost.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import _thread
    import time

    def again() -> None:
        time.sleep(0.001)  # until Python has returned from there
        _thread.interrupt_main()

    _thread.start_new_thread(again, ())


def _complain(message: str) -> int:
    """One line on standard error; returns the exit code."""
    from truebleu.text.escaping import visible  # only paid for by a mistake

    print("truebleu:", *map(visible, message.splitlines()), file=sys.stderr)
    return 2


def _answered(arguments: Sequence[str]) -> int:
    """The exit code of a command line; what is wrong is told."""
    if sys.stdout is None:
        return _complain("standard output is closed; give it somewhere to go")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may have any character
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except (TrueBLEUError, MemoryError) as error:
        return _complain(str(error) or "this takes more memory than there is; give less at a time")
    except BrokenPipeError:
        # The reader has what it wanted. Python would complain when it closes standard output.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(f"standard output cannot be written: {error.strerror or error}")
    return code


def _run(arguments: Sequence[str]) -> int:
    command, *rest = arguments or ["--help"]
    if command in COMMANDS:
        module = load(command)
        if not hasattr(module, "GROUPS"):  # it reads its arguments by itself
            return int(module.run(rest))
        given, words = parse(rest, [flag for _, flags in module.GROUPS for flag in flags])
        if "help" in given:
            print(help_text(module.USAGE, module.PURPOSE, module.GROUPS))
            return 0
        if not words and module.USAGE.startswith(f"truebleu {command} REF"):
            raise OptionError(f"no reference file is given; usage: {module.USAGE}")
        return int(module.run(given, words))
    if command in ("-h", "--help", "help"):
        width = max(map(len, COMMANDS))
        commands = "\n".join(f"  {name:{width}}  {does}" for name, does in COMMANDS.items())
        print(f"usage: {USAGE}\n\n{commands}")
        return 0
    if command in ("-V", "--version", "version"):
        from truebleu.version import __version__

        print(f"truebleu {__version__}")
        return 0
    raise OptionError(f"no command is named {suggest(command, COMMANDS)}")
