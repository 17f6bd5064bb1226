# SPDX-License-Identifier: Apache-2.0
"""Charts become pictures in a process beside this one, which hears signals meanwhile.

vl-convert 1.9 keeps the interpreter while it draws: 0.4 to 0.7 s for the first chart of a process,
50 ms for each after it. So one process draws all charts of this one, and lives as long.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec

from truebleu.errors import InternalError, MissingExtraError
from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How the line before each answer begins; whether that is a picture, not what is wrong, and its
#: bytes follow. Other lines are what anybody printed in that process, such as how it came to end.
_MARK = b"truebleu.charts.drawing "

#: What the process runs. It finds modules where this one does.
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; from truebleu.charts.drawing import serve; serve()"
)


class Drawer:
    """Draws charts by a process that is started for the first of them."""

    __slots__ = ("_idle", "_turn")

    def __init__(self) -> None:
        #: The process while it draws nothing.
        self._idle: _Process | None = None
        #: Threads draw one after the other. A handler of a signal may draw while its thread does.
        self._turn = threading.RLock()

    def start(self, purpose: str) -> None:
        """Start the process now: what it does before its first chart, it does beside other work.

        Raises:
            MissingExtraError: what draws is not installed; `purpose` needs it.
        """
        if find_spec("vl_convert") is None:  # to import it takes 50 ms, which the process spends
            raise MissingExtraError.of(purpose, "report")
        with self._turn:
            self._idle = self._process()

    def draw(self, spec: dict[str, Any], format: str, ppi: float) -> bytes:
        """A chart as a picture. Nothing is fetched.

        Args:
            spec: of Vega-Lite.
            format: `svg`, `pdf` or `png`.
            ppi: pixels to an inch of a PNG.

        Raises:
            MissingExtraError: vl-convert-python is not installed.
            ValueError: it cannot draw this.
            InternalError: the process that draws came to an end.
        """
        with self._turn:
            self.start("a picture of a figure")
            process, self._idle = self._idle, None
            if process is None:
                return _picture(spec, format, ppi)
            try:
                good, answer = process.ask(json.dumps([spec, format, ppi]).encode() + b"\n")
            except BaseException:
                process.end()  # for it would answer the next one with this picture
                raise
            self.end()  # if a handler of a signal drew meanwhile, there are two
            self._idle = process
        if not good:
            raise ValueError(answer.decode())
        return answer

    def end(self) -> None:
        """End the process if it does not draw. The next chart starts another one."""
        process, self._idle = self._idle, None
        if process is not None:
            process.end()

    def leave(self) -> None:
        """In a forked child: the process that draws is its parent's."""
        if self._idle is not None:
            self._idle.leave()
        self._idle, self._turn = None, threading.RLock()

    def _process(self) -> _Process | None:
        """A process that draws; none where none can be started, such as in a browser."""
        if self._idle is not None:
            if self._idle.lives():
                return self._idle
            self._idle.leave()
        # Python within another program: to start that would be to open its window.
        if not os.path.basename(sys.executable or "").lower().startswith(("python", "pypy")):
            return None
        try:
            return _Process()
        except OSError:
            return None


def serve() -> None:
    """Draw what standard input asks for, until it ends: what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # where Ctrl-C comes here, too, say nothing of it
    with suppress(Exception):  # then every chart will say what is wrong
        _picture({"data": {"values": []}, "mark": "bar"}, "svg", 72)
    # sys.stdout may have no buffer, and write half of an answer.
    with open(1, "wb", closefd=False) as answers:
        for line in sys.stdin.buffer:
            try:
                good, answer = True, _picture(*json.loads(line))
            except Exception as error:  # noqa: BLE001  (it is raised where the chart is from)
                good, answer = False, str(error).encode(errors="backslashreplace")
            answers.write(b"\n%b%d %d\n%b" % (_MARK, good, len(answer), answer))
            answers.flush()


class _Process:
    """The process that draws, as its owner sees it.

    Raises:
        OSError: the system starts none.
    """

    __slots__ = ("_answers", "_popen", "_requests")

    def __init__(self) -> None:
        self._popen = subprocess.Popen(  # noqa: S603  (this interpreter, and a line of ours)
            [sys.executable, "-c", _PROGRAM, *sys.path],
            bufsize=0,  # nothing waits to be written, which a forked child would do again
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Whoever reads this one's errors to their end need not wait for that one's.
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a terminal sends Ctrl-C to all processes of a session
        )
        self._requests: Any = self._popen.stdin
        self._answers: Any = io.BufferedReader(self._popen.stdout)

    def lives(self) -> bool:
        return self._popen.poll() is None

    def ask(self, line: bytes) -> tuple[bool, bytes]:
        """Whether a request has a picture, and the picture or what is wrong.

        Raises:
            InternalError: the process ended before it answered.
        """
        rest, said = memoryview(line), b""
        with suppress(BrokenPipeError):
            while rest:
                rest = rest[self._requests.write(rest) :]
        for header in self._answers:
            if header.startswith(_MARK):
                good, size = map(int, header[len(_MARK) :].split())
                answer = self._answers.read(size)
                if len(answer) == size:
                    return bool(good), answer
            said = header.strip() or said
        last = f": {visible(said.decode(errors='replace'))}" if said else ""
        raise InternalError(
            f"the process that draws figures ended with code {self._popen.wait()} in the middle of "
            f"one{last}; if there was memory enough, please report it with the figure"
        )

    def end(self) -> None:
        """End it, whatever it does."""
        self._popen.kill()
        self.leave()
        self._popen.wait()

    def leave(self) -> None:
        """Close the way to it: it ends when no process has that open."""
        self._requests.close()
        self._answers.close()
        self._popen.poll()  # if it is another's child, that is known then


def _picture(spec: dict[str, Any], format: str, ppi: float) -> bytes:
    """What `draw` gives, drawn by this process."""
    import vl_convert

    options: dict[str, Any] = {"allowed_base_urls": []}
    version = ".".join(spec.get("$schema", "").rpartition("/v")[2].split(".")[:2])
    if version in vl_convert.get_vegalite_versions():  # else the newest that it has
        options["vl_version"] = version
    if format == "svg":
        return str(vl_convert.vegalite_to_svg(spec, **options)).encode()
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec, **options))
    # A trifle more, or 240 points would come to 999.99 pixels, which are cut to 999.
    return bytes(vl_convert.vegalite_to_png(spec, ppi=ppi * (1 + 1e-6), **options))


#: Draws all charts of this process.
DRAWER = Drawer()
atexit.register(DRAWER.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=DRAWER.leave)
