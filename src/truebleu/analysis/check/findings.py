# SPDX-License-Identifier: Apache-2.0
"""What is wrong with hypotheses and references, and what each fault costs."""

from __future__ import annotations

from truebleu.analysis.check import (
    characters,
    encodings,
    language,
    lengths,
    letter_case,
    misalignment,
    sameness,
    tokenization,
)
from truebleu.analysis.check.excerpts import excerpt
from truebleu.analysis.check.fault import Fault
from truebleu.analysis.check.kinds import KINDS, SEVERITIES
from truebleu.analysis.check.prices import Prices
from truebleu.analysis.check.similarity import Similarity
from truebleu.analysis.check.texts import Column, Texts
from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU, choose_metric
from truebleu.metrics.ter import TER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.chrf import CHRF

#: Points of a hundred below which a repair changes nothing that anybody reports.
_HARMLESS = 0.01
#: Places that are named; the others are counted.
_NAMED = 5


class Finding(Frozen):
    """Something that is wrong with the texts. Frozen.

    Attributes:
        kind: a name of the table in docs/check.md, such as `lost-line`.
        severity: `error` if the score cannot be used, `warning` if it may be wrong, `note` if it
            is not affected.
        column: the file, or the argument of `check`, that has the fault.
        lines: where, in order: lines counted from 1 in files, indices in arguments. All of them.
        where: the first of them, as an editor or Python finds them.
        message: what was found.
        evidence: pairs of a place and an excerpt. What cannot be seen is named: `<U+00A0>`.
        advice: what to do.
        before: the score as it is, None if it cannot be computed.
        after: the score once all faults of this kind are repaired; None if no repair is known.
        metric: what the scores are called.
    """

    __slots__ = (
        "advice", "after", "before", "column", "evidence", "kind", "lines", "message", "metric",
        "severity", "where",
    )  # fmt: skip

    kind: str
    severity: str
    column: str
    lines: tuple[int, ...]
    where: str
    message: str
    evidence: tuple[tuple[str, str], ...]
    advice: str
    before: float | None
    after: float | None
    metric: str

    def __init__(
        self,
        kind: str,
        severity: str,
        column: str,
        lines: tuple[int, ...],
        where: str,
        message: str,
        evidence: tuple[tuple[str, str], ...],
        advice: str,
        before: float | None,
        after: float | None,
        metric: str = "BLEU",
    ) -> None:
        values = (
            kind, severity, column, lines, where, message, evidence, advice, before, after, metric,
        )  # fmt: skip
        for name, value in zip(_FIELDS, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def effect(self) -> float | None:
        """What repairing adds to the score; None if that cannot be computed."""
        return None if self.before is None or self.after is None else self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain numbers, lists and text, ready for JSON."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        evidence = [{"where": place, "text": text} for place, text in self.evidence]
        shown = {"lines": list(self.lines), "evidence": evidence, "effect": self.effect}
        return {**values, **shown, "count": len(self.lines)}

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in _FIELDS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and other._key() == self._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Finding, self._key()

    def __str__(self) -> str:
        return f"{self.severity}: {self.kind}: {self.where}: {self.message}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"


_FIELDS = (
    "kind", "severity", "column", "lines", "where", "message", "evidence", "advice", "before",
    "after", "metric",
)  # fmt: skip


def check(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: BLEU | CHRF | TER | None = None,
    srcs: Any = None,
    threads: int | None = None,
    **changes: Any,
) -> list[Finding]:
    r"""What is wrong with the texts of a corpus, the worst first. Clean texts have no finding.

    Args:
        hyps: hypotheses as text, before they are tokenized.
        refs: a string for each, or a list of strings, `None` among them where one is absent. Its
            length may differ from that of `hyps`: that is what is looked into.
        dialect, threads, changes: as `BLEU`'s; effects are measured with them.
        metric: what effects are measured with in their place, such as `CHRF()`.
        srcs: the sources, if untranslated lines are to be found.

    Raises:
        InputError: a column is empty or holds what is no text.
        OptionError, MissingExtraError: as `BLEU`'s.

    Example:
        >>> from truebleu import check
        >>> for finding in check(["a cat\r", "a dog"], ["a cat", "a dog"]):
        ...     print(finding)
        note: carriage-return: hyps[0]: There is a carriage return (U+000D).
    """
    metric = choose_metric(metric, dialect, threads, changes)
    hyp = Column("hyp", "hyps", corpus.as_words("hyps", hyps))
    rows = corpus.as_python("refs", refs)
    src = None if srcs is None else Column("src", "srcs", corpus.as_words("srcs", srcs))
    transposed = _is_transposed(hyp, rows, metric.threads)
    if transposed:
        rows = tuple(corpus.streams(*rows))
    texts = Texts(hyp, _reference_columns(rows), src)
    if not transposed:
        return inspect(texts, metric)
    fault = Fault(
        "transposed", texts.refs[0], [],
        "The references lie as sacreBLEU wants them, a list for each set: [reference][segment].",
        evidence=[("refs[0]", excerpt(str(texts.refs[0].texts[:2])))], texts=texts, whole=True,
    )  # fmt: skip
    return inspect(texts, metric, [fault])


def _reference_columns(rows: Any) -> list[Column]:
    if all(isinstance(row, str) or row is None for row in rows):
        return [Column("ref", "refs", rows)]
    listed = [(row,) if isinstance(row, str) or row is None else tuple(row) for row in rows]
    most = max(map(len, listed))
    return [
        Column("ref", "refs", [row[k] if k < len(row) else None for row in listed], 0, f"[{k}]")
        for k in range(most)
    ] or [Column("ref", "refs", [None] * len(listed))]


def _is_transposed(hyp: Column, rows: Any, threads: int) -> bool:
    """Whether `refs` has a list for each set of references, instead of one for each segment.

    Where there are as many sets as segments, both ways are tried.
    """
    sets = [row for row in rows if isinstance(row, (list, tuple))]
    if not sets or len(sets) != len(rows) or {len(row) for row in sets} != {len(hyp)}:
        return False
    if len(rows) != len(hyp):
        return True
    if len(hyp) == 1:
        return False
    hyps = [text or "" for text in hyp.texts]
    similarity = Similarity(threads)
    straight, turned = (
        sum(
            float(similarity.of_pairs(hyps, [text or "" for text in column]).mean())
            for column in columns
        ) / len(hyps)
        for columns in (zip(*sets, strict=True), sets)
    )  # fmt: skip
    # The wrong way pairs one in n rightly: of two segments one, of more segments fewer.
    return turned > 1.4 * straight + 0.05


def inspect(texts: Texts, metric: Any, faults: Sequence[Fault] = ()) -> list[Finding]:
    """The findings of columns of text, with the `faults` that reading them has brought up."""
    for column in texts.columns:
        if not len(column):
            raise InputError(f"{column.name} is empty; give one segment at least")
        _check_characters(column)
    similarity = Similarity(metric.threads)
    moved, paired = misalignment.realign(texts, similarity)
    found = [*faults, *moved, *characters.find(texts), *encodings.find(texts)]
    tokenizer = metric.dialect.tokenize.tokenize if isinstance(metric, BLEU) else None
    found += tokenization.find(texts, tokenizer)
    if any(fault.kind == "unrelated-lines" for fault in moved):
        found += sameness.find_copies(texts)  # which may be why; single lines say nothing
    elif paired is not None:
        found += lengths.find(paired)
        found += sameness.find(paired, similarity)
        unreadable = [fault for fault in found if fault.kind in ("mojibake", "subwords")]
        damaged = {(fault.column.place, row) for fault in unreadable for row in fault.rows}
        found += language.find(paired, similarity, damaged)
    if not _lowers(metric):
        found += letter_case.find(texts if paired is None else paired)
    prices = Prices(texts, paired, metric, found)
    findings = [_finding(fault, prices, metric) for fault in found]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def _lowers(metric: Any) -> bool:
    """Whether upper and lower case are the same to the metric."""
    if isinstance(metric, BLEU):
        return bool(metric.dialect.normalize.lowercase)
    options = metric.options
    return not options.case_sensitive if isinstance(metric, TER) else bool(options.lowercase)


def _check_characters(column: Column) -> None:
    for row, text in column.rows():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            code = ord(text[error.start])
            raise InputError(
                f"{column.where(row)} holds the lone surrogate U+{code:04X}, which is no "
                'character; decode the text without errors="surrogateescape", or replace it'
            ) from None


def _finding(fault: Fault, prices: Prices, metric: Any) -> Finding:
    kind = KINDS[fault.kind]
    scale = metric.dialect.combine.scale if isinstance(metric, BLEU) else 100
    before, after = prices.of(fault)
    harmless = (
        before is not None and after is not None and abs(after - before) * 100 / scale < _HARMLESS
    )
    severity = kind.harmless if harmless else kind.severity
    if fault.texts is not None and before is None:
        severity = "error"  # whatever it is, it keeps the texts from being scored
    column = fault.column
    return Finding(
        fault.kind,
        severity,
        column.name,
        tuple(row + column.first for row in fault.rows),
        _where(fault),
        fault.message,
        fault.evidence,
        kind.advice,
        before,
        after,
        metric.name,
    )


def _where(fault: Fault) -> str:
    column, rows = fault.column, fault.rows
    if fault.whole or not rows:
        return column.name + column.suffix
    first, *others = rows[:_NAMED]
    numbers = [column.where(first), *(str(row + column.first) for row in others)]
    more = f" and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
    return ", ".join(numbers) + more
