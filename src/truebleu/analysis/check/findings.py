# SPDX-License-Identifier: Apache-2.0
"""`check`: the faults of texts, with the scores before and after each repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from truebleu.analysis.check.faults import MISALIGNED, examine, fixed, texts_of
from truebleu.analysis.check.kinds import KINDS, SEVERITIES, Fault
from truebleu.analysis.check.texts import Texts
from truebleu.dialects.decisions import Dialect
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.nist import NIST
from truebleu.metrics.ter import TER
from truebleu.text import html
from truebleu.text.json_text import for_json

#: A repair that changes the score by fewer points of a hundred is harmless: nobody reports them. If
#: this share of the lines has the fault, it is so only if the score stays as it is.
_HARMLESS, _SOME = 0.01, 0.05
#: Scores that differ by less are equal but for rounding.
_ROUNDING = 1e-9
#: A repair that changes the score by so many points of a hundred shows that it cannot be used, and
#: so does a fault without a repair in this share of the lines.
_SERIOUS, _MANY = 1.0, 0.1
#: Rows that `where` names; it counts the others.
_NAMED = 5


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """A problem in the texts. Frozen.

    Attributes:
        kind: a name of the table in docs/check.md, such as `lost-line`.
        severity: `error` if the score cannot be used, `warning` if it may be wrong, `note` if it
            is not affected.
        role: `hyp`, `ref` or `src`: what has the problem.
        column: the file, or the argument of `check`, that has the problem.
        lines: all its places, ascending: lines counted from 1 in files, indices in arguments.
        where: the first of them, as an editor or Python writes them.
        message: a sentence.
        evidence: pairs of a place and an excerpt. Invisible characters are named: `<U+00A0>`.
        advice: what to do.
        before: the score as it is, None if it cannot be computed.
        after: the score after the repair of all problems of this kind; None if it is unknown.
        metric: the name of the scores.
        without: the score without these segments, if a repair is unknown; else None.
    """

    kind: str
    severity: str
    role: str
    column: str
    lines: tuple[int, ...]
    where: str
    message: str
    evidence: tuple[tuple[str, str], ...]
    advice: str
    before: float | None
    after: float | None
    metric: str = "BLEU"
    without: float | None = None

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
    if after is None and before is not None and finding.without is not None:
        return f"{name} {before:.2f}, without these lines {finding.without:.2f}"
    if after is None:
        return f"{name} after repair: unknown"
    if before is None:
        return f"{name} after repair: {after:.2f}; before: unknown"
    if before == after:
        return f"Repair leaves {name} at {before:.2f}"
    return f"{name} {before:.2f}, after repair {after:.2f} ({after - before:+.2f})"


class Findings(list[Finding]):
    """Findings, the most severe first. Prints a line for each."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "No problems found."

    def _repr_html_(self) -> str:
        return html.block(*map(_shown, self) if self else [html.line("No problems found.")])


#: Backgrounds of severities in notebooks.
_GROUNDS = {"error": html.LOSS, "warning": "rgba(230,159,0,.5)", "note": "rgba(86,180,233,.4)"}


def _shown(finding: Finding) -> html.HTML:
    """A finding in a notebook: excerpts and advice fold out."""
    style = f"background:{_GROUNDS[finding.severity]};border-radius:.2em;padding:0 .35em"
    severity = html.element("span", finding.severity, style=style)
    what = html.join([severity, " ", html.element("b", finding.kind), f" · {finding.where}"])
    evidence = [
        html.line(html.code(place), " ", html.user_text(text)) for place, text in finding.evidence
    ]
    return html.element(
        "details",
        html.element("summary", what, html.line(finding.message, " ", effect_text(finding), ".")),
        html.element(
            "div",
            *evidence,
            html.line(f"Fix: {finding.advice}"),
            style="margin-left:1em;overflow-wrap:anywhere",
        ),
        style="margin:.5em 0",
    )


def separate(
    checked: Mapping[str, Sequence[Finding]],
) -> tuple[list[dict[str, Finding]], dict[str, list[Finding]]]:
    """The findings of several systems with the same references, each problem once.

    Returns:
        The problems of references and sources, the most severe first: for each system its finding,
        which has the effect on that system. Then the findings about each system's hypotheses.
    """
    shared: dict[tuple[str, str, int], dict[str, Finding]] = {}
    for name, findings in checked.items():
        times: Counter[tuple[str, str]] = Counter()  # a kind can have several causes
        for one in findings:
            if one.role != "hyp":
                shared.setdefault((one.column, one.kind, times[one.column, one.kind]), {})[name] = (
                    one
                )
                times[one.column, one.kind] += 1

    def severity(systems: dict[str, Finding]) -> int:
        return min(SEVERITIES.index(one.severity) for one in systems.values())

    own = {
        name: [one for one in findings if one.role == "hyp"] for name, findings in checked.items()
    }
    return sorted(shared.values(), key=severity), own


