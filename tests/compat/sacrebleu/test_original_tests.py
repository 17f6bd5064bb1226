# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's own tests, run on the drop-in. They are fetched by `make test`, not kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

SOURCES = Path(sys.prefix) / "sacrebleu-2.6.0"

#: Files of tests, and how many each has.
QUICK = {
    "test_bleu.py": 27,
    "test_sentence_bleu.py": 30,
    "test_chrf.py": 25,
    "test_ter.py": 7,
    "test_tokenizer_ter.py": 11,
}
LONG = {"test_significance.py": 30}


@pytest.mark.parametrize(
    "files", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)], ids=["quick", "long"]
)
def test_the_originals_own_tests_pass(files):
    if not (SOURCES / "test").is_dir():
        pytest.skip("sacreBLEU's sources are not here; `make test` fetches them")
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "redirected", "-p", "no:cacheprovider",
        *(f"test/{name}" for name in files),
    ]  # fmt: skip
    done = subprocess.run(
        command,
        cwd=SOURCES,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    assert passed, done.stdout + done.stderr
    assert int(passed[1]) == sum(files.values()), done.stdout
