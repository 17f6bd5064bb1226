# SPDX-License-Identifier: Apache-2.0
"""What `make bench` runs: TrueBLEU against its peers, in the same process and at the same time.

    benchmarks/run.py [NAME...] [--quick] [--size SEGMENTS] [--json FILE]

Times are wall-clock medians; `of min` is the ratio of the shortest runs, which other work on the
machine disturbs least; `runs` counts ours and the peer's. `~` marks an estimate from a sample.
`correct` says that the results are equal: all integers, and all floats to the last bit.
"""

import argparse
import json
import os
import platform
import sys
import time
from importlib import import_module
from importlib.metadata import version
from typing import Any

from corpora import DATA
from results import HEAD, Row

from truebleu._core import simd_levels

#: The module and the function of each benchmark.
BENCHMARKS = {
    "w1": "corpus_scores w1", "w1-1m": "corpus_scores million", "w2": "sentence_scores w2",
    "pair": "sentence_scores one_pair",
    "everyday": "everyday everyday",
    "w3": "pairs w3", "w4": "pairs w4", "w7": "token_ids token_ids",
    "accelerate": "accelerate accelerate", "chrf_ter": "metrics chrf_ter",
    "family": "metrics family", "w6": "cold_process w6", "threads": "threads threads",
    "nltk": "dropins nltk_dropin", "captions": "dropins captions",
    "codebleu": "codebleu_parts codebleu_parts", "check": "analyses checks",
    "analyses": "analyses analyses", "search": "analyses search", "report": "report report",
    "playground": "playground playground", "significance": "significance significance",
    "streaming": "streaming streaming", "engines": "engines engines",
}  # fmt: skip

#: Benchmarks of which `--size` sets the number of segments.
SIZED = ("streaming", "engines")

PACKAGES = ("truebleu", "sacrebleu", "nltk", "bleuscore", "numpy")


def machine() -> dict[str, str]:
    """Where the numbers come from."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "simd": ", ".join(simd_levels()),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {version(name)}" for name in PACKAGES),
        "data": str(DATA) if DATA.is_dir() else "examples only; TRUEBLEU_DATA names more",
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(": ")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main() -> int:
    """Run what is asked for; 1 if a result differs from a peer's."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="benchmarks/run.py", description=summary)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in about a minute")
    parser.add_argument("--size", type=int, help=f"segments of {', '.join(SIZED)}")
    parser.add_argument("--json", metavar="FILE", help="write every run's time to FILE, too")
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is named {', '.join(unknown)}; {', '.join(BENCHMARKS)} are")
    start = time.monotonic()
    about = machine()
    for key, value in about.items():
        print(f"{key + ':':10} {value}")
    results: list[Any] = []
    for name in args.names or BENCHMARKS:
        module, function = BENCHMARKS[name].split()
        benchmark = getattr(import_module(module), function)
        print(f"\n{name}: {benchmark.__doc__}", flush=True)
        headed = False
        size = {"size": args.size} if args.size and name in SIZED else {}
        for result in benchmark(quick=args.quick, **size):
            if isinstance(result, Row) and not headed:
                print(HEAD)
                headed = True
            print(result.line(), flush=True)
            results.append(result)
    print(f"\n{time.monotonic() - start:.0f} seconds in all")
    if args.json:
        whole: dict[str, Any] = {"machine": about, "results": [result.to_dict() for result in results]}
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(whole, file, indent=1)
    wrong = [result for result in results if result.correct is False]
    if wrong:
        print(f"{len(wrong)} results differ from a peer's", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
