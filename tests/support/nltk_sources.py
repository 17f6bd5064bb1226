# SPDX-License-Identifier: Apache-2.0
"""NLTK's own unit tests, and stand-ins for the data that they read."""

import tarfile
from pathlib import Path

import nltk
import pytest
from conftest import ROOT
from nltk.translate import bleu_score as original
from nltk.translate import nist_score as original_nist

VERSION = "3.10.4"

#: Where `make test` puts the source distribution: the wheel has no unit tests.
SOURCES = ROOT / ".venv" / "sources" / f"nltk-{VERSION}.tar.gz"


def unit_tests(file):
    """The source of NLTK's unit tests in a file."""
    name = f"nltk/test/unit/translate/{file}"
    installed = Path(nltk.__file__).parent.parent / name
    if installed.is_file():
        return installed.read_text(encoding="utf-8")
    if not SOURCES.is_file():
        pytest.skip(f"the source distribution of NLTK is not at {SOURCES}; `make test` gets it")
    with tarfile.open(SOURCES) as archive:
        return archive.extractfile(f"nltk-{VERSION}/{name}").read().decode()


def write_stand_ins(folder):
    """What some of the tests read of NLTK's data, for where that is not installed.

    Texts of our own, and their scores by the original, laid out as mteval prints them.
    """
    files = {"ref.ru": "ref.A.txt", "google.ru": "hyp.aurora.txt"}
    texts = {name: (ROOT / "examples" / "de-en" / file).read_text() for name, file in files.items()}
    references, hypotheses = ([line.split() for line in text.splitlines()] for text in texts.values())
    corpus = [[line] for line in references], hypotheses
    scores = [original.corpus_bleu(*corpus, (1 / n,) * n) for n in range(1, 10)]
    nists = [original_nist.corpus_nist(*corpus, n) for n in range(1, 10)]
    texts["mteval-13a.output"] = (
        f"NIST: {' '.join(map(str, nists))} system\n\nBLEU: {' '.join(map(str, scores))} system\n\n"
    )
    # NLTK refuses data that others may write.
    models = folder / "models" / "wmt15_eval"
    models.mkdir(mode=0o700, parents=True)
    (folder / "models").chmod(0o700)
    for name, text in texts.items():
        (models / name).write_text(text, encoding="utf-8")
        (models / name).chmod(0o600)
