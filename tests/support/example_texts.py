# SPDX-License-Identifier: Apache-2.0
"""The examples as files and lists, and what they score: what other forms of them must score too."""

from pathlib import Path

from conftest import ROOT

from support.corpora import SUMMATION
from truebleu import BLEU
from truebleu.inputs.corpus import Lines

EXAMPLES = ROOT / "examples"
ENGLISH = [str(EXAMPLES / "de-en" / name) for name in ("ref.A.txt", "ref.B.txt")]
CHINESE = [str(EXAMPLES / "en-zh" / name) for name in ("ref.A.txt", "ref.B.txt")]
SYSTEMS = [str(EXAMPLES / "de-en" / f"hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")]
AURORA = SYSTEMS[0]


def lines(path):
    """The lines of a file, or of an example."""
    return (EXAMPLES / path).read_bytes().decode().removesuffix("\n").split("\n")


def write_lines(texts, folder="."):
    """Files of lines, by their names."""
    for name, some in texts.items():
        Path(folder, name).write_text("".join(f"{line}\n" for line in some), encoding="utf-8")


def as_lines(texts):
    """The texts as a file holds them."""
    return Lines("".join(f"{text}\n" for text in texts).encode())


NAMED = {name: lines(f"de-en/hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")}
HYPS = NAMED["basalt"]
REFS = lines("de-en/ref.A.txt")
TWO_REFS = list(zip(REFS, lines("de-en/ref.B.txt"), strict=True))
RAGGED = [[a, b] if i % 3 else [a] for i, (a, b) in enumerate(TWO_REFS)]
METRIC = BLEU(summation=SUMMATION)
#: Differs from sacreBLEU's default in one decision, so that `diff` is fast.
LOWER = "case:lc|tok:13a|smooth:exp"
WHOLE = METRIC.corpus(HYPS, REFS)
WHOLE_OF_TWO = METRIC.corpus(HYPS, TWO_REFS)
