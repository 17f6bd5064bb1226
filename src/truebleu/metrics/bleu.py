# SPDX-License-Identifier: Apache-2.0
"""BLEU: a dialect compiled once, then scores of anything."""

from __future__ import annotations

from truebleu.dialects.decisions import IN_PYTHON, Dialect
from truebleu.dialects.signature import counting_signature, signature
from truebleu.dialects.tools import dialect as find_dialect
from truebleu.errors import OptionError, describe
from truebleu.inputs import corpus
from truebleu.inputs.corpus import Marks, reading
from truebleu.metrics import tokenizers
from truebleu.metrics.kernel import Kernel, compile_metric, for_kernel
from truebleu.metrics.metric import Metric
from truebleu.metrics.score import Parts, Score
from truebleu.metrics.stats import Stats

TYPE_CHECKING = False
if not TYPE_CHECKING:

    def overload(function: Any) -> Any:
        """Tells type checkers what a function returns; at run time it does nothing."""
        return function

else:
    from collections.abc import Callable, Sequence
    from typing import Any, Unpack, overload

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.changes import BLEUChanges, CorporaOptions, CorpusOptions, SentenceOptions, SentencesOptions
    from truebleu.metrics.metric import Signed

    #: Weights of several scores.
    Several = Sequence[Sequence[float]]


