# SPDX-License-Identifier: Apache-2.0
"""The text files of test sets, byte by byte as sacreBLEU makes them out of the same archives."""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
import sacrebleu.dataset as original
from hypothesis import given
from hypothesis import strategies as st
from support import made_sets
from support.twins_sacrebleu import Heard

from truebleu.compat.sacrebleu import dataset as ours
from truebleu.compat.sacrebleu import utils
from truebleu.errors import InputError

SGML = {
    "test/src.de.sgm": made_sets.SOURCE,
    "test/ref.en.sgm": made_sets.reference("eins"),
    "test/refB.en.sgm": made_sets.reference("zwei"),
}

#: For each kind of test set: class, name, archives by the end of their addresses, language pairs,
#: further arguments.
KINDS = {
    "text": (
        "PlainTextDataset", "made/plain",
        {"a.tar.gz": made_sets.tgz({"./in/x.de": made_sets.PLAIN, "in/x.en": "a\n"})},
        {"de-en": ["in/x.de", "in/x.en"], "en-de": ["in/x.en", "in/x.de"]}, {},
    ),
    "gz": (
        "PlainTextDataset", "made",
        {"x.de.gz": made_sets.gz(made_sets.PLAIN), "x.zip": made_sets.zipped({"x.en": "b\n\n"})},
        {"de-en": ["made.x.de.gz", "x.en"]}, {},
    ),
    "sgml": (
        "FakeSGMLDataset", "wmt99", {"test.tgz": made_sets.tgz(SGML)},
        {
            "de-en": ["test/src.de.sgm", "test/ref.en.sgm"],
            "en-de": ["test/ref.en.sgm", "test/src.de.sgm"],
        }, {},
    ),
    "sgml of 2008": (
        "FakeSGMLDataset", "wmt08/x", {"test.zip": made_sets.zipped(SGML)},
        {"de-en": ["test/src.de.sgm", "test/ref.en.sgm"]}, {},
    ),
    "two references": (
        "FakeSGMLDataset", "wmt99/tworefs", {"test.tgz": made_sets.tgz(SGML)},
        {"de-en": ["test/src.de.sgm", "test/ref.en.sgm", "test/refB.en.sgm"]}, {},
    ),
    "sgml and text": (
        "WMTAdditionDataset", "wmt99/more",
        {"test.tgz": made_sets.tgz(SGML), "more.ref": made_sets.PLAIN.encode()},
        {"de-en": ["test/src.de.sgm", "test/ref.en.sgm", "wmt99_more.more.ref"]}, {},
    ),
    "iwslt": (
        "IWSLTXMLDataset", "iwslt99",
        {
            "de-en.tgz": made_sets.tgz({"de-en/T.de.xml": made_sets.SOURCE}),
            "en-de.tgz": made_sets.tgz({"en-de/T.en.xml": made_sets.reference("one")}),
        },
        {"de-en": ["de-en/T.de.xml", "en-de/T.en.xml"]}, {},
    ),
    "tsv": (
        "TSVDataset", "mtnt", {"t.tar.gz": made_sets.tgz({"t/a.tsv": made_sets.TSV})},
        {"de-en": ["2:t/a.tsv", "3:t/a.tsv"], "en-de": ["t/a.tsv", "t/a.tsv"]}, {},
    ),
    "xml": (
        "WMTXMLDataset", "wmt99/xml",
        {
            "v1.tar.gz": made_sets.tgz(
                {
                    "xml/en-de.xml": made_sets.xml(),
                    "xml/de-en.xml": made_sets.xml(()),
                    "xml/liv-en.xml": made_sets.UNNAMED,
                    "xml/en-liv.xml": made_sets.xml().replace("é", "e").replace("\n", "\r\n"),
                },
                links=[("xml/latest.xml", "en-de.xml")],
            )
        },
        {
            "en-de": ["xml/en-de.xml"],
            "de-en": {"path": "xml/de-en.xml", "refs": ["B"]},
            "liv-en": {"path": "xml/liv-en.xml", "refs": [""]},
            "en-liv": ["xml/latest.xml"],
        },
        {"refs": ["A", "B"]},
    ),
}  # fmt: skip


