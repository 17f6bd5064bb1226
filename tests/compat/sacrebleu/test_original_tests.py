# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's own tests, run on the drop-in. They are fetched by `make test`, not kept."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

SOURCES = Path(sys.prefix) / "sacrebleu-2.6.0"

#: Files of tests, and the number of tests in each.
FILES = {
    "test_bleu.py": 27,
    "test_sentence_bleu.py": 30,
    "test_chrf.py": 25,
    "test_ter.py": 7,
    "test_tokenizer_ter.py": 11,
    "test_significance.py": 30,
}


def test_the_originals_own_tests_pass():
    if not (SOURCES / "test").is_dir():
        pytest.skip("sacreBLEU's sources are missing; `make test` fetches them")
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "support.redirected", "-p", "no:cacheprovider",
        *(f"test/{name}" for name in FILES),
    ]  # fmt: skip
    path = [str(ROOT / "tests"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    done = subprocess.run(
        command,
        cwd=SOURCES,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    assert passed, done.stdout + done.stderr
    assert int(passed[1]) == sum(FILES.values()), done.stdout
