# SPDX-License-Identifier: Apache-2.0
"""The report as a file: one page that holds all, made whole or not at all."""

from __future__ import annotations

import os
import re
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import refusal, run, scored
from support.pages import DOCUMENTS, QUICK, REFS, SYSTEMS, written

from truebleu import BLEU, CHRF, InputError, MissingExtraError, OptionError, compare, write_report
from truebleu.analysis.explain.overlap import token_reader
from truebleu.metrics.stats import Stats
from truebleu.report.contents import gather
from truebleu.report.segments import Streams, locate, units

ENGLISH = ROOT / "examples" / "de-en"
REF = str(ENGLISH / "ref.A.txt")
THREE = [str(ENGLISH / f"hyp.{name}.txt") for name in SYSTEMS]


# The command.


def test_the_command_writes_a_page_and_says_where(folder):
    shown, remarks = scored("report", REF, "-i", *THREE, "-o", "page.html", "-n", "200")
    assert (shown, remarks) == ("page.html\n", "")
    assert (folder / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert os.listdir(folder).count("page.html") == 1
    assert not [name for name in os.listdir(folder) if name.endswith(".part")]


def test_every_flag_reaches_the_page(folder):
    (folder / "docs").write_text("".join(f"doc{i // 6}\n" for i in range(48)))
    (folder / "kinds").write_text("".join(f"kind{i % 2}\n" for i in range(48)))
    flags = ("--title", "A title", "--by-doc", "docs", "--group", "kinds", "-n", "300", "--seed",
             "7", "--alpha", "0.1", "-m", "chrf", "ter", "--chrf-word-order", "2", "-tok", "char",
             "--names", "Ours", "Yours", "Theirs",
             "--src", str(ENGLISH / "source.txt"))  # fmt: skip
    scored("report", REF, "-i", *THREE, *flags)
    page = (folder / "report.html").read_text("utf-8")
    shown = (
        "<title>A title</title>", "doc7", "kind1", "300 resamples of 8 documents, seed 7",
        "90 % interval", "Theirs", "chrF2++", "TER", "tok:char", "stream-source.text",
    )  # fmt: skip
    assert [text for text in shown if text not in page] == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("report",), "no reference file"),
        (("report", "ref", "-i", "hyp", "-o", "absent/page.html"), "absent: no such folder"),
        (("report", "ref", "-i", "hyp", "-o", "."), ". is a folder; name a file in it"),
        (("report", "ref", "-i", "hyp", "-o", "hyp"), "hyp exists; use --force"),
        (("report", "ref", "-i", "hyp", "-o", "/proc/page.html"), "/proc"),
        (("report", "ref", "-i", "none"), "none: no such file"),
        (("report", "ref", "-i", "hyp", "hyp"), "two systems are named 'hyp'"),
        (("report", "ref", "-i", "hyp", "--names", "a", "b"), "--names has 2 names for 1 systems"),
        (("report", "ref", "-i", "hyp", "--by-doc", REF), "48 lines, but ref has 3"),
        (("report", "ref", "-i", "hyp", "-d", "none"), "no dialect is named 'none'"),
        (("report", "ref", "-i", "hyp", "-m", "meteor"), "--metrics cannot be 'meteor'"),
        (("report", "ref", "-i", "hyp", "-n", "0"), "resamples cannot be 0"),
    ],
    ids=lambda value: " ".join(value[3:]) if isinstance(value, tuple) else "",
)
def test_refusals_leave_nothing_behind(folder, arguments, message):
    before = sorted(os.listdir(folder))
    assert message in refusal(*arguments)
    assert sorted(os.listdir(folder)) == before


def test_a_file_is_replaced_by_force_alone(folder):
    (folder / "page.html").write_text("mine")
    assert "exists; use --force" in refusal("report", "ref", "-i", "hyp", "-o", "page.html")
    assert (folder / "page.html").read_text() == "mine"
    scored("report", "ref", "-i", "hyp", "-o", "page.html", "--force", "-n", "100")
    assert (folder / "page.html").read_text("utf-8").startswith("<!doctype html>")


def test_help_names_every_flag():
    text = run("report", "--help-all").stdout.decode()
    for flag in ("--output", "--force", "--title", "--src", "--by-doc", "--group", "--metrics"):
        assert flag in text


