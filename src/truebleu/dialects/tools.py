# SPDX-License-Identifier: Apache-2.0
"""The table of dialects: one row for each BLEU tool. Rows are literals; none holds code.

A row names the options in which it differs from the defaults, which are sacreBLEU's, or from the
row that it is `like`. It also says which version of the tool it reproduces, where to find the tool
(`source`), who uses it (`users`), how often it was met in public code (`seen`), how exactly it
reproduces the tool (`exact`), what users may not expect (`quirks`), and which row does not have
these quirks (`fixed`).
"""

from __future__ import annotations

# `collections.abc` would import all of `collections`, which takes more than 1 ms of each command.
from _collections_abc import Mapping

from truebleu.dialects.decisions import (
    ABOUT,
    EACH_CHARACTER,
    PARTS,
    RULES_OF_13A,
    WORDS_AND_MARKS,
    Dialect,
)
from truebleu.dialects.keywords import KEYWORDS
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Unpack

    from truebleu.dialects.changes import BLEUChanges

_LAST_BIT = "to the last bit"
_DIGITS_12 = "to 1e-12 relative: the tool adds in a different order"
#: In single precision, e^-x has a relative error of x * 6e-8, which shows for extreme penalties.
_SINGLE = "to 1e-6 relative, scores under 1e-6 to 1e-12: the tool computes in single precision"

_DTRAIN = "for single segments whose reference has 4 words or more, "
_TO_SOURCE = "to its source, which was not run"
_MOSES = "mosesdecoder@3445289, scripts/generic/"
_PYTHON_SUM = "to the last bit; from Python 3.12 on with summation=compensated"

