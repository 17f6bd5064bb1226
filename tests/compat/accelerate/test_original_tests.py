# SPDX-License-Identifier: Apache-2.0
"""The libraries' own tests pass while the libraries are accelerated, in processes of their own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.nltk_sources import unit_tests, write_stand_ins

SOURCES = Path(sys.prefix) / "sacrebleu-2.6.0"

#: Files of sacreBLEU's tests, and the number of tests in each.
FILES = {
    "test_bleu.py": 27, "test_sentence_bleu.py": 30, "test_chrf.py": 25, "test_ter.py": 7,
    "test_tokenizer_ter.py": 11, "test_significance.py": 30,
}  # fmt: skip


def passed(*arguments, **environment):
    """The number of tests that pass in an accelerated process."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "truebleu",
            "accelerate",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-W",
            "ignore",
            *arguments,
        ],
        cwd=SOURCES,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return int(re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)[1])


def test_sacrebleus_own_tests_pass():
    if not (SOURCES / "test").is_dir():
        pytest.skip("sacreBLEU's sources are missing; `make test` fetches them")
    assert passed(*(f"test/{name}" for name in FILES)) == sum(FILES.values())


def test_nltks_own_tests_and_doctests_pass(tmp_path):
    write_stand_ins(tmp_path)
    paths = [tmp_path / name for name in ("test_bleu.py", "test_nist.py")]
    for path in paths:
        path.write_text(unit_tests(path.name))
    modules = [f"nltk.translate.{name}_score" for name in ("bleu", "gleu", "nist")]
    names = "--doctest-modules", "--pyargs", *modules, *map(str, paths)
    assert passed(*names, NLTK_DATA=str(tmp_path)) == 15 + 1 + 8