class BLEU(Metric["Stats", "Score"]):
    """A dialect of BLEU (Papineni et al. 2002), compiled. Frozen; threads can share it.

    Args:
        dialect: the name of a row of `DIALECTS` or of a use, or a Dialect.
        use: the name of a use instead of `dialect`: a row as a tool calls it, with its tokenizer
            and its average; `truebleu dialects WORD` finds tools.
        threads: the most threads that a call uses (default: TRUEBLEU_NUM_THREADS, else as many as
            the process may run on). Threads never change a result.
        changes: options to change, by name: `tokenize`, `lowercase`, `smooth_method`,
            `smooth_value`, `max_ngram_order`, `effective_order`, `weights`, `ref_len` and more;
            `truebleu score --help-all` describes all.

    Attributes:
        dialect: the dialect with its changes.
        sentence_dialect: the same for single sentences, with `sentence_effective_order`.
        threads: the most threads that a call uses.
        plan: the dialect in the kernel, for code that must avoid the overhead of this class.
        sentence_plan: the same with `sentence_effective_order`.

    Raises:
        OptionError: a dialect, an option or a value does not exist.
        MissingExtraError: the tokenizer needs a library that is not installed.

    Example:
        >>> from truebleu import BLEU
        >>> bleu = BLEU("sacrebleu", tokenize="intl")
        >>> bleu.corpus(["Hello, world!"], ["Hello, world!"]).value
        100.00000000000004
    """

    __slots__ = ("_function", "_lines", "_tokenizer", "dialect", "sentence_dialect")

    _NAME = "BLEU"
    _SCORE = Score

    _function: Callable[[str], Any] | None

    def __init__(
        self,
        dialect: str | Dialect = "sacrebleu",
        *,
        use: str | None = None,
        threads: int | None = None,
        **changes: Unpack[BLEUChanges],
    ) -> None:
        self._take_built(_named(dialect, use), threads, changes)

    def _build(self, dialect: str | Dialect, threads: int | None, changes: dict[str, Any]) -> None:
        """Compile the dialect."""
        row = find_dialect(dialect)
        self.dialect = row.replace(**changes) if changes else row
        sentence = self.dialect.combine.sentence_effective_order
        self.sentence_dialect = self.dialect.replace(effective_order=sentence)
        self._function, self._tokenizer = tokenizers.find(self.dialect.tokenize.tokenize)
        # What is before and after the number of references, of corpora and sentences: those of
        # text, then those of segments that the caller tokenized.
        self._lines = [
            signature(dialect, tokenizer=tokenizer, unicode=self._unicode(tokenized=tokenized))
            for tokenized, tokenizer in ((False, self._tokenizer), (True, "given"))
            for dialect in (self.dialect, self.sentence_dialect)
        ]
        super().__init__(
            (compile_dialect(self.dialect), compile_dialect(self.sentence_dialect)),
            Stats._zeros((self.dialect.counted_orders,), self._reading_signature()),
            threads,
            tokenizers.in_python(self._function, self.dialect.normalize, swap=self.dialect.count.swap),
        )

    @property
    def settings(self) -> dict[str, Any]:
        """Its dialect."""
        return {"dialect": self.dialect}

    @property
    def scale(self) -> float:
        """The score of a perfect hypothesis, 1 or 100."""
        return self.dialect.combine.scale

    @property
    def reader(self) -> BLEU:
        """Itself; it reads text by its own decisions."""
        return self

    @property
    def sentence_signature(self) -> str:
        """The same for scores of single segments."""
        return self._score_signature(None, sentence=True)

    def prefixes(
        self, hyps: Any, refs: Any, *, pad_id: Marks = None, eos_id: Marks = None, group: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Score each segment after each of its tokens, as if it ended there.

        The time is linear in the number of tokens. The arguments are those of `corpus`.

        Returns:
            Scores and offsets: those of segment i are `scores[offsets[i]:offsets[i + 1]]`, one for
            each token, and the last is the score that `sentences` computes.

        Example:
            >>> from truebleu import BLEU
            >>> scores, offsets = BLEU().prefixes([[5, 7, 9]], [[5, 7, 8]])
            >>> scores.round(1), offsets
            (array([13.5, 60.7, 55. ]), array([0, 3]))
        """
        import numpy as np

        options = reading(pad_id, eos_id, group)
        columns = self._columns(hyps, refs, options)
        scores, offsets = self.sentence_plan.prefixes(*columns, self.threads, options)
        return np.frombuffer(scores), np.frombuffer(offsets, dtype=np.int64)

    def parts(self, stats: Stats) -> Parts:
        """The factors of the score of each segment: arrays of scores, penalties and precisions.

        Raises:
            InputError: the statistics were counted in another way or up to another order.

        Example:
            >>> from truebleu import BLEU
            >>> bleu = BLEU()
            >>> parts = bleu.parts(bleu.stats(["a b c d", "e f"], ["a b c d", "e g h"]))
            >>> parts.values.round(2), parts.bps.round(2), parts.precisions[1]
            (array([100.  ,  30.33]), array([1.  , 0.61]), array([50., 50.,  0.,  0.]))
        """
        import numpy as np

        self.check_stats(stats)
        table = np.frombuffer(self.sentence_plan.parts(stats.buffer))
        width = 2 + self.dialect.count.max_ngram_order
        return Parts(table.reshape(-1, width), stats)

    def _made(self, values: tuple[float, Any], total: Stats, signed: Signed) -> Score:
        value, (bp, precisions, individual, cumulative) = values
        orders = tuple(individual), tuple(cumulative)
        line = self._score_signature(*signed)
        return Score(value, tuple(precisions), bp, line, total, *orders, self.dialect.combine.scale)

    def _score_signature(self, nrefs: int | str | None, tokenized: bool = False, sentence: bool = False) -> str:
        before, after = self._lines[2 * tokenized + sentence]
        return f"{before}{after}" if nrefs is None else f"{before}nrefs:{nrefs}|{after}"

    def _unicode(self, *, tokenized: bool) -> str:
        """Unicode versions that the score depends on."""
        options, tokenizer = self.dialect.normalize, self.dialect.tokenize.tokenize
        return tokenizers.unicode_read(
            options.normalize,
            categories=tokenizer in tokenizers.READ_CATEGORIES and not tokenized,
            lower=options.lowercase and options.lowercase_rule == "unicode",
        )

    def _reading_signature(self, *, tokenized: bool = False) -> str:
        """The part of a signature that decides what is counted."""
        tokenizer = "given" if tokenized else self._tokenizer
        unicode = self._unicode(tokenized=tokenized)
        return counting_signature(self.dialect, tokenizer=tokenizer, unicode=unicode)


def totals(metrics: Sequence[BLEU], hyps: Any, refs: Any) -> list[tuple[Stats, int, tuple[int, int], bool]]:
    """The same as `_total` for several metrics with tokenizers in the kernel.

    Texts that several of them read or count alike are read or counted once.
    """
    plans, threads = [metric.plan for metric in metrics], metrics[0].threads
    counted = Kernel.totals(plans, for_kernel(hyps), for_kernel(refs), threads)
    return [
        (metric._zero.like_rows((row,)), segments, counts, tokenized)
        for metric, (row, segments, counts, tokenized) in zip(metrics, counted, strict=True)
    ]


def compile_dialect(dialect: Dialect, metric: str = "bleu", options: dict[str, Any] | None = None) -> Kernel:
    """A metric of the kernel that reads text by a dialect, with options of its own."""
    options = {**plan_options(dialect), **(options or {})}
    if options["tokenize"] not in tokenizers.NATIVE:
        options["tokenize"] = "none"  # Python tokenizes, and the kernel reads words
    return compile_metric(metric, options)


def plan_options(dialect: Dialect) -> dict[str, Any]:
    """The options that the kernel reads: all but the one that chooses between the two plans."""
    options = dialect.options()
    options["smooth_value"] = dialect.combine.effective_smooth_value()
    for name in ("sentence_effective_order", *IN_PYTHON):
        del options[name]
    return options


@overload
def corpus_bleu(
    hyps: Any, refs: Any, dialect: str | Dialect = ..., *, weights: Several, **options: Unpack[CorporaOptions]
) -> list[Score]: ...


@overload
def corpus_bleu(hyps: Any, refs: Any, dialect: str | Dialect = ..., **options: Unpack[CorpusOptions]) -> Score: ...


def corpus_bleu(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    use: str | None = None,
    threads: int | None = None,
    pad_id: Marks = None,
    eos_id: Marks = None,
    group: int = 1,
    confidence: float | None = None,
    **changes: Any,
) -> Score | list[Score]:
    """Score a corpus (Papineni et al. 2002), as `BLEU(dialect, **changes).corpus` does.

    Args:
        hyps: n segments: strings, or lists of words or token ids; see `BLEU.corpus`.
        refs: n entries: a segment each, or a list of segments each.
        dialect: the name of a row of `DIALECTS` or of a use, or a Dialect.
        use: the name of a use instead; see `BLEU`.
        threads: the most threads that the call uses; see `BLEU`.
        pad_id, eos_id, group, confidence: see `BLEU.corpus`.
        changes: options to change, by name: `tokenize`, `lowercase`, `smooth_method`,
            `smooth_value`, `max_ngram_order`, `effective_order`, `weights`, `ref_len` and more;
            `truebleu score --help-all` describes all. Several `weights` give a list of scores, as
            in NLTK: `[(1,), (0.5, 0.5)]` is BLEU-1 and BLEU-2.

    Returns:
        The score, whose `cumulative` has BLEU-1 to BLEU-4.

    Raises:
        InputError: hypotheses and references are not aligned, or neither text nor ids.
        OptionError: a dialect, an option or a value does not exist.

    Example:
        >>> from truebleu import corpus_bleu
        >>> corpus_bleu(["the cat sat"], [["the cat sat", "a cat sat"]], max_ngram_order=2).value
        100.00000000000004
    """
    dialect = _named(dialect, use)
    options: dict[str, Any] = {"pad_id": pad_id, "eos_id": eos_id, "group": group}
    several = _several(changes)
    if several:
        hyps, refs = corpus.column("hyps", hyps), corpus.column("refs", refs)  # read again
    bleus = [cached_bleu(dialect, threads, own) for own in several or [changes]]
    scores = [bleu.corpus(hyps, refs, confidence=confidence, **options) for bleu in bleus]
    return scores if several else scores[0]


@overload
def sentence_bleu(
    hyp: Any, refs: Any, dialect: str | Dialect = ..., *, weights: Several, **options: Unpack[SentencesOptions]
) -> list[Score]: ...


@overload
def sentence_bleu(hyp: Any, refs: Any, dialect: str | Dialect = ..., **options: Unpack[SentenceOptions]) -> Score: ...


def sentence_bleu(
    hyp: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    use: str | None = None,
    pad_id: Marks = None,
    eos_id: Marks = None,
    group: int = 1,
    **changes: Any,
) -> Score | list[Score]:
    """Score one segment, with effective order as sacreBLEU's sentence mode.

    Args:
        hyp: a string, or a list of words or token ids.
        refs: a string or a list of strings; lists of words or ids if `hyp` is one.
        pad_id, eos_id: see `BLEU.corpus`.
        group: 1, since the references are those of one hypothesis; see `BLEU.corpus`.
        dialect, use, changes: as for `corpus_bleu`, which also raises the same errors.

    Example:
        >>> from truebleu import sentence_bleu
        >>> sentence_bleu("the cat", ["the cat", "a cat"]).value
        100.00000000000004
    """
    dialect = _named(dialect, use)
    if group != 1:
        raise OptionError(f"group cannot be {describe(group)}; sentence_bleu scores one hypothesis, so group is 1")
    if several := _several(changes):
        bleus = [cached_bleu(dialect, 1, own) for own in several]
        return [bleu.sentence(hyp, refs, pad_id=pad_id, eos_id=eos_id) for bleu in bleus]
    return cached_bleu(dialect, 1, changes).sentence(hyp, refs, pad_id=pad_id, eos_id=eos_id)


def _several(changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The changes with each of several weights; empty if there is one set of weights or none."""
    weights = changes.get("weights")
    if not isinstance(weights, (list, tuple)) or not weights or not hasattr(weights[0], "__len__"):
        return []
    return [{**changes, "weights": own} for own in weights]


def _named(dialect: str | Dialect, use: str | None) -> str | Dialect:
    """The argument that is given of the two."""
    if use is not None and dialect != "sacrebleu":
        raise OptionError("dialect and use name two definitions of BLEU; give one of them")
    return dialect if use is None else use


#: `BLEU(dialect, threads=threads, **changes)`, shared by all callers.
cached_bleu = BLEU._built