def made(module, kind, tmp_path, **changes):
    """A test set in a cache of its own; its archives lie in `server`."""
    cls, name, archives, langpairs, more = kind
    server = tmp_path / "server"
    server.mkdir(exist_ok=True)
    for end, data in archives.items():
        (server / end).write_bytes(data)
    arguments = {
        "data": [f"file://{server / end}" for end in archives],
        "md5": [made_sets.md5(data) for data in archives.values()],
        "langpairs": langpairs,
    }
    dataset = getattr(module, cls)(name, **{**arguments, **more, **changes})
    cache = tmp_path / ("mine" if module is ours else "theirs")
    dataset._outdir = os.path.join(cache, name)
    dataset._rawdir = os.path.join(dataset._outdir, "raw")
    return dataset


def content(folder):
    """Bytes by name of all files in a folder."""
    return {
        os.path.relpath(os.path.join(inner, file), folder): Path(inner, file).read_bytes()
        for inner, _, files in os.walk(folder)
        for file in files
    }


@pytest.mark.parametrize("name", KINDS)
def test_the_same_files_and_messages(name, tmp_path):
    said = []
    for module in (original, ours):
        dataset = made(module, KINDS[name], tmp_path)
        with Heard() as heard:
            heard.logger.setLevel(logging.INFO)
            for pair in dataset.langpairs:
                files = dataset.get_files(pair)
                assert len(files) == len(dataset.fieldnames(pair))
        folder = dataset._outdir
        said.append([message[2].replace(folder, "") for message in heard.messages])
    theirs = made(original, KINDS[name], tmp_path)
    assert content(folder) == content(theirs._outdir)
    assert len(content(folder)) > 3
    assert said[1] == said[0]
    for pair in dataset.langpairs:
        assert set(dataset.fieldnames(pair)) == set(theirs.fieldnames(pair))
        assert list(dataset.source(pair)) == list(theirs.source(pair))
        for call in ("get_files", "get_reference_files"):
            found = [
                {file.removeprefix(one._outdir) for file in getattr(one, call)(pair)}
                for one in (dataset, theirs)
            ]
            assert found[0] == found[1]
        assert len(dataset.get_source_file(pair)) == len(theirs.get_source_file(pair)) - 2
    if "ref" in dataset.fieldnames(pair):
        assert list(dataset.references(pair)) == list(theirs.references(pair))


