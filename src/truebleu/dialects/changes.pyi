# Written by docs/generate.py (`make docs`) from the declarations of options; edit those.
from collections.abc import Callable, Collection, Iterable
from typing import Any, Literal, TypedDict
from typing_extensions import TypeVar

from truebleu.dialects.decisions import Dialect
from truebleu.metrics.metric import Metric
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows
from truebleu.text.normalizations import Normalization

Segment = TypeVar("Segment", default=Any)
Table = TypeVar("Table", bound=Any)
# Covariant, so that a list of several metrics is a list of `Metric`.
StatsOfMetric = TypeVar("StatsOfMetric", bound=Rows, default=Rows, covariant=True)
ScoreOfMetric = TypeVar("ScoreOfMetric", bound=MetricScore, default=MetricScore, covariant=True)
MetricOf = Metric[StatsOfMetric, ScoreOfMetric]

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

class _BLEUChanges(ReadingChanges, total=False):
    max_ngram_order: int
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
    cumulative_weights: Iterable[float] | None
    arithmetic: Literal["percent", "mean", "weighted", "root"]
    summation: Literal["naive", "compensated", "exact"]
    brevity: Literal["standard", "ratio", "inverted", "linear", "symmetric", "none"]
    brevity_power: float
    add_lengths: Iterable[float] | None
    undefined: Literal["never", "empty-hyp", "empty-hyp-only", "empty-either", "empty-both", "missing-order"]
    precision: Literal["double", "single"]
    scale: int

class WeightedBLEUChanges(_BLEUChanges, total=False):
    weights: Iterable[float] | None

class UnweightedBLEUChanges(_BLEUChanges, total=False):
    references: Literal["all", "first", "best"]

class BLEUChanges(WeightedBLEUChanges, UnweightedBLEUChanges, total=False): ...

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

class CodeBLEUChanges(TypedDict, total=False):
    weights: Iterable[float]
    keep_zero: bool

class GLEUChanges(ReadingChanges, total=False):
    min_len: int
    max_len: int

class NISTChanges(ReadingChanges, total=False):
    order: int
    references: Literal["all", "best"]

class UnweightedMetricChanges(TypedDict, total=False):
    target_language: str
    normalize: str | Normalization | Iterable[str | Normalization]
    lowercase: bool
    lowercase_rule: Literal["unicode", "ascii"]
    lowercase_when: Literal["before", "after"]
    strip: Literal["none", "right"]
    markup: Literal["text", "sgml"]
    tokenize: str | Callable[[str], Any]
    whitespace: Literal["python", "perl", "ascii"] | bool
    max_ngram_order: int
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
    cumulative_weights: Iterable[float] | None
    arithmetic: Literal["percent", "mean", "weighted", "root"]
    summation: Literal["naive", "compensated", "exact"]
    brevity: Literal["standard", "ratio", "inverted", "linear", "symmetric", "none"]
    brevity_power: float
    add_lengths: Iterable[float] | None
    undefined: Literal["never", "empty-hyp", "empty-hyp-only", "empty-either", "empty-both", "missing-order"]
    precision: Literal["double", "single"]
    scale: int
    char_order: int
    word_order: int
    beta: float
    eps_smoothing: bool
    tie: Literal["first", "longer"]
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool
    min_len: int
    max_len: int
    order: int
    lang: Literal["c", "c_sharp", "cpp", "go", "java", "javascript", "php", "python", "ruby", "rust"]
    keep_zero: bool

class PairwiseChanges(UnweightedMetricChanges, total=False):
    weights: Iterable[float] | None

class MetricChanges(PairwiseChanges, total=False):
    references: Literal["all", "first", "best"] | Literal["all", "best"]

class MBROptions(UnweightedMetricChanges, total=False):
    metric: str | Metric | None
    exact: bool
    pad_id: int | Collection[int] | None
    eos_id: int | Collection[int] | None
    threads: int | None

class FrameOptions(MetricChanges, total=False):
    dialect: str | Dialect
    metric: str | Metric | None

class TestOptions(MetricChanges, total=False):
    test: str
    correction: str | None
    resamples: int | None
    seed: int
    threads: int | None

class ComparisonOptions(MetricChanges, total=False):
    test: str
    correction: str | None
    resamples: int | None
    seed: int
    threads: int | None
    alpha: float
    progress: Callable[[float], None]

class PlotOptions(MetricChanges, total=False):
    width: str | float
    height: float | None
    font: str
    size: float
    colors: str
    values: tuple[float, float] | None

class StateOptions(TypedDict, total=False):
    compute_on_cpu: bool
    dist_sync_on_step: bool
    process_group: Any
    dist_sync_fn: Callable[..., Any] | None
    distributed_available_fn: Callable[..., bool] | None
    sync_on_compute: bool
    compute_with_cache: bool

class BLEUStateOptions(BLEUChanges, StateOptions, total=False):
    use: str | None
    threads: int | None

class SentenceOptions(BLEUChanges, total=False):
    use: str | None
    pad_id: int | Collection[int] | None
    eos_id: int | Collection[int] | None
    group: int

class SentencesOptions(UnweightedBLEUChanges, total=False):
    use: str | None
    pad_id: int | Collection[int] | None
    eos_id: int | Collection[int] | None
    group: int

class CorpusOptions(BLEUChanges, total=False):
    use: str | None
    pad_id: int | Collection[int] | None
    eos_id: int | Collection[int] | None
    group: int
    threads: int | None
    confidence: float | None

class CorporaOptions(UnweightedBLEUChanges, total=False):
    use: str | None
    pad_id: int | Collection[int] | None
    eos_id: int | Collection[int] | None
    group: int
    threads: int | None
    confidence: float | None
