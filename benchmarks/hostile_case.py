# SPDX-License-Identifier: Apache-2.0
"""A process of its own: hostile inputs, within a limit of memory; prints what came of each.

Called as `hostile_case.py NAME... [--divide N] [--memory BYTES]`; prints a line of JSON for each
with the outcome, the seconds and the peak of memory in bytes, input included. An error of ours is
an outcome; anything else ends the process as it ends any other.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from peak import forget_peak, peak

import truebleu as tb
from truebleu import cli
from truebleu.errors import TrueBLEUError

if TYPE_CHECKING:
    from collections.abc import Callable

#: Every case by its name: what makes the input of a size, and what is done with it.
CASES: dict[str, tuple[int, Callable[[int], Any]]] = {}


def case(name: str, size: int) -> Callable[[Callable[[int], Any]], Callable[[int], Any]]:
    """Add a case of this full size."""

    def add(function: Callable[[int], Any]) -> Callable[[int], Any]:
        CASES[name] = size, function
        return function

    return add


def words(count: int, distinct: int = 50_000) -> list[str]:
    """Words as they come in a text."""
    places = np.random.default_rng(0).zipf(1.3, count) % distinct
    return [f"w{i}" for i in places.tolist()]


def text(count: int, distinct: int = 50_000) -> str:
    """So many words in one segment."""
    return " ".join(words(count, distinct))


def command(*arguments: str) -> str:
    """What a command prints, or the line that it complains with."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(list(arguments))
    lines = (out.getvalue() if code in (0, 1) else err.getvalue()).strip().splitlines()
    if code not in (0, 1) and len(lines) != 1:
        raise AssertionError(f"exit code {code} with {len(lines)} lines")
    return f"exit {code}: {lines[0]}"


def zeros(size: int) -> str:
    """A file of so many zero bytes, which takes no room on the disk."""
    with open("zeros", "wb") as file:
        file.truncate(size)
    return "zeros"


# One long segment.


