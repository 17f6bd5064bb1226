# SPDX-License-Identifier: Apache-2.0
"""The command `truebleu`, in the folder of the fixture `folder` or on the examples."""

import io
import os
import subprocess
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryFile
from unittest import mock

from truebleu import cli

BIN = Path(sys.executable).parent
COMMAND = BIN / "truebleu"

HYPS = ["a b c d", "e f g h", "i j k l"]
REFS = ["a b c x", "e f y h", "i z k l"]

#: Variables that change what the commands do.
SETTINGS = ("COLUMNS", "NO_COLOR", "SACREBLEU_FORMAT", "TRUEBLEU_NUM_THREADS", "TRUEBLEU_SIMD")


class Pipe(io.RawIOBase):
    """Bytes that are read once, and of which nobody knows how many there are."""

    def __init__(self, data):
        self._data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._data.readinto(buffer)


def in_process(*arguments, stdin=b""):
    """Run the command in this process, which takes a tenth of the time of a new one."""
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    pipe = io.TextIOWrapper(io.BufferedReader(Pipe(stdin)), "utf-8")
    with redirect_stdout(out), redirect_stderr(error), mock.patch.object(sys, "stdin", pipe):
        try:
            code = cli.main(list(map(str, arguments)))
        except SystemExit as exit:  # of argparse
            code = exit.code
    texts = []
    for stream in (out, error):
        stream.flush()
        texts.append(stream.buffer.getvalue())
    return subprocess.CompletedProcess(arguments, code, *texts)


def forked(program, *arguments, stdin=b"", **environment):
    """Run a command's main function in a fork, which takes less time than a new process."""
    with TemporaryFile() as source, TemporaryFile() as out, TemporaryFile() as error:
        source.write(stdin)
        source.seek(0)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for number, file in enumerate((source, out, error)):
                    os.dup2(file.fileno(), number)
                sys.stdin, sys.stdout, sys.stderr = (
                    open(number, mode, closefd=False)  # noqa: SIM115  # os._exit
                    for number, mode in enumerate("rww")
                )
                os.environ.update(environment)
                sys.argv = ["sacrebleu", *arguments]
                code = program()
            except SystemExit as ended:
                code = ended.code
            except BaseException:  # noqa: BLE001  # as Python ends a process
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(code or 0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in (out, error):
            file.seek(0)
        return subprocess.CompletedProcess(arguments, code, out.read(), error.read())


def original():
    """sacreBLEU's command; in a fork, because its import lets SIGPIPE end the process."""
    from sacrebleu.sacrebleu import main

    return main()


def sacrebleu(*arguments, stdin=b""):
    """The output of a `sacrebleu` that must succeed; it may warn."""
    done = forked(original, *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def run(*arguments, stdin=b"", program="truebleu", stdout=subprocess.PIPE, **environment):
    """Run the command; in a process of its own if it needs one."""
    if program == "truebleu" and stdout == subprocess.PIPE and not environment:
        return in_process(*arguments, stdin=stdin)
    clean = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return subprocess.run(
        [BIN / program, *arguments],
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        env={**clean, **environment},
        timeout=60,
    )


def refusal(*arguments, stdin=b""):
    """The one line of a command that must refuse to score."""
    done = run(*arguments, stdin=stdin)
    message = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b""), message
    assert message.startswith("truebleu: ")
    assert message.endswith("\n")
    assert message.count("\n") == 1
    return message.removeprefix("truebleu: ").strip()


def scored(*arguments, stdin=b""):
    """The standard output and the standard error of a command that must succeed."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def truebleu(*arguments, stdin=b""):
    """The output of a command that must succeed without a word on standard error."""
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout
