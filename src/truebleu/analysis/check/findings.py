# SPDX-License-Identifier: Apache-2.0
"""`check`: run all detectors, and score the texts before and after each repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from truebleu.analysis.check import (
    characters,
    language,
    lengths,
    letter_case,
    misalignment,
    sameness,
    tokenization,
)
from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import KINDS, SEVERITIES, Fault
from truebleu.analysis.check.texts import Column, Texts, excerpt
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU, choose_metric
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.ter import TER
from truebleu.text.json_text import for_json

#: A repair that changes the score by fewer points of a hundred is harmless: nobody reports them.
_HARMLESS = 0.01
#: Kinds that prevent scoring if the files differ in length.
_MISALIGNED = ("lost-line", "inserted-line", "shifted-lines", "trailing-blank-line")
#: Rows that `where` names; it counts the others.
_NAMED = 5


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """A problem in the texts. Frozen.

    Attributes:
        kind: a name of the table in docs/check.md, such as `lost-line`.
        severity: `error` if the score cannot be used, `warning` if it may be wrong, `note` if it
            is not affected.
        column: the file, or the argument of `check`, that has the problem.
        lines: all its places, ascending: lines counted from 1 in files, indices in arguments.
        where: the first of them, as an editor or Python writes them.
        message: a sentence.
        evidence: pairs of a place and an excerpt. Invisible characters are named: `<U+00A0>`.
        advice: what to do.
        before: the score as it is, None if it cannot be computed.
        after: the score after the repair of all problems of this kind; None if it is unknown.
        metric: the name of the scores.
    """

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
    metric: str = "BLEU"

    @property
    def effect(self) -> float | None:
        """The change of the score by the repair; None if it cannot be computed."""
        return None if self.before is None or self.after is None else self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        evidence = [{"where": place, "text": text} for place, text in self.evidence]
        lists = {"lines": list(self.lines), "evidence": evidence}
        return {**asdict(self), **lists, "effect": self.effect, "count": len(self.lines)}

    def __str__(self) -> str:
        return f"{self.severity}: {self.kind}: {self.where}: {self.message}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"


def effect_text(finding: Finding) -> str:
    r"""The effect of the repair on the score, as a line of text.

    Example:
        >>> from truebleu import check
        >>> from truebleu.analysis.check import effect_text
        >>> (finding,) = check(["A cat sat down.", "Two dogs"], ["A cat sat down.", "Two\tdogs"])
        >>> effect_text(finding)
        'Repair leaves BLEU at 100.00'
    """
    name, before, after = finding.metric, finding.before, finding.after
    if after is None:
        return f"{name} after repair: unknown"
    if before is None:
        return f"{name} after repair: {after:.2f}; before: unknown"
    if before == after:
        return f"Repair leaves {name} at {before:.2f}"
    return f"{name} {before:.2f}, after repair {after:.2f} ({after - before:+.2f})"


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
    r"""Find problems in the texts of a corpus, the most severe first. Clean texts have none.

    Args:
        hyps: hypotheses as text, before tokenization.
        refs: a string for each, or a list of strings, with `None` for an absent one. Its length may
            differ from that of `hyps`: `check` looks for the reason.
        dialect, threads, changes: as for `BLEU`; effects are measured with them.
        metric: measures the effects instead of a dialect, such as `CHRF()`.
        srcs: the sources, to find untranslated lines.

    Raises:
        InputError: a column is empty or holds something other than text.
        OptionError, MissingExtraError: as `BLEU`.

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
        "The references are in sacreBLEU's layout, one list per set: [reference][segment].",
        evidence=[("refs[0]", excerpt(str(texts.refs[0].texts[:2])))], texts=texts, whole=True,
    )  # fmt: skip
    return inspect(texts, metric, [fault])


def _reference_columns(rows: Any) -> list[Column]:
    if all(isinstance(row, str) or row is None for row in rows):
        return [Column("ref", "refs", rows)]
    columns = corpus.reference_columns(rows) or [(None,) * len(rows)]
    return [Column("ref", "refs", list(one), 0, f"[{k}]") for k, one in enumerate(columns)]