@case("1 GB line, words", 10**9)
def _(size: int) -> Any:
    line = "word " * (size // 5)
    return tb.corpus_bleu([line], [line])


@case("1 GB line, one character", 10**9)
def _(size: int) -> Any:
    line = "a" * size
    return tb.corpus_bleu([line], [line])


@case("1 GB line of a file", 10**9)
def _(size: int) -> Any:
    return command("score", zeros(size), "-i", "zeros")


@case("1 GB line of a file, explain", 10**9)
def _(size: int) -> Any:
    return command("explain", zeros(size), "-i", "zeros")


@case("1 GB line, chrF", 10**9)
def _(size: int) -> Any:
    line = "word " * (size // 5)
    return tb.CHRF().corpus([line], [line])


@case("100 MB line of full stops", 10**8)
def _(size: int) -> Any:
    line = "." * size
    return tb.corpus_bleu([line], [line])


@case("10M words in a segment", 10**7)
def _(size: int) -> Any:
    line = text(size)
    return tb.corpus_bleu([line], [line])


@case("10M different words", 10**7)
def _(size: int) -> Any:
    line = " ".join(map(str, range(size)))
    return tb.corpus_bleu([line], [line])


@case("10M words in a list", 10**7)
def _(size: int) -> Any:
    listed = words(size)
    return tb.corpus_bleu([listed], [listed])


@case("10M token ids", 10**7)
def _(size: int) -> Any:
    row = np.arange(size, dtype=np.int32)[None]
    return tb.corpus_bleu(row, row)


@case("10M token ids, prefixes", 10**7)
def _(size: int) -> Any:
    row = np.arange(size, dtype=np.int32)[None]
    return tb.BLEU().prefixes(row, row)[0][-1]


@case("10M words, chrF++", 10**7)
def _(size: int) -> Any:
    line = text(size)
    return tb.CHRF(word_order=2).corpus([line], [line])


@case("10M words, TER", 10**7)
def _(size: int) -> Any:
    line = text(size)
    return tb.TER().corpus([line], [line])


@case("100,000 words, TER", 100_000)
def _(size: int) -> Any:
    return tb.TER().corpus([text(size)], [text(size)])


@case("8,000 words, TER", 8_000)
def _(size: int) -> Any:
    listed = words(size)
    return tb.TER().corpus([" ".join(listed)], [" ".join(listed[::-1])])


@case("1M words, explain", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    return len(str(tb.explain(" ".join(listed), " ".join(listed[::-1]))))


@case("1M words, diff", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    line, other = " ".join(listed), " ".join(listed[::-1])
    return len(str(tb.diff([line], [other], "sacrebleu", "nltk")))


@case("1M words, check", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    return len(tb.check([" ".join(listed)], [" ".join(listed[::-1])]))


@case("1M words, reconcile", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    return len(tb.reconcile([" ".join(listed)], [" ".join(listed[::-1])], "12.3"))


@case("1M words, report", 10**6)
def _(size: int) -> Any:
    listed = words(size)
    Path("hyp").write_text(" ".join(listed) + "\n", encoding="utf-8")
    Path("ref").write_text(" ".join(listed[::-1]) + "\n", encoding="utf-8")
    command("report", "ref", "-i", "hyp", "-o", "page.html")
    return f"{os.path.getsize('page.html'):,} bytes"


# Many of something.


@case("10,000 references", 10_000)
def _(size: int) -> Any:
    refs = [text(30) + f" r{i}" for i in range(size)]
    return tb.corpus_bleu([text(30)] * 100, [refs] * 100)


@case("10,000 references, TER", 10_000)
def _(size: int) -> Any:
    return tb.TER().corpus([text(30)], [[text(30)] * size])


@case("10,000 references, check", 10_000)
def _(size: int) -> Any:
    refs = [text(30) + f" r{i}" for i in range(size)]
    return len(tb.check([text(30)] * 10, [refs] * 10))


@case("10M empty lines", 10**7)
def _(size: int) -> Any:
    return tb.corpus_bleu([""] * size, [""] * size)


@case("10M empty lines of a file", 10**7)
def _(size: int) -> Any:
    Path("empty").write_bytes(b"\n" * size)
    return command("score", "empty", "-i", "empty")


@case("10M empty lines of a file, check", 10**7)
def _(size: int) -> Any:
    Path("empty").write_bytes(b"\n" * size)
    return command("check", "empty", "-i", "empty")


@case("order 1,000", 1_000)
def _(size: int) -> Any:
    lines = [text(2_000)] * 100
    return tb.BLEU(max_ngram_order=size).corpus(lines, lines)


@case("order 1,000, statistics of 1M segments", 10**6)
def _(size: int) -> Any:
    return len(tb.BLEU(max_ngram_order=1_000).stats(["a b"] * size, ["a b"] * size))


@case("order 1,000, prefixes of 1M ids", 10**6)
def _(size: int) -> Any:
    row = np.arange(size, dtype=np.int32)[None]
    return tb.BLEU(max_ngram_order=1_000).prefixes(row, row)[0][-1]


@case("order 1,000,000,000", 10**9)
def _(size: int) -> Any:
    return tb.BLEU(max_ngram_order=size).corpus(["a b"], ["a b"])


@case("1,000 orders of chrF", 1_000)
def _(size: int) -> Any:
    return tb.CHRF(char_order=size).corpus([text(2_000)] * 10, [text(2_000)] * 10)


@case("pairwise of 1M and 1M", 10**6)
def _(size: int) -> Any:
    return tb.pairwise(["a b"] * size).shape


@case("pairwise of 20,000 and 20,000", 20_000)
def _(size: int) -> Any:
    return tb.pairwise([f"a b {i} c" for i in range(size)]).shape


@case("pairwise of two lines of 10M words", 10**7)
def _(size: int) -> Any:
    return tb.pairwise([text(size), text(size)]).shape


@case("pairwise at order 1,000", 1_000)
def _(size: int) -> Any:
    return tb.pairwise([text(200)] * 1_000, max_ngram_order=size).shape


@case("mbr of 1M candidates", 10**6)
def _(size: int) -> Any:
    return tb.mbr(["a b"] * size).index


@case("self_bleu of 10M texts", 10**7)
def _(size: int) -> Any:
    return tb.self_bleu(["a b c d"] * size)


@case("1M systems", 10**6)
def _(size: int) -> Any:
    systems = {str(i): ["a b c", "d"] for i in range(size)}
    return len(tb.compare(systems, ["a b c", "d e"], resamples=1).pairs)


@case("10^15 resamples", 10**15)
def _(size: int) -> Any:
    lines = ["a b", "c d"]
    test = "sacrebleu-bootstrap"
    return tb.compare({"A": lines, "B": ["a", "c"]}, lines, test=test, resamples=size).pairs[0].p


@case("ids above 64 bits", 10**4)
def _(size: int) -> Any:
    return tb.corpus_bleu([[10**size]], [[1]])


@case("ids near 64 bits", (1 << 63) - 1)
def _(size: int) -> Any:
    return tb.corpus_bleu([[size, 5, size, 7]], [[size, 5, size, 7]])


@case("lists nested 10,000 deep", 10_000)
def _(size: int) -> Any:
    nested: Any = "a"
    for _ in range(size):
        nested = [nested]
    return tb.corpus_bleu([nested], ["a"])


# Compressed files that become much longer.


def bomb(method: str, size: int, unit: bytes) -> str:
    """A compressed file of `unit` over and over."""
    block = unit * ((1 << 20) // len(unit))
    times = size // len(block)
    name = f"bomb.{method}"
    if method == "zst":
        import zstandard

        with open(name, "wb") as file, zstandard.ZstdCompressor().stream_writer(file) as out:
            for _ in range(times):
                out.write(block)
        return name
    module = __import__({"gz": "gzip", "bz2": "bz2", "xz": "lzma"}[method])
    # Streams one behind the other are a file of them.
    once = module.compress(block)
    with open(name, "wb") as file:
        for _ in range(max(times, 1)):
            file.write(once)
    return name


for _method in ("gz", "bz2", "xz", "zst"):

    @case(f"bomb of lines, .{_method}", 10**10)
    def _(size: int, method: str = _method) -> Any:
        name = bomb(method, size, b"word " * 51 + b"\n")
        return f"{os.path.getsize(name) / 1e6:.1f} MB: " + command("score", name, "-i", name)

    @case(f"bomb of one line, .{_method}", 10**10)
    def _(size: int, method: str = _method) -> Any:
        name = bomb(method, size, b"word ")
        return f"{os.path.getsize(name) / 1e6:.1f} MB: " + command("score", name, "-i", name)


@case("bomb of one line, explain", 10**10)
def _(size: int) -> Any:
    name = bomb("gz", size, b"word ")
    return command("explain", name, "-i", name)


@case("bomb of one value in JSON Lines", 10**10)
def _(size: int) -> Any:
    name = bomb("gz", size, b'{"a": "word"} ')
    os.rename(name, "bomb.jsonl.gz")
    return command("score", "bomb.jsonl.gz", "--hyp-col", "a", "--ref-col", "a")


@case("bomb of one value in CSV", 10**10)
def _(size: int) -> Any:
    name = bomb("gz", size, b"word,")
    os.rename(name, "bomb.csv.gz")
    return command("score", "bomb.csv.gz", "--hyp-col", "1", "--ref-col", "2")


@case("/dev/zero", 1)
def _(_: int) -> Any:
    return command("score", "/dev/zero", "-i", "/dev/zero")


@case("/dev/zero, explain", 1)
def _(_: int) -> Any:
    return command("explain", "/dev/zero", "-i", "/dev/zero")


def main() -> None:
    """Run cases and print what came of each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="+", choices=CASES, metavar="NAME")
    parser.add_argument("--divide", type=int, default=1, help="a size so many times smaller")
    parser.add_argument("--memory", type=int, default=6 << 30, help="bytes that may be had")
    given = parser.parse_args()
    # Not the address space: the engine of charts reserves terabytes of that.
    resource.setrlimit(resource.RLIMIT_DATA, (given.memory, given.memory))
    for name in given.names:
        print(json.dumps(tried(*CASES[name], given.divide)), flush=True)


def tried(size: int, run: Callable[[int], Any], divide: int) -> dict[str, Any]:
    """What comes of a case."""
    forget_peak()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        os.chdir(folder)
        start = time.monotonic()
        try:
            outcome = str(run(max(size // divide, 1)))
        except TrueBLEUError as error:
            outcome = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - start
        os.chdir("/")
    return {"outcome": outcome, "seconds": seconds, "peak": peak()}


if __name__ == "__main__":
    main()
