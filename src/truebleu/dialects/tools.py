# SPDX-License-Identifier: Apache-2.0
"""The table of dialects: one row for each BLEU tool. Rows are literals; none holds code.

A row names the options in which it differs from the defaults, which are sacreBLEU's, or from the
row that it is `like`. It also says which version of the tool it reproduces, where to find the tool
(`source`), how exactly it reproduces the tool (`exact`), what users may not expect (`quirks`), and
which row does not have these quirks (`fixed`).
"""

from __future__ import annotations

# `collections.abc` would import all of `collections`, which takes more than 1 ms of each command.
from _collections_abc import Mapping

from truebleu.dialects.decisions import ABOUT, PARTS, Dialect, rebuild
from truebleu.errors import OptionError, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_LAST_BIT = "to the last bit"
_DIGITS_12 = "to 1e-12 relative: the tool adds in a different order"
#: In single precision, e^-x has a relative error of x * 6e-8, which shows for extreme penalties.
_SINGLE = "to 1e-6 relative, scores under 1e-6 to 1e-12: the tool computes in single precision"

_MOSES = "mosesdecoder@3445289, scripts/generic/"
_PYTHON_SUM = "to the last bit; from Python 3.12 on with summation=compensated"

_ROWS: dict[str, dict[str, Any]] = {
    "sacrebleu": {
        "version": "2.6.0",
        "source": "sacrebleu 2.6.0, metrics/bleu.py (Post 2018, arXiv:1804.08771)",
        "exact": _PYTHON_SUM,
        "quirks": "A perfect corpus scores 100.00000000000004. Sentence scores leave out orders "
        "for which the hypothesis is too short. With add-k smoothing, an order without n-grams "
        "counts as perfect.",
        "sentence_effective_order": True,
    },
    "papineni-2002": {
        "version": "2002",
        "source": "Papineni, Roukos, Ward and Zhu 2002, BLEU: a method for automatic evaluation of "
        "machine translation (ACL P02-1040)",
        "exact": "the formulas of the paper; with a tie, the shorter length (left open there)",
        "tokenize": "none", "strip": "none", "smooth_method": "none", "missing_order": "zero",
        "arithmetic": "weighted", "scale": 1,
    },
    # ------------------------------------------------------------------ NIST and Moses, in Perl
    "mteval-v13a": {
        "version": "13a",
        "source": _MOSES + "mteval-v13a.pl, plain text read as if it came from SGML",
        "exact": _LAST_BIT,
        "quirks": "Lowercases A to Z by default (with -c: lowercase=no). An order without "
        "n-grams counts as perfect. Without any match the score is still above 0. It crashes on an "
        "empty system.",
        "fixed": "sacrebleu",
        "strip": "none", "lowercase": True, "lowercase_rule": "ascii", "markup": "sgml",
        "whitespace": "perl", "guard": "none", "missing_order": "one", "arithmetic": "mean",
        "undefined": "empty-hyp", "scale": 1,
    },
    "mteval-v14": {
        "like": "mteval-v13a",
        "version": "14",
        "source": _MOSES + "mteval-v14.pl, plain text read as if it came from SGML",
    },
    "mteval-v13a-intl": {
        "like": "mteval-v13a",
        "source": _MOSES + "mteval-v13a.pl --international-tokenization",
        "quirks": "Like mteval-v13a, but lowercases all of Unicode; its option -e is "
        "tokenize=intl-split.",
        "tokenize": "intl", "lowercase_rule": "unicode",
    },
    "mteval-v14-intl": {
        "like": "mteval-v13a-intl",
        "version": "14",
        "source": _MOSES + "mteval-v14.pl --international-tokenization",
    },
    "multi-bleu": {
        "version": "3445289",
        "source": _MOSES + "multi-bleu.perl",
        "exact": _LAST_BIT,
        "quirks": "Reads bytes: only ASCII white space separates tokens, and -lc changes only A to "
        "Z. The score is 0 if some order has no match. It crashes on an empty system. Lines beyond "
        "the references add 9999 to their length; TrueBLEU refuses such files.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "lowercase_rule": "ascii", "whitespace": "ascii",
        "smooth_method": "none", "guard": "none", "missing_order": "zero", "arithmetic": "mean",
        "undefined": "empty-hyp",
    },
    "multi-bleu-detok": {
        "like": "multi-bleu",
        "source": _MOSES + "multi-bleu-detok.perl",
        "quirks": "Tokenizes like mteval-v13a, including entities in plain text; -lc is Perl's lc "
        "on text. The score is 0 if some order has no match. The tool drops the last character of "
        "a last line without a line feed; the row does not.",
        "tokenize": "13a", "lowercase_rule": "unicode", "whitespace": "perl",
    },
    "moses-mert": {
        "version": "3445289",
        "source": "mosesdecoder@3445289, mert/BleuScorer.cpp",
        "exact": _SINGLE,
        "quirks": "ref_len can be average (rounded down), shortest or closest.",
        "tokenize": "none", "strip": "none", "whitespace": "ascii", "smooth_method": "none",
        "guard": "any-order", "missing_order": "zero", "arithmetic": "mean", "scale": 1,
    },
    "moses-sentence": {
        "like": "moses-mert",
        "source": "mosesdecoder@3445289, mert/sentence-bleu.cpp",
        "quirks": "Adds 1 to the counts of all orders, including single words, so that no score is "
        "0, except for an empty hypothesis.",
        "smooth_method": "add-k-all", "guard": "empty-hyp",
    },
    # ------------------------------------------------------------------ NLTK
    "nltk": {
        "version": "3.10.4",
        "source": "nltk 3.10.4, translate/bleu_score.py, words split at white space",
        "exact": _LAST_BIT,
        "quirks": "Counts one n-gram of each order for which a segment is too short, so that a "
        "perfect corpus with a short segment scores less than 1. A precision of 0 becomes the "
        "smallest float (method0), and the score about 1e-78.",
        "fixed": "papineni-2002",
        "tokenize": "none", "strip": "none", "floor_totals": True, "smooth_method": "constant",
        "guard": "no-unigram", "zero_precision": "skip", "arithmetic": "weighted",
        "summation": "exact", "scale": 1,
    },
    "nltk-method1": {
        "like": "nltk", "smooth_method": "floor",
        "quirks": "epsilon is smooth_value (0.1).",
    },
    "nltk-method2": {
        "like": "nltk", "smooth_method": "add-k",
        "quirks": "Adds 1 from order 2 on, also to counts above 0.",
    },
    "nltk-method3": {
        "like": "nltk", "smooth_method": "exp",
        "quirks": "Like mteval, on counts of at least one n-gram per segment.",
    },
    "nltk-method4": {
        "like": "nltk", "smooth_method": "length",
        "quirks": "k is smooth_value (5). Unlike the paper, it uses powers of 2. A hypothesis of "
        "one word is not smoothed: its orders without a match are skipped.",
    },
    "nltk-method5": {
        "like": "nltk", "smooth_method": "average",
        "exact": "for single segments, to 1e-12 relative; for a corpus NLTK uses the 5-grams of "
        "its last segment (as truebleu.compat.nltk does), this row those of all segments",
        "quirks": "A perfect hypothesis scores 1.12. The tool always uses order 5 as the next.",
    },
    "nltk-method6": {
        "like": "nltk", "smooth_method": "interpolate",
        "exact": "for single segments, to 1e-12 relative; for a corpus NLTK counts the n-grams of "
        "its last segment (as truebleu.compat.nltk does), this row those of all segments",
        "quirks": "alpha is smooth_value (5). Refuses hypotheses without a matching trigram; they "
        "score NaN here.",
    },
    "nltk-method7": {
        "like": "nltk-method5", "smooth_method": "length-average",
        "quirks": "Method 4, then method 5.",
    },
    # ------------------------------------------------------------------ training frameworks
    "hf-bleu": {
        "version": "a7dd338",
        "source": "huggingface/evaluate@a7dd338, metrics/bleu (after TensorFlow NMT)",
        "exact": _PYTHON_SUM,
        "quirks": "Compares with the shortest reference. Divides by zero if the hypotheses or the "
        "references are empty. smooth=True is smooth_method=add-k-all: it also adds 1 to single "
        "words.",
        "fixed": "sacrebleu",
        "strip": "none", "smooth_method": "none", "guard": "none", "missing_order": "zero",
        "ref_len": "shortest", "arithmetic": "weighted", "brevity": "ratio",
        "undefined": "empty-either", "scale": 1,
    },
    "tf-nmt": {
        "like": "hf-bleu",
        "version": "0be8642",
        "source": "tensorflow/nmt@0be8642, nmt/scripts/bleu.py and evaluation_utils.py",
        "quirks": "Splits at every single space. Compares with the shortest reference.",
        "tokenize": "space", "strip": "none", "scale": 100,
    },
    "codexglue": {
        "like": "hf-bleu",
        "version": "ac74a62",
        "source": "microsoft/CodeXGLUE@ac74a62, code-to-code-trans/evaluator/bleu.py",
        "quirks": "Adds 1 to the counts of all orders. Prints two decimals.",
        "tokenize": "none", "smooth_method": "add-k-all", "scale": 100,
    },
    "bleuscore": {
        "like": "hf-bleu",
        "version": "0.2.0",
        "source": "bleuscore 0.2.0 (Rust), its default reference length",
        "quirks": "Like hf-bleu, but 0 for empty hypotheses and no penalty with empty references.",
        "exact": "to 1e-12 relative: its logarithms are Rust's",
        "whitespace": "perl",
        "undefined": "never",
    },
    "keras-hub": {
        "like": "hf-bleu",
        "version": "0.32.0",
        "source": "keras-hub 0.32.0, src/metrics/bleu.py",
        "exact": _SINGLE + "; its RE2 patterns treat line ends differently from 13a",
        "precision": "single",
    },
    "tensor2tensor": {
        "version": "1.15.7",
        "source": "tensor2tensor 1.15.7, utils/bleu_hook.py",
        "exact": "to the last bit of its single precision",
        "quirks": "Lowercases by default. Uses only the first reference. An order without "
        "n-grams counts as perfect. Digits are those of Python's \\d.",
        "fixed": "sacrebleu",
        "tokenize": "t2t", "lowercase": True, "strip": "none", "references": "first",
        "ref_len": "first", "guard": "empty-hyp", "missing_order": "one", "arithmetic": "mean",
        "brevity": "ratio", "precision": "single", "scale": 1,
    },
    "torchmetrics": {
        "version": "1.9.0",
        "source": "torchmetrics 1.9.0, functional/text/bleu.py",
        "exact": _SINGLE,
        "quirks": "0 if some order has no match, even with smooth=True (smooth_method=add-k). "
        "With equally close references, the first counts.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "smooth_method": "none", "guard": "any-order",
        "missing_order": "zero", "ref_len": "closest-first", "arithmetic": "weighted",
        "precision": "single", "scale": 1,
    },
    "torchmetrics-sacre": {
        "like": "torchmetrics",
        "source": "torchmetrics 1.9.0, functional/text/sacre_bleu.py",
        "quirks": "sacreBLEU's tokenizers without its smoothing: 0 if some order has no match. "
        "Lowercases after tokenizing. With equally close references, the first counts.",
        "tokenize": "13a", "lowercase_when": "after",
    },
    "torchtext": {
        "like": "torchmetrics",
        "version": "0.18.0",
        "source": "torchtext 0.18.0, data/metrics.py",
        "quirks": "0 if some order has no match. With equally close references, the first counts.",
    },
    "fairseq": {
        "version": "3d262bb2",
        "source": "facebookresearch/fairseq@3d262bb2, scoring/bleu.py and clib/libbleu",
        "exact": "to the last bit, except for empty lines: there the end of sentence is a token",
        "quirks": "Uses only the first reference.",
        "tokenize": "none", "references": "first", "ref_len": "first", "smooth_method": "none",
        "guard": "none", "missing_order": "zero", "arithmetic": "mean",
    },
    "paddlenlp": {
        "version": "2.8.1",
        "source": "paddlenlp 2.8.1, metrics/bleu.py",
        "exact": _LAST_BIT,
        "quirks": "A precision of 0 becomes the smallest float, and the score about 1e-78. Divides "
        "by zero if the hypotheses are empty.",
        "fixed": "papineni-2002",
        "tokenize": "none", "strip": "none", "smooth_method": "constant", "guard": "none",
        "missing_order": "zero", "arithmetic": "weighted", "summation": "exact",
        "undefined": "empty-hyp", "scale": 1,
    },
    # ------------------------------------------------------------------ other tools
    "matlab": {
        "version": "R2024b",
        "source": "MathWorks Text Analytics Toolbox, bleuEvaluationScore (its documentation)",
        "exact": "to its documentation; with a tie, the shorter length (left open there)",
        "quirks": "0 if the candidate has fewer words than there are weights. NaN if everything is "
        "empty. IgnoreCase is lowercase; NgramWeights is weights, scaled to sum to 1.",
        "tokenize": "none", "strip": "none", "smooth_method": "none", "guard": "short-hyp",
        "missing_order": "zero", "arithmetic": "mean", "undefined": "empty-both", "scale": 1,
    },
    "multeval": {
        "version": "bd93ed1",
        "source": "jhclark/multeval@bd93ed1, src/jbleu/JBLEU.java",
        "exact": _DIGITS_12,
        "quirks": "An order without n-grams counts as perfect, and so does an empty hypothesis "
        "with an empty reference. Without any match the score is still above 0.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "guard": "none", "missing_order": "one",
        "arithmetic": "mean", "scale": 1,
    },
    "compare-mt": {
        "version": "0.2.10",
        "source": "neulab/compare-mt 0.2.10, scorers.py (BleuScorer)",
        "exact": _DIGITS_12,
        "quirks": "An order without a match counts as perfect. Uses only the first reference. "
        "Counts one n-gram of each order for which a segment is too short.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "references": "first", "ref_len": "first",
        "floor_totals": True, "smooth_method": "none", "guard": "no-unigram",
        "zero_precision": "skip", "arithmetic": "weighted",
    },
    "fast-bleu": {
        "like": "nltk-method1",
        "version": "182584a",
        "source": "Danial-Alh/fast-bleu@182584a, cpp_sources/sources/bleu.cpp",
        "exact": "for single segments, to 1e-6 relative: its weights are in single precision",
        "quirks": "NLTK's method 1 for each hypothesis with all references. In the tool, words "
        "that contain a space collide.",
    },
    "codebleu-ngram": {
        "like": "nltk-method1",
        "version": "0.7.0",
        "source": "codebleu 0.7.0, bleu.py (the n-gram match of CodeBLEU, Ren et al. 2020)",
        "quirks": "A fork of NLTK that always smooths by method 1.",
        "strip": "right",
    },
    "codebleu-weighted": {
        "like": "codebleu-ngram",
        "source": "codebleu 0.7.0, weighted_ngram_match.py, for Python; other languages have other "
        "keywords",
        "exact": "to 1e-12 relative: the tool adds fifths as floats",
        "quirks": "Recall, not precision: the n-grams of all references are summed. Keywords weigh "
        "five times as much as other words. Every reference counts as 2 words long, so there is no "
        "brevity penalty.",
        "fixed": "codebleu-ngram",
        "measure": "recall", "ref_len": "pair",
        "keywords": (
            "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
            "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
            "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
            "return", "try", "while", "with", "yield", "match", "case", "type",
        ),
    },
    # ------------------------------------------------------------------ tutorials
    "bleu-from-scratch": {
        "like": "papineni-2002",
        "version": "2020",
        "source": "Jake Tae, BLEU from scratch, https://jaketae.github.io/study/bleu/, by its "
        "text",
        "exact": "the worked numbers of the tutorial",
        "lowercase": True,
    },
    "bleu-from-scratch-as-coded": {
        "like": "bleu-from-scratch",
        "source": "Jake Tae, BLEU from scratch, https://jaketae.github.io/study/bleu/, by its "
        "code",
        "quirks": "Measures the candidate in characters, so that almost none is too short.",
        "fixed": "bleu-from-scratch",
        "length_unit": "characters",
    },
    "intro-to-bleu": {
        "version": "2019",
        "source": "Arie Pratama Sutiono, Introduction to BLEU in Python, "
        "https://ariepratama.github.io/Introduction-to-BLEU-in-python/",
        "exact": "the worked numbers of the tutorial",
        "quirks": "Skips orders without a match, as NLTK did before 3.2: `it it it it it it it` "
        "scores 0.61. With equally close references, the first counts.",
        "fixed": "papineni-2002",
        "tokenize": "none", "strip": "none", "floor_totals": True, "smooth_method": "none",
        "guard": "empty-hyp", "zero_precision": "skip", "ref_len": "closest-first",
        "arithmetic": "weighted", "scale": 1,
    },
    "quick-overview": {
        "version": "2023",
        "source": "the tutorial BLEU: a quick overview, by its text",
        "exact": "the worked numbers of the tutorial",
        "quirks": "Words are runs of letters and digits. A precision of 0 becomes 1e-10.",
        "tokenize": "words", "lowercase": True, "strip": "none", "smooth_method": "constant",
        "smooth_value": 1e-10, "guard": "none", "missing_order": "zero", "arithmetic": "mean",
        "scale": 1,
    },
    "quick-overview-as-coded": {
        "like": "quick-overview",
        "source": "the tutorial BLEU: a quick overview, by its Python code",
        "quirks": "The brevity penalty is inverted: shorter hypotheses score higher.",
        "fixed": "quick-overview",
        "brevity": "inverted",
    },
    "bleu-star": {
        "version": "naive",
        "source": "the naive BLEU* of lectures: clipped precision of single words, nothing else",
        "exact": "the worked numbers of the tutorial",
        "quirks": "No longer n-grams, no brevity penalty.",
        "fixed": "papineni-2002",
        "tokenize": "none", "strip": "none", "max_ngram_order": 1, "smooth_method": "none",
        "brevity": "none", "arithmetic": "mean", "scale": 1,
    },
}  # fmt: skip


