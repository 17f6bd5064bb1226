# SPDX-License-Identifier: Apache-2.0
"""The report as a file: one page that holds everything, written whole or not at all."""

import re
import sys
from base64 import b64encode
from hashlib import sha256
from html import unescape

import pytest
from support.pages import DOCUMENTS, QUICK, REFS, SYSTEMS, written

from truebleu import BLEU, CHRF, InputError, MissingExtraError, OptionError, compare, write_report
from truebleu.metrics.stats import Stats


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = written(tmp_path_factory.mktemp("report") / "report.html", documents=DOCUMENTS)
    return path.read_text("utf-8")


def test_the_policy_allows_the_script_and_the_style_of_the_page_only(page):
    (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in unescape(policy).split("; "))

    def digest(tag):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'", "script-src": f"{digest('script')} 'wasm-unsafe-eval'",
        "worker-src": "blob:", "style-src": digest("style"), "img-src": "data: blob:",
        "base-uri": "'none'", "form-action": "'none'",
    }  # fmt: skip
    assert re.findall(r"https?://[^\s\"')]*", page) == ["http://www.w3.org/2000/svg"]


def test_the_same_texts_and_a_comparison_of_them_make_the_same_page(page, tmp_path):
    comparison = compare(SYSTEMS, REFS, documents=DOCUMENTS, **QUICK)
    write_report(tmp_path / "report.html", comparison, threads=2)
    assert (tmp_path / "report.html").read_text("utf-8") == page
    texts = "".join(f"{line}\n" for line in SYSTEMS["cinder"])
    assert f"cinder</bdi>: <code>{sha256(texts.encode()).hexdigest()}<" in page


def test_a_comparison_has_its_own_texts_and_options(tmp_path):
    path = tmp_path / "report.html"
    comparison = compare(SYSTEMS, REFS, **QUICK)
    for options in ({"refs": REFS}, {"resamples": 9}, {"documents": DOCUMENTS}, {"lowercase": True}):
        with pytest.raises(OptionError, match="a comparison has its texts and options"):
            write_report(path, comparison, **options)
    with pytest.raises(OptionError, match="a report compares BLEU; pass chrF and TER"):
        write_report(path, compare(SYSTEMS, REFS, metric=CHRF(), **QUICK))
    stats = {name: Stats([[4, 4, k, 2, 1, 1, 4, 3, 2, 1]] * 3) for k, name in ((3, "a"), (4, "b"))}
    with pytest.raises(InputError, match="refs\\[1\\] has no reference"):
        write_report(path, {"A": ["a b", "c d"]}, ["a b", None])
    with pytest.raises(InputError, match="a report needs the texts"):
        write_report(path, compare(stats, resamples=50))
    assert not path.exists()


@pytest.mark.parametrize(
    ("systems", "refs", "options", "message"),
    [
        ({}, ["a"], {}, "there is no system to report on"),
        ({"a": []}, [], {}, "there is no segment"),
        ({"a": ["x"]}, ["x", "y"], {}, "system 'a': hyps has 1 segment"),
        ({"a": [1, 2]}, ["x", "y"], {}, "system 'a'"),
        ({"a": ["\ud800"]}, ["x"], {}, "surrogate"),
        ({"a": ["x"]}, ["x"], {"srcs": ["x", "y"]}, "srcs has 2 segments, refs has 1"),
        ({"a": ["x"]}, ["x"], {"groups": ["x", "y"]}, "groups: 2 labels for 1 segment"),
        ({"a": ["x"]}, ["x"], {"documents": []}, "documents"),
        ({"a": ["x"]}, ["x"], {"dialect": BLEU(), "lower": True}, "'lower'"),
        ({"a": ["x"]}, ["x"], {"dialect": CHRF()}, "a report compares BLEU"),
        ({"a": ["x"]}, ["x"], {"alpha": 2.0}, "alpha cannot be 2.0"),
        ({"a": ["x"]}, ["x"], {"title": 5}, "title cannot be 5"),
    ],
)
def test_bad_values(tmp_path, systems, refs, options, message):
    with pytest.raises((InputError, OptionError), match=re.escape(message)):
        write_report(tmp_path / "report.html", systems, refs, **options)
    assert list(tmp_path.iterdir()) == []


def test_charts_need_their_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'truebleu[report]'")):
        written(tmp_path / "report.html")


@pytest.mark.parametrize(
    ("systems", "refs", "options"),
    [
        ({"one": ["a"]}, ["a"], {}),
        ({"one": ["a"], "two": ["b"]}, ["a"], {"metrics": [BLEU("nltk"), CHRF()]}),
        ({"one": ["", ""]}, ["", ""], {}),
        ({"one": [["a", "b"], ["c"]]}, [["a", "b"], ["d"]], {}),
        ({"one": ["a b c d", "e"], "two": ["a b c d", "e"]}, ["a b c x", "e"], {"dialect": "nltk"}),
        ({"one": ["a b", "c"]}, [["a b", None], ["c", "d"]], {"max_ngram_order": 2}),
        ({"na\udcffme": ["a b"]}, ["a b"], {"title": "\ud800", "ref_names": ["\udcff"]}),
    ],
)
def test_small_and_odd_corpora_make_a_page(tmp_path, systems, refs, options):
    page = written(tmp_path / "page.html", systems, refs, **options).read_text("utf-8")
    assert page.endswith("</html>\n")


def test_systems_and_columns_of_any_name_are_listed(tmp_path):
    names = ["constructor", "__proto__", *(f"system {k}" for k in range(12))]
    systems = {name: [f"a b c {k}", "d e f g"] for k, name in enumerate(names)}
    scores = {"length": {name: [float(k), 0.0] for k, name in enumerate(names)}}
    page = written(
        tmp_path / "page.html",
        systems,
        ["a b c d", "d e f"],
        groups=names[:2],
        scores=scores,
        metrics=[BLEU(lowercase=True), CHRF(), CHRF(char_order=4)],
    ).read_text("utf-8")
    assert re.findall(r'data-system="([^"\d]+[^"]*)"', page) == names
    heads = re.findall('<th scope="col"[^>]*>([^<]*)</th>', page.partition("</thead>")[0])
    assert {*heads} == {
        "system", "BLEU", "95 % interval", "rank", "selection", "place", "BLEU (2)", "chrF2",
        "chrF2, selection", "chrF2 (2)", "chrF2 (2), selection", "length (2)", "BP", "length",
    }  # fmt: skip
