# SPDX-License-Identifier: Apache-2.0
"""Test sets are fetched as a whole or not at all, and what goes wrong is one line."""

from __future__ import annotations

import http.server
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support import made_sets

from truebleu.compat.sacrebleu import dataset as ours
from truebleu.compat.sacrebleu.dataset import archives
from truebleu.errors import InputError

FILES = {"in/x.de": "eins\nzwei\n", "in/x.en": "one\ntwo\n"}
GOOD = made_sets.tgz(FILES)


@pytest.fixture
def server():
    """A server of bytes by path, or of what a function of its handler does; counts requests."""
    answers = {}
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            answer = answers.get(self.path)
            if callable(answer):
                answer(self)
            elif answer is None:
                self.send_error(404)
            else:
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *_):
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.answers, running.asked = answers, asked
    running.url = f"http://127.0.0.1:{running.server_port}"
    threading.Thread(target=running.serve_forever, args=[0.02], daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


def plain(folder, url, md5=None, files=("in/x.de", "in/x.en")):
    dataset = ours.PlainTextDataset("made", data=[url], md5=[md5], langpairs={"de-en": list(files)})
    dataset._outdir = str(folder / "made")
    dataset._rawdir = str(folder / "made" / "raw")
    return dataset


def left(folder):
    """The files of a cache but for locks, which stay."""
    return sorted(
        file for _, _, files in os.walk(folder) for file in files if not file.endswith(".lock")
    )


def refused(dataset, folder, kind, said):
    """Assert that it fails with one line, and that nothing is left."""
    with pytest.raises(kind) as caught:
        dataset.get_files("de-en")
    assert said in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)
    assert left(folder) == []


def test_from_a_server(server, tmp_path):
    server.answers["/a/x.tar.gz"] = GOOD
    dataset = plain(tmp_path, f"{server.url}/a/x.tar.gz", made_sets.md5(GOOD))
    files = dataset.get_files("de-en")
    assert [Path(file).read_text() for file in files] == list(FILES.values())
    assert left(tmp_path) == ["made.de-en.ref", "made.de-en.src", "made.x.tar.gz", "x.de", "x.en"]
    dataset.maybe_download()
    dataset.process_to_text()
    assert server.asked == ["/a/x.tar.gz"]


def test_without_a_length(server, tmp_path):
    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(GOOD)

    server.answers["/x.tgz"] = answer
    assert len(plain(tmp_path, f"{server.url}/x.tgz").get_files("de-en")) == 2


def test_what_a_server_does_wrong(server, tmp_path, monkeypatch):
    def short(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(GOOD)))
        handler.end_headers()
        handler.wfile.write(GOOD[:-7])

    def chunked(handler):
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"ff\r\nnot so much")

    def silent(_):
        time.sleep(0.6)

    server.answers.update({"/short.tgz": short, "/chunked.tgz": chunked, "/silent.tgz": silent})
    monkeypatch.setattr(archives, "TIMEOUT", 0.2)
    for end, said in (
        ("short.tgz", f"{len(GOOD) - 7} of {len(GOOD)} bytes came"),
        ("chunked.tgz", "IncompleteRead"),
        ("silent.tgz", "timed out"),
        ("absent.tgz", "HTTP Error 404"),
    ):
        url = f"{server.url}/{end}"
        refused(plain(tmp_path, url), tmp_path, OSError, said)
        refused(plain(tmp_path, url), tmp_path, OSError, f"{url}: cannot be fetched (")
    server.answers["/short.tgz"] = GOOD  # and then the same address works
    assert len(plain(tmp_path, f"{server.url}/short.tgz").get_files("de-en")) == 2


def test_no_server(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        refused(plain(tmp_path, f"http://127.0.0.1:{port}/x.tgz"), tmp_path, OSError, "refused")
    refused(plain(tmp_path, "file:///nowhere/x.tgz"), tmp_path, OSError, "No such file")
    for url in ("ftp://example.org/x.tgz", "/etc/hosts", "data:,x"):
        refused(plain(tmp_path, url), tmp_path, InputError, f"{url}: not an address")


def stored(folder, name, data):
    (folder / name).write_bytes(data)
    return f"file://{folder / name}"


def test_another_file_than_expected(tmp_path):
    url = stored(tmp_path, "x.tgz", GOOD)
    cache = tmp_path / "cache"
    refused(plain(cache, url, "0" * 32), cache, InputError, f"MD5 {made_sets.md5(GOOD)}")
    assert len(plain(cache, url, made_sets.md5(GOOD)).get_files("de-en")) == 2


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.tgz", GOOD[:-20]),
        ("x.tgz", GOOD[:-1]),
        ("x.tgz", GOOD[:-8] + bytes(8)),
        ("x.tgz", b"<html>not here</html>"),
        ("x.tgz", b"\x1f\x8b\x08" + bytes(40)),
        ("x.tar.gz", made_sets.zipped(FILES)),
        ("x.zip", GOOD),
        ("x.zip", made_sets.zipped(FILES)[:-30]),
    ],
)
def test_no_whole_archive(name, data, tmp_path):
    cache = tmp_path / "cache"
    refused(plain(cache, stored(tmp_path, name, data)), cache, InputError, "not a whole archive")