def _is_transposed(hyp: Column, rows: Any, threads: int) -> bool:
    """Whether `refs` has one list per set of references instead of one per segment.

    If there are as many sets as segments, the layout with the higher similarity decides.
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
    # The wrong layout still pairs one of n segments correctly, of two segments one.
    return turned > 1.4 * straight + 0.05


def inspect(texts: Texts, metric: Any, faults: Sequence[Fault] = ()) -> list[Finding]:
    """The findings of columns of text, among them `faults` that the caller knows."""
    for column in texts.columns:
        if not len(column):
            raise InputError(f"{column.name} is empty; give at least one segment")
        _check_characters(column)
    similarity = Similarity(metric.threads)
    moved, aligned = misalignment.realign(texts, similarity)
    faults = [*faults, *moved, *characters.find(texts)]
    tokenizer = metric.dialect.tokenize.tokenize if isinstance(metric, BLEU) else None
    faults += tokenization.find(texts, tokenizer)
    related = aligned
    if any(fault.kind == "unrelated-lines" for fault in moved):
        faults += sameness.find_copies(texts)  # a possible reason
        related = None
    if related is not None:
        faults += lengths.find(related)
        faults += sameness.find(related, similarity)
        unreadable = [fault for fault in faults if fault.kind in ("mojibake", "subwords")]
        damaged = {(fault.column.place, row) for fault in unreadable for row in fault.rows}
        faults += language.find(related, similarity, damaged)
    if not _lowers(metric):
        faults += letter_case.find(texts if aligned is None else aligned, related)
    repairs = Repairs(texts, aligned, metric, faults)
    findings = [_finding(fault, repairs, metric) for fault in faults]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def _lowers(metric: Any) -> bool:
    """Whether the metric ignores case."""
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
                f"{column.where(row)} holds the lone surrogate U+{code:04X}, which is not a "
                'character; decode the text without errors="surrogateescape", or replace it'
            ) from None


def _finding(fault: Fault, repairs: Repairs, metric: Any) -> Finding:
    kind, column = KINDS[fault.kind], fault.column
    before, after = repairs.scores(fault)
    severity = kind.severity
    if before is not None and after is not None:
        scale = metric.dialect.combine.scale if isinstance(metric, BLEU) else 100
        if abs(after - before) * 100 / scale < _HARMLESS:
            severity = kind.harmless
    elif fault.texts is not None and before is None:
        severity = "error"  # it prevents scoring
    return Finding(
        kind=fault.kind,
        severity=severity,
        column=column.name,
        lines=tuple(row + column.first for row in fault.rows),
        where=_where(fault),
        message=fault.message,
        evidence=tuple(fault.evidence),
        advice=kind.advice,
        before=before,
        after=after,
        metric=metric.name,
    )


def _where(fault: Fault) -> str:
    column, rows = fault.column, list(dict.fromkeys(fault.rows))  # several gaps at one line
    if fault.whole or not rows:
        return column.name + column.suffix
    first, *others = rows[:_NAMED]
    numbers = [column.where(first), *(str(row + column.first) for row in others)]
    more = f" and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
    return ", ".join(numbers) + more


class Repairs:
    """Scores before and after repairs.

    All faults of one kind are repaired together: spaces that are replaced in one file alone could
    match worse than before. If `texts` have no score, the aligned texts are repaired.
    """

    def __init__(
        self, texts: Texts, aligned: Texts | None, metric: Any, faults: Sequence[Fault]
    ) -> None:
        self._metric = metric
        self._faults = faults
        self._texts = texts if texts.paired else aligned
        self._base = self._score(self._texts)
        self._original = self._base if texts.paired else None
        self._after: dict[str, float | None] = {}

    def scores(self, fault: Fault) -> tuple[float | None, float | None]:
        """The score before and after the repair of all faults of this kind; None if unknown."""
        if fault.kind == "transposed":
            return None, self._base
        if fault.texts is not None:
            before = self._original if fault.kind in _MISALIGNED else self._base
            return before, self._score(fault.texts)
        if fault.kind not in self._after:
            self._after[fault.kind] = self._repaired(fault)
        return self._base, self._after[fault.kind]

    def _repaired(self, fault: Fault) -> float | None:
        fixes = [other for other in self._faults if other.kind == fault.kind and other.fix]
        if self._texts is None or not (fault.changes or fixes):
            return None
        if fault.changes:
            return self._score(self._texts, _changed(self._metric, fault.changes))
        return self._score(_fixed(self._texts, fixes))

    def _score(self, texts: Texts | None, metric: Any = None) -> float | None:
        if texts is None:
            return None
        hyps, refs = texts.for_metric()
        if not hyps or not all(any(ref is not None for ref in row) for row in refs):
            return None
        return for_json((metric or self._metric).corpus(hyps, refs).value)


def _changed(metric: Any, changes: Mapping[str, Any]) -> Any:
    """The metric with options that suit the texts."""
    if isinstance(metric, BLEU):
        return BLEU(metric.dialect.replace(**changes), threads=metric.threads)
    if isinstance(metric, TER):
        changes = {"case_sensitive": not changes["lowercase"]}
    return type(metric)(threads=metric.threads, **{**vars(metric.options), **changes})


def _fixed(texts: Texts, faults: Sequence[Fault]) -> Texts:
    """The texts with the rows of these faults repaired."""
    columns = {}
    for column in texts.columns:
        fixed = list(column.texts)
        for fault in faults:
            # By place: the column may have lost blank rows at its end since.
            for row in fault.rows if fault.column.place == column.place else ():
                if row < len(fixed) and fixed[row] is not None and fault.fix is not None:
                    fixed[row] = fault.fix(fixed[row] or "")
        columns[column] = replace(column, texts=fixed)
    return replace(
        texts,
        hyp=columns[texts.hyp],
        refs=[columns[ref] for ref in texts.refs],
        src=None if texts.src is None else columns[texts.src],
        rows={columns[column]: rows for column, rows in texts.rows.items() if column in columns},
    )
