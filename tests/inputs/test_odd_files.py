# SPDX-License-Identifier: Apache-2.0
"""Files that are no plain files, and names that are no plain names: a result, or one line."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.command import COMMAND, plain, run, scored
from truebleu.inputs.blocks import Blocks
from truebleu.inputs.compressed import decompressed
from truebleu.inputs.decompressor import Decompressor

from truebleu import cli
from truebleu.cli.inputs import are_large
from truebleu.errors import InputError
from truebleu.inputs import compressed, files
from truebleu.inputs.files import read_lines

pytestmark = pytest.mark.usefixtures("folder")

#: Commands that read a reference and a hypothesis.
COMMANDS = {
    "score": ["score", "{ref}", "-i", "{hyp}"],
    "sentences": ["score", "{ref}", "-i", "{hyp}", "-sl"],
    "streamed": ["score", "{ref}", "-i", "{hyp}", "--per-segment", "out.tsv"],
    "explain": ["explain", "{ref}", "-i", "{hyp}"],
    "diff": ["diff", "{ref}", "-i", "{hyp}", "-b", "nltk"],
    "check": ["check", "{ref}", "-i", "{hyp}"],
    "reconcile": ["reconcile", "{ref}", "-i", "{hyp}", "--score", "12.3"],
    "report": ["report", "{ref}", "-i", "{hyp}", "-o", "page.html"],
    "compare": ["compare", "{ref}", "-i", "{hyp}", "hyp"],
}
each_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


def with_files(command, ref, hyp):
    return [part.format(ref=ref, hyp=hyp) for part in command]


@pytest.fixture
def command_line(capsysbinary):
    """What a command line in this process returns and prints."""

    def call(arguments):
        code = cli.main(arguments)
        return code, *(text.decode() for text in capsysbinary.readouterr())

    return call


def one_line(found):
    """The one line of a command that refuses."""
    code, out, error = found
    assert (code, out) == (2, "")
    assert error.startswith("truebleu: ")
    assert error.count("\n") == 1
    return error.removeprefix("truebleu: ")


@each_command
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sub", "sub: this is a directory"),
        ("dangling", "dangling: no such file"),
        ("loop", "loop: cannot be read: Too many levels of symbolic links"),
        ("socket", "socket: cannot be read: No such device or address"),
        ("/dev/null", "/dev/null: the file is empty"),
        ("/proc/self/mem", "/proc/self/mem: cannot be read: Input/output error"),
        ("hyp/", "hyp/: cannot be read: Not a directory"),
        ("x" * 300, "cannot be read: File name too long"),
    ],
)
def test_what_cannot_be_read_is_one_line(command, name, said, folder, command_line):
    (folder / "sub").mkdir()
    os.symlink("nowhere", "dangling")
    os.symlink("loop", "loop")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for ref, hyp in (("ref", name), (name, "hyp")):
            assert said in one_line(command_line(with_files(command, ref, hyp)))
    assert not list(folder.glob("out*"))
    assert not list(folder.glob("page*"))


def test_an_unreadable_file_is_one_line(monkeypatch):
    """For root nothing is unreadable, so the system's answer is made."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "open", refuse, raising=False)
    with pytest.raises(InputError, match=r"^hyp: cannot be read: Permission denied$"):
        read_lines("hyp")


@each_command
def test_a_named_pipe_is_read_to_its_end(command, folder, command_line):
    data = (folder / "hyp").read_bytes()
    (folder / "copy").write_bytes(data)
    expected = command_line(with_files(command, "ref", "copy"))
    for path in (folder / "page.html", folder / "out.tsv"):
        path.unlink(missing_ok=True)
    os.mkfifo("pipe")

    def write():
        with open("pipe", "wb", buffering=0) as pipe:
            for i in range(0, len(data), 4):
                pipe.write(data[i : i + 4])
                time.sleep(0.001)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    found = command_line(with_files(command, "ref", "pipe"))
    writer.join(10)
    assert found[0] == expected[0] < 2, found
    # In tables, systems are in the order of their names.
    assert sorted(found[1].replace("pipe", "copy").split()) == sorted(expected[1].split())