def check(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric[Any, Any] | None = None,
    srcs: Any = None,
    threads: int | None = None,
    **changes: Any,
) -> Findings:
    r"""Find problems in the texts of a corpus, the most severe first. Clean texts have none.

    Args:
        hyps: hypotheses as text, before tokenization.
        refs: a string for each, or a list of strings, with `None` for an absent one. Its length may
            differ from that of `hyps`: `check` looks for the reason.
        dialect, threads, changes: as for `BLEU`; effects are measured with them.
        metric: measures the effects instead of BLEU: a name, such as `"chrf"`, or a metric.
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
    measure = choose_metric(metric, dialect, threads, changes)
    texts, faults = texts_of(hyps, refs, srcs, measure.threads)
    return Findings(inspect(texts, measure, faults))


def inspect(texts: Texts, metric: Any, faults: Sequence[Fault] = ()) -> list[Finding]:
    """The findings of columns of text, among them `faults` that the caller knows."""
    found, aligned = examine(texts, metric)
    faults = [*faults, *found]
    repairs = Repairs(texts, aligned, metric, faults)
    findings = [_finding(fault, repairs, metric) for fault in faults]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def _finding(fault: Fault, repairs: Repairs, metric: Any) -> Finding:
    kind, column = KINDS[fault.kind], fault.column
    before, after = repairs.scores(fault)
    severity = kind.severity
    if before is not None and after is not None:
        scale = metric.scale if isfinite(metric.scale) else max(before, after, 1.0)
        effect = abs(after - before) * 100 / scale
        if effect < (_HARMLESS if len(fault.rows) < _SOME * len(column) else _ROUNDING):
            severity = kind.harmless
        elif severity == "warning" and effect >= _SERIOUS:
            severity = "error"
    elif before is None and (fault.texts is not None or fault.removed):
        severity = "error"  # it prevents scoring
    elif after is None and severity == "warning" and len(fault.rows) >= _MANY * len(column):
        severity = "error"
    return Finding(
        kind=fault.kind,
        severity=severity,
        role=column.role,
        column=column.name,
        lines=tuple(row + column.first for row in fault.rows),
        where=_where(fault),
        message=fault.message,
        evidence=tuple(fault.evidence),
        advice=kind.advice,
        before=before,
        after=after,
        metric=metric.name,
        without=repairs.without(fault) if after is None else None,
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

    Statistics add, so only the segments that a repair changes are counted again.
    """

    def __init__(
        self, texts: Texts, aligned: Texts | None, metric: Any, faults: Sequence[Fault]
    ) -> None:
        self._metric = metric
        self._faults = faults
        self._texts = texts if texts.paired else aligned
        self._aligned = aligned
        self._is_original = texts.paired
        self._after: dict[str, float | None] = {}

    def scores(self, fault: Fault) -> tuple[float | None, float | None]:
        """The score before and after the repair of all faults of this kind; None if unknown."""
        if fault.kind == "transposed":
            return None, self._base
        if fault.texts is not None:
            before = self._base if self._is_original or fault.kind not in MISALIGNED else None
            return before, self._score(fault.texts)
        if fault.removed and self._aligned is self._texts:
            return self._base, self._recounted(fault.removed)
        if fault.removed and self._aligned is not None:
            return self._base, self._score(self._aligned.without(fault.removed))
        if fault.fix is None and not fault.changes:
            return self._base, None
        if fault.kind not in self._after:
            self._after[fault.kind] = self._repaired(fault)
        return self._base, self._after[fault.kind]

    def without(self, fault: Fault) -> float | None:
        """The score without the segments that have the fault; None if that is all of them."""
        texts = self._texts
        if texts is None or fault.column.role == "src" or not fault.rows:
            return None
        segments = texts.segments_of(fault.column, fault.rows)
        return self._recounted(segments) if len(segments) < texts.length else None

    def _repaired(self, fault: Fault) -> float | None:
        fixes = [other for other in self._faults if other.kind == fault.kind and other.fix]
        if self._texts is None or not (fault.changes or fixes):
            return None
        if fault.changes:
            return self._score(self._texts, _changed(self._metric, fault.changes))
        scored = [one for one in fixes if one.column.role != "src"]
        segments = {i for one in scored for i in self._texts.segments_of(one.column, one.rows)}
        return self._recounted(sorted(segments), fixed(self._texts, scored))

    @cached_property
    def _base(self) -> float | None:
        if self._stats is None:
            return self._score(self._texts)
        return for_json(self._metric.score(self._total).value)

    @cached_property
    def _stats(self) -> Any:
        """The statistics of each segment; None if it has none, or if they do not add."""
        if self._texts is None or isinstance(self._metric, NIST) or not _has_score(self._texts):
            return None
        return self._metric.stats(*self._texts.for_metric())

    @cached_property
    def _total(self) -> Any:
        return self._stats.sum()

    def _recounted(self, segments: Sequence[int], texts: Texts | None = None) -> float | None:
        """The score if these segments are as in `texts`, or are left out."""
        if self._texts is None:
            return None
        if self._stats is None:
            return self._score(self._texts.without(segments) if texts is None else texts)
        total = np.asarray(self._total) - np.asarray(self._stats[np.array(segments)].sum())
        if texts is not None and segments:
            total += np.asarray(self._metric.stats(*texts.for_metric(segments)).sum())
        return for_json(self._metric.score(self._total.like(total)).value)

    def _score(self, texts: Texts | None, metric: Any = None) -> float | None:
        if texts is None or not _has_score(texts):
            return None
        return for_json((metric or self._metric).corpus(*texts.for_metric()).value)


def _has_score(texts: Texts) -> bool:
    """Whether there are segments, and each has a reference."""
    columns = [texts.segments(ref) for ref in texts.refs]
    some_absent = all(None in column for column in columns)
    return texts.length > 0 and not (
        some_absent and any(all(one is None for one in row) for row in zip(*columns, strict=True))
    )


def _changed(metric: Any, changes: Mapping[str, Any]) -> Any:
    """The metric with options that suit the texts."""
    if isinstance(metric, BLEU):
        return BLEU(metric.dialect.replace(**changes), threads=metric.threads)
    if isinstance(metric, TER):
        changes = {"case_sensitive": not changes["lowercase"]}
    return type(metric)(threads=metric.threads, **{**metric.settings, **changes})
