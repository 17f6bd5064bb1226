# SPDX-License-Identifier: Apache-2.0
"""Files that are long, that become much longer, or that never end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hostile_inputs import case, command


def zeros(size: int) -> str:
    """A file of so many zero bytes, which takes no room on the disk."""
    with open("zeros", "wb") as file:
        file.truncate(size)
    return "zeros"


@case("1 GB line of a file", 10**9)
def _(size: int) -> Any:
    return command("score", zeros(size), "-i", "zeros")


@case("1 GB line of a file, explain", 10**9)
def _(size: int) -> Any:
    return command("explain", zeros(size), "-i", "zeros")


@case("10M empty lines of a file", 10**7)
def _(size: int) -> Any:
    Path("empty").write_bytes(b"\n" * size)
    return command("score", "empty", "-i", "empty")


@case("10M empty lines of a file, check", 10**7)
def _(size: int) -> Any:
    Path("empty").write_bytes(b"\n" * size)
    return command("check", "empty", "-i", "empty")


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