@pytest.mark.usefixtures("folder")
def test_a_named_pipe_is_looked_at_without_opening_it():
    os.mkfifo("pipe")
    found = []
    look = threading.Thread(target=lambda: found.append(are_large(["pipe"], {})), daemon=True)
    look.start()
    look.join(10)  # to open it waits for a writer
    assert found == [True]


def test_links_to_files_are_files(folder):
    os.symlink(folder / "hyp", "link")
    os.symlink("link", "link2")
    os.link("ref", "hard")
    assert scored("score", "hard", "-i", "link2") == plain()


def test_files_of_the_kernel_without_a_size():
    done = run("score", "/proc/self/status", "-i", "/proc/self/status", "-b")
    assert done.returncode == 0, done.stderr  # its size is 0, and it is not empty


@each_command
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
def test_a_file_without_an_end_is_refused(command, device, monkeypatch, folder, command_line):
    """They are one line that never ends."""
    monkeypatch.setattr(files, "LONGEST", 1 << 24)
    monkeypatch.setattr("truebleu.inputs.lines.LONGEST", 1 << 24)
    message = one_line(command_line(with_files(command, "ref", device)))
    assert message.startswith(f"{device}:1: the line is longer than 16 MiB")
    assert not list(folder.glob("out*"))


def test_output_to_a_full_device_is_one_line():
    for arguments in (["score", "ref", "-i", "hyp"], ["check", "ref", "-i", "hyp", "-f", "json"]):
        with open("/dev/full", "wb") as full:
            done = run(*arguments, stdout=full)
        assert done.returncode == 2
        assert done.stderr.decode().count("\n") == 1
        assert b"standard output cannot be written" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "ref", "-i", "hyp", "--per-segment", "hyp.tsv"],
        ["report", "ref", "-i", "hyp", "-o", "hyp"],
        ["report", "ref", "-i", "hyp", "-o", "ref"],
    ],
)
def test_an_input_is_never_written_over(arguments, folder):
    os.link("hyp", "hyp.tsv")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    run(*arguments)
    for name in ("hyp", "ref"):
        assert (folder / name).read_bytes() == before[name]


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "ref", "-i", "hyp", "-o"],
        ["plot", "ref", "-i", "hyp", "-o"],
    ],
    ids=["report", "plot"],
)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_output_to_a_pipe_or_a_device_goes_into_it(arguments, force, folder, command_line):
    """To put a file in the place of /dev/null would break the whole system."""
    for name, said in (("null", ""), ("full", "No space left on device")):
        path = f"{name}.svg"
        os.symlink(f"/dev/{name}", path)
        code, out, error = command_line([*arguments, path, *force])
        assert (code, said in error) == (2 if said else 0, True), error
        assert os.stat(path).st_rdev == os.stat(f"/dev/{name}").st_rdev
        assert os.path.islink(path)
    os.mkfifo("pipe.svg")
    found = []
    reader = threading.Thread(target=lambda: found.append((folder / "pipe.svg").read_bytes()))
    reader.start()
    code, out, error = command_line([*arguments, "pipe.svg", *force])
    reader.join(10)
    assert (code, error) == (0, "")
    assert out.startswith("pipe.svg")
    assert found[0].startswith(b"<")
    assert (folder / "pipe.svg").is_fifo()


ODD_NAMES = [
    "a\nb", "a\tb", "-i", "--", "-", "é", "a b", "*", "[1]", "%s", "{x}", "'\"", "\\", "~", "#",
    "名", ".hidden", "a:1", "\x1b[31m",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES, ids=map(ascii, ODD_NAMES))
def test_odd_names_are_names(name, command_line):
    expected = command_line(["score", "ref", "-i", "hyp"])
    os.rename("hyp", name)
    assert command_line(["score", "ref", "-i", f"./{name}"]) == expected
    assert one_line(command_line(["score", "ref", "-i", f"./{name}?"])).startswith("./")


