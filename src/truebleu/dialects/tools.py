# SPDX-License-Identifier: Apache-2.0
"""The table of dialects: one row for each BLEU tool. Rows are literals; none holds code.

A row names the version of the tool that it reproduces and the options in which it differs from the
defaults, which are sacreBLEU's, or from the row that it is `like`. What else is to be said of the
tool, such as its source and its quirks, is in `tools.toml`.
"""

from __future__ import annotations

# `collections.abc` would import all of `collections`, which takes more than 1 ms of each command.
from _collections_abc import Mapping

from truebleu.dialects.decisions import EACH_CHARACTER, PARTS, RULES_OF_13A, WORDS_AND_MARKS, Dialect
from truebleu.dialects.keywords import KEYWORDS
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Unpack

    from truebleu.dialects.changes import BLEUChanges

_ROWS: dict[str, dict[str, Any]] = {
    "sacrebleu": {"version": "2.6.0", "sentence_effective_order": True},
    "papineni-2002": {"version": "2002", "tokenize": "none", "strip": "none",
        "smooth_method": "none", "missing_order": "zero", "arithmetic": "weighted", "scale": 1},
    # ------------------------------------------------------------------ NIST and Moses, in Perl
    "mteval-v13a": {"version": "13a", "strip": "none", "lowercase": True,
        "lowercase_rule": "ascii", "markup": "sgml", "whitespace": "perl", "guard": "none",
        "missing_order": "one", "arithmetic": "mean", "undefined": "empty-hyp", "scale": 1},
    "mteval-v14": {"like": "mteval-v13a", "version": "14"},
    "mteval-v13a-intl": {"like": "mteval-v13a", "tokenize": "intl", "lowercase_rule": "unicode"},
    "mteval-v14-intl": {"like": "mteval-v13a-intl", "version": "14"},
    "multi-bleu": {"version": "3445289", "tokenize": "none", "strip": "none",
        "lowercase_rule": "ascii", "whitespace": "ascii", "smooth_method": "none", "guard": "none",
        "missing_order": "zero", "arithmetic": "mean", "undefined": "empty-hyp-only"},
    "multi-bleu-detok": {"like": "multi-bleu", "tokenize": "13a", "lowercase_rule": "unicode",
        "whitespace": "perl"},
    "moses-mert": {"like": "moses-bsbleu", "guard": "any-order", "scale": 1, "whitespace": "ascii"},
    "moses-sentence": {"like": "moses-mert", "smooth_method": "add-k-all", "guard": "empty-hyp"},
    # ------------------------------------------------------------------ NLTK
    "nltk": {"version": "3.10.4", "tokenize": "none", "strip": "none", "floor_totals": True,
        "smooth_method": "constant", "guard": "no-unigram", "zero_precision": "skip",
        "arithmetic": "weighted", "summation": "exact", "scale": 1},
    "nltk-method1": {"like": "nltk", "smooth_method": "floor"},
    "nltk-method2": {"like": "nltk", "smooth_method": "add-k"},
    "nltk-method3": {"like": "nltk", "smooth_method": "exp"},
    "nltk-method4": {"like": "nltk", "smooth_method": "length"},
    "nltk-method5": {"like": "nltk", "smooth_method": "average"},
    "nltk-method6": {"like": "nltk", "smooth_method": "interpolate"},
    "nltk-method7": {"like": "nltk-method5", "smooth_method": "length-average"},
    # ------------------------------------------------------------------ training frameworks
    "hf-bleu": {"like": "papineni-2002", "version": "a7dd338", "guard": "none",
        "ref_len": "shortest", "brevity": "ratio", "undefined": "empty-either", "tokenize": "13a"},
    "tf-nmt": {"like": "hf-bleu", "version": "0be8642", "tokenize": "space", "scale": 100},
    "codexglue": {"like": "hf-bleu", "version": "ac74a62", "tokenize": "none",
        "smooth_method": "add-k-all", "scale": 100},
    "bleuscore": {"like": "hf-bleu", "version": "0.2.0", "whitespace": "perl",
        "undefined": "never"},
    "keras-hub": {"like": "hf-bleu", "version": "0.32.0", "precision": "single"},
    "tensor2tensor": {"version": "1.15.7", "tokenize": "t2t", "lowercase": True, "strip": "none",
        "references": "first", "ref_len": "first", "guard": "empty-hyp", "missing_order": "one",
        "arithmetic": "mean", "brevity": "ratio", "precision": "single", "scale": 1},
    "torchmetrics": {"like": "papineni-2002", "version": "1.9.0", "guard": "any-order",
        "ref_len": "closest-first", "precision": "single"},
    "torchmetrics-sacre": {"like": "torchmetrics", "tokenize": "13a", "lowercase_when": "after"},
    "torchtext": {"like": "torchmetrics", "version": "0.18.0"},
    "fairseq": {"like": "odashi-mteval", "version": "3d262bb2", "guard": "none", "strip": "right",
        "scale": 100},
    "paddlenlp": {"like": "nltk", "version": "2.8.1", "guard": "none", "missing_order": "zero",
        "undefined": "empty-hyp", "floor_totals": False, "zero_precision": "zero"},
    # ------------------------------------------------------------------ statistical translation
    "mteval-v11b": {"like": "mteval-v13a", "version": "11b", "ref_len": "shortest",
        "smooth_method": "none", "guard": "any-order", "missing_order": "zero"},
    "moses-bleu-py": {"like": "papineni-2002", "version": "f3bb543", "guard": "any-order",
        "ref_len": "shortest", "arithmetic": "mean", "tokenize": "13a"},
    "moses-bsbleu": {"like": "papineni-2002", "version": "3445289", "arithmetic": "mean",
        "scale": 100},
    "odashi-mteval": {"like": "papineni-2002", "version": "f27baca", "references": "first",
        "ref_len": "first", "guard": "no-unigram", "arithmetic": "mean"},
    "cdec-ibm": {"version": "f7c4899", "tokenize": "none", "strip": "none",
        "smooth_method": "floor", "smooth_value": 0.01, "guard": "none", "effective_order": True,
        "sentence_effective_order": True, "ref_len": "closest-first", "arithmetic": "mean",
        "undefined": "empty-hyp", "precision": "single", "scale": 1},
    "cdec-nist": {"like": "cdec-ibm", "ref_len": "shortest"},
    "cdec-koehn": {"like": "cdec-ibm", "ref_len": "average"},
    "cdec-cbleu": {"like": "cdec-ibm", "tokenize": EACH_CHARACTER, "max_ngram_order": 5},
    "dtrain": {"like": "odashi-mteval", "version": "f7c4899"},
    "dtrain-stupid": {"like": "dtrain", "smooth_method": "add-k"},
    "dtrain-fixed-stupid": {"like": "dtrain-stupid", "add_lengths": (0, 1)},
    "travatar": {"like": "odashi-mteval", "version": "fa63412"},
    "thot": {"like": "odashi-mteval", "version": "6ba76a1", "whitespace": "perl",
        "precision": "single", "lowercase_rule": "ascii", "guard": "none"},
    "thot-mira": {"like": "thot", "smooth_method": "add-k-all", "add_lengths": (1, 1),
        "precision": "double"},
    "srilm": {"like": "odashi-mteval", "version": "8fc15e2", "guard": "none",
        "missing_order": "one"},
    "joshua": {"like": "multeval", "version": "716cc81"},
    "joshua-sentence": {"like": "joshua", "ref_len": "average", "undefined": "empty-either",
        "precision": "single"},
    "phrasal": {"like": "moses-mert", "version": "be69585", "whitespace": "python",
        "ref_len": "closest-first", "scale": 100, "precision": "double"},
    "phrasal-smooth": {"like": "phrasal", "join": "mean", "smooth_method": "add-k",
        "guard": "no-unigram"},
    "phrasal-nakov": {"like": "phrasal-smooth", "smooth_method": "add-k-all", "guard": "empty-hyp",
        "add_lengths": (0, 1)},
    "mt-compareval": {"like": "odashi-mteval", "version": "ad33ed8", "missing_order": "one",
        "smooth_method": "exp", "scale": 100},
    # ------------------------------------------------------------------ training frameworks
    "mindspore": {"like": "torchmetrics", "version": "0f6ce6c", "precision": "double"},
    "allennlp": {"like": "xnmt", "version": "2.10.1", "smooth_method": "add-k-all",
        "smooth_value": 1e-13, "guard": "empty-hyp", "missing_order": "stop"},
    "gluonnlp": {"like": "papineni-2002", "version": "0.10", "arithmetic": "mean"},
    "gluonnlp-smooth": {"like": "gluonnlp", "smooth_method": "add-k-all", "guard": "missing-order"},
    "montianna": {"like": "gluonnlp", "version": "01c16d6", "references": "first",
        "ref_len": "first", "smooth_method": "exp", "guard": "missing-order"},
    "fastai": {"like": "montianna", "version": "2.8.12", "join": "smoothed", "guard": "none",
        "undefined": "missing-order"},
    "neuralmonkey": {"like": "papineni-2002", "version": "8b14652", "measure": "reference-counts",
        "smooth_method": "exp", "guard": "none", "missing_order": "one",
        "ref_len": "closest-first", "scale": 100},
    "flax-wmt": {"like": "tensor2tensor", "version": "18f8f31", "precision": "double",
        "scale": 100},
    "returnn": {"like": "tensor2tensor", "version": "b46ff5f", "tokenize": "none",
        "lowercase": False},
    "ignite": {"like": "ignite-micro", "join": "mean"},
    "ignite-micro": {"like": "papineni-2002", "version": "0.5.5", "guard": "any-order",
        "summation": "exact"},
    "torcheval": {"like": "torchmetrics", "version": "0.0.7", "guard": "none",
        "ref_len": "shortest", "undefined": "missing-order"},
    "lingvo": {"like": "papineni-2002", "version": "1de52dd", "references": "first",
        "ref_len": "first", "guard": "none", "zero_precision": "drop", "arithmetic": "mean"},
    "marian-segmented": {"like": "odashi-mteval", "version": "c9f287d", "precision": "single",
        "scale": 100},
    "marian": {"like": "marian-segmented", "tokenize": "13a-cjk", "whitespace": "ascii"},
    "xnmt": {"like": "odashi-mteval", "version": "6f6ab33", "arithmetic": "weighted"},
    "rtg": {"like": "linear-brevity", "version": "0.7.2", "references": "first",
        "ref_len": "first", "missing_order": "one", "arithmetic": "mean"},
    "nematus-sentence": {"like": "odashi-mteval", "version": "49d0508", "smooth_method": "add-k",
        "missing_order": "stop"},
    "opennmt-lua": {"like": "multi-bleu", "version": "3ab15e9", "undefined": "never", "scale": 1},
    "thumt": {"like": "papineni-2002", "version": "1.2.0", "guard": "none", "arithmetic": "mean"},
    "neurst-sentence": {"like": "thumt", "version": "0.1.2", "smooth_method": "add-k-all",
        "smooth_value": 0.01, "undefined": "empty-hyp"},
    "texar": {"like": "tf-nmt", "version": "0.1.4", "tokenize": "none", "undefined": "never",
        "precision": "single"},
    "sil-machine": {"like": "thot", "version": "1.9.2", "whitespace": "python",
        "undefined": "empty-hyp", "precision": "double"},
    "textanalysis-jl": {"like": "tf-nmt", "version": "27eb8ad", "tokenize": "none",
        "undefined": "never", "arithmetic": "mean", "scale": 1},
    # ------------------------------------------------------------------ captions and dialogue
    "coco-caption": {"version": "1.2", "tokenize": "none", "strip": "none",
        "smooth_method": "none", "add_counts": (1e-15, 1e-09, 0), "guard": "none",
        "arithmetic": "root", "brevity": "ratio", "add_lengths": (1e-15, 1e-09), "scale": 1},
    "neuralcodesum-coco": {"like": "coco-caption", "version": "ffc43a4",
        "weights": (0.5208333333333334, 0.2708333333333333, 0.14583333333333334, 0.0625),
        "brevity_power": 2},
    "pymteval": {"version": "1b9c4d8", "lowercase": True, "lowercase_when": "after",
        "strip": "none", "negative_totals": True, "smooth_method": "floor", "smooth_value": 1e-15,
        "least_total": 1e-09, "guard": "none", "arithmetic": "mean", "scale": 1},
    "multiwoz": {"like": "damd", "version": "fe0c8e6", "tokenize": "markers", "undefined": "never",
        "scale": 1},
    "damd": {"version": "9b0456d", "tokenize": "none", "strip": "none", "ref_len": "closest-first",
        "smooth_method": "none", "add_counts": (0, 1e-07, 1e-07), "guard": "none",
        "arithmetic": "weighted", "summation": "exact", "undefined": "empty-hyp"},
    "nndial-sentence": {"like": "damd", "version": "baacc57", "brevity": "symmetric",
        "add_lengths": (1e-07, 0), "undefined": "never", "scale": 1},
    "llama-factory": {"like": "nltk-method3", "version": "65ea7a0", "tokenize": EACH_CHARACTER,
        "join": "mean", "references": "first", "ref_len": "first", "scale": 100},
    # ------------------------------------------------------------------ code
    "code-summary": {"version": "0.4.13", "lowercase": True, "tokenize": WORDS_AND_MARKS,
        "ref_len": "shortest", "join": "mean", "smooth_method": "add-k",
        "add_counts": (2.2250738585072014e-308,) * 2 + (0,), "guard": "none", "arithmetic": "mean",
        "add_lengths": (1, 1)},
    "neuralcodesum": {"like": "hf-bleu", "version": "ffc43a4", "tokenize": "none",
        "smooth_method": "add-k-all", "join": "mean", "undefined": "never"},
    # ------------------------------------------------------------------ other tools
    "matlab": {"like": "papineni-2002", "version": "R2024b", "guard": "short-hyp",
        "arithmetic": "mean", "undefined": "empty-both"},
    "multeval": {"version": "bd93ed1", "tokenize": "none", "strip": "none", "guard": "none",
        "missing_order": "one", "arithmetic": "mean", "scale": 1},
    "bleualign": {"like": "moses-bleu-py", "version": "0.1.1.1", "lowercase": True,
        "max_ngram_order": 2, "tokenize": RULES_OF_13A},
    "naisc": {"like": "papineni-2002", "version": "232626c", "measure": "simple-precision",
        "references": "first", "ref_len": "first", "guard": "none", "missing_order": "one"},
    "sacrebleu-r": {"like": "papineni-2002", "version": "66d92e3", "floor_totals": True,
        "guard": "none", "ref_len": "closest-first", "undefined": "empty-both"},
    "compare-mt": {"like": "nltk", "version": "0.2.10", "references": "first", "ref_len": "first",
        "smooth_method": "none", "summation": "naive", "scale": 100},
    "dotnet": {"like": "nltk-method4", "version": "10.0", "tokenize": "dotnet",
        "summation": "naive", "undefined": "empty-hyp"},
    "promptfoo": {"like": "quick-overview-as-coded", "version": "066412b", "tokenize": "none",
        "references": "best", "ref_len": "closest-first", "smooth_value": 1e-07,
        "arithmetic": "weighted", "undefined": "empty-hyp", "strip": "right"},
    "promptfoo-2026": {"like": "promptfoo", "version": "2026-06", "ref_len": "closest",
        "guard": "empty-hyp", "effective_order": True, "sentence_effective_order": True,
        "brevity": "standard", "arithmetic": "mean", "undefined": "never"},
    "harness-evals": {"like": "quick-overview", "version": "0.17.6", "lowercase": False,
        "tokenize": "none", "references": "first", "ref_len": "first", "guard": "empty-hyp"},
    "fast-bleu": {"like": "nltk-method1", "version": "182584a"},
    "codebleu-ngram": {"like": "nltk-method1", "version": "0.7.0", "strip": "right"},
    "codebleu-weighted": {"like": "codebleu-ngram", "measure": "recall", "ref_len": "pair",
        "keywords": KEYWORDS["python"]},
    # ------------------------------------------------------------------ tutorials
    "lopez": {"like": "odashi-mteval", "version": "2019", "guard": "any-order", "scale": 100},
    "lopez-smoothed": {"like": "lopez", "cumulative_weights": (0.0625, 0.125, 0.25, 0.5),
        "guard": "none", "scale": 1},
    "d2l": {"like": "odashi-mteval", "version": "1.0.3", "tokenize": "space", "max_ngram_order": 2,
        "weights": (0.5, 0.25), "guard": "none", "missing_order": "one", "arithmetic": "weighted"},
    "calculatebleu": {"like": "papineni-2002", "version": "dc7cf4e", "lowercase": True,
        "negative_totals": True, "ref_len": "closest-first", "guard": "none", "arithmetic": "mean",
        "undefined": "empty-hyp"},
    "mlds-bleu1": {"like": "calculatebleu", "version": "2018", "max_ngram_order": 1,
        "join": "mean", "undefined": "never"},
    "deeplearning-ai": {"like": "papineni-2002", "version": "2021", "references": "first",
        "ref_len": "first", "guard": "none", "arithmetic": "mean", "undefined": "missing-order"},
    "bleu-score-js": {"like": "papineni-2002", "version": "1.0.4", "tokenize": "space",
        "references": "first", "ref_len": "first", "arithmetic": "mean"},
    "linear-brevity": {"like": "papineni-2002", "version": "tutorials", "brevity": "linear"},
    "linear-bp-bleu": {"like": "linear-brevity", "version": "Flickr8k", "ref_len": "closest-first",
        "smooth_method": "constant", "smooth_value": 1e-09, "guard": "none"},
    "bleu-from-scratch": {"like": "papineni-2002", "version": "2020", "lowercase": True},
    "bleu-from-scratch-as-coded": {"like": "bleu-from-scratch", "length_unit": "characters"},
    "intro-to-bleu": {"like": "nltk", "version": "2019", "smooth_method": "none",
        "guard": "empty-hyp", "ref_len": "closest-first", "summation": "naive"},
    "quick-overview": {"like": "bleu-from-scratch", "version": "2023", "tokenize": "words",
        "smooth_method": "constant", "smooth_value": 1e-10, "guard": "none", "arithmetic": "mean"},
    "quick-overview-as-coded": {"like": "quick-overview", "brevity": "inverted"},
    "bleu-star": {"version": "naive", "tokenize": "none", "strip": "none", "max_ngram_order": 1,
        "smooth_method": "none", "brevity": "none", "arithmetic": "mean", "scale": 1},
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
            parts = [part(**{o.name: row[o.name] for o in part.options if o.name in row}) for part in PARTS]
            self._made[name] = Dialect(name, parts, row["version"])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)


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