_LINES = st.lists(
    st.sampled_from(
        [
            "<seg id='1'>", "</seg>", "<seg ", "<doc ", 'docid="', 'origlang="', '"', "x", "<", ">",
            "&amp;", " ", "\t", "\r", "\u2003", "\u2028", "\x1f", "\n", "\n<seg id=1>", "\n<doc ",
        ]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(_LINES, _LINES)
def test_any_lines(tmp_path_factory, source, reference):
    folder = tmp_path_factory.mktemp("lines")
    for kind in ("FakeSGMLDataset", "WMTAdditionDataset", "PlainTextDataset"):
        files = {"a.sgm": source, "b.txt": reference}
        setting = (kind, "wmt99", {"x.tgz": made_sets.tgz(files)}, {"de-en": [*files]}, {})
        found = []
        for i, module in enumerate((original, ours)):
            dataset = made(module, setting, folder)
            dataset._outdir = str(folder / f"{kind}{i}")
            dataset._rawdir = str(folder / f"{kind}{i}" / "raw")
            dataset.process_to_text("de-en")
            found.append(content(dataset._outdir))
        assert found[0] == found[1]


_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=6
)
_PIECES = st.lists(
    st.one_of(
        _TEXT.map(escape),
        st.sampled_from([" ", "\t", "\r\n", "<b>x</b>", "<!-- c -->", "<?p i?>", "<![CDATA[<]]>"]),
    ),
    max_size=3,
).map("".join)


@st.composite
def documents(draw):
    """A document with references and systems, and a text for each of its segments."""
    numbers = draw(st.lists(st.integers(0, 20), min_size=1, max_size=4, unique=True))

    def side(tag, attributes, some):
        chosen = [n for n in numbers if not some or draw(st.booleans())]
        inner = "".join(f'<p><seg id="{n}">{draw(_PIECES)}</seg></p>' for n in chosen)
        return f"<{tag} {attributes}>{inner}</{tag}>"

    said = draw(st.sampled_from(["", 'domain="news"', 'domain="a  b"', 'testsuite="t"']))
    text = f'<doc id="d" origlang="{draw(st.sampled_from(["en", "de"]))}" {said}>'
    text += side("src", 'lang="en"', False).replace('">', '">s', 2)
    for name in draw(st.lists(st.sampled_from(["A", "B", "c", None]), max_size=3)):
        text += side("ref", 'lang="de"' + (f' translator="{name}"' if name else ""), True)
    for name in draw(st.lists(st.sampled_from(["x", "y", "docid"]), max_size=2)):
        text += side("hyp", f'system="{name}"', False)
    return text + "</doc>"


@given(st.lists(documents(), max_size=4).map("\n".join))
def test_any_xml(tmp_path_factory, text):
    file = str(tmp_path_factory.mktemp("xml") / "a.xml")
    Path(file).write_text(f"<dataset>{text}</dataset>", encoding="utf-8", newline="")
    try:
        fields = original.WMTXMLDataset._unwrap_wmt21_or_later(file)
    except AssertionError:
        with pytest.raises(InputError, match=r"languages of <(ref|src)>"):
            ours.wmt_xml.read(file, (0, 0))
        return
    # Without a text or domain lxml says None, at which the original stops when it writes it.
    expected = {field: [value or "" for value in values] for field, values in fields.items()}
    mine = ours.wmt_xml.read(file, (0, 0))
    assert mine == expected
    names = [[field for field in each if not field.startswith("ref")] for each in (mine, fields)]
    assert names[0] == names[1]


def test_all_pairs_at_once(tmp_path):
    for kind in KINDS.values():
        dataset = made(ours, kind, tmp_path)
        files = dataset.get_files(None)
        assert files == [file for pair in dataset.langpairs for file in dataset.get_files(pair)]
        assert all(map(os.path.exists, files))


def test_text_files_are_enough_and_so_are_raw_files_and_so_is_an_archive(tmp_path):
    """What is in the cache is used: nothing is fetched from an address that is not there."""
    for name, kind in KINDS.items():
        whole = made(ours, kind, tmp_path)
        files = {file: Path(file).read_bytes() for file in whole.get_files(None)}
        gone = [f"file:///nowhere/{os.path.basename(url)}" for url in whole.data]
        dataset = made(ours, kind, tmp_path, data=gone)
        os.rename(dataset._rawdir, tmp_path / "raw")
        for pair in dataset.langpairs:
            assert set(dataset.get_files(pair)) == set(whole.get_files(pair)), name
            assert set(dataset.get_reference_files(pair)) == set(whole.get_reference_files(pair))
        assert not os.path.exists(dataset._rawdir)
        os.rename(tmp_path / "raw", dataset._rawdir)
        for file in files:
            os.remove(file)
        assert {file: Path(file).read_bytes() for file in dataset.get_files(None)} == files
        if name in ("gz", "sgml and text"):
            continue  # a file that is no archive is used as it is
        for place, _, inner in os.walk(dataset._rawdir):
            for file in inner:
                if not file.endswith((".tgz", ".tar.gz", ".zip")):
                    os.remove(os.path.join(place, file))
        for file in files:
            os.remove(file)
        assert {file: Path(file).read_bytes() for file in dataset.get_files(None)} == files


def test_processes_do_not_disturb_each_other(tmp_path, monkeypatch):
    """Many at once: one fetches, the others wait, and all find whole files."""
    import urllib.request

    fetched = []
    real = urllib.request.urlopen

    def slow(url, **more):
        fetched.append(url)
        time.sleep(0.2)
        return real(url, **more)

    monkeypatch.setattr(urllib.request, "urlopen", slow)
    dataset = made(ours, KINDS["xml"], tmp_path)
    expected = made(original, KINDS["xml"], tmp_path)
    for pair in expected.langpairs:
        expected.process_to_text(pair)
    fetched.clear()
    found = []

    def work():
        found.append(content_of(dataset.get_files("en-de")))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fetched) == 1
    assert found == [content_of(expected.get_files("en-de"), dataset.get_files("en-de"))] * 6


def content_of(files, order=None):
    """Bytes of files, in the order of other files of the same names."""
    by_name = {os.path.basename(file): Path(file).read_bytes() for file in files}
    return [by_name[os.path.basename(file)] for file in order or files]


def test_names_that_are_not_there():
    with pytest.raises(InputError, match="No such test set wmt99"):
        utils.get_files("wmt99", "de-en")
    for call in (utils.get_files, utils.get_source_file, utils.get_reference_files):
        with pytest.raises(InputError, match="No such language pair wmt20/xx-en"):
            call("wmt20", "xx-en")
        with pytest.raises(InputError, match="No such language pair wmt22/xx-en"):
            call("wmt22", "xx-en")
    assert utils.get_langpairs_for_testset("wmt99") == []
