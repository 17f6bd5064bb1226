# SPDX-License-Identifier: Apache-2.0
"""Text files: what is read scores as its text, and what cannot be read is one line."""

import gzip
import os
import socket
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import HYPS, REFS, refusal, run, scored

import truebleu
from truebleu import cli, corpus_bleu, scan
from truebleu.errors import InputError
from truebleu.inputs import files
from truebleu.inputs.files import read_lines
from truebleu.inputs.utf8 import invalid_utf8

pytestmark = pytest.mark.usefixtures("folder")

#: Characters that some readers of lines take for a line end, besides \\n.
NOT_LINE_ENDS = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]

#: Commands that read a reference and a hypothesis.
COMMANDS = {
    "score": ["score", "{ref}", "-i", "{hyp}"],
    "sentences": ["score", "{ref}", "-i", "{hyp}", "-sl"],
    "streamed": ["score", "{ref}", "-i", "{hyp}", "--per-segment", "out.tsv"],
    "explain": ["explain", "{ref}", "-i", "{hyp}"],
    "diff": ["diff", "{ref}", "-i", "{hyp}", "-b", "nltk"],
    "check": ["check", "{ref}", "-i", "{hyp}"],
    "reconcile": ["reconcile", "{ref}", "-i", "{hyp}", "--score", "12.3", "-d", "nltk"],
    "report": ["report", "{ref}", "-i", "{hyp}", "-o", "page.html"],
    "compare": ["compare", "{ref}", "-i", "{hyp}", "hyp"],
}
each_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
#: Without the report, which reads as `check` does and takes seconds.
each_fast_command = pytest.mark.parametrize("command", [parts for name, parts in COMMANDS.items() if name != "report"])


def with_files(command, ref, hyp):
    return [part.format(ref=ref, hyp=hyp) for part in command]


@pytest.fixture
def command_line(capsysbinary):
    """Run a command line in this process: its exit code and what it prints."""

    def call(arguments):
        code = cli.main(arguments)
        return code, *(text.decode() for text in capsysbinary.readouterr())

    return call


def one_line(result):
    """The one line of a command that refuses its input."""
    code, out, error = result
    assert (code, out) == (2, "")
    assert error.startswith("truebleu: ")
    assert error.count("\n") == 1
    return error.removeprefix("truebleu: ")


@each_command
def test_a_file_that_cannot_be_read_is_one_line(command, folder, command_line):
    (folder / "sub").mkdir()
    os.symlink("nowhere", "dangling")
    os.symlink("loop", "loop")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name, message in {
            "nowhere": "nowhere: no such file",
            "sub": "sub: this is a directory",
            "dangling": "dangling: no such file",
            "loop": "loop: cannot be read: Too many levels of symbolic links",
            "socket": "socket: cannot be read: No such device or address",
            "/dev/null": "/dev/null: the file is empty",
            "/proc/self/mem": "/proc/self/mem: cannot be read: Input/output error",
            "hyp/": "hyp/: cannot be read: Not a directory",
            "x" * 300: "cannot be read: File name too long",
            "a\0b": "is not a valid file name",
            "\ud800": "is not a valid file name",
        }.items():
            for ref, hyp in (("ref", name), (name, "hyp")):
                assert message in one_line(command_line(with_files(command, ref, hyp)))
    assert not list(folder.glob("out*"))
    assert not list(folder.glob("page*"))


