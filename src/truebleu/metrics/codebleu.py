# SPDX-License-Identifier: Apache-2.0
"""CodeBLEU: BLEU for programs, with keywords, syntax trees and data flow (Ren et al. 2020)."""

from __future__ import annotations

from warnings import warn

from truebleu.dialects.keywords import KEYWORDS
from truebleu.dialects.options import CodeBLEUOptions
from truebleu.dialects.tools import dialect
from truebleu.errors import InputError, OptionError
from truebleu.inputs import corpus
from truebleu.inputs.corpus import PLAIN, Reading
from truebleu.metrics.bleu import plan_options
from truebleu.metrics.family import Family
from truebleu.metrics.kernel import compile_metric
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows, Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, Unpack

    from truebleu.dialects.changes import CodeBLEUChanges
    from truebleu.metrics.metric import Signed
    from truebleu.metrics.syntax import DataFlow, Syntax

#: Where a row has what the parser counts.
_TREES = slice(20, 24)


class CodeBLEUStats(Rows):
    """Rows of CodeBLEU's statistics, one for each segment or sum of segments. Frozen.

    A row is a row of the n-gram match, one of the weighted n-gram match (both as in `Stats`, but
    weighted matches and words in fifths), then matches and totals of subtrees, and of steps of data
    flow; zeros for a part that is left out. Last is what rounding adds to weighted matches and
    words in codebleu, which adds floats, in units of 2^-55 fifths.
    """

    __slots__ = ()

    _MAGIC = b"TBCODE\x02\x00"
    _COLUMNS = (
        *(f"{part}_{name}" for part in ("ngram", "weighted") for name in Stats().column_names()),
        "tree_match", "tree_total", "flow_match", "flow_total", "rounded_match", "rounded_total",
    )  # fmt: skip


class CodeBLEUScore(MetricScore):
    """A score of CodeBLEU, from 0 to 1, with its parts. Frozen.

    Attributes:
        name: CodeBLEU.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.
        ngram_match: BLEU of the words.
        weighted_ngram_match: the same as recall, with five times as much weight on keywords.
        syntax_match: share of the reference's subtrees; None if its weight is 0.
        dataflow_match: share of the reference's steps of data flow; None if its weight is 0.
    """

    __slots__ = ("dataflow_match", "ngram_match", "syntax_match", "weighted_ngram_match")

    scale = 1

    _PARTS = ("ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match")
    _FIELDS = (*MetricScore._FIELDS, *_PARTS)

    stats: CodeBLEUStats
    ngram_match: float
    weighted_ngram_match: float
    syntax_match: float | None
    dataflow_match: float | None

    def parts(self) -> dict[str, float | None]:
        """The four parts by name; None for one that is left out."""
        return {name: getattr(self, name) for name in self._PARTS}

    @property
    def details(self) -> str:
        """The four parts."""
        shown = (
            f"{name.removesuffix('_match')} = {'absent' if part is None else f'{part:.4f}'}"
            for name, part in self.parts().items()
        )
        return f"({' '.join(shown)})"

    def _factors(self) -> dict[str, Any]:
        return {**self.parts(), **self.counts()}


