# SPDX-License-Identifier: Apache-2.0
"""How usual a setting is: what it departs in from sacreBLEU's default, in points.

A paper's number is more often a default than not. So a setting costs nothing where it is
sacreBLEU's default, 10 to 21 points for another tool, and 10 to 19 points for each departure from
what a tool does by itself: one departure is always more usual than two. What people do to any
number costs a few points alone (`-c` of mteval; times 100). These are judgements, in one place; the
evidence is what papers and issues of these tools report (Post 2018, arXiv:1804.08771; Marie,
Fujita and Rubino 2021, arXiv:2106.15195).
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from truebleu.dialects.decisions import Dialect

#: Settings that cost more are not looked at: sacreBLEU with more than three departures, or another
#: tool with more than two.
BUDGET = 42
#: The same where n-grams beyond order 4 are needed, which take ten times as long to count; where a
#: tokenizer is a function of Python, which does too; and for the departures of a formula alone.
LONG_BUDGET, PYTHON_BUDGET, FORMULA_BUDGET = 26, 24, 28

#: Tools, the most usual first; those of one line are alike. Tools that are not here are the last.
_TOOLS = (
    ("sacrebleu",),
    ("multi-bleu", "multi-bleu-detok"),
    ("mteval-v13a", "mteval-v13a-intl"),
    ("nltk", "nltk-method1", "mteval-v14", "mteval-v14-intl"),
    ("hf-bleu", "nltk-method2", "nltk-method3", "nltk-method4"),
    ("torchmetrics", "torchmetrics-sacre", "fairseq", "tf-nmt", "tensor2tensor"),
    ("papineni-2002", "torchtext", "keras-hub", "codexglue", "nltk-method5", "nltk-method7"),
    ("moses-mert", "moses-sentence", "multeval", "compare-mt", "paddlenlp", "bleuscore", "matlab",
     "nltk-method6"),
    ("codebleu-ngram", "codebleu-weighted", "fast-bleu"),
)  # fmt: skip

#: Tokenizers before a tool that is given words.
_BEFORE = {"13a": 11, "intl": 12}
#: Tokenizers of sacreBLEU, and of what took them from it.
_OF_SACREBLEU = {"13a": 11, "intl": 12, "none": 12, "char": 14, "zh": 15}
#: Tools, by what their names begin with, whose tokenizer is fixed but for this; and those of which
#: nobody tells a number of texts that were tokenized otherwise.
_FIXED: dict[str, dict[str, int]] = {
    "mteval": {"intl-split": 13}, "multi-bleu-detok": {}, "tensor2tensor": {}, "bleuscore": {},
    "moses": {}, "codebleu": {}, "bleu-": {}, "intro-": {}, "quick-": {},
}  # fmt: skip
#: Models of sacreBLEU that are looked for in a folder of the user's.
MODELS = {"flores200": 13, "flores101": 14, "spBLEU-1K": 16}

_REF_LENS = {
    "closest": 14, "shortest": 13, "closest-first": 15, "average": 16, "longest": 16, "first": 16,
}  # fmt: skip

_SMOOTHINGS: tuple[tuple[str, float | None, int], ...] = (
    ("none", None, 11), ("exp", None, 12), ("floor", None, 13), ("add-k", None, 13),
    ("add-k-all", None, 14), ("floor", 0.01, 15), ("constant", 1e-10, 17),
)  # fmt: skip

_ORDERS = {1: 12, 2: 12, 3: 12, 4: 13, 5: 14}

MEAN_OF_SEGMENTS = 13
TRUNCATED = 12
#: Times 100, or a hundredth: done to every score.
SCALED = 2


class Departure(NamedTuple):
    """Options that are changed, and how unusual that is."""

    changes: dict[str, Any]
    points: int


NONE = Departure({}, 0)


def tool(name: str) -> int:
    """How unusual a tool is: 0 for sacreBLEU, 10 or more for others."""
    place = next((i for i, names in enumerate(_TOOLS) if name in names), len(_TOOLS) + 3)
    return 9 + place if place else 0


def tokenizations(
    row: Dialect, fitting: Iterable[str], installed: Iterable[str]
) -> list[Departure]:
    """Tokenizers that a row's users may have used.

    Args:
        row: a tool.
        fitting: tokenizers that are made for the script of the texts.
        installed: tokenizers that need a library or a model, and have it.
    """
    own = row.tokenize.tokenize
    for name, options in _FIXED.items():
        if row.name.startswith(name):
            return [NONE, *(Departure({"tokenize": o}, points) for o, points in options.items())]
    has_its_own = row.name in ("sacrebleu", "torchmetrics-sacre")
    points = dict(_OF_SACREBLEU if has_its_own else _BEFORE)
    if own != "none":
        points["none"] = 12
    if row.name.startswith("nltk"):
        points["words"] = 12  # what its users write themselves
    if row.name == "sacrebleu":
        points |= {name: MODELS[name] for name in installed if name in MODELS}
        if "zh" in fitting:
            points["zh-fixed"] = 16
    points |= dict.fromkeys(fitting, 10)
    points.pop(str(own), None)
    return [NONE, *(Departure({"tokenize": name}, cost) for name, cost in points.items())]


def cases(row: Dialect) -> list[Departure]:
    """With upper case and without."""
    if row.normalize.lowercase:  # mteval, whose -c nearly all who compare with it use
        return [NONE, Departure({"lowercase": False}, 3)]
    return [NONE, Departure({"lowercase": True}, 10)]


def reference_lengths(row: Dialect) -> list[Departure]:
    """Which reference length counts, if there are several references."""
    own = row.aggregate.ref_len
    if own == "pair" or row.count.references == "first":
        return [NONE]
    others = (name for name in _REF_LENS if name != own)
    return [NONE, *(Departure({"ref_len": name}, _REF_LENS[name]) for name in others)]


def smoothings(row: Dialect) -> list[Departure]:
    """Smoothing methods with usual values."""
    own = (row.combine.smooth_method, row.combine.effective_smooth_value())
    found = [NONE]
    for method, value, points in _SMOOTHINGS:
        changes = {"smooth_method": method, "smooth_value": value}
        changed = row.combine.replace(**changes)
        if (changed.smooth_method, changed.effective_smooth_value()) != own:
            found.append(Departure(changes, points))
    return found


def orders(row: Dialect) -> list[Departure]:
    """The longest n-grams, and one order alone or the long ones before all."""
    own = row.count.max_ngram_order
    found = [NONE]
    for order, points in _ORDERS.items():
        if order != own:
            found.append(Departure({"max_ngram_order": order}, points))
    if row.combine.weights is None and own == 4:
        for order in (2, 3, 4):
            alone = (0.0,) * (order - 1) + (1.0,)
            found.append(Departure({"weights": alone, "max_ngram_order": order}, 18))
        found.append(Departure({"weights": (0.1, 0.2, 0.3, 0.4)}, 19))
    return found


def effective_orders(row: Dialect) -> list[Departure]:
    """sacreBLEU's option: off for a corpus and on for a sentence, and the other way round."""
    if row.name != "sacrebleu":
        return [NONE]
    return [
        NONE,
        Departure({"effective_order": True}, 12),
        Departure({"sentence_effective_order": False}, 13),
    ]


