# SPDX-License-Identifier: Apache-2.0
"""The documentation site builds without a warning, loads only its own files, and has all names."""

import ast
import difflib
import fcntl
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from conftest import ROOT
from support import public_names
from support.page_blocks import PAGES, title
from support.pages import Tab

import truebleu
from truebleu import spec
from truebleu.compat import nltk

#: Modules whose public names the reference lists, and modules that it documents as a whole.
NAMED = (truebleu, spec, nltk)
WHOLE = [
    f"integrations.{name}" for name in ("ray", "spark", "polars", "pandas", "duckdb", "torchmetrics", "huggingface")
]

#: Constants, and names that NLTK's `import *` gives besides BLEU.
NO_REFERENCE = {"Counter", "Fraction", "math", "ngrams", "sys", "warnings",
                "__version__"}  # fmt: skip


FLAGS = re.MULTILINE | re.DOTALL


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site, built once for all workers of the tests."""
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason=f"{name} is not installed; pip install --group docs")
    shared = tmp_path_factory.getbasetemp()
    if shared.name.startswith("popen-"):  # of a worker of xdist
        shared = shared.parent
    folder = shared / "site"
    with open(shared / "site.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            # Sphinx does not read pages again that are up to date, and so would not warn.
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "sphinx",
                    "--quiet",
                    "--fail-on-warning",
                    "--keep-going",
                    "--doctree-dir",
                    shared / "doctrees",
                    ROOT / "docs",
                    folder,
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            (shared / "site.log").write_text(f"{done.returncode}\n{done.stdout}{done.stderr}")
    assert (shared / "site.log").read_text() == "0\n"
    return folder


class Loaded(HTMLParser):
    """The addresses that a page makes a browser load."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.addresses = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        loads = ("stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch")
        if tag == "link" and set((values.get("rel") or "").split()) & set(loads):
            self.addresses.append(values["href"])
        if tag != "a":
            self.addresses += [values[name] for name in ("src", "srcset", "data") if name in values]


@pytest.mark.slow
def test_every_page_is_there_and_can_be_searched(site):
    index = (site / "searchindex.js").read_text("utf-8")
    for page in PAGES:
        if page.is_relative_to(ROOT / "docs"):
            name = page.relative_to(ROOT / "docs")
            assert (site / name.with_suffix(".html")).exists(), name
            assert f'"{name.with_suffix("")}"' in index, name


@pytest.mark.slow
def test_a_page_loads_only_files_of_the_site(site):
    count = 0
    for path in site.rglob("*.html"):
        for address in Loaded(path).addresses:
            assert not re.match(r"[a-z]+:|//", address) or address.startswith("data:"), address
            if not address.startswith("data:"):
                assert (path.parent / address.partition("?")[0]).exists(), (path, address)
                count += 1
    assert count > 100
    for path in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", path.read_text("utf-8"))


def test_public_names_are_those_of_the_snapshot():
    expected = public_names.SNAPSHOT.read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(expected, list(public_names.lines()), lineterm="", n=0))
    assert not changes, (
        "public names have changed; if intended, run `python tests/support/public_names.py` and "
        "add a line to CHANGELOG.md:\n" + "\n".join(changes[2:])
    )


def test_the_reference_has_every_public_name():
    written = (ROOT / "docs" / "api.md").read_text("utf-8")
    names = set(re.findall(r"^\.\. [\w:]+:: truebleu\.(\S+)", written, re.MULTILINE))
    for module in NAMED:
        before = module.__name__.removeprefix("truebleu").removeprefix(".")
        listed = {name.removeprefix(f"{before}.") for name in names if name.startswith(before)}
        assert set(module.__all__) - NO_REFERENCE - listed == set(), module
    documented = {name.rpartition(".")[0] for name in names}
    assert set(WHOLE) <= documented


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=FLAGS)
    titles = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=title)
def test_links_lead_somewhere(page):
    """In the repository, where pages are read without the site."""
    text = re.sub(r"^```.*?^```|``.*?``|`[^`\n]*`", "", page.read_text("utf-8"), flags=FLAGS)
    for address in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?:", address):
            name, _, anchor = address.partition("#")
            path = page.parent / name if name else page
            assert path.exists(), address
            assert not anchor or anchor in anchors(path), address


def test_a_reader_in_the_repository_sees_no_directive():
    for page in PAGES:
        assert not re.search(r"^`{3,}\{", page.read_text("utf-8"), re.MULTILINE), page


def test_the_index_lists_every_page():
    """The migration has an index of its own; test_tutorial.py tests that of the tutorial."""
    docs = ROOT / "docs"
    for page in docs.rglob("*.md"):
        folder = page.parent if page.parent.name in ("migration", "tutorial") else docs
        if page.name != "index.md" and folder.name != "tutorial":
            index = (folder / "index.md").read_text("utf-8")
            assert f"]({page.relative_to(folder)})" in index, page


def test_benchmarks_that_pages_name_exist():
    source = (ROOT / "benchmarks" / "run.py").read_text("utf-8")
    table = re.search(r"^BENCHMARKS.*?= (\{.*?^\})", source, re.MULTILINE | re.DOTALL)[1]
    known = {ast.literal_eval(key) for key in ast.parse(table, mode="eval").body.keys}
    for page in PAGES:
        for names in re.findall(r"benchmarks/run\.py((?: [a-z][\w-]*)+)", page.read_text("utf-8")):
            assert set(names.split()) <= known, page


@pytest.mark.slow
def test_the_examples_of_the_tutorial_open_in_the_playground(site, chromium):
    page = site / "tutorial" / "4-brevity.html"
    address = re.search(r'href="([^"]+)">Try it in the playground', page.read_text("utf-8"))[1]
    path, _, link = address.partition("#")
    tab = Tab(chromium, (page.parent / path).resolve(), f"#{link}")
    assert tab.page.input_value("#hyp") == "the ferry crosses the"
    value = tab.page.locator("#score").get_attribute("data-value")
    refs = tab.page.locator("#texts label + label textarea").evaluate_all("all => all.map(one => one.value)")
    expected = truebleu.corpus_bleu(["the ferry crosses the"], [refs], "papineni-2002").value
    assert float(value) == pytest.approx(expected, rel=1e-14)
    tab.check_quiet()
    tab.close()