def test_links_stay_within_the_archive(tmp_path):
    links = {"in/y": "x.de", "in/hosts": "/etc/hosts", "in/up": "../../secret", "in/me": "me"}
    (tmp_path / "secret").write_text("no")
    cache = tmp_path / "cache"
    url = stored(tmp_path, "x.tgz", made_sets.tgz(FILES, links=links.items()))
    files = plain(cache, url, files=["in/y", "in/x.en"]).get_files("de-en")
    assert [Path(file).read_text() for file in files] == list(FILES.values())
    assert {file for file in left(cache) if "." not in file} == {"y"}
    assert not any(path.is_symlink() for path in cache.rglob("*"))


@pytest.mark.parametrize("pack", [made_sets.tgz, made_sets.zipped])
@pytest.mark.parametrize("name", ["../x", "in/../../x", "/x", "..", "in/../.."])
def test_nothing_leaves_the_cache(pack, name, tmp_path):
    place = str(tmp_path / "outside") if name == "/x" else name
    data = pack({**FILES, place: "!"})
    cache = tmp_path / "cache"
    url = stored(tmp_path, "x.zip" if pack is made_sets.zipped else "x.tgz", data)
    refused(plain(cache, url), cache, InputError, "would lie outside of the cache")
    assert not (tmp_path / "outside").exists()


def test_a_system_is_no_path(tmp_path):
    text = made_sets.xml().replace('"refinery"', '"../../../x"')
    url = stored(tmp_path, "x.tgz", made_sets.tgz({"a.xml": text}))
    dataset = ours.WMTXMLDataset("made", data=[url], langpairs={"en-de": ["a.xml"]})
    dataset._outdir, dataset._rawdir = str(tmp_path / "made"), str(tmp_path / "made" / "raw")
    with pytest.raises(InputError, match="cannot be the name of a field"):
        dataset.get_files("en-de")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</dataset>", ""),
        ('id="10"', 'id="ten"'),
        (' origlang="de" id="doc.2"', ""),
        ('<src lang="en"><seg id="1">Three', '<src lang="fr"><seg id="1">Three'),
        ('"10">', '">'),
    ],
)
def test_other_xml(old, new, tmp_path):
    assert old in made_sets.xml()
    url = stored(tmp_path, "x.tgz", made_sets.tgz({"a.xml": made_sets.xml().replace(old, new)}))
    dataset = ours.WMTXMLDataset("made", data=[url], langpairs={"en-de": ["a.xml"]})
    dataset._outdir, dataset._rawdir = str(tmp_path / "made"), str(tmp_path / "made" / "raw")
    with pytest.raises(InputError, match=r"a\.xml: not a test set in WMT's XML") as caught:
        dataset.get_files("en-de")
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path / "made") == ["raw"]


def test_too_few_columns(tmp_path):
    url = stored(tmp_path, "x.tgz", made_sets.tgz({"a.tsv": "a\tb\tc\na\n"}))
    for column, said in (
        ("2:a.tsv", r"a\.tsv:2: 1 columns, and no column 2"),
        ("x:a.tsv", "number"),
    ):
        dataset = ours.TSVDataset("made", data=[url], langpairs={"en-de": ["0:a.tsv", column]})
        dataset._outdir, dataset._rawdir = str(tmp_path / "made"), str(tmp_path / "made" / "raw")
        with pytest.raises(InputError, match=said):
            dataset.get_files("en-de")
        assert not (tmp_path / "made" / "made.en-de.ref").exists()


def test_a_file_that_the_archive_has_not(tmp_path):
    url = stored(tmp_path, "x.tgz", GOOD)
    dataset = plain(tmp_path / "cache", url, files=["in/x.de", "in/x.fr"])
    with pytest.raises(InputError, match=r"in/x\.fr: not in the archives of made"):
        dataset.get_files("de-en")


def test_a_broken_archive_in_the_cache(tmp_path):
    url = stored(tmp_path, "x.tgz", GOOD)
    dataset = plain(tmp_path / "cache", url, made_sets.md5(GOOD))
    os.makedirs(dataset._rawdir)
    broken = Path(dataset._rawdir, "made.x.tgz")
    broken.write_bytes(GOOD[:-9])
    with pytest.raises(InputError, match="remove it, and it is fetched again"):
        dataset.get_files("de-en")
    broken.write_bytes(b"")  # as the original leaves it when the network is gone
    assert len(dataset.get_files("de-en")) == 2


def test_processes_fetch_once(server, tmp_path):
    server.answers["/x.tgz"] = lambda handler: (time.sleep(0.5), send(handler, GOOD))
    code = (
        "import sys; from truebleu.compat.sacrebleu import dataset, sacrebleu; "
        "dataset.DATASETS['made'] = dataset.PlainTextDataset('made', data=[sys.argv[1]], "
        f"md5=[{made_sets.md5(GOOD)!r}], langpairs={{'de-en': ['in/x.de', 'in/x.en']}}); "
        "sys.exit(sacrebleu.main(['-t', 'made', '-l', 'de-en', '--echo', 'src', 'ref']))"
    )
    command = [sys.executable, "-c", code, f"{server.url}/x.tgz"]
    environment = {**os.environ, "SACREBLEU": str(tmp_path)}
    running = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    done = [(*process.communicate(timeout=60), process.returncode) for process in running]
    assert [(out, code) for out, _, code in done] == [("eins\tone\nzwei\ttwo\n", 0)] * 3
    assert server.asked == ["/x.tgz"]
    said = "".join(text for _, text, _ in done)
    archive = tmp_path / "made" / "raw" / "made.x.tgz"
    assert said.count(f"sacreBLEU: Downloading {server.url}/x.tgz to {archive}\n") == 1
    assert said.count(f"sacreBLEU: Extracting {archive} to {archive.parent}\n") == 1


def send(handler, data):
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)
