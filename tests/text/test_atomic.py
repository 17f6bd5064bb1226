# SPDX-License-Identifier: Apache-2.0
"""Files are written whole or not at all."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from truebleu.errors import OptionError
from truebleu.text import atomic
from truebleu.text.atomic import check_output, open_whole, write_whole


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_force_replaces_a_file_and_keeps_its_permissions():
    Path("f").write_text("mine")
    Path("f").chmod(0o640)
    with pytest.raises(OptionError, match="f exists; use --force"):
        write_whole("f", b"new")
    write_whole("f", b"new", force=True)
    assert Path("f").read_text() == "new"
    assert stat.S_IMODE(Path("f").stat().st_mode) == 0o640


def test_force_follows_a_link():
    Path("target").write_text("mine")
    Path("link").symlink_to("target")
    write_whole("link", b"new", force=True)
    assert Path("link").is_symlink()
    assert Path("target").read_text() == "new"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("failing", ["link", "replace", "open"])
def test_a_disk_that_fails_leaves_nothing(failing, force, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    if force:
        Path("f").write_text("mine")
    before = sorted(os.listdir())
    if failing == "open":
        monkeypatch.setattr(atomic, "open", fail, raising=False)
    else:
        monkeypatch.setattr(os, failing, fail)
    if failing == "link" or (failing, force) == ("replace", False):  # the other way to rename
        write_whole("f", b"new", force=force)
        assert Path("f").read_bytes() == b"new"
        return
    with pytest.raises(OptionError, match="f cannot be written: No space left on device"):
        write_whole("f", b"new", force=force)
    assert sorted(os.listdir()) == before
    assert not force or Path("f").read_text() == "mine"


def test_a_file_that_appears_meanwhile_is_not_overwritten(monkeypatch):
    monkeypatch.setattr(atomic, "check_output", lambda *_, **__: None)
    Path("f").write_text("mine")
    with pytest.raises(OptionError, match="f exists"):
        write_whole("f", b"new")
    assert Path("f").read_text() == "mine"
    assert os.listdir() == ["f"]


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_links(number, monkeypatch):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", fail)
    write_whole("f", b"new")
    assert Path("f").read_bytes() == b"new"
    assert os.listdir() == ["f"]


def test_places_that_cannot_be_written(monkeypatch):
    Path("folder").mkdir()
    for name, message in (
        ("folder", "folder is a folder; name a file in it"),
        ("none/f", "none: no such folder"),
        ("a\0b", "is not a valid file name"),
    ):
        with pytest.raises(OptionError, match=message):
            check_output(name, force=True)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(OptionError, match="folder is not writable; name another folder for"):
        check_output("folder/f")


@pytest.mark.parametrize("force", [False, True])
def test_pipes_and_devices_are_written_into(force):
    """Replacing /dev/null by a file would break the system."""
    for name, message in (("null", None), ("full", "full cannot be written: No space left")):
        os.symlink(f"/dev/{name}", name)
        if message is None:
            write_whole(name, b"new", force=force)
        else:
            with pytest.raises(OptionError, match=message):
                write_whole(name, b"new", force=force)
        assert os.path.islink(name)
        assert os.stat(name).st_rdev == os.stat(f"/dev/{name}").st_rdev
    os.mkfifo("pipe")
    contents = []
    reader = threading.Thread(target=lambda: contents.append(Path("pipe").read_bytes()))
    reader.start()
    write_whole("pipe", b"new", force=force)
    reader.join(10)
    assert contents == [b"new"]
    assert Path("pipe").is_fifo()


def test_the_remains_of_a_killed_process_do_not_matter(monkeypatch):
    """In a container each process has the same number."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with open_whole("f") as file:
        write_whole("f", b"other")
        file.write(b"mine")
        os.remove("f")
    assert Path("f").read_bytes() == b"mine"


def test_an_error_in_the_block_leaves_the_old_file():
    Path("f").write_text("old")

    def fail():
        with open_whole("f", force=True) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert Path("f").read_text() == "old"
    assert os.listdir() == ["f"]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs SIGHUP")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_signals_remove_the_temporary_file(name):
    code = f"""
import os, signal
from truebleu.text.atomic import open_whole
signal.signal(signal.{name}, signal.SIG_DFL)  # nohup ignores SIGHUP
with open_whole("f") as file:
    file.write(b"half")
    os.kill(os.getpid(), signal.{name})
    while True: pass
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 128 + getattr(signal, name)
    assert not list(Path().iterdir())
