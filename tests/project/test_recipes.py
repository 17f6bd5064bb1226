# SPDX-License-Identifier: Apache-2.0
"""What the recipes in Architecture change in the kernel; test_docs.py runs the rest."""

import re
import shutil

import pytest
from conftest import ROOT
from support.page_blocks import Reader

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
        "scripts/with-rust cargo test --quiet --release --package truebleu-core --test judged",
        timeout=900,
    )
    assert code == 0, printed