#: References of which each subset is looked at; of more, all, each one, and the first ones.
_ALL_SUBSETS = 4


def subsets(references: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Which references were used, by position, with points: all, one alone, several."""
    everything = tuple(range(references))
    yield everything, 0
    if references == 1:
        return
    for i in everything:
        yield (i,), 10 if i == 0 else 11
    for size in range(references - 1, 1, -1):
        some = combinations(everything, size)
        for chosen in some if references <= _ALL_SUBSETS else [everything[:size]]:
            yield chosen, 13 if chosen == everything[:size] else 14


def combined(*choices: Iterable[Departure], budget: int) -> list[Departure]:
    """All ways to choose one of each, as one departure; those beyond the budget are left out."""
    found = [NONE]
    for several in choices:
        listed = list(several)
        found = [
            Departure({**a.changes, **b.changes}, a.points + b.points)
            for a in found
            for b in listed
            if a.points + b.points <= budget
        ]
    return found


def fitting_tokenizers(characters: Iterable[str]) -> tuple[str, ...]:
    """Tokenizers made for the script that these characters are of, if it has no blanks.

    Args:
        characters: those of the references, each as often as it occurs, or a sample.
    """
    counts = dict.fromkeys(_SCRIPTS, 0)
    total = 0
    for character in characters:
        code = ord(character)
        if code < 0x0E00:
            total += character.isalpha()
            continue
        total += 1
        for name, (_, ranges) in _SCRIPTS.items():
            counts[name] += any(low <= code <= high for low, high in ranges)
    # A tenth is enough: Japanese is half Han, Chinese news is full of Latin names.
    found = (_SCRIPTS[name][0] for name, count in counts.items() if count * 10 > total > 0)
    return next(found, ())


#: Tokenizers by script, and its blocks of Unicode. Kana come before Han, which Japanese has too.
_SCRIPTS: dict[str, tuple[tuple[str, ...], tuple[tuple[int, int], ...]]] = {
    "kana": (("char", "ja-mecab"), ((0x3040, 0x30FF), (0xFF66, 0xFF9F))),
    "hangul": (("ko-mecab", "char"), ((0x1100, 0x11FF), (0xAC00, 0xD7AF))),
    "han": (("zh", "char"), ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))),
    "thai and its neighbors": (("char",), ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))),
}  # fmt: skip
