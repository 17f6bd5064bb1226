# Written by docs/generate.py (`make docs`) from the declarations of options; edit those.
from collections.abc import Callable, Collection, Iterable
from typing import Any, Literal, TypedDict

from truebleu.text.normalizations import Normalization

class ReadingChanges(TypedDict, total=False):
    target_language: str
    normalize: str | Normalization | Iterable[str | Normalization]
    lowercase: bool
    lowercase_rule: Literal["unicode", "ascii"]
    lowercase_when: Literal["before", "after"]
    strip: Literal["none", "right"]
    markup: Literal["text", "sgml"]
    tokenize: str | Callable[[str], Any]
    whitespace: Literal["python", "perl", "ascii"]

class BLEUChanges(ReadingChanges, total=False):
    max_ngram_order: int
    references: Literal["all", "first", "best"]
    floor_totals: bool
    negative_totals: bool
    measure: Literal["precision", "simple-precision", "reference-counts", "recall"]
    keywords: Iterable[str]
    swap: bool
    length_unit: Literal["tokens", "characters"]
    ref_len: Literal["closest", "closest-first", "shortest", "longest", "first", "average", "pair"]
    join: Literal["rows", "smoothed", "mean"]
    empty: Literal["score", "zero", "skip", "skip-hyp", "skip-ref"]
    smooth_method: Literal["exp", "floor", "add-k", "none", "constant", "add-k-all", "length", "average", "interpolate", "length-average"]
    smooth_value: float | None
    add_counts: Iterable[float] | None
    least_total: float
    guard: Literal["none", "no-match", "no-unigram", "any-order", "empty-hyp", "short-hyp", "missing-order"]
    missing_order: Literal["stop", "zero", "one"]
    zero_precision: Literal["zero", "skip", "drop"]
    effective_order: bool
    sentence_effective_order: bool
    weights: Iterable[float] | None
    cumulative_weights: Iterable[float] | None
    arithmetic: Literal["percent", "mean", "weighted", "root"]
    summation: Literal["naive", "compensated", "exact"]
    brevity: Literal["standard", "ratio", "inverted", "linear", "symmetric", "none"]
    brevity_power: float
    add_lengths: Iterable[float] | None
    undefined: Literal["never", "empty-hyp", "empty-hyp-only", "empty-either", "empty-both", "missing-order"]
    precision: Literal["double", "single"]
    scale: int

class CHRFChanges(TypedDict, total=False):
    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool
    tie: Literal["first", "longer"]
    normalize: str | Normalization | Iterable[str | Normalization]

class TERChanges(TypedDict, total=False):
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    normalize: str | Normalization | Iterable[str | Normalization]

class GLEUChanges(ReadingChanges, total=False):
    min_len: int
    max_len: int

class NISTChanges(ReadingChanges, total=False):
    order: int
    references: Literal["all", "best"]

class SentenceOptions(BLEUChanges, total=False):
    use: str | None
    pad_id: int | Collection[int] | None
    eos_id: int | Collection[int] | None

class CorpusOptions(SentenceOptions, total=False):
    threads: int | None
    group: int
    confidence: float | None
