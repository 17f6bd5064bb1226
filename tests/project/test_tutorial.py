# SPDX-License-Identifier: Apache-2.0
"""The tutorial: its program is `truebleu.spec`, its numbers are printed, its pictures are drawn.

tests/project/test_docs.py runs its blocks and compares what they print.
"""

import ast
import doctest
import importlib.util
import inspect
import re
from fractions import Fraction
from math import isclose
from xml.etree import ElementTree as ET

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from support import page_blocks

import truebleu as tb
from truebleu import spec
from truebleu.charts.figure import render

FOLDER = ROOT / "docs" / "tutorial"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))

FENCED = re.compile(r"^```.*?^```$|^<!--.*?^-->$", re.MULTILINE | re.DOTALL)


def defined(path):
    """The functions of a page."""
    blocks = re.findall(r"^```python\n(def .*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [function for block in blocks for function in ast.parse(block).body]


FUNCTIONS = [function for path in PAGES for function in defined(path)]

#: The functions of the specification, as the first page lists them.
SPECIFIED = re.findall(
    r"`(\w+)`", re.search(r"The functions (.*?) are those", (FOLDER / "index.md").read_text("utf-8"), re.DOTALL)[1]
)


def bare(function):
    """A function's code without its docstring and annotations."""
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    if ast.get_docstring(function):
        del function.body[0]
    for i, statement in enumerate(function.body):
        if isinstance(statement, ast.AnnAssign):
            target, value = statement.target, statement.value
            function.body[i] = ast.Assign([target], value, lineno=statement.lineno)
    return ast.dump(function)


@pytest.mark.parametrize(
    "function", [function for function in FUNCTIONS if function.name in SPECIFIED], ids=lambda function: function.name
)
def test_the_functions_are_those_of_the_specification(function):
    source = inspect.getsource(getattr(spec, function.name))
    assert bare(function) == bare(ast.parse(source).body[0])


def test_the_functions_that_are_listed_are_shown():
    own = {"combine", "corpus_bleu", "tokenize"}  # sacreBLEU's alone, where those of spec choose
    names = {function.name for function in FUNCTIONS}
    assert set(SPECIFIED) == (names & set(spec.__all__)) - own


def printed(path):
    """What the blocks of a page print, which tests/project/test_docs.py holds them to."""
    text = "\n".join(page_blocks.of_session(path))
    return "\n".join(example.want for example in doctest.DocTestParser().get_examples(text))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_numbers_of_the_text_are_printed(path):
    text = FENCED.sub("", path.read_text("utf-8"))
    text = re.sub(r"\]\([^)]*\)|`[^`]*`|Python [\d.]+", "", text)  # links, code, versions
    output = printed(path)
    values = [float(value) for value in re.findall(r"\d+\.\d+(?:e-?\d+)?", output)]
    for number in re.findall(r"\d+\.\d+", text):
        decimals = len(number.partition(".")[2])
        assert any(f"{value:.{decimals}f}" == number for value in values), number
    for share in re.findall(r"\d+/\d+", text):
        assert share in output or any(isclose(v, Fraction(share), abs_tol=5e-5) for v in values), share


@pytest.fixture(scope="module")
def built():
    """The names that the last page but one makes: the tutorial's sacreBLEU."""
    made = {}
    path = FOLDER / "7-sacrebleu.md"
    text = "\n".join(page_blocks.of_session(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        test = doctest.DocTestParser().get_doctest(text, made, path.name, path.name, 0)
        assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
    return test.globs


@pytest.mark.parametrize("folder", ["de-en", "en-zh"])
@pytest.mark.parametrize("system", ["aurora", "basalt", "cinder"])
def test_its_metric_is_the_kernels_on_the_examples(built, folder, system):
    def lines(name):
        return (ROOT / "examples" / folder / name).read_text("utf-8").splitlines()

    hyps = lines(f"hyp.{system}.txt")
    a, b = lines("ref.A.txt"), lines("ref.B.txt")
    for refs in ([[ref] for ref in a], [list(pair) for pair in zip(a, b, strict=True)]):
        theirs = tb.BLEU().corpus(hyps, refs)
        assert built["corpus_bleu"](hyps, refs) == theirs.value
        rows = tb.BLEU(sentence_effective_order=False).sentences(hyps, refs)
        ours = [built["corpus_bleu"]([hyp], [ref]) for hyp, ref in zip(hyps, refs, strict=True)]
        assert ours == list(rows)


texts = st.text(st.sampled_from("ab. ,1-'&<\"é\u3000\n"), max_size=12)


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_its_metric_is_the_kernels_on_any_text(built, pairs):
    hyps, refs = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert built["corpus_bleu"](hyps, refs) == tb.BLEU().corpus(hyps, refs).value


def drawing():
    script = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "draw.py")
    module = importlib.util.module_from_spec(script)
    script.loader.exec_module(module)
    return module


DRAW = drawing()


def words_of(svg):
    """What a picture says: its texts, and what it tells of each of its marks to a screen reader.

    Not its bytes, which change with the version of the library that draws it.
    """
    root = ET.fromstring(svg)
    labels = [node.get("aria-label") for node in root.iter() if node.get("aria-label")]
    return labels + [node.text for node in root.iter() if node.tag.endswith("}text")]


@pytest.mark.parametrize("name", DRAW.PICTURES)
def test_pictures_are_up_to_date(name):
    there = words_of(DRAW.path(name).read_bytes())
    assert len(there) > 8
    assert there == words_of(render(DRAW.PICTURES[name](), "svg")), "run `make figures`"


def test_all_pictures_are_shown():
    text = "\n".join(page.read_text("utf-8") for page in [*PAGES, ROOT / "docs" / "meaning.md"])
    names = re.findall(r"figures/((?:tutorial|meaning)-\w+)\.svg\)", text)
    assert sorted(names) == sorted(DRAW.PICTURES)


def test_pages_follow_one_another():
    for before, page, after in zip([None, *PAGES], PAGES, [*PAGES[1:], None], strict=False):
        last = page.read_text("utf-8").rstrip().split("\n\n")[-1]
        assert before is None or f"({before.name})" in last
        assert after is None or f"({after.name})" in last
        assert f"({page.name})" in (FOLDER / "index.md").read_text("utf-8")


#: A link to the playground.
TRY = re.compile(r"^<!--\{try\}\n(.*?)^-->", re.MULTILINE | re.DOTALL)

TRIED = [(page, block) for page in PAGES for block in TRY.findall(page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "block"), TRIED, ids=lambda value: getattr(value, "stem", ""))
def test_links_to_the_playground_have_texts_of_the_page(page, block):
    state = [line.partition(": ")[::2] for line in block.splitlines()]
    # Without the links themselves, and with strings that go on in the next line joined.
    text = TRY.sub("", page.read_text("utf-8"))
    text = re.sub(r'"\n\.\.\. +"', "", text).replace("\\'", "'").replace("  # ", "")
    for name, value in state:
        if name.startswith(("hyp", "ref")):
            words = value.split()
            repeated = f'["{words[0]}"] * {len(words)}' in text and len(set(words)) == 1
            assert value in text or repeated, value
        elif name in ("tool", "with"):
            assert value in tb.DIALECTS
        else:
            assert name == "order" or tb.dialect("sacrebleu", **{name: value})