@each_command
def test_a_name_that_is_no_text_is_read(command, folder, command_line):
    name = b"\xff\xfe.txt"
    os.rename(b"hyp", name)
    (folder / "hyp").write_bytes(Path(os.fsdecode(name)).read_bytes())
    code, _, error = command_line(with_files(command, "ref", os.fsdecode(name)))
    assert code < 2, error


# Files that change while they are read.


def test_a_file_that_shrinks_or_grows_is_read_as_far_as_it_goes(folder):
    lines = b"a b c d e\n" * 400_000
    for change in (b"", lines * 2):
        (folder / "moving").write_bytes(lines)
        blocks = Blocks("moving", "utf-8", "strict", print)
        text = blocks.begin(0)
        (folder / "moving").write_bytes(change)
        while block := blocks.next():
            text += block
        blocks.close()
        assert text.startswith(lines[: 1 << 20])


def test_a_run_whose_file_shrinks_is_one_line(folder):
    """The hypothesis ends before the reference, whatever it was when the run began."""
    lines = b"a b c d e\n" * 2_000_000
    for name in ("big_hyp", "big_ref"):
        (folder / name).write_bytes(lines)
    started = subprocess.Popen([COMMAND, "score", "big_ref", "-i", "big_hyp"], stdout=-1, stderr=-1)
    time.sleep(0.15)
    os.truncate("big_hyp", 1_000)
    out, error = started.communicate(timeout=60)
    if started.returncode == 0:  # it was faster
        assert out.startswith(b"BLEU|")
    else:
        assert started.returncode == 2
        assert error.count(b"\n") == 1
        assert b"big_hyp" in error


# Compressed files.


def pack(method, data):
    if method == "zst":
        return pytest.importorskip("zstandard").compress(data)
    return {"gz": gzip, "bz2": bz2, "xz": lzma}[method].compress(data)


METHODS = ["gz", "bz2", "xz", "zst"]
each_method = pytest.mark.parametrize("method", METHODS)


@each_method
def test_what_is_decompressed_at_once_is_bounded(method):
    """A bomb of 256 MB comes in pieces of a few, and all of it comes."""
    packed = pack(method, bytes(1 << 28))
    assert len(packed) < 1 << 19
    name = compressed.method_of(packed)
    decompressor = Decompressor("bomb", name)
    sizes = [len(piece) for piece in decompressor.feed(packed)]
    decompressor.finish()
    assert sum(sizes) == 1 << 28
    assert max(sizes) <= 1 << 27
    if method != "zst" or sys.version_info >= (3, 14):
        assert max(sizes) <= 1 << 22


@each_method
@pytest.mark.parametrize("size", [1, 7, 4096, 1 << 20])
def test_pieces_of_any_size_are_the_whole(method, size):
    data = b"".join(b"%d a line of text\n" % i for i in range(20_000))
    packed = pack(method, data[:100_000]) + pack(method, data[100_000:]) + b"\0" * 10
    if size == 1:
        data, packed = b"a\nb\n", pack(method, b"a\n") + pack(method, b"b\n")
    blocks = (packed[i : i + size] for i in range(0, len(packed), size))
    assert b"".join(decompressed("file", blocks)) == data


@each_method
def test_a_bomb_of_one_line_is_refused_by_file_and_line(method, folder, monkeypatch):
    monkeypatch.setattr(files, "LONGEST", 1 << 20)
    monkeypatch.setattr("truebleu.inputs.lines.LONGEST", 1 << 20)
    (folder / "bomb").write_bytes(pack(method, b"a b\nc d\n" + b"word " * (1 << 20)))
    with pytest.raises(InputError, match=r"^bomb:3: the line is longer than 1 MiB"):
        read_lines("bomb")
    from truebleu import BLEU, scan

    with pytest.raises(InputError, match=r"^bomb:3: the line is longer than 1 MiB"):
        BLEU().corpus(scan("bomb", hyps="bomb"))