# The file.


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = written(tmp_path_factory.mktemp("report") / "report.html", documents=DOCUMENTS)
    return path.read_text("utf-8")


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.found, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.open = True
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data):
        tag, attributes = self.found[-1] if self.found else ("", {})
        if tag in ("script", "style") and self.open:
            self.texts.append((tag, attributes, data))

    def handle_endtag(self, _):
        self.open = False


def test_the_policy_lets_the_pages_own_script_and_style_run_and_nothing_else(page):
    elements = Elements(page)
    (policy,) = [
        a["content"] for _, a in elements.found if a.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))

    def digests(tag):
        texts = [text for kind, a, text in elements.texts if kind == tag and "type" not in a]
        return [f"'sha256-{b64encode(sha256(t.encode()).digest()).decode()}'" for t in texts]

    assert rules == {
        "default-src": "'none'", "script-src": digests("script")[0],
        "style-src": digests("style")[0], "img-src": "data: blob:", "base-uri": "'none'",
        "form-action": "'none'",
    }  # fmt: skip
    assert len(digests("script")) == len(digests("style")) == 1


def test_nothing_in_the_page_is_elsewhere(page):
    for tag, attributes in Elements(page).found:
        assert tag not in ("img", "iframe", "object", "embed", "base", "source", "video", "use")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "style", "action", "xlink:href")
            assert name != "href" or value.startswith(("#", "data:,"))
    assert re.findall(r"https?://[^\s\"')]*", page) == ["http://www.w3.org/2000/svg"] * 2


def test_the_same_texts_make_the_same_page(page, tmp_path):
    again = written(tmp_path / "again.html", documents=DOCUMENTS)
    assert again.read_text("utf-8") == page


def test_a_comparison_writes_the_same_page(page, tmp_path):
    found = compare(SYSTEMS, REFS, documents=DOCUMENTS, **QUICK)
    write_report(tmp_path / "report.html", found)
    assert (tmp_path / "report.html").read_text("utf-8") == page
    with pytest.raises(OptionError, match="exists; use --force"):
        write_report(tmp_path / "report.html", found)
    stats = {name: Stats([[4, 4, k, 2, 1, 1, 4, 3, 2, 1]] * 3) for k, name in ((3, "a"), (4, "b"))}
    with pytest.raises(InputError, match="a report needs the texts"):
        write_report(tmp_path / "other.html", compare(stats, resamples=50))


# Bad values.


