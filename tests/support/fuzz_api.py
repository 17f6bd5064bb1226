#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzz the public API and the command line: `fuzz_api.py SECONDS [FIRST_SEED]`.

Each step is a call or a command made from its own seed, in a process that may crash, hang or run
out of memory; another one goes on behind it then. `fuzz_api.py 0 SEED` repeats one step.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

#: Seconds of the processor that a step may take, seconds with all that others do meanwhile, and
#: bytes that a process may have.
LIMIT, PATIENCE, MEMORY = 10, 120, 4 << 30


def work(first, seconds, last):
    """Steps from seed `first` to `last`, each reported as a line of JSON on standard output."""
    report = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    faulthandler.register(signal.SIGPROF, chain=True)  # and what a signal does: it ends the process
    # No step may reach the network or keep what it has written.
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ[name] = "http://127.0.0.1:9"
    with tempfile.TemporaryDirectory() as name:
        os.environ |= {"HOME": name, "XDG_CACHE_HOME": name, "SACREBLEU": name}
        from support import fuzzed_calls, fuzzed_commands

        os.chdir(name)
        end = time.monotonic() + seconds
        seed = first
        while True:
            print(json.dumps({"begins": seed}), file=report, flush=True)
            rng = random.Random(seed)
            steps = fuzzed_calls if rng.random() < 0.7 else fuzzed_commands
            signal.setitimer(signal.ITIMER_PROF, LIMIT)
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    done = steps.step(rng, Path(name))
            except BaseException:  # noqa: BLE001  (a panic is none of Python's own exceptions)
                fault = traceback.format_exc(limit=-8)
                print(json.dumps({"seed": seed, "fault": fault}), file=report, flush=True)
            else:
                print(json.dumps({"done": done}), file=report, flush=True)
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
            seed += 1
            if seed > last or time.monotonic() >= end:
                return


def fuzz(seconds, first=0, last=math.inf):
    """Steps for so many seconds, or to a last seed; how often each ended how, and the faults."""
    ended, faults = Counter(), []
    end = time.monotonic() + seconds
    seed = first
    while True:
        command = [
            sys.executable,
            __file__,
            "--work",
            str(seed),
            str(end - time.monotonic()),
            str(last),
        ]
        with tempfile.TemporaryFile() as said:
            worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said)
            for line in worker.stdout:
                note = json.loads(line)
                seed = note.get("begins", seed)
                if "fault" in note:
                    faults.append((note["seed"], note["fault"]))
                elif "done" in note:
                    ended[tuple(note["done"])] += 1
            if worker.wait() != 0:
                said.seek(0, os.SEEK_END)
                said.seek(max(0, said.tell() - 3_000))
                words = said.read().decode(errors="replace")
                faults.append((seed, f"the process ended with {worker.returncode}\n{words}"))
        seed += 1
        if seed > last or time.monotonic() >= end:
            return ended, faults


def main():
    if sys.argv[1] == "--work":
        work(int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
        return 0
    ended, faults = fuzz(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for (name, how), count in sorted(ended.items()):
        print(f"{count:8}  {name}: {how}")
    # Faults that end alike are one.
    kinds = {}
    for seed, fault in faults:
        kinds.setdefault(tuple(fault.strip().splitlines()[-4:]), []).append((seed, fault))
    for found in kinds.values():
        (seed, fault), *more = found
        print(f"seed {seed} and {len(more)} more: {fault}")
    print(f"{sum(ended.values())} steps, {len(faults)} faults of {len(kinds)} kinds")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
