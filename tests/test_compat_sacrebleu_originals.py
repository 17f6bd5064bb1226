# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's own tests of BLEU, run on the drop-in. They are fetched by `make test`, not kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

SOURCES = Path(sys.prefix) / "sacrebleu-2.6.0"

FILES = ["test_bleu.py", "test_sentence_bleu.py", "test_significance.py"]


def test_the_originals_own_tests_pass():
    if not (SOURCES / "test").is_dir():
        pytest.skip("sacreBLEU's sources are not here; `make test` fetches them")
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "redirected", "-p", "no:cacheprovider",
        *(f"test/{name}" for name in FILES),
    ]  # fmt: skip
    done = subprocess.run(
        command,
        cwd=SOURCES,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"^87 passed", done.stdout, re.MULTILINE), done.stdout + done.stderr
