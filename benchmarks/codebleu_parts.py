# SPDX-License-Identifier: Apache-2.0
"""CodeBLEU against codebleu, on programs and edits of them.

In Python they are functions of its standard library, in Rust and JavaScript blocks of our files.
Without data flow, which codebleu itself extracts in both.
"""

import ast
import inspect
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from math import isclose
from typing import Any

from corpora import ROOT
from peers import named
from results import Row, race
from timing import Contender

import truebleu as tb
from truebleu.dialects.keywords import KEYWORDS

#: Modules whose functions are the references.
_MODULES = (
    "argparse", "ast", "configparser", "difflib", "doctest", "inspect", "mailbox", "pathlib",
    "pydoc", "tarfile", "zipfile",
)  # fmt: skip


def functions() -> list[str]:
    """The functions and methods of some modules, with their comments."""
    texts = []
    for name in _MODULES:
        source = inspect.getsource(import_module(name))
        texts += [
            inspect.cleandoc(ast.get_source_segment(source, node, padded=True) or "")
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef)
        ]
    return sorted(set(texts))


def blocks(folder: str, suffix: str) -> list[str]:
    """The blocks of some lines in our own files, in which no line is blank."""
    files = sorted((ROOT / folder).rglob(f"*.{suffix}"))
    texts = [block for file in files for block in file.read_text(encoding="utf-8").split("\n\n")]
    return sorted({text for text in texts if text.count("\n") > 5})


#: The texts of each language.
_TEXTS: dict[str, Callable[[], list[str]]] = {
    "python": functions,
    "rust": lambda: blocks("crates", "rs"),
    "javascript": lambda: blocks("src", "js"),
}


def edited(text: str, rng: random.Random) -> str:
    """The text without some lines, and with some words exchanged."""
    lines = [line for line in text.split("\n") if rng.random() < 0.9]
    words = " ".join(lines).split()
    one, two = rng.choice(words or ["x"]), rng.choice(words or ["x"])
    return "\n".join(lines).replace(one, two)


def codebleu_parts(*, quick: bool) -> Iterator[Row]:
    """n-gram, weighted n-gram and syntax match of CodeBLEU; skipped without codebleu."""
    if find_spec("codebleu") is None:
        print("skipped: needs codebleu and grammars (pip install 'truebleu[code]')")
        return
    for lang, texts in _TEXTS.items():
        rng = random.Random(0)
        pool = texts()
        refs = rng.sample(pool, min(len(pool), 100 if quick else 1_000))
        hyps = [edited(ref, rng) for ref in refs]
        yield from rows(lang, hyps, refs, 3 if quick else 5)


def rows(lang: str, hyps: list[str], refs: list[str], rounds: int) -> Iterator[Row]:
    """Those of a language."""
    from codebleu import bleu, syntax_match, weighted_ngram_match

    several = [[ref.strip()] for ref in refs]
    stripped = [hyp.strip() for hyp in hyps]
    keywords = set(KEYWORDS[lang])

    def ngrams() -> tuple[float, float]:
        words = [hyp.split() for hyp in stripped]
        lists = [[ref.split() for ref in row] for row in several]
        weighted = [[[ref, {word: 1 if word in keywords else 0.2 for word in ref}] for ref in row] for row in lists]
        return bleu.corpus_bleu(lists, words), weighted_ngram_match.corpus_bleu(weighted, words)

    def syntax() -> float:
        return float(syntax_match.corpus_syntax_match(several, stripped, lang))

    for what, weights, threads, theirs in (
        ("n-grams", (0.5, 0.5, 0, 0), 1, lambda: (*ngrams(), None)),
        ("n-grams, syntax", (0.3, 0.3, 0.4, 0), None, lambda: (*ngrams(), syntax())),
        ("on one thread", (0.3, 0.3, 0.4, 0), 1, lambda: (*ngrams(), syntax())),
    ):
        metric = tb.CodeBLEU(lang, weights=weights, threads=threads)
        ours = Contender(what, lambda metric=metric: metric.corpus(hyps, refs), repeat=3)
        yield race("codebleu", lang, len(hyps), ours, Contender(named("codebleu"), theirs), rounds, equal)


def equal(score: Any, theirs: tuple[float, float, float | None]) -> bool:
    """Whether the parts are equal: codebleu adds weights of 0.2 as floats."""
    ngram, weighted, syntax = theirs
    return (score.ngram_match, score.syntax_match) == (ngram, syntax) and isclose(
        score.weighted_ngram_match, weighted, rel_tol=1e-12
    )