@pytest.mark.parametrize(
    ("systems", "refs", "options", "message"),
    [
        ({}, ["a"], {}, "there is no system to report on"),
        ({"a": []}, [], {}, "there is no segment"),
        ({"a": ["x"]}, ["x", "y"], {}, "system 'a': hyps has 1 segments, refs has 2"),
        ({"a": [1, 2]}, ["x", "y"], {}, "system 'a'"),
        ({"a": ["\ud800"]}, ["x"], {}, "surrogate"),
        ({"a": ["x"]}, ["x"], {"srcs": ["x", "y"]}, "srcs has 2 segments, refs has 1"),
        ({"a": ["x"]}, ["x"], {"groups": ["x", "y"]}, "groups: 2 labels for 1 segments"),
        ({"a": ["x"]}, ["x"], {"documents": []}, "documents has 0 labels for 1 segments"),
        ({"a": ["x"]}, ["x"], {"lower": True}, "no option is named 'lower'"),
        ({"a": ["x"]}, ["x"], {"dialect": BLEU(), "lower": True}, "no option is named 'lower'"),
        ({"a": ["x"]}, ["x"], {"dialect": CHRF()}, "a report compares BLEU"),
        ({"a": ["x"]}, ["x"], {"alpha": 2.0}, "alpha cannot be 2.0"),
    ],
)
def test_bad_values(tmp_path, systems, refs, options, message):
    path = tmp_path / "report.html"
    with pytest.raises((InputError, OptionError), match=re.escape(message)):
        write_report(path, systems, refs, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("library", ["altair", "vl_convert"])
def test_charts_need_their_libraries(tmp_path, monkeypatch, library):
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'truebleu[report]'")):
        written(tmp_path / "report.html")


def test_small_and_odd_corpora_make_a_page(tmp_path):
    for i, (systems, refs, options) in enumerate([
        ({"one": ["a"]}, ["a"], {}),
        ({"one": ["a"], "two": ["b"]}, ["a"], {}),
        ({"one": ["", ""]}, ["", ""], {}),
        ({"one": [["a", "b"], ["c"]]}, [["a", "b"], ["d"]], {}),
        ({"one": ["a b c d", "e"], "two": ["a b c d", "e"]}, ["a b c x", "e"], {"dialect": "nltk"}),
        ({f"system {k}": [f"a b c {k}", "d e f g"] for k in range(9)}, ["a b c d", "d e f"], {}),
        ({"one": ["a b", "c"]}, [["a b", None], ["c", "d"]], {"max_ngram_order": 2}),
        ({"na\udcffme": ["a b"]}, ["a b"], {"title": "\ud800", "ref_names": ["\udcff"]}),
    ]):  # fmt: skip
        page = written(tmp_path / f"{i}.html", systems, refs, **options).read_text("utf-8")
        assert page.endswith("</html>\n"), i


# The numbers and the streams.


def test_contents_of_one_system_have_the_interval_of_compare():
    found = compare(SYSTEMS, REFS, resamples=300)
    alone = gather({"basalt": SYSTEMS["basalt"]}, REFS, resamples=300)
    assert alone.intervals == (found.systems[1].interval,)
    assert alone.comparison is None


def test_losses_and_parts_add_up():
    contents = gather(SYSTEMS, REFS, documents=DOCUMENTS, **QUICK)
    for sheet, score in zip(contents.worksheets, contents.scores[0], strict=True):
        assert 100 - sum(sheet.lost.values()) == pytest.approx(score.value)
    for division in contents.divisions:
        assert sum(part.segments for part in division.parts) == 48
        for place, part in enumerate(division.parts):
            assert division.places.count(place) == part.segments
    document = contents.divisions[1].parts[2]
    expected = BLEU().corpus(SYSTEMS["aurora"][12:18], REFS[12:18]).value
    assert document.scores["aurora"].value == expected


def decoded(streams, name):
    kind, data = streams.types[name], zlib.decompress(b64decode(streams.encoded[name]))
    return data.decode() if kind == "text" else np.frombuffer(data, f"<{kind}").tolist()


TEXTS = st.lists(
    st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=6
)


@settings(max_examples=100)
@given(
    TEXTS, st.sampled_from([{}, {"lowercase": True}, {"tokenize": "char"}, {"tokenize": "intl"}])
)
def test_columns_hold_texts_and_tokens(texts, options):
    """Read as data.js reads them, in units of UTF-16, they give what the metric counts."""
    tokens = token_reader(BLEU(**options))
    streams = Streams()
    about = streams.add_column("c", texts, tokens)
    whole = decoded(streams, "c.text").encode("utf-16-le")
    counted = whole
    if "c.counted" in streams.types:
        counted = decoded(streams, "c.counted").encode("utf-16-le")
    assert len(counted) == len(whole)
    lengths, counts, gaps, sizes = (
        decoded(streams, f"c.{name}") for name in ("lengths", "counts", "gaps", "sizes")
    )
    start = k = 0
    for i, (text, length, count) in enumerate(zip(texts, lengths, counts, strict=True)):
        assert whole[2 * start : 2 * (start + length)].decode("utf-16-le") == (text or "")
        assert (i in about["absent"]) == (text is None)
        at, found = start, []
        for gap, size in zip(gaps[k : k + count], sizes[k : k + count], strict=True):
            at += gap
            found.append(counted[2 * at : 2 * (at + size)].decode("utf-16-le"))
            at += size
        assert at <= start + length
        assert about["spelled"].get(i, found) == tokens(text or "")
        start, k = start + length, k + count


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_units(text):
    assert units(text) == len(text.encode("utf-16-le")) // 2
    assert locate(text, [text]) == (([0], [units(text)]), text) or not text


def test_a_page_is_not_much_larger_than_its_texts(shared, tmp_path):
    folder = shared / "data" / "wmt22" / "en-de"
    names = ("Online-A", "Online-W", "PROMT")
    texts = [(folder / f"hyp.{name}.txt").read_bytes() for name in names]
    texts.append((folder / "ref.A.txt").read_bytes())
    *systems, refs = (text.decode().split("\n")[:-1] for text in texts)
    path = written(tmp_path / "report.html", dict(zip(names, systems, strict=True)), refs)
    assert path.stat().st_size < 1.3 * sum(map(len, texts)) + 3e6