_ROWS: dict[str, dict[str, Any]] = {
    "sacrebleu": {
        "version": "2.6.0",
        "users": "machine translation papers, WMT, most toolkits",
        "seen": "16 of 71 sampled uses; PyPI rank 2,261",
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
        "users": "NIST and WMT evaluations, papers from 2009 on",
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
        "users": "papers on neural translation up to 2018",
        "seen": "7 of 80 sampled repositories",
        "source": _MOSES + "multi-bleu.perl",
        "exact": _LAST_BIT,
        "quirks": "Reads bytes: only ASCII white space separates tokens, and -lc changes only A to "
        "Z. The score is 0 if some order has no match. It crashes if only the system is "
        "empty; if the references are, too, it prints BLEU = 0 and exits with 1. Lines beyond the "
        "references add 9999 to their length; TrueBLEU refuses such files.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "lowercase_rule": "ascii", "whitespace": "ascii",
        "smooth_method": "none", "guard": "none", "missing_order": "zero", "arithmetic": "mean",
        "undefined": "empty-hyp-only",
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
        "users": "dialogue, captions, code and course work",
        "seen": "27 of 71 sampled uses; PyPI rank 457",
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
        "users": "Hugging Face's datasets and evaluate",
        "seen": "with tf-nmt, 17 of 80 sampled repositories",
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
        "users": "code translation",
        "seen": "with other copies, 2 of 71 sampled uses",
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
        "users": "PyTorch training loops",
        "seen": "2 of 71 sampled uses",
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
        "users": "PyTorch training loops",
        "seen": "1 of 71 sampled uses",
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
    # ------------------------------------------------------------------ statistical translation
    "mteval-v11b": {
        "like": "mteval-v13a",
        "version": "11b",
        "source": _MOSES + "mteval-v11b.pl, plain text read as if it came from SGML",
        "users": "papers before 2009; mteval-v12 computes the same",
        "quirks": "Compares with the shortest reference. No smoothing: 0 if some order has no "
        "match. Lowercases A to Z by default.",
        "ref_len": "shortest", "smooth_method": "none", "guard": "any-order",
        "missing_order": "zero",
    },
    "moses-bleu-py": {
        "version": "f3bb543",
        "source": "CS295k/MILK_eval@f3bb5436, bleu.py (Chiang 2006, an early script of Moses)",
        "users": "copies in papers on generation and parsing",
        "seen": "2 of 150 sampled repositories",
        "exact": _DIGITS_12 + ". Entities stay as they are; the row undoes them",
        "quirks": "Compares with the shortest reference. 0 if some order has no match. Most copies "
        "lowercase.",
        "fixed": "sacrebleu",
        "strip": "none", "smooth_method": "none", "guard": "any-order", "missing_order": "zero",
        "ref_len": "shortest", "arithmetic": "mean", "scale": 1,
    },
    "moses-bsbleu": {
        "like": "papineni-2002",
        "version": "3445289",
        "source": _MOSES + "bsbleu.py",
        "users": "Moses, for confidence intervals",
        "exact": _DIGITS_12 + ". Where an order has no match, the tool crashes and the row is 0",
        "quirks": "Crashes if some order has no match.",
        "arithmetic": "mean", "scale": 100,
    },
    "odashi-mteval": {
        "like": "papineni-2002",
        "version": "f27baca",
        "source": "odashi/mteval@f27baca5, mteval/BLEUEvaluator.cc",
        "users": "NAIST and its toolkits",
        "exact": _DIGITS_12,
        "quirks": "Uses only the first reference. Its option smooth is smooth_method=add-k.",
        "references": "first", "ref_len": "first", "guard": "no-unigram", "arithmetic": "mean",
    },
    "cdec-ibm": {
        "version": "f7c4899",
        "source": "redpony/cdec@f7c4899b, mteval/ns.cc, IBM_BLEU",
        "users": "cdec (fast_score, MERT, MIRA)",
        "exact": _SINGLE,
        "quirks": "An order without a match counts 0.01 matches, and an order without n-grams is "
        "left out, so that no score is 0. With equally close references, the first counts.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "smooth_method": "floor", "smooth_value": 0.01,
        "guard": "none", "effective_order": True, "sentence_effective_order": True,
        "ref_len": "closest-first", "arithmetic": "mean", "undefined": "empty-hyp",
        "precision": "single", "scale": 1,
    },
    "cdec-nist": {
        "like": "cdec-ibm",
        "source": "redpony/cdec@f7c4899b, mteval/ns.cc, NIST_BLEU",
        "quirks": "Like cdec-ibm, but compares with the shortest reference.",
        "ref_len": "shortest",
    },
    "cdec-koehn": {
        "like": "cdec-ibm",
        "source": "redpony/cdec@f7c4899b, mteval/ns.cc, KOEHN_BLEU",
        "exact": _SINGLE + "; where the average length of the references is a whole number",
        "quirks": "Like cdec-ibm, but compares with the average length, which is rounded down "
        "here.",
        "ref_len": "average",
    },
    "cdec-cbleu": {
        "like": "cdec-ibm",
        "source": "redpony/cdec@f7c4899b, mteval/ns.cc, CBLEU",
        "exact": "to 1e-6 relative, where words are separated by single spaces",
        "quirks": "Like cdec-ibm, on characters with the spaces between words, up to order 5.",
        "tokenize": EACH_CHARACTER, "max_ngram_order": 5,
    },
    "dtrain": {
        "like": "odashi-mteval",
        "version": "f7c4899",
        "source": "redpony/cdec@f7c4899b, training/dtrain/score.cc, BleuScorer",
        "users": "cdec (dtrain)",
        "exact": _DTRAIN + _LAST_BIT,
        "quirks": "Uses only the first reference. 0 if some order has no match.",
    },
    "dtrain-stupid": {
        "like": "dtrain",
        "source": "redpony/cdec@f7c4899b, training/dtrain/score.cc, StupidBleuScorer",
        "quirks": "Uses only the first reference. Adds 1 from order 2 on (Lin and Och 2004).",
        "smooth_method": "add-k",
    },
    "dtrain-fixed-stupid": {
        "like": "dtrain-stupid",
        "source": "redpony/cdec@f7c4899b, training/dtrain/score.cc, FixedStupidBleuScorer",
        "quirks": "Uses only the first reference. Adds 1 from order 2 on, and to the reference "
        "length (Nakov et al. 2012).",
        "add_lengths": (0, 1),
    },
    "travatar": {
        "like": "odashi-mteval",
        "version": "fa63412",
        "source": "neubig/travatar@fa634129, lib/eval-measure-bleu.cc",
        "users": "Travatar; lamtram has a copy",
        "exact": _TO_SOURCE,
        "quirks": "Uses only the first reference. Its option smooth is smooth_method=add-k.",
    },
    "thot": {
        "like": "multi-bleu",
        "version": "6ba76a1",
        "source": "daormar/thot@6ba76a1c, stack_dec/bleu.cc (thot_calc_bleu)",
        "users": "Thot and interactive translation",
        "exact": _SINGLE,
        "quirks": "Uses only the first reference. 0 if some order has no match.",
        "whitespace": "perl", "references": "first", "ref_len": "first", "undefined": "never",
        "precision": "single", "scale": 1,
    },
    "thot-mira": {
        "like": "thot",
        "source": "daormar/thot@6ba76a1c, stack_dec/MiraBleu.cc",
        "users": "Thot (MIRA)",
        "exact": "for single segments, " + _LAST_BIT,
        "quirks": "Uses only the first reference. Adds 1 to all counts and to both lengths.",
        "smooth_method": "add-k-all", "add_lengths": (1, 1), "precision": "double",
    },
    "srilm": {
        "like": "odashi-mteval",
        "version": "8fc15e2",
        "source": "SRILM, lm/src/Bleu.cc (BitSpeech/SRILM@8fc15e2a)",
        "users": "SRILM (nbest-optimize)",
        "exact": _LAST_BIT,
        "quirks": "Uses only the first reference. An order without n-grams counts as perfect.",
        "guard": "none", "missing_order": "one",
    },
    "joshua": {
        "like": "multeval",
        "version": "716cc81",
        "source": "apache/joshua@716cc81a, metrics/BLEU.java (Z-MERT)",
        "users": "Joshua",
        "exact": "for single segments, or where each order has a match, " + _LAST_BIT,
        "quirks": "An order without n-grams counts as perfect. Smooths an order without a match by "
        "the tokens of the corpus instead of its n-grams.",
    },
    "joshua-sentence": {
        "like": "joshua",
        "source": "apache/joshua@716cc81a, decoder/BLEU.java",
        "exact": "for single segments and references of one length, to 1e-6 relative: the tool "
        "computes in single precision",
        "quirks": "An order without n-grams counts as perfect. Compares with the average length, "
        "which is rounded down here.",
        "ref_len": "average", "undefined": "empty-either", "precision": "single",
    },
    "phrasal": {
        "like": "moses-mert",
        "version": "be69585",
        "source": "stanfordnlp/phrasal@be69585b, metrics/BLEUMetric.java, on tokens",
        "users": "Stanford Phrasal",
        "exact": _TO_SOURCE,
        "quirks": "0 if some order has no match. With equally close references, the first counts. "
        "A test set of one segment is smoothed, as by phrasal-smooth.",
        "whitespace": "python", "ref_len": "closest-first", "scale": 100, "precision": "double",
    },
    "phrasal-smooth": {
        "like": "phrasal",
        "source": "stanfordnlp/phrasal@be69585b, metrics/BLEUMetric.java -smooth, on tokens",
        "quirks": "The mean of segment scores. Adds 1 from order 2 on. With equally close "
        "references, the first counts.",
        "join": "mean", "smooth_method": "add-k", "guard": "no-unigram",
    },
    "phrasal-nakov": {
        "like": "phrasal-smooth",
        "source": "stanfordnlp/phrasal@be69585b, metrics/BLEUMetric.java, computeLocalSmoothScore "
        "with Nakov's extension, on tokens",
        "quirks": "The mean of segment scores. Adds 1 to the counts of all orders and to the "
        "reference length (Nakov et al. 2012).",
        "smooth_method": "add-k-all", "guard": "empty-hyp", "add_lengths": (0, 1),
    },
    "mt-compareval": {
        "version": "ad33ed8",
        "source": "ondrejklejch/MT-ComparEval@ad33ed8c, libs/Metrics",
        "users": "MT-ComparEval",
        "exact": _TO_SOURCE,
        "quirks": "An order without n-grams counts as perfect. Uses only the first reference.",
        "fixed": "sacrebleu",
        "tokenize": "none", "strip": "none", "references": "first", "ref_len": "first",
        "guard": "no-unigram", "missing_order": "one", "arithmetic": "mean",
    },
    # ------------------------------------------------------------------ training frameworks
    "mindspore": {
        "like": "torchmetrics",
        "version": "0f6ce6c",
        "source": "mindspore-ai/mindspore@0f6ce6c5, nn/metrics/bleu_score.py",
        "users": "MindSpore (nn.BleuScore)",
        "seen": "1 of 71 sampled uses gives its number",
        "exact": _TO_SOURCE,
        "quirks": "0 if some order has no match, even with smooth=True "
        "(smooth_method=add-k-all). With equally close references, the first counts.",
        "precision": "double",
    },
    "allennlp": {
        "version": "2.10.1",
        "source": "allennlp 2.10.1, training/metrics/bleu.py",
        "users": "AllenNLP; PyPI rank 13,122",
        "exact": _DIGITS_12,
        "quirks": "Uses only the first reference. Adds 1e-13 to all counts, so that an order "
        "without n-grams is perfect and no match scores about 1e-13, not 0.",
        "fixed": "papineni-2002",
        "tokenize": "none", "strip": "none", "references": "first", "ref_len": "first",
        "smooth_method": "add-k-all", "smooth_value": 1e-13, "guard": "empty-hyp",
        "arithmetic": "weighted", "scale": 1,
    },
    "gluonnlp": {
        "like": "papineni-2002",
        "version": "0.10",
        "source": "HaydenFaulkner/VidCap@56ba8d24, metrics/bleu.py (dmlc/gluon-nlp v0.10, "
        "scripts/machine_translation/bleu.py)",
        "users": "GluonNLP's translation scripts, video captioning",
        "exact": _LAST_BIT,
        "quirks": "On tokens; tokenize=13a for its plain text. 0 if some order has no match.",
        "arithmetic": "mean",
    },
    "gluonnlp-smooth": {
        "like": "gluonnlp",
        "source": "HaydenFaulkner/VidCap@56ba8d24, metrics/bleu.py, with smooth=True",
        "seen": "1 of 71 sampled uses gives its number",
        "exact": _TO_SOURCE,
        "quirks": "On tokens. Adds 1 to the counts of all orders; 0 if some order has no n-grams.",
        "smooth_method": "add-k-all", "guard": "missing-order",
    },
    "montianna": {
        "like": "gluonnlp",
        "version": "01c16d6",
        "source": "MontiCore/EmbeddedMontiArc@01c16d6c, templates/gluon/CNNSupervisedTrainer.ftl",
        "users": "MontiAnna (deep learning in EmbeddedMontiArc)",
        "exact": _TO_SOURCE + "; scores under 1e-70 count as 0",
        "quirks": "Smooths like mteval, also without any match. Uses only the first reference.",
        "references": "first", "ref_len": "first", "smooth_method": "exp",
        "guard": "missing-order",
    },
    "fastai": {
        "like": "montianna",
        "version": "2.8.12",
        "source": "fastai 2.8.12, metrics.py, CorpusBLEUMetric",
        "users": "fastai; PyPI rank 6,558",
        "exact": _DIGITS_12,
        "quirks": "Smooths each segment before the counts are added, so that it smooths a corpus "
        "more than other tools. Divides by zero if some order has no n-grams. Uses only the first "
        "reference.",
        "fixed": "papineni-2002",
        "join": "smoothed", "guard": "none", "undefined": "missing-order",
    },
    "neuralmonkey": {
        "like": "papineni-2002",
        "version": "8b14652",
        "source": "ufal/neuralmonkey@8b146527, evaluators/bleu.py",
        "users": "Neural Monkey",
        "exact": _DIGITS_12,
        "quirks": "Counts each n-gram of a hypothesis as often as a reference has it, so that "
        "scores above 100 are possible. Smooths like mteval, also without any match. An order "
        "without n-grams counts as perfect. With equally close references, the first counts.",
        "fixed": "sacrebleu",
        "measure": "reference-counts", "smooth_method": "exp", "guard": "none",
        "missing_order": "one", "ref_len": "closest-first", "scale": 100,
    },
    "flax-wmt": {
        "like": "tensor2tensor",
        "version": "18f8f31",
        "source": "google/flax@18f8f311, examples/wmt/bleu.py",
        "users": "Flax's translation example",
        "exact": _LAST_BIT,
        "quirks": "Lowercases by default. Uses only the first reference. An order without n-grams "
        "counts as perfect. `bleu_local` multiplies by 100 twice.",
        "precision": "double", "scale": 100,
    },
    "returnn": {
        "like": "tensor2tensor",
        "version": "b46ff5f",
        "source": "rwth-i6/returnn@b46ff5f0, util/basic.py",
        "users": "RETURNN",
        "exact": _SINGLE,
        "quirks": "Uses only the first reference. An order without n-grams counts as perfect.",
        "tokenize": "none", "lowercase": False,
    },
    "ignite": {
        "like": "ignite-micro",
        "source": "pytorch-ignite 0.5.5, metrics/nlp/bleu.py, with average=macro, its default",
        "exact": "for single segments, " + _DIGITS_12 + "; for a corpus, to 1e-11",
        "quirks": "The mean of segment scores. 0 if some order has no match. smooth=smooth1 is "
        "smooth_method=floor, nltk_smooth2 and smooth2 are add-k, both with guard=no-unigram; "
        "the first two with least_total=1.",
        "join": "mean",
    },
    "ignite-micro": {
        "like": "papineni-2002",
        "version": "0.5.5",
        "source": "pytorch-ignite 0.5.5, metrics/nlp/bleu.py, with average=micro",
        "users": "PyTorch training loops; PyPI rank 8,047",
        "exact": _LAST_BIT,
        "quirks": "0 if some order has no match. Its smoothing: see ignite.",
        "fixed": "sacrebleu",
        "guard": "any-order", "summation": "exact",
    },
    "torcheval": {
        "like": "torchmetrics",
        "version": "0.0.7",
        "source": "torcheval 0.0.7, metrics/functional/text/bleu.py",
        "users": "PyTorch training loops; PyPI rank 7,630",
        "quirks": "Compares with the shortest reference. 0 if some order has no match. Raises an "
        "error if some order has no n-grams.",
        "guard": "none", "ref_len": "shortest", "undefined": "missing-order",
    },
    "lingvo": {
        "like": "papineni-2002",
        "version": "1de52dd",
        "source": "tensorflow/lingvo@1de52dd6, core/scorers.py",
        "users": "Lingvo",
        "exact": _TO_SOURCE,
        "quirks": "The mean of the orders that have a match; others are left out. Uses only the "
        "first reference.",
        "fixed": "sacrebleu",
        "references": "first", "ref_len": "first", "guard": "none", "zero_precision": "drop",
        "arithmetic": "mean",
    },
    "marian-segmented": {
        "like": "odashi-mteval",
        "version": "c9f287d",
        "source": "marian-nmt/marian-dev@c9f287db, training/validator.cpp, bleu-segmented",
        "users": "Marian's validation during training",
        "exact": _SINGLE,
        "quirks": "Uses only the first reference. 0 if some order has no match.",
        "precision": "single", "scale": 100,
    },
    "marian": {
        "like": "marian-segmented",
        "source": "marian-nmt/marian-dev@c9f287db, training/validator.h, bleu with SentencePiece "
        "or factors, and bleu-detok",
        "quirks": "Splits Han, kana and Thai into characters. Uses only the first reference. 0 if "
        "some order has no match.",
        "tokenize": "13a-cjk", "whitespace": "ascii",
    },
    "xnmt": {
        "like": "papineni-2002",
        "version": "6f6ab33",
        "source": "neulab/xnmt@6f6ab33f, xnmt/eval/metrics.py",
        "users": "XNMT",
        "exact": "with one reference, to 1e-6 relative: its weights are in single precision",
        "quirks": "With several references, the matches of the first segment are lost.",
        "references": "first", "ref_len": "first", "guard": "no-unigram",
    },
    "rtg": {
        "like": "linear-brevity",
        "version": "0.7.2",
        "source": "isi-nlp/rtg@5403603a, rtg/eval/linebleu.py, sentence_bleu",
        "users": "RTG (Reader-Translator-Generator)",
        "exact": "for single segments, " + _DIGITS_12,
        "quirks": "The brevity penalty is c/r instead of e^(1-r/c). An order without n-grams "
        "counts as perfect. Uses only the first reference. Divides by zero if it is empty.",
        "references": "first", "ref_len": "first", "missing_order": "one", "arithmetic": "mean",
    },
    "nematus-sentence": {
        "version": "49d0508",
        "source": "EdinburghNLP/nematus@49d05086, nematus/metrics/sentence_bleu.py",
        "users": "Nematus (minimum risk training)",
        "exact": "for single segments, " + _DIGITS_12,
        "quirks": "Adds 1 from order 2 on. Uses only the first reference.",
        "tokenize": "none", "strip": "none", "references": "first", "ref_len": "first",
        "smooth_method": "add-k", "guard": "no-unigram", "arithmetic": "mean", "scale": 1,
    },
    "opennmt-lua": {
        "like": "multi-bleu",
        "version": "3ab15e9",
        "source": "OpenNMT/OpenNMT@3ab15e92, onmt/scorers/bleu.lua",
        "users": "OpenNMT in Lua",
        "exact": _TO_SOURCE,
        "quirks": "0 if some order has no match.",
        "undefined": "never", "scale": 1,
    },
    "thumt": {
        "like": "papineni-2002",
        "version": "1.2.0",
        "source": "thumt 1.2.0, utils/bleu.py",
        "users": "THUMT; the same formula in Playinf/nmt, bzhangGo/zero and NeurST's corpus_bleu",
        "seen": "4 repositories, and copies of the formula in 3 more",
        "exact": _LAST_BIT,
        "quirks": "0 if some order has no match. smooth=True is smooth_method=add-k.",
        "guard": "none", "arithmetic": "mean",
    },
    "neurst-sentence": {
        "like": "thumt",
        "version": "0.1.2",
        "source": "neurst 0.1.2, metrics/bleu.py, sentence_bleu",
        "users": "NeurST",
        "exact": "for single segments, " + _LAST_BIT,
        "quirks": "Adds 0.01 to the counts of all orders, so that an order without n-grams is "
        "perfect. Crashes on an empty hypothesis.",
        "smooth_method": "add-k-all", "smooth_value": 0.01, "undefined": "empty-hyp",
    },
    "texar": {
        "like": "tf-nmt",
        "version": "0.1.4",
        "source": "texar-pytorch 0.1.4, evals/bleu.py, on lists of tokens",
        "users": "Texar",
        "exact": _SINGLE,
        "quirks": "Compares with the shortest reference. On strings, the tool measures both "
        "lengths in characters.",
        "tokenize": "none", "undefined": "never", "precision": "single",
    },
    "sil-machine": {
        "like": "thot",
        "version": "1.9.2",
        "source": "sil-machine 1.9.2, translation/evaluation.py (C#: SIL.Machine)",
        "users": "SIL's translation tools (Serval, Scripture Forge)",
        "exact": _LAST_BIT,
        "quirks": "Uses only the first reference. Crashes on an empty system.",
        "whitespace": "python", "undefined": "empty-hyp", "precision": "double",
    },
    "textanalysis-jl": {
        "like": "tf-nmt",
        "version": "27eb8ad",
        "source": "JuliaText/TextAnalysis.jl@27eb8ad, translate_evaluation/bleu_score.jl",
        "users": "Julia",
        "exact": _TO_SOURCE,
        "quirks": "Compares with the shortest reference.",
        "tokenize": "none", "undefined": "never", "arithmetic": "mean", "scale": 1,
    },
    # ------------------------------------------------------------------ captions and dialogue
    "coco-caption": {
        "version": "1.2",
        "source": "pycocoevalcap 1.2, bleu/bleu_scorer.py, on text that is tokenized already",
        "users": "image and video captioning, data-to-text and dialogue (nlg-eval, DialoGPT)",
        "seen": "114 repositories under five paths; PyPI rank 5,273",
        "exact": _DIGITS_12,
        "quirks": "Adds 1e-15 to matches and hypothesis length, 1e-9 to n-grams and reference "
        "length, so that no score is undefined and few are 0. BLEU_1 to BLEU_3 are "
        "max_ngram_order. The tool expects the output of Stanford's PTB tokenizer.",
        "tokenize": "none", "strip": "none", "smooth_method": "none",
        "add_counts": (1e-15, 1e-9, 0), "guard": "none", "arithmetic": "root",
        "brevity": "ratio", "add_lengths": (1e-15, 1e-9), "scale": 1,
    },
    "neuralcodesum-coco": {
        "like": "coco-caption",
        "version": "ffc43a4",
        "source": "wasiahmad/NeuralCodeSum@ffc43a41, c2nl/eval/bleu/bleu_scorer.py, third result",
        "users": "NeuralCodeSum and its copies",
        "seen": "5 repositories",
        "quirks": "The geometric mean of BLEU_1 to BLEU_4, each with its brevity penalty, times "
        "the penalty once more: word matches weigh eight times as much as matches of order 4.",
        "fixed": "coco-caption",
        "weights": (25 / 48, 13 / 48, 7 / 48, 3 / 48), "brevity_power": 2,
    },
    "pymteval": {
        "version": "1b9c4d8",
        "source": "tuetschek/e2e-metrics@1b9c4d87, metrics/pymteval.py",
        "users": "data-to-text (the E2E challenge); copies in TextBox and AR-diffusion",
        "exact": _DIGITS_12,
        "quirks": "A hypothesis that is too short for an order takes away from its total. An order "
        "without matches counts 1e-15 of one. An empty text is one token there. Lowercases.",
        "fixed": "sacrebleu",
        "lowercase": True, "lowercase_when": "after", "strip": "none", "negative_totals": True,
        "smooth_method": "floor", "smooth_value": 1e-15, "least_total": 1e-9, "guard": "none",
        "arithmetic": "mean", "scale": 1,
    },
    "multiwoz": {
        "like": "damd",
        "version": "fe0c8e6",
        "source": "budzianowski/multiwoz@fe0c8e65, utils/nlp.py",
        "users": "the MultiWOZ benchmark, 2018 to 2021",
        "seen": "8 copies of its constant in 10 search results",
        "exact": "with one reference, to the last bit",
        "quirks": "As damd, with a token before and after each text, which always match.",
        "tokenize": "markers", "undefined": "never", "scale": 1,
    },
    "damd": {
        "version": "9b0456d",
        "source": "thu-spmi/damd-multiwoz@9b0456d7, eval.py",
        "users": "task-oriented dialogue (DAMD, UBAR, ConvLab-2, RNNLG)",
        "exact": _LAST_BIT,
        "quirks": "Adds 1e-7 to the n-grams and to the precision of each order, so that no match "
        "scores above 0. Crashes on an empty system.",
        "fixed": "papineni-2002",
        "tokenize": "none", "strip": "none", "ref_len": "closest-first", "smooth_method": "none",
        "add_counts": (0, 1e-7, 1e-7), "guard": "none", "arithmetic": "weighted",
        "summation": "exact", "undefined": "empty-hyp",
    },
    "nndial-sentence": {
        "like": "damd",
        "version": "baacc57",
        "source": "shawnwun/NNDIAL@baacc57e, utils/bleu.py",
        "users": "early neural dialogue systems",
        "exact": "for single segments, " + _TO_SOURCE,
        "quirks": "As damd, and hypotheses that are too long lose as much as short ones.",
        "brevity": "symmetric", "add_lengths": (1e-7, 0), "undefined": "never", "scale": 1,
    },
    "llama-factory": {
        "like": "nltk-method3",
        "version": "65ea7a0",
        "source": "hiyouga/LLaMA-Factory@65ea7a0d, train/sft/metric.py (bleu-4)",
        "users": "fine-tuning of language models",
        "seen": "74 copies",
        "exact": "to 4 decimals: the tool rounds each segment",
        "quirks": "The mean of segment scores on characters, spaces included.",
        "fixed": "sacrebleu",
        "tokenize": EACH_CHARACTER, "join": "mean", "references": "first", "ref_len": "first",
        "scale": 100,
    },
    # ------------------------------------------------------------------ code
    "code-summary": {
        "version": "0.4.13",
        "source": "lm_eval 0.4.13, tasks/code_x_glue/code-text/bleu.py (CODE-NN; CodeXGLUE's "
        "code-to-text, CodeBERT, UniXcoder and CodeT5)",
        "users": "code summarization since 2016",
        "seen": "11 repositories under two paths; 5 of 80 sampled",
        "exact": "for single segments, " + _DIGITS_12 + "; for a corpus, to 1e-9 points",
        "quirks": "The mean of segment scores, which its papers call smoothed BLEU-4. Adds 1 to "
        "the counts from order 2 on and to both lengths. Compares with the shortest reference. An "
        "empty hypothesis has perfect precisions. Lowercases, and splits at underscores.",
        "fixed": "sacrebleu",
        "lowercase": True, "tokenize": WORDS_AND_MARKS, "ref_len": "shortest", "join": "mean",
        "smooth_method": "add-k", "add_counts": (2.2250738585072014e-308,) * 2 + (0,),
        "guard": "none", "arithmetic": "mean", "add_lengths": (1, 1),
    },
    "neuralcodesum": {
        "like": "hf-bleu",
        "version": "ffc43a4",
        "source": "wasiahmad/NeuralCodeSum@ffc43a41, c2nl/eval/bleu/google_bleu.py",
        "users": "code summarization (NeuralCodeSum and its copies)",
        "seen": "5 repositories",
        "exact": "to 1e-11: the mean is rounded",
        "quirks": "The mean of segment scores. Adds 1 to the counts of all orders. Compares with "
        "the shortest reference. Divides by zero if a reference is empty.",
        "tokenize": "none", "smooth_method": "add-k-all", "join": "mean", "undefined": "never",
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
    "bleualign": {
        "like": "moses-bleu-py",
        "version": "0.1.1.1",
        "source": "pypi-bleualign 0.1.1.1, bleualign/score.py",
        "users": "alignment of crawled texts (Bleualign, Bitextor, ParaCrawl)",
        "exact": _DIGITS_12 + ". The tool undoes entities and joins lines; the row does not",
        "quirks": "The rules of mteval-v13a as one pattern, which treats runs of marks and digits "
        "differently. Lowercases. Orders 1 and 2. Compares with the shortest reference.",
        "lowercase": True, "max_ngram_order": 2,
        "tokenize": RULES_OF_13A,
    },
    "naisc": {
        "like": "papineni-2002",
        "version": "232626c",
        "source": "insight-centre/naisc@232626cb, feature/mt/BLEU.java",
        "users": "Naisc (linking of data sets)",
        "exact": "for single segments, " + _DIGITS_12,
        "quirks": "No clipping: each n-gram that the reference contains matches. An order without "
        "n-grams counts as perfect. Uses only the first reference.",
        "measure": "simple-precision", "references": "first", "ref_len": "first", "guard": "none",
        "missing_order": "one",
    },
    "sacrebleu-r": {
        "like": "papineni-2002",
        "version": "66d92e3",
        "source": "LazerLambda/sacRebleu@66d92e35, src/bleu.cpp (CRAN sacRebleu), on tokens",
        "users": "R",
        "exact": _DIGITS_12,
        "quirks": "Counts one n-gram of each order for which a segment is too short. With equally "
        "close references, the first counts. Its floor is smooth_method=floor with join=smoothed, "
        "its add-k is add-k-all.",
        "floor_totals": True, "guard": "none", "ref_len": "closest-first",
        "undefined": "empty-both",
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
    "dotnet": {
        "like": "nltk-method4",
        "version": "10.0",
        "source": "dotnet/extensions@3125673, Microsoft.Extensions.AI.Evaluation.NLP, "
        "BLEUEvaluator",
        "users": "evaluation of language models in .NET",
        "exact": "for single segments, to its source; its Unicode tables are those of .NET",
        "quirks": "Writes words in capitals, and keeps the punctuation after a number: `3.5.` is "
        "one token. Leaves out orders without a match in a hypothesis of one token. An empty "
        "hypothesis is an error.",
        "tokenize": "dotnet", "strip": "none", "summation": "naive", "undefined": "empty-hyp",
    },
    "promptfoo": {
        "version": "066412b",
        "source": "promptfoo/promptfoo@066412b4, src/assertions/bleu.ts",
        "users": "tests of prompts; npm, 424,000 downloads a month",
        "exact": "for single segments, " + _DIGITS_12,
        "quirks": "Each order is matched with the single reference that fits it best. The brevity "
        "penalty is inverted: shorter hypotheses score higher. A precision of 0 becomes 1e-7.",
        "fixed": "sacrebleu",
        "lowercase": True, "tokenize": "none", "references": "best", "ref_len": "closest-first",
        "smooth_method": "constant", "smooth_value": 1e-7, "guard": "none",
        "missing_order": "zero", "arithmetic": "weighted", "brevity": "inverted",
        "undefined": "empty-hyp", "scale": 1,
    },
    "promptfoo-2026": {
        "like": "promptfoo",
        "version": "2026-06",
        "source": "promptfoo/promptfoo, src/assertions/bleu.ts, with the changes of pull requests "
        "9717, 9718 and 9740",
        "quirks": "Each order is matched with the single reference that fits it best. A precision "
        "of 0 becomes 1e-7. Orders for which the hypothesis is too short are left out.",
        "ref_len": "closest", "guard": "empty-hyp", "effective_order": True,
        "sentence_effective_order": True, "brevity": "standard", "arithmetic": "mean",
        "undefined": "never",
    },
    "harness-evals": {
        "like": "quick-overview",
        "version": "0.17.6",
        "source": "harness-evals 0.17.6, metrics/similarity/bleu.py, where NLTK is not installed",
        "users": "tests of language models; many scripts have its line for a precision of 0",
        "seen": "2 of 71 sampled uses have its formula",
        "exact": "for single segments, " + _LAST_BIT + ". The tool gives 0 for an empty reference",
        "quirks": "A precision of 0 becomes 1e-10. Uses only the first reference. From 0.20 on, "
        "the tool computes nltk-method1.",
        "fixed": "papineni-2002",
        "lowercase": False, "tokenize": "none", "references": "first", "ref_len": "first",
        "guard": "empty-hyp",
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
        "keywords": KEYWORDS["python"],
    },
    # ------------------------------------------------------------------ tutorials
    "lopez": {
        "like": "papineni-2002",
        "version": "2019",
        "source": "hyunwoongko/transformer@63286547, util/bleu.py (A. Lopez's course at JHU)",
        "users": "Transformers and sequence-to-sequence models written from scratch",
        "seen": "30 repositories under one path",
        "exact": _DIGITS_12,
        "quirks": "Uses only the first reference.",
        "references": "first", "ref_len": "first", "guard": "any-order", "arithmetic": "mean",
        "scale": 100,
    },
    "lopez-smoothed": {
        "like": "lopez",
        "source": "redpony/cdec@f7c4899b, training/dtrain/score.cc, SmoothBleuScorer (Liang et al. "
        "2006; A. Lopez's course at JHU)",
        "users": "cdec (dtrain), course work",
        "seen": "with lopez",
        "exact": _DTRAIN + _DIGITS_12,
        "quirks": "The sum of BLEU_4 / 2, BLEU_3 / 4, BLEU_2 / 8 and BLEU_1 / 16, so that a "
        "perfect text scores 0.9375. Uses only the first reference.",
        "fixed": "papineni-2002",
        "cumulative_weights": (0.0625, 0.125, 0.25, 0.5), "guard": "none", "scale": 1,
    },
    "d2l": {
        "version": "1.0.3",
        "source": "d2l 1.0.3, Dive into Deep Learning, sequence to sequence, with k=2",
        "users": "courses that use Dive into Deep Learning",
        "seen": "a textbook of several hundred courses",
        "exact": "for single segments, " + _DIGITS_12,
        "quirks": "Order n has the weight 1/2^n, so that longer n-grams weigh less and perfect "
        "orders keep the score low. Splits at every single space. Uses only the first reference.",
        "fixed": "papineni-2002",
        "tokenize": "space", "strip": "none", "references": "first", "ref_len": "first",
        "max_ngram_order": 2, "weights": (0.5, 0.25), "smooth_method": "none", "guard": "none",
        "missing_order": "one", "arithmetic": "weighted", "scale": 1,
    },
    "calculatebleu": {
        "version": "dc7cf4e",
        "source": "vikasnar/Bleu@dc7cf4e9, calculatebleu.py",
        "users": "course work and small projects",
        "seen": "37 repositories under one path; 2 of 44 sampled",
        "exact": _DIGITS_12 + "; NaN where no order may have a total of 0 or less",
        "quirks": "A hypothesis that is too short for an order takes away from its total. "
        "Lowercases. With equally close references, the first counts. Crashes on an empty system.",
        "fixed": "papineni-2002",
        "lowercase": True, "tokenize": "none", "strip": "none", "negative_totals": True,
        "ref_len": "closest-first", "smooth_method": "none", "guard": "none",
        "missing_order": "zero", "arithmetic": "mean", "undefined": "empty-hyp", "scale": 1,
    },
    "mlds-bleu1": {
        "like": "calculatebleu",
        "version": "2018",
        "source": "AdrianHsu/S2VT-seq2seq-video-captioning-attention@198c8e1f, bleu_eval.py",
        "users": "homework on video captions (NTU MLDS, Clemson CPSC-8430)",
        "seen": "46 repositories under one path",
        "exact": "to 1e-11: the mean is rounded",
        "quirks": "The mean of the segments' BLEU_1. With equally close references, the first "
        "counts. Crashes on an empty hypothesis, which counts 0 here.",
        "max_ngram_order": 1, "join": "mean", "undefined": "never",
    },
    "deeplearning-ai": {
        "like": "papineni-2002",
        "version": "2021",
        "source": "Coursera's NLP specialization, ungraded lab on BLEU",
        "users": "course work",
        "seen": "3 search results, and many notebooks",
        "exact": _TO_SOURCE,
        "quirks": "Uses only the first reference. Divides by zero if some order has no n-grams.",
        "references": "first", "ref_len": "first", "guard": "none", "arithmetic": "mean",
        "undefined": "missing-order",
    },
    "bleu-score-js": {
        "like": "papineni-2002",
        "version": "1.0.4",
        "source": "bleu-score 1.0.4 (npm), ts/bleu.tsx",
        "users": "JavaScript; npm, 8,000 downloads a month",
        "exact": "for single segments, " + _TO_SOURCE,
        "quirks": "Splits at every single space. Uses only the first reference.",
        "tokenize": "space", "references": "first", "ref_len": "first", "arithmetic": "mean",
    },
    "linear-brevity": {
        "like": "papineni-2002",
        "version": "tutorials",
        "source": "tutorials in Korean and Chinese, and their copies",
        "users": "course work",
        "seen": "1 of 80 sampled repositories",
        "exact": "to its formula",
        "quirks": "The brevity penalty is c/r instead of e^(1-r/c).",
        "fixed": "papineni-2002",
        "brevity": "linear",
    },
    "linear-bp-bleu": {
        "like": "linear-brevity",
        "version": "Flickr8k",
        "source": "class LinearBPBLEU of scripts that caption images of Flickr8k",
        "users": "image captioning",
        "seen": "1 of 71 sampled uses; 5 scripts",
        "exact": _LAST_BIT,
        "quirks": "The brevity penalty is c/r instead of e^(1-r/c). A precision of 0 becomes 1e-9. "
        "With equally close references, the first counts.",
        "ref_len": "closest-first", "smooth_method": "constant", "smooth_value": 1e-9,
        "guard": "none",
    },
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
            own = {"users": "", "seen": "", **_ROWS[name]}  # not those of the row it is like
            about = {key: {**row, **own}.get(key, "") for key in ABOUT}
            self._made[name] = Dialect(name, parts, about)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)

    def __contains__(self, name: object) -> bool:
        return name in _ROWS


#: All dialects by name.
DIALECTS: Mapping[str, Dialect] = _Table()


def dialect(name: str | Dialect, **changes: Unpack[BLEUChanges]) -> Dialect:
    """The dialect with this name, of a row or a use of the table, with options changed.

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
        from truebleu.dialects.uses import find  # rows need no file

        use = find(name, DIALECTS)
        row = DIALECTS[use.dialect].replace(**use.options)
    return row.replace(**changes) if changes else row