def test_an_unreadable_file_is_one_line(monkeypatch):
    """Root may read everything, so the system's answer is made up."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "open", refuse, raising=False)
    with pytest.raises(InputError, match=r"^hyp: cannot be read: Permission denied$"):
        read_lines("hyp")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
def test_a_file_without_an_end_is_refused(device, monkeypatch):
    monkeypatch.setattr(files, "LONGEST", 1 << 24)
    with pytest.raises(InputError, match=f"^{device}:1: the line is longer than 16 MiB"):
        read_lines(device)
    with pytest.raises(InputError, match=f"^{device}:1: the line is longer than 16 MiB"):
        list(scan("ref", hyps=device))


def test_an_empty_file_is_named(folder):
    (folder / "empty").touch()
    (folder / "empty.gz").write_bytes(gzip.compress(b""))
    (folder / "bom").write_bytes(b"\xef\xbb\xbf")
    assert refusal("score", "ref", "-i", "empty").startswith("empty: the file is empty")
    assert refusal("score", "empty", "-i", "empty").startswith("empty: the file is empty")
    assert refusal("score", "ref", "-i", "empty.gz").startswith("empty.gz: the file is empty")
    assert refusal("score", "ref", "hyp", stdin=b"").endswith("files are named after -i)")
    assert b"bom: the file is empty" in run("score", "ref", "-i", "bom").stderr


def test_a_run_whose_file_shrinks_is_one_line(folder):
    """The hypothesis ends before the reference, whatever it was when the run started."""
    (folder / "ref").write_bytes(b"a b c d e\n" * 800_000)
    os.link("ref", "hyp2")
    (folder / "hyp").write_bytes(b"a b c d e\n" * 800_000)
    rows = iter(scan("ref", hyps="hyp", batch_size=1000))
    next(rows)
    os.truncate("hyp", 1_000)
    with pytest.raises(InputError, match=r"^hyp: [0-9,]+ lines, but ref has 800,000"):
        list(rows)


@pytest.mark.parametrize("flags", [[], ["--per-segment", "out.tsv"]])
def test_invalid_utf8_is_named_by_line_and_byte(flags, folder):
    (folder / "bad").write_bytes(b"good\nal\xc3\xa9 \xff!\nthird\n")
    message = refusal("score", "ref", "-i", "bad", *flags)
    assert message.startswith("bad:2: byte 6 of the line is not utf-8;")
    assert "--encoding" in message
    assert "--errors replace" in message
    assert refusal("score", "bad", "-i", "hyp", *flags).startswith("bad:2: byte 6")
    (folder / "cut").write_bytes(b"caf\xc3")
    assert refusal("score", "cut", "-i", "hyp", *flags).startswith("cut:1: byte 4 of the line")
    (folder / "surrogate").write_bytes(b"a\nb \xed\xa0\x80\nc\n")
    assert refusal("score", "surrogate", "-i", "hyp", *flags).startswith("surrogate:2: byte 3")
    packed = gzip.compress(b"a\nb\n\x80\n")
    assert refusal("score", "ref", *flags, stdin=packed).startswith("<stdin>:3: byte 1")


@given(st.binary(max_size=40))
def test_the_first_byte_that_is_not_utf8_is_found(data):
    at = invalid_utf8(data)
    if at is None:
        assert data.decode().encode() == data
    else:
        with pytest.raises(UnicodeDecodeError) as error:
            data.decode()
        assert error.value.start == at


@pytest.mark.parametrize("character", NOT_LINE_ENDS, ids=ascii)
def test_lines_end_at_newlines_alone(character, folder):
    hyps, refs = ([f"{a[:3]}{character}{a[3:]}" for a in side] for side in (HYPS, REFS))
    (folder / "h").write_bytes("\n".join(hyps).encode())
    (folder / "r").write_bytes("\n".join(refs).encode())
    assert truebleu.read_lines(folder / "h") == hyps
    for tokenizer in ("13a", "none"):
        expected = corpus_bleu(hyps, refs, tokenize=tokenizer).format(1, signature=True) + "\n"
        assert scored("score", "r", "-i", "h", "-tok", tokenizer) == (expected, "")
    assert scored("score", "r", "-i", "h", "-sl")[0].count("\n") == len(hyps)


@pytest.mark.parametrize("tokenizer", ["13a", "none", "char", "zh", "intl"])
def test_windows_files_score_as_others(tokenizer, folder):
    for name in ("hyp", "ref"):
        (folder / f"{name}.crlf").write_bytes((folder / name).read_bytes().replace(b"\n", b"\r\n"))
    expected = scored("score", "ref", "-i", "hyp", "-tok", tokenizer)
    for ref, hyp in (("ref.crlf", "hyp.crlf"), ("ref", "hyp.crlf"), ("ref.crlf", "hyp")):
        assert scored("score", ref, "-i", hyp, "-tok", tokenizer) == expected


def test_an_empty_line_is_an_empty_segment(folder):
    (folder / "blank").write_bytes(b"\n")
    expected = corpus_bleu([""], [""]).format(1, signature=True) + "\n"
    assert scored("score", "blank", "-i", "blank")[0] == expected


@pytest.mark.parametrize("flags", [[], ["--per-segment", "out.tsv"]])
def test_a_byte_order_mark_is_dropped_with_a_notice(flags, folder):
    marked = b"\xef\xbb\xbf" + (folder / "hyp").read_bytes()
    (folder / "marked").write_bytes(marked)
    (folder / "packed").write_bytes(gzip.compress(marked))
    for name in ("marked", "packed", "-"):
        line, notice = scored("score", "ref", "-i", name, *flags, stdin=marked)
        assert line.encode() == run("score", "ref", "-i", "hyp").stdout
        where = "<stdin>" if name == "-" else name
        assert notice == f"truebleu: notice: {where}: dropped the byte order mark at its start\n"


def test_a_byte_order_mark_elsewhere_is_text(folder):
    hyps = [HYPS[0], "\ufeff" + HYPS[1], HYPS[2]]
    (folder / "marks").write_bytes("\n".join(hyps).encode())
    expected = corpus_bleu(hyps, REFS).format(1, signature=True) + "\n"
    assert scored("score", "ref", "-i", "marks") == (expected, "")
    (folder / "marked").write_bytes(b"\xef\xbb\xbfa\n")
    assert list(read_lines("marked", keep_bom=True)) == ["\ufeffa"]


@each_fast_command
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
    result = command_line(with_files(command, "ref", "pipe"))
    writer.join(10)
    assert result[0] == expected[0] < 2, result
    # In tables, systems are in the order of their names.
    assert sorted(result[1].replace("pipe", "copy").split()) == sorted(expected[1].split())


def test_links_and_files_of_the_system_are_files(folder):
    os.symlink(folder / "hyp", "link")
    os.symlink("link", "link2")
    os.link("ref", "hard")
    assert scored("score", "hard", "-i", "link2") == scored("score", "ref", "-i", "hyp")
    done = run("score", "/proc/self/status", "-i", "/proc/self/status", "-b")
    assert done.returncode == 0, done.stderr  # its size is 0, but it is not empty


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


@each_fast_command
def test_a_name_that_is_not_text_is_read(command, folder, command_line):
    name = b"\xff\xfe.txt"
    os.rename(b"hyp", name)
    (folder / "hyp").write_bytes(Path(os.fsdecode(name)).read_bytes())
    code, _, error = command_line(with_files(command, "ref", os.fsdecode(name)))
    assert code < 2, error


def test_a_name_that_the_terminal_cannot_show_is_escaped(folder):
    os.rename(folder / "hyp", folder / "hypothèse")
    done = run("score", "ref", "-i", "hypothèse", "ref", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"hypoth\xe8se" in done.stdout


def test_the_function_warns_of_a_byte_order_mark(folder):
    path = folder / "hyp"
    path.write_bytes(b"\xef\xbb\xbfa\nb")
    with pytest.warns(UserWarning, match="dropped the byte order mark") as caught:
        assert truebleu.read_lines(path) == ["a", "b"]
    assert caught[0].filename == __file__
    path.write_bytes("\xe4".encode("latin-1"))
    assert truebleu.read_lines(path, "latin-1") == ["ä"]
    with pytest.raises(InputError, match="hyp:1: byte 1 of the line is not utf-8"):
        truebleu.read_lines(path)
    assert truebleu.read_lines(path, errors="replace") == ["\ufffd"]
