# SPDX-License-Identifier: Apache-2.0
"""W6: the command line and imports, from the start of the process to its end."""

import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from corpora import english
from results import Figure, Row
from timing import SCRIPTS, interleave, process

#: Ours and what they replace.
IMPORTS = (
    "truebleu", "sacrebleu", "truebleu.compat.nltk", "nltk.translate.bleu_score",
)  # fmt: skip


def w6(*, quick: bool) -> Iterator[Row | Figure]:
    """A cold process that scores one file against another."""
    corpus = english().head(2_000)
    with TemporaryDirectory() as folder:
        hyp, ref = corpus.files(folder)
        files = (str(ref), "-i", str(hyp))
        contenders = [
            process("truebleu score", str(SCRIPTS / "truebleu"), "score", *files, repeat=5),
            process("sacrebleu -f text", str(SCRIPTS / "sacrebleu"), *files, "-f", "text"),
            process("python -c pass", sys.executable, "-c", "pass", repeat=5),
            *(process(name, sys.executable, "-c", f"import {name}") for name in IMPORTS),
        ]
        (times, text), (peer_times, peer_text), (floor, _), *imports = interleave(contenders, rounds=3 if quick else 15)
    yield Row(
        "w6", corpus.name, len(corpus), contenders[0].name, times, contenders[1].name, peer_times, text == peer_text
    )
    what = "of this, a Python process that does nothing"
    yield Figure("w6", corpus.name, len(corpus), what, floor.median * 1e3, "ms")
    for name, (runs, _) in zip(IMPORTS, imports, strict=True):
        what = f"a process that imports {name}"
        yield Figure("w6", "no text", 0, what, runs.median * 1e3, "ms")
