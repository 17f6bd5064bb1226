# SPDX-License-Identifier: Apache-2.0
"""The texts that are scored: real system outputs where they are at hand, else the examples.

The outputs of the WMT21 and WMT22 translation tasks are not part of the project; TRUEBLEU_DATA
names the folder that has them, `../shared/data` by default. Benchmarks that need one and do not
find it take the examples or are left out.

sacreBLEU remembers the tokens of the last 65,536 distinct lines. Its memory is emptied before each
run, but a corpus in which lines repeat would still spare it work that a real one does not. So no
text is used twice within a corpus: each WMT corpus joins two systems and two references, and where
lines have to repeat, a running number is added to both sides of a pair.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("TRUEBLEU_DATA") or ROOT.parent / "shared" / "data")


@dataclass(frozen=True)
class Corpus:
    """Pairs of a hypothesis and its reference, and the tokenizer that fits their language."""

    name: str
    hyps: list[str]
    refs: list[str]
    tokenize: str = "13a"

    def __len__(self) -> int:
        return len(self.hyps)

    def head(self, segments: int) -> Corpus:
        """The first pairs."""
        return Corpus(self.name, self.hyps[:segments], self.refs[:segments], self.tokenize)

    def files(self, folder: str | Path) -> tuple[Path, Path]:
        """Files of the hypotheses and the references in a folder, a segment on each line."""
        paths = Path(folder, "hyp.txt"), Path(folder, "ref.txt")
        for path, lines in zip(paths, (self.hyps, self.refs), strict=True):
            path.write_bytes(as_bytes(lines))
        return paths

    def with_tokenizer(self, tokenize: str) -> Corpus:
        """The same texts for another tokenizer."""
        return Corpus(f"{self.name}, {tokenize}", self.hyps, self.refs, tokenize)

    def repeated(self, segments: int) -> Corpus:
        """So many pairs, each made unlike the others by its number at the end."""
        hyps = [f"{hyp} {i}" for i, hyp in enumerate(islice(cycle(self.hyps), segments))]
        refs = [f"{ref} {i}" for i, ref in enumerate(islice(cycle(self.refs), segments))]
        return Corpus(self.name, hyps, refs, self.tokenize)


def as_bytes(lines: list[str]) -> bytes:
    """A file of the lines."""
    return "".join(f"{line}\n" for line in lines).encode()


def read(path: Path) -> list[str]:
    """The lines of a file, which end at line feeds only."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def _joined(name: str, folder: Path, pairs: tuple[tuple[str, str], ...], tokenize: str) -> Corpus:
    hyps = [line for system, _ in pairs for line in read(folder / f"hyp.{system}.txt")]
    refs = [line for _, ref in pairs for line in read(folder / f"ref.{ref}.txt")]
    return Corpus(name, hyps, refs, tokenize)


#: Real corpora: name, folder, systems with their references, tokenizer.
_WMT = {
    "en": ("English WMT22", "wmt22/zh-en", (("Online-B", "A"), ("Online-W", "B")), "13a"),
    "de": ("German WMT22", "wmt22/en-de", (("Online-B", "A"), ("Online-W", "B")), "13a"),
    "ru": ("Russian WMT21", "wmt21/en-ru", (("Online-A", "A"), ("Online-G", "B")), "13a"),
    "ja": ("Japanese WMT22", "wmt22/en-ja", (("Online-W", "A"),), "char"),
}

_EXAMPLE_SYSTEMS = tuple((system, ref) for system in ("aurora", "basalt", "cinder") for ref in "AB")


def wmt(language: str) -> Corpus | None:
    """Real system outputs in a language, or None if they are not here."""
    name, folder, pairs, tokenize = _WMT[language]
    if not (DATA / folder).is_dir():
        return None
    return _joined(name, DATA / folder, pairs, tokenize)


def examples(language: str, segments: int) -> Corpus:
    """The texts of `examples/`, repeated."""
    folder, name, tokenize = {"en": ("de-en", "English examples", "13a"), "zh": ("en-zh", "Chinese examples", "zh")}[
        language
    ]
    few = _joined(name, ROOT / "examples" / folder, _EXAMPLE_SYSTEMS, tokenize)
    return few.repeated(segments)


def english() -> Corpus:
    """A few thousand English pairs, as real as there are."""
    return wmt("en") or examples("en", 4_000)


def non_ascii() -> Corpus:
    """A few thousand pairs of text that is not ASCII, as real as there are."""
    return wmt("ru") or examples("zh", 2_000)


def all_languages() -> Iterator[Corpus]:
    """Every corpus with the tokenizer, or tokenizers, of its language."""
    yield from filter(None, map(wmt, ("en", "de", "ru")))
    yield examples("en", 4_000)
    yield examples("zh", 2_000)
    japanese = wmt("ja")
    if japanese:
        yield japanese.with_tokenizer("char")
        yield japanese.with_tokenizer("zh")
