# SPDX-License-Identifier: Apache-2.0
"""Penalty points: how uncommon a setting is, compared with sacreBLEU's default.

Most reported numbers come from defaults. sacreBLEU's default has 0 points, another tool 10 to 24,
and each change from a tool's default 10 to 19, so that one change always ranks before two. Changes
that are made to every score (`-c` of mteval; times 100) cost a few points. These are judgments, in
one place; the evidence is what papers and issues of these tools report (Post 2018,
arXiv:1804.08771; Marie, Fujita and Rubino 2021, arXiv:2106.15195), and how often public code uses
them (`Dialect.seen`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from truebleu.dialects.decisions import Dialect

#: Settings with more points are not tried: sacreBLEU with more than three changes, or another tool
#: with more than two.
BUDGET = 42
#: The limit for changed texts and for other metrics than BLEU.
CHANGED_BUDGET = 24
#: The limit for n-grams beyond order 4 and for tokenizers in Python, which both take ten times as
#: long to count, and for the changes of a formula alone.
LONG_BUDGET, PYTHON_BUDGET, FORMULA_BUDGET = 26, 24, 28

#: Tools, the most common first; those on one line are equally common. All others come last.
_TOOLS = (
    ("sacrebleu",),
    ("multi-bleu", "multi-bleu-detok", "nltk"),
    ("mteval-v13a", "mteval-v13a-intl"),
    ("nltk-method1", "mteval-v14", "mteval-v14-intl"),
    ("hf-bleu", "nltk-method2", "nltk-method3", "nltk-method4"),
    ("torchmetrics", "torchmetrics-sacre", "fairseq", "tf-nmt", "tensor2tensor"),
    ("papineni-2002", "torchtext", "keras-hub", "codexglue", "nltk-method5", "nltk-method7"),
    ("moses-mert", "moses-sentence", "multeval", "compare-mt", "paddlenlp", "bleuscore", "matlab",
     "nltk-method6"),
    ("codebleu-ngram", "codebleu-weighted", "fast-bleu", "coco-caption", "code-summary"),
)  # fmt: skip

#: Tokenizers applied before a tool that expects tokenized text.
_BEFORE = {"13a": 11, "intl": 12}
#: Tokenizers of sacreBLEU and of tools that copied them.
_OF_SACREBLEU = {"13a": 11, "intl": 12, "none": 12, "char": 14, "zh": 15}
#: Tools, by the start of their names, with a fixed tokenizer except for these options; and tools
#: for which nobody reports scores with other tokenizers.
_FIXED: dict[str, dict[str, int]] = {
    "mteval": {"intl-split": 13}, "multi-bleu-detok": {}, "tensor2tensor": {}, "bleuscore": {},
    "moses": {}, "codebleu": {}, "bleu-": {}, "intro-": {}, "quick-": {}, "bleualign": {},
    "cdec-cbleu": {},
}  # fmt: skip
#: SentencePiece models of sacreBLEU, if they are in the user's folder.
MODELS = {"flores200": 13, "flores101": 14, "spBLEU-1K": 16}

_REF_LENS = {
    "closest": 14, "shortest": 13, "closest-first": 15, "average": 16, "longest": 16, "first": 16,
}  # fmt: skip

_SMOOTHINGS: tuple[tuple[str, float | None, int], ...] = (
    ("none", None, 11), ("exp", None, 12), ("floor", None, 13), ("add-k", None, 13),
    ("add-k-all", None, 14), ("floor", 0.01, 15), ("constant", 1e-10, 17),
)  # fmt: skip

_ORDERS = {1: 12, 2: 12, 3: 12, 4: 13, 5: 14}

#: The mean of segment scores; of NLTK's, whose `sentence_bleu` is often averaged.
MEAN_OF_SEGMENTS, MEAN_OF_NLTK = 13, 10
TRUNCATED = 12
#: Times 100 or divided by 100.
SCALED = 2


@dataclass(frozen=True, slots=True)
class Change:
    """Changed options with their penalty points."""

    options: dict[str, Any]
    points: int


NO_CHANGE = Change({}, 0)


def values_of(option: str, points: Mapping[Any, int]) -> list[Change]:
    """No change, and each of these values of an option with its points."""
    return [NO_CHANGE, *(Change({option: value}, cost) for value, cost in points.items())]


#: Another metric than BLEU.
METRIC = 10
#: Values of options of other metrics with their points.
OPTIONS: dict[str, dict[str, dict[Any, int]]] = {
    "chrf": {
        "word_order": {2: 5, 1: 13},
        "beta": {3.0: 12, 1.0: 13},
        "lowercase": {True: 10},
        "whitespace": {True: 12},
        "eps_smoothing": {True: 12},
    },
    "ter": {
        "case_sensitive": {True: 10},
        "normalized": {True: 11},
        "no_punct": {True: 12},
        "asian_support": {True: 13},
    },
}


def tool(name: str) -> int:
    """The points of a tool: 0 for sacreBLEU, 10 or more for others."""
    place = next((i for i, names in enumerate(_TOOLS) if name in names), len(_TOOLS) + 6)
    return 9 + place if place else 0


def tokenizations(row: Dialect, fitting: Iterable[str], installed: Iterable[str]) -> list[Change]:
    """Tokenizers that users of a tool may have used.

    Args:
        row: the tool.
        fitting: tokenizers made for the script of the texts.
        installed: installed tokenizers of those that need a library or a model.
    """
    own = row.tokenize.tokenize
    for name, options in _FIXED.items():
        if row.name.startswith(name):
            return values_of("tokenize", options)
    points = dict(_OF_SACREBLEU if row.name in ("sacrebleu", "torchmetrics-sacre") else _BEFORE)
    if own != "none":
        points["none"] = 12
    if row.name.startswith("nltk"):
        points["words"] = 12  # written by users themselves
    if row.name == "sacrebleu":
        points |= {name: MODELS[name] for name in installed if name in MODELS}
        if "zh" in fitting:
            points["zh-fixed"] = 16
    points |= dict.fromkeys(fitting, 10)
    points.pop(str(own), None)
    return values_of("tokenize", points)


def cases(row: Dialect) -> list[Change]:
    """Cased and lowercased text."""
    # Most people run mteval, which lowercases, with -c.
    return values_of("lowercase", {False: 3} if row.normalize.lowercase else {True: 10})


def reference_lengths(row: Dialect) -> list[Change]:
    """Rules for the reference length with several references."""
    own = row.aggregate.ref_len
    if own == "pair" or row.count.references == "first":
        return [NO_CHANGE]
    return values_of("ref_len", {name: points for name, points in _REF_LENS.items() if name != own})


def smoothings(row: Dialect) -> list[Change]:
    """Smoothing methods with common values."""
    own = (row.combine.smooth_method, row.combine.effective_smooth_value())
    changes = [NO_CHANGE]
    for method, value, points in _SMOOTHINGS:
        options = {"smooth_method": method, "smooth_value": value}
        combine = row.combine.replace(**options)
        if (combine.smooth_method, combine.effective_smooth_value()) != own:
            changes.append(Change(options, points))
    return changes


def orders(row: Dialect) -> list[Change]:
    """Highest orders, single orders, and weights that rise with the order."""
    if row.combine.weights or row.combine.cumulative_weights:
        return [NO_CHANGE]
    own = row.count.max_ngram_order
    changes = values_of("max_ngram_order", {order: points for order, points in _ORDERS.items() if order != own})
    if own == 4:
        for order in (2, 3, 4):
            alone = (0.0,) * (order - 1) + (1.0,)
            changes.append(Change({"weights": alone, "max_ngram_order": order}, 18))
        changes.append(Change({"weights": (0.1, 0.2, 0.3, 0.4)}, 19))
    return changes


def effective_orders(row: Dialect) -> list[Change]:
    """Effective orders that differ from sacreBLEU's default: off for corpora, on for sentences."""
    if row.name != "sacrebleu":
        return [NO_CHANGE]
    return [*values_of("effective_order", {True: 12}), Change({"sentence_effective_order": False}, 13)]


