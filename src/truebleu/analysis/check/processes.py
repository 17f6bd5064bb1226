# SPDX-License-Identifier: Apache-2.0
"""The findings of several systems, in processes: what looks for faults is mostly Python code.

A thread waits for each process, so that the caller can do other work meanwhile.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from tempfile import TemporaryFile
from typing import Any, Self

from truebleu.analysis.check.findings import Finding, inspect
from truebleu.analysis.check.texts import Texts

#: The fewest lines that are worth a process, which takes a third of a second to begin.
_LARGE = 1_000

#: What a process runs: it reads texts and a metric, and writes findings or an error.
_CODE = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from truebleu.analysis.check.processes import serve; serve()"
)


class Inspections:
    """The findings of systems, which other processes begin to look for.

    Args:
        systems: the texts of each.
        metric: measures the effects; its threads are how many processors are used.
    """

    def __init__(self, systems: Sequence[Texts], metric: Any) -> None:
        self._systems = systems
        self._metric = metric
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False
        self._pool = ThreadPoolExecutor(max(metric.threads - 1, 1))
        self._begun: list[Future[list[Finding] | None] | None] = [
            self._pool.submit(self._elsewhere, texts)
            if metric.threads > 1 and sys.executable and len(texts.hyp) >= _LARGE
            else None
            for texts in systems
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in tuple(self._running):
            process.kill()

    def results(self) -> list[list[Finding]]:
        """The findings of each system.

        Raises:
            InputError: as `check`.
        """
        found = []
        # From the end, where no process has begun yet.
        for texts, future in zip(reversed(self._systems), reversed(self._begun), strict=True):
            answer = None if future is None or future.cancel() else future.result()
            found.append(inspect(texts, self._metric) if answer is None else answer)
        return found[::-1]

    def _elsewhere(self, texts: Texts) -> list[Finding] | None:
        """The findings of a process; None if it had none, as where functions tokenize."""
        try:
            question = pickle.dumps((texts, self._metric))
        except (pickle.PicklingError, AttributeError, TypeError):
            return None
        with TemporaryFile() as file:
            file.write(question)
            file.seek(0)
            with subprocess.Popen(  # noqa: S603  (this Python)
                [sys.executable, "-c", _CODE, *sys.path],
                stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches this process alone, which ends the other
            ) as process:  # fmt: skip
                self._running.add(process)
                if self._stopped:
                    process.kill()
                answer, _ = process.communicate()
                self._running.discard(process)
        if process.returncode:
            return None
        findings: list[Finding] = pickle.loads(answer)  # noqa: S301  (our own)
        return findings


def serve() -> None:
    """Answer the question on standard input. After an error, the other process asks itself."""
    texts, metric = pickle.load(sys.stdin.buffer)  # noqa: S301  (our own)
    sys.stdout.buffer.write(pickle.dumps(inspect(texts, metric)))
