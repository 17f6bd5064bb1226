# SPDX-License-Identifier: Apache-2.0
"""CodeBLEU against codebleu: functions of Python's standard library, and edits of them.

Without data flow, which codebleu itself extracts in both.
"""

import ast
import inspect
import random
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from math import isclose
from typing import Any

from results import Row, race
from timing import Contender

import truebleu as tb

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


def edited(text: str, rng: random.Random) -> str:
    """The text without some lines, and with some words exchanged."""
    lines = [line for line in text.split("\n") if rng.random() < 0.9]
    words = " ".join(lines).split()
    one, two = rng.choice(words or ["x"]), rng.choice(words or ["x"])
    return "\n".join(lines).replace(one, two)


def codebleu_parts(*, quick: bool) -> Iterator[Row]:
    """n-gram, weighted n-gram and syntax match of CodeBLEU; skipped without codebleu."""
    if find_spec("codebleu") is None or find_spec("tree_sitter_python") is None:
        print("skipped: needs codebleu and tree-sitter-python (pip install 'truebleu[code]')")
        return
    from codebleu import bleu, syntax_match, weighted_ngram_match

    rng = random.Random(0)
    refs = rng.sample(functions(), 200 if quick else 1_000)
    hyps = [edited(ref, rng) for ref in refs]
    several = [[ref.strip()] for ref in refs]
    stripped = [hyp.strip() for hyp in hyps]
    keywords = set(tb.BLEU("codebleu-weighted").dialect.count.keywords)
    peer = f"codebleu {version('codebleu')}"

    def ngrams() -> tuple[float, float]:
        words = [hyp.split() for hyp in stripped]
        lists = [[ref.split() for ref in row] for row in several]
        weighted = [
            [[ref, {word: 1 if word in keywords else 0.2 for word in ref}] for ref in row]
            for row in lists
        ]
        return bleu.corpus_bleu(lists, words), weighted_ngram_match.corpus_bleu(weighted, words)

    def syntax() -> float:
        return float(syntax_match.corpus_syntax_match(several, stripped, "python"))

    def forget(metric: Any) -> None:
        if metric._syntax is not None:
            metric._syntax.forget()

    rounds = 3 if quick else 5
    for what, weights, theirs in (
        ("n-grams", (0.5, 0.5, 0, 0), lambda: (*ngrams(), None)),
        ("n-grams, syntax", (0.3, 0.3, 0.4, 0), lambda: (*ngrams(), syntax())),
    ):
        metric = tb.CodeBLEU("python", weights=weights, threads=1)
        ours = Contender(
            what,
            lambda metric=metric: metric.corpus(hyps, refs),
            lambda metric=metric: forget(metric),
        )
        yield race("codebleu", "functions", len(hyps), ours, Contender(peer, theirs), rounds, equal)


def equal(score: Any, theirs: tuple[float, float, float | None]) -> bool:
    """Whether the parts are equal: codebleu adds weights of 0.2 as floats."""
    ngram, weighted, syntax = theirs
    return (score.ngram_match, score.syntax_match) == (ngram, syntax) and isclose(
        score.weighted_ngram_match, weighted, rel_tol=1e-12
    )
