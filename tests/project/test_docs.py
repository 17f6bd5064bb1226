# SPDX-License-Identifier: Apache-2.0
"""Generated files are up to date, and the code of pages and docstrings runs."""

import doctest
import importlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT
from support import judged_cases
from support.accelerated import apart
from support.page_blocks import CODE, ELSEWHERE, PAGES, Reader, blocks_of, libraries, run_blocks, runnable, title

import truebleu

#: Why blocks are not run, by page. Keep it short.
NOT_RUN = {
    "docs/install.md": ["needs a network"],
    "docs/migration/matlab.md": ["needs MATLAB"],
    "docs/performance.md": ["it measures, which takes its time"],
    "docs/training.md": ["needs PyTorch and a model"],
}

#: Pages whose code takes long, and runs other commands than the tests of the package.
SLOW = ("docs/howto/old-code.md",)

#: What blocks may be that are no code: output, formats and layouts.
NO_CODE = ("text",)

PACKAGE = Path(truebleu.__file__).parent

#: Modules whose docstrings have examples.
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def test_generated_files_are_up_to_date():
    script = ROOT / "docs" / "generate.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    cases = judged_cases.FILE.read_text(encoding="utf-8")
    assert cases == judged_cases.text(), "run `python tests/support/judged_cases.py`"


def followed(name, follow):
    """What examples give; those that accelerate libraries run in a process of their own."""
    return apart(follow) if "accelerate" in name else follow()


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.slow] * (title(page) in SLOW)) for page in PAGES], ids=title
)
def test_the_code_of_a_page_runs(page, tmp_path):
    for library in libraries(page):
        pytest.importorskip(library)
    reader = Reader(tmp_path)

    def follow():
        # Not in this thread, in which the tests of the browser keep an event loop running.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(reader.follow, page).result()
        return reader.ran

    assert followed(title(page), follow) or not runnable(page)


def test_pages_have_no_other_code():
    """A block that looks like code runs, or says why it does not."""
    for where, block in ((f"{title(p)}:{b.line}", b) for p in PAGES for b in blocks_of(p)):
        assert block.language in (*CODE, *NO_CODE) or block.reason, f"{where}: {block.language!r}"
        typed = re.match(r"(\$|>>>|truebleu|pip|make) ", block.body)
        assert block.language in CODE or not typed or block.reason, f"{where} is code"


def test_no_example_is_left_out_in_silence():
    sources = (ROOT / "src" / "truebleu").rglob("*.py")
    for path in (*PAGES, *sources):
        assert "doctest: +SKIP" not in path.read_text("utf-8"), path


def test_what_is_not_run_is_known():
    marked = {}
    for page in PAGES:
        for block in blocks_of(page):
            if block.reason:
                marked.setdefault(title(page), []).append(block.reason)
    assert marked == NOT_RUN


def test_what_runs_elsewhere_runs_there():
    for (page, section), test in ELSEWHERE.items():
        call = f'run_blocks("{page.removeprefix("docs/")}", "{section}"'
        assert call in (ROOT / "tests" / test).read_text("utf-8")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    module = importlib.import_module(name)
    failed, attempted = followed(name, lambda: doctest.testmod(module))
    assert attempted
    assert failed == 0


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("```python\n>>> 1 + 1\n3\n```", "Got:\n    2"),
        ("```python\nassert 1 + 1 == 3\n```", ""),
        ("```sh\nfalse\ntrue\n```", "exit code 1"),
        ("```console\n$ echo a\nb\n```", "a\nand not\nb"),
        ("- ```console\n  $ echo a\n  > b\n  ab\n  ```", ""),
        ("```console\n$ truebleu score nothing -b\n```", "nothing: no such file"),
        ("````{note}\n```sh\nfalse\n```\n````", ":2: exit code 1"),
    ],
)
def test_code_that_is_wrong_is_found(code, wrong, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(code)
    with pytest.raises(AssertionError) as caught:
        Reader(tmp_path).follow(page)
    assert wrong in str(caught.value)


#: What the recipes in Architecture change in the kernel.
RECIPE = ROOT / "docs" / "recipes" / "smoothing.diff"


def test_a_smoothing_value_has_four_places():
    assert set(re.findall(r"^\+\+\+ b/(.*)", RECIPE.read_text(), re.MULTILINE)) == {
        "crates/core/src/combine.rs", "src/truebleu/spec/numbers.py",
        "src/truebleu/dialects/decisions.py", "src/truebleu/analysis/explain/worksheet.py",
    }  # fmt: skip


@pytest.mark.slow  # builds the core crate
def test_the_kernel_with_a_new_smoothing_value_is_the_specification(tmp_path):
    reader = Reader(tmp_path)
    reader.add_sources()
    reader.run("git apply docs/recipes/smoothing.diff")
    for name in ("Cargo.toml", "Cargo.lock", "scripts/with-rust", "tests/support/judged_cases.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    printed, code = reader.run(
        "set -e; python tests/support/judged_cases.py; grep -q floor-long crates/core/tests/*.tsv\n"
        "scripts/with-rust cargo test -q --profile core-tests -p truebleu-core --lib judged::",
        timeout=900,
    )
    assert code == 0, printed


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "migration").glob("*.md")), ids=lambda path: path.stem)
def test_rows_that_are_named_exist(page):
    text = page.read_text("utf-8")
    named = re.findall(r"-d ([a-z][\w-]+)|bleu_metric\(\"([\w-]+)\"|tb\.\w+\([^)\n]*, \"([\w-]+)\"", text)
    assert {name for names in named for name in names if name} <= truebleu.DIALECTS.keys()


@pytest.mark.torch
def test_the_metrics_of_torchmetrics():
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    made = run_blocks("migration/torchmetrics.md", "Side by side", {})
    assert made["before"].compute().item() > 0