class CodeBLEU(Family["CodeBLEUStats", "CodeBLEUScore"]):
    """CodeBLEU (Ren et al. 2020, arXiv 2009.10297) as codebleu 0.7.0 computes it. From 0 to 1.

    The weighted sum of four parts: BLEU of words; a recall of n-grams in which keywords weigh five
    times as much as other words; the share of the reference's syntax trees that occur in the
    hypothesis; and the same for data flow. Segments are programs, as strings.

    Args:
        lang: the programming language: c, cpp, c_sharp, go, java, javascript, php, python, ruby or
            rust.
        weights: of the four parts. Syntax and data flow with a weight of 0 are left out.
        keep_zero: count a data flow match of 0 as 0; codebleu counts it as 1.
        threads: the most threads; see `BLEU`. The data flow match uses one.

    Raises:
        OptionError: an option or a value does not exist.
        MissingExtraError: the grammar of the language, or codebleu is not installed.

    Example:
        >>> from truebleu import CodeBLEU
        >>> metric = CodeBLEU("python", weights=(0.5, 0.5, 0, 0))
        >>> print(metric.corpus(["return a + b"], ["return a + c"]))
        CodeBLEU = 0.4054 (ngram = 0.3976 weighted_ngram = 0.4133 syntax = absent dataflow = absent)
    """

    __slots__ = ("_dataflow", "_parts", "_syntax")

    _NAME, _KERNEL, _TOOL = "CodeBLEU", "codebleu", "codebleu-ngram"
    options: CodeBLEUOptions
    _OPTIONS, _STATS, _SCORE = CodeBLEUOptions, CodeBLEUStats, CodeBLEUScore
    _IN_KERNEL = False  # the parser counts trees

    _syntax: Syntax | None
    _dataflow: DataFlow | None

    def __init__(self, lang: str = "", *, threads: int | None = None, **changes: Unpack[CodeBLEUChanges]) -> None:
        if lang == "":
            languages = ", ".join(KEYWORDS)
            raise OptionError(f"CodeBLEU needs a programming language, lang or --lang: {languages}")
        options = CodeBLEUOptions(lang=lang, **changes)
        *_, syntax, dataflow = options.weights
        self._syntax = self._dataflow = None
        if syntax or dataflow:
            from truebleu.metrics.syntax import DataFlow, Syntax

            self._syntax = Syntax(lang)
            self._dataflow = DataFlow(self._syntax) if dataflow else None
        super().__init__(threads=threads, **vars(options))
        settings = {**self._kernel_options(), "keep_zero": True}
        alone = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
        self._parts = [compile_metric(self._KERNEL, {**settings, "weights": weights}) for weights in alone]

    def _kernel_options(self) -> dict[str, Any]:
        ngram, weighted = dialect("codebleu-ngram"), dialect("codebleu-weighted")
        plans = {"ngram": ngram, "weighted": weighted.replace(keywords=KEYWORDS[self.options.lang])}
        return {
            **{f"{part}.{name}": value for part, plan in plans.items() for name, value in plan_options(plan).items()},
            "weights": self.options.weights,
            "keep_zero": self.options.keep_zero,
        }

    def _rows(self, hyps: Any, refs: Any, options: Reading) -> CodeBLEUStats:
        import numpy as np

        hyps, refs = self._columns(hyps, refs, options)
        rows = np.array(super()._rows(hyps, refs, options))
        if trees := self._counts(hyps, refs, options):
            rows[:, _TREES] = trees
        return self._zero.like(rows)

    def _total(
        self, hyps: Any, refs: Any, options: Reading = PLAIN
    ) -> tuple[CodeBLEUStats, int, tuple[int, int], bool]:
        hyps, refs = self._columns(hyps, refs, options)
        total, segments, counts, tokenized = super()._total(hyps, refs, options)
        if trees := self._counts(hyps, refs, options):
            row = list(total[0])
            row[_TREES] = map(sum, zip(*trees, strict=True))
            total = self._zero.like_rows([row])
        return total, segments, counts, tokenized

    def _columns(self, hyps: Any, refs: Any, options: Reading) -> tuple[Any, Any]:
        # Both are read twice: by the kernel and by the parser.
        hyps, refs = corpus.columns(hyps, refs, group=options.group)
        hyps = corpus.as_python("hyps", hyps)
        for i, hyp in enumerate(hyps):
            if isinstance(hyp, (list, tuple)):
                raise InputError(f"hyps[{i}] is a list of tokens; CodeBLEU needs code as a string")
        return hyps, corpus.as_python("refs", refs)

    def _counts(self, hyps: Any, refs: Any, options: Reading) -> list[list[int]]:
        """The last integers of each row; the kernel has checked the columns."""
        if self._syntax is None:
            return []
        *_, syntax, _ = self.options.weights
        group = options.group
        counts = [[0, 0, 0, 0] for _ in hyps]
        texts = [hyp.strip() for hyp in hyps]
        rows = [[row] if isinstance(row, str) else [ref for ref in row if ref is not None] for row in refs]
        for nth in range(max(map(len, rows), default=0)):
            nths = [row[nth].strip() if nth < len(row) else "" for row in rows]
            cleaned = self._syntax.without_comments(nths)
            at = [i for i in range(len(texts)) if nth < len(rows[i // group])]
            others = [cleaned[i // group] for i in at]
            # As in codebleu, comments are removed again for each reference.
            codes = self._syntax.without_comments([texts[i] for i in at])
            if syntax:
                found = self._syntax.matches(codes, others, self.threads)
                for i, (matches, total) in zip(at, found, strict=True):
                    counts[i][0] += matches
                    counts[i][1] += total
            for i, text, other in zip(at, codes, others, strict=True):
                texts[i] = text
                if self._dataflow is not None:
                    matches, total = self._dataflow.matches(text, other)
                    counts[i][2] += matches
                    counts[i][3] += total
        return counts

    def _unpaired_columns(self, *_: Any) -> NoReturn:
        raise OptionError("CodeBLEU does not score all pairs of a set; use sentences()")

    def _made(self, values: tuple[float, Any], total: Any, signed: Signed) -> CodeBLEUScore:
        (row,) = total
        if self.options.weights[3] and not row[_TREES][-1]:
            warn("the references have no data flow, so its match is 0", stacklevel=4)
        weights = (1, 1, *self.options.weights[2:])
        parts = (
            part.score(list(row))[0] if weight else None for part, weight in zip(self._parts, weights, strict=True)
        )
        return CodeBLEUScore(self.name, values[0], self._score_signature(*signed), total, *parts)

    def _signature_pairs(self, nrefs: int | str | None) -> dict[str, Any]:  # noqa: ARG002
        return {
            "lang": self.options.lang,
            "weights": self.options.weights,
            "zero": "zero" if self.options.keep_zero else "one",
            "syntax": "absent" if self._syntax is None else self._syntax.versions,
            "dataflow": "absent" if self._dataflow is None else self._dataflow.versions,
        }
