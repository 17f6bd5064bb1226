# SPDX-License-Identifier: Apache-2.0
"""Compressed files read as their content; damaged ones and bombs are one line."""

import bz2
import gzip
import io
import lzma
import tracemalloc
from functools import partial

import pytest
import zstandard
from support.command import refusal

from truebleu import InputError, scan
from truebleu.inputs import files
from truebleu.inputs.compression import decompressed, method_of
from truebleu.inputs.files import read_lines

METHODS = {
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "lzma": partial(lzma.compress, preset=0),
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
each_method = pytest.mark.parametrize("method", METHODS)


def content(packed, size=1 << 20):
    return b"".join(decompressed("file", method_of(packed), packed[:6], io.BytesIO(packed[6:]), size))


@each_method
@pytest.mark.parametrize("size", [7, 4096, 1 << 20])
def test_several_streams_are_read_as_one(method, size):
    pack = METHODS[method]
    data = b"".join(b"%d a line of text\n" % i for i in range(20_000))
    assert method_of(pack(data)) == method
    assert content(pack(data[:100_000]) + pack(data[100_000:]), size) == data
    assert content(pack(data) + bytes(1 << 17), size) == data  # zeros, as on tapes


@each_method
def test_damaged_files_are_named(method, folder, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK", 1000)
    whole = METHODS[method]((folder / "hyp").read_bytes() * 50)
    for damaged in (whole[: len(whole) // 2], whole[:-3], whole[:15] + b"\0\1\2" + whole[18:]):
        (folder / "damaged").write_bytes(damaged)
        message = refusal("score", "ref", "-i", "damaged")
        assert message.startswith(f"damaged: damaged {method} data: ")
        message = refusal("score", "ref", "-i", "damaged", "--per-segment", "o.tsv")
        assert message.startswith(f"damaged: damaged {method} data: ")
        with pytest.raises(InputError, match=r"damaged: damaged .*; copy the file again"):
            read_lines("damaged", files.Decoding("latin-1"))
    assert not (folder / "o.tsv").exists()


@each_method
def test_a_bomb_is_refused_in_bounded_memory(method, folder, monkeypatch):
    """A line of 128 MB, in a file of less than 500 kB."""
    monkeypatch.setattr(files, "LONGEST", 1 << 22)
    packed = METHODS[method](b"a b\nc d\n" + bytes(1 << 27))
    assert len(packed) < 1 << 19
    (folder / "bomb").write_bytes(packed)
    tracemalloc.start()
    for read in (read_lines, lambda path: list(scan(path, hyps=path))):
        with pytest.raises(InputError, match=r"^bomb:3: the line is longer than 4 MiB"):
            read("bomb")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 27


@each_method
def test_what_follows_a_stream_is_a_stream_or_an_error(method):
    pack, data = METHODS[method], b"a line of text\n" * 50
    first = pack(data)
    with pytest.raises(InputError, match=f"damaged {method} data"):
        content(first + b"garbage")
    for bit in range(8 * 6):  # of the second header
        packed = bytearray(first + pack(data))
        packed[len(first) + bit // 8] ^= 1 << bit % 8
        try:
            read = content(bytes(packed))
        except InputError:
            continue
        assert read == 2 * data