class _Table(Mapping[str, Dialect]):
    """Dialects by name, each made on first use: making all would take a command 3 ms."""

    def __init__(self) -> None:
        self._made: dict[str, Dialect] = {}

    def __getitem__(self, name: str) -> Dialect:
        if name not in self._made:
            row = {**_ROWS[name]}
            while "like" in row:
                row = {**_ROWS[row.pop("like")], **row}
            parts = [
                part(**{o.name: row[o.name] for o in part.options if o.name in row})
                for part in PARTS
            ]
            self._made[name] = rebuild(parts, name, {key: row.get(key, "") for key in ABOUT})
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)

    def __contains__(self, name: object) -> bool:
        return name in _ROWS


#: All dialects by name.
DIALECTS: Mapping[str, Dialect] = _Table()


def dialect(name: str | Dialect, **changes: Any) -> Dialect:
    """The dialect with this name, with options changed.

    Raises:
        OptionError: the dialect or an option does not exist, or cannot have its value.

    Example:
        >>> from truebleu import dialect
        >>> dialect("sacrebleu", smooth_method="floor").combine.smooth_method
        'floor'
    """
    if isinstance(name, Dialect):
        row = name
    elif isinstance(name, str) and name in DIALECTS:
        row = DIALECTS[name]
    elif hasattr(name, "higher_is_better"):
        raise OptionError("a metric is not a dialect; pass it as metric= to functions that have it")
    else:
        raise OptionError(f"no dialect is named {suggest(name, DIALECTS)}")
    return row.replace(**changes) if changes else row