def singles(row: Dialect) -> list[Change]:
    """All changes of one option, whatever the texts are."""
    fitting = [name for _, names in _SCRIPTS for name in names]
    kinds = (tokenizations(row, fitting, MODELS), cases(row), reference_lengths(row),
             smoothings(row), effective_orders(row), orders(row))  # fmt: skip
    return [change for changes in kinds for change in changes if change.options]


#: All subsets of up to this many references are tried; of more, all, each one, and the first ones.
_ALL_SUBSETS = 4


def subsets(references: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Subsets of the references, as positions, with their points."""
    everything = tuple(range(references))
    yield everything, 0
    for i in everything if references > 1 else ():
        yield (i,), 10 if i == 0 else 11
    for size in range(references - 1, 1, -1):
        for subset in combinations(everything, size) if references <= _ALL_SUBSETS else [everything[:size]]:
            yield subset, 13 if subset == everything[:size] else 14


def all_combinations(*choices: Iterable[Change], budget: int) -> list[Change]:
    """One change for each way to choose one of each kind, within the budget."""
    combined = [NO_CHANGE]
    for several in choices:
        pairs = product(combined, several)
        combined = [
            Change({**a.options, **b.options}, a.points + b.points) for a, b in pairs if a.points + b.points <= budget
        ]
    return combined


def fitting_tokenizers(characters: str) -> tuple[str, ...]:
    """Tokenizers made for the script of these characters, if it does not separate words.

    Args:
        characters: a sample of the references.
    """
    total = sum(character.isalpha() or character >= "\u0e00" for character in characters)
    # A tenth is enough: Japanese is half Han, and Chinese news contains many Latin names.
    for block, names in _SCRIPTS:
        if len(re.findall(block, characters)) * 10 > total > 0:
            return names
    return ()


#: Unicode blocks of scripts and their tokenizers. Kana come before Han, because Japanese uses both.
_SCRIPTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("[\u3040-\u30ff\uff66-\uff9f]", ("char", "ja-mecab")),
    ("[\u1100-\u11ff\uac00-\ud7a3]", ("ko-mecab", "char")),
    ("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]", ("zh", "char")),
    ("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]", ("char",)),  # Thai and its neighbors
)
