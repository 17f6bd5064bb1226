# SPDX-License-Identifier: Apache-2.0
"""Where each nanosecond of a segment goes, for each instruction set.

`crates/core/examples/stages.rs` times loops over a corpus that stop after a stage. What a call from
Python takes beyond the kernel is the crossing.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from corpora import ROOT, Corpus, english, wmt
from timing import Contender, interleave

from truebleu import BLEU
from truebleu._core import simd_levels

#: Nanoseconds of a segment by instruction set, the fastest first.
Nanoseconds = dict[str, float]

#: A stage, what it takes at least, and the loops whose difference it is.
STAGES = (
    ("copy", "read once", "copy", None), ("classify", "read once", "classify", "copy"),
    ("split", "", "split", "classify"), ("keys", "look up", "keys", "split"),
    ("match", "", "match", "keys"), ("add rows", "", "corpus", "match"),
    ("whole corpus", "", "python", None), ("score, for sentences alone", "", "score", "match"),
)  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """What a stage takes by each instruction set, and what it takes at least."""

    corpus: str
    segments: int
    stage: str
    nanoseconds: Nanoseconds
    floor: str = ""
    correct: bool | None = None

    def line(self) -> str:
        """The stage as a row of the table."""
        times = "".join(f"{time:9.1f}" for time in self.nanoseconds.values())
        return f"{self.corpus:16} {self.stage:28}{times}  {self.floor}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """The stage for JSON."""
        return vars(self)


def stages(*, quick: bool) -> Iterator[Stage]:
    """Nanoseconds of a segment by stage and instruction set, and what a stage takes at least."""
    levels = simd_levels()
    print(f"{'corpus':16} {'stage':28}{''.join(f'{level:>9}' for level in levels)}  floor")
    for corpus in filter(None, (english(),) if quick else (english(), wmt("de"), wmt("ru"))):
        loops = in_kernel(corpus)
        loops["python"] = from_python(corpus, levels)
        lengths = Contender("", lambda c=corpus: (sum(map(len, c.hyps)), sum(map(len, c.refs))))
        [(times, _)] = interleave([lengths], rounds=50)
        floors = {
            name: f"{min(loops[name].values()):.1f}, {name}" for name in ("read once", "look up")
        }

        asked = f"{times.best * 1e9 / len(corpus):.1f}, ask each string for its length"
        for name, floor, last, before in (("crossing", asked, "python", "corpus"), *STAGES):
            start = loops[before] if before else dict.fromkeys(levels, 0.0)
            spent = {level: loops[last][level] - start[level] for level in levels}
            yield Stage(corpus.name, len(corpus), name, spent, floors.get(floor, floor))


def in_kernel(corpus: Corpus) -> dict[str, Nanoseconds]:
    """The times of the loops of the example."""
    with tempfile.TemporaryDirectory() as folder:
        files = corpus.files(folder)
        command = [
            ROOT / "scripts" / "with-rust", "cargo", "run", "--quiet", "--locked", "--release",
            "--package", "truebleu-core", "--example", "stages", "--", *files,
            f"tokenize={corpus.tokenize}", "strip=right",
        ]  # fmt: skip
        output = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=ROOT
        ).stdout
    loops: dict[str, Nanoseconds] = {}
    for line in output.splitlines():
        level, name, nanoseconds = line.split("\t")
        loops.setdefault(name, {})[level] = float(nanoseconds)
    return loops


def from_python(corpus: Corpus, levels: list[str]) -> Nanoseconds:
    """The same for a call of `BLEU.corpus`."""

    def forced(level: str) -> Contender:
        with patch.dict(os.environ, {"TRUEBLEU_SIMD": level}):
            bleu = BLEU(tokenize=corpus.tokenize, threads=1)
        return Contender(level, lambda: bleu.corpus(corpus.hyps, corpus.refs))

    found = interleave([forced(level) for level in levels], rounds=50)
    return {
        level: times.best * 1e9 / len(corpus)
        for level, (times, _) in zip(levels, found, strict=True)
    }
