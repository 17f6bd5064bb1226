# SPDX-License-Identifier: Apache-2.0
"""`check`: the faults of texts, with the scores before and after each repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Unpack

from truebleu.analysis.check.examination import Examination, texts_of
from truebleu.analysis.check.faults import ADVICE, EXCERPTS, FATAL, SENTENCES, SEVERITIES, Column, Fault, Texts
from truebleu.analysis.check.judge import MANY, ROUNDING
from truebleu.analysis.check.outputs import same_system
from truebleu.analysis.processes import Call, Processes
from truebleu.dialects.changes import MetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.text import html
from truebleu.text.normalization import Normalization
from truebleu.text.results import Record

#: Points of a hundred that make a finding an error, and a warning: papers report differences of a
#: point, and round to a tenth. Typography that writers choose is worth a point in clean files.
_ERROR, _WARNING = 1.0, 0.05


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Record):
    """A problem in the texts. Frozen.

    Attributes:
        kind: a name of the table in docs/check.md, such as `lost-line`.
        severity: `error` if the score cannot be used or changes by a point or more, `warning` if it
            changes by a twentieth of a point, `note` otherwise.
        role: `hyp`, `ref` or `src`: what has the problem.
        column: the file, or the argument of `check`, that has the problem.
        lines: all its places, ascending: lines counted from 1 in files, indices in arguments.
        where: the first of them, as an editor or Python writes them.
        message: a sentence.
        evidence: pairs of a place and an excerpt. Invisible characters are named: `<U+00A0>`.
        advice: what to do.
        before: the score as it is, None if it cannot be computed.
        after: the score after the repair; None if it is unknown.
        metric: the name of the scores.
        without: the score without these segments, if a repair is unknown; else None.
        normalization: the name of the normalization that repairs it, if one does.
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
    normalization: str | None = None

    @property
    def effect(self) -> float | None:
        """The change of the score by the repair; None if it cannot be computed."""
        return None if self.before is None or self.after is None else self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        evidence = [{"where": place, "text": text} for place, text in self.evidence]
        return {**Record.to_dict(self), "evidence": evidence, "effect": self.effect, "count": len(self.lines)}

    def __str__(self) -> str:
        return f"{self.severity}: {self.kind}: {self.where}: {self.message}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"


def effect_text(finding: Finding) -> str:
    """The effect of the repair on the score: `BLEU 30.10, after repair 31.25 (+1.15)`."""
    name, before, after = finding.metric, finding.before, finding.after
    if after is None and before is not None and finding.without is not None:
        return f"{name} {before:.2f}, without these lines {finding.without:.2f}"
    if after is None or before is None:
        shown = "unknown" if after is None else f"{after:.2f}; before: unknown"
        return f"{name} after repair: {shown}"
    if before == after:
        return f"Repair leaves {name} at {before:.2f}"
    return f"{name} {before:.2f}, after repair {after:.2f} ({after - before:+.2f})"


class Findings(list[Finding]):
    """Findings, the most severe first. A line for each; a notebook adds excerpts and advice."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "No problems found."

    def _repr_html_(self) -> str:
        each = [(str(f), *map(": ".join, f.evidence), effect_text(f), f"Fix: {f.advice}", "") for f in self]
        return html.terminal("\n".join(chain(*each)) or str(self))


def separate(checked: Mapping[str, Sequence[Finding]]) -> tuple[list[dict[str, Finding]], dict[str, list[Finding]]]:
    """The findings of several systems with the same references, each problem once.

    First those of references and sources, the most severe first: for each system its finding, which
    has the effect on that system. Then the findings about each system's hypotheses.
    """
    shared: dict[tuple[str, str, int], dict[str, Finding]] = {}
    for name, findings in checked.items():
        times: Counter[tuple[str, str]] = Counter()  # a kind can have several causes
        for finding in findings:
            if finding.role != "hyp":
                key = finding.column, finding.kind
                shared.setdefault((*key, times[key]), {})[name] = finding
                times[key] += 1
    own = {name: [finding for finding in findings if finding.role == "hyp"] for name, findings in checked.items()}

    def severity(systems: dict[str, Finding]) -> int:
        return min(SEVERITIES.index(finding.severity) for finding in systems.values())

    return sorted(shared.values(), key=severity), own


def check(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric | None = None,
    srcs: Any = None,
    normalizations: Iterable[Normalization] = (),
    threads: int | None = None,
    **changes: Unpack[MetricChanges],
) -> Findings:
    r"""Find problems in the texts of a corpus, the most severe first. Clean texts have none.

    Args:
        hyps: hypotheses as text, before tokenization.
        refs: a string for each, or a list of strings, with `None` for an absent one. Its length may
            differ from that of `hyps`: `check` looks for the reason.
        dialect, threads, changes: as for `BLEU`; effects are measured with them.
        metric: measures the effects instead of BLEU: a name, such as `"chrf"`, or a metric.
        srcs: the sources, to find untranslated lines.
        normalizations: repairs of your own, tried before those of the table.

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
    texts, faults = texts_of(hyps, refs, srcs)
    return Findings(inspect(texts, measure, faults, tuple(normalizations)))


def inspect(
    texts: Texts, metric: Any, faults: Sequence[Fault] = (), normalizations: Sequence[Normalization] = ()
) -> list[Finding]:
    """The findings of columns of text, among them `faults` that the caller knows."""
    examination = Examination(texts, metric, normalizations)
    each = [_finding(fault, examination, metric) for fault in (*faults, *examination.faults)]

    def order(finding: Finding) -> tuple[int, float]:
        last = finding.without if finding.after is None else finding.after
        points = 0.0 if finding.before is None or last is None else abs(last - finding.before)
        return SEVERITIES.index(finding.severity), -points

    return sorted(filter(None, each), key=order)


def _finding(fault: Fault, examination: Examination, metric: Any) -> Finding | None:
    """The finding of a fault; None if its repair would cost points."""
    scores, column, row = examination.scores, fault.column, fault.normalization
    before = without = None
    after, severity = fault.after, "error"
    if scores is not None:
        before = examination.before if fault in examination.moved else scores.before
        if fault.kind == "transposed":
            before, after = None, scores.before
        elif fault.texts is not None:
            after = scores.of(fault.texts)
        elif fault.changes and examination.aligned:
            # Other metrics have no tokenizer to choose.
            suited = BLEU(metric.dialect.replace(**fault.changes), threads=metric.threads)
            after = scores.of(examination.aligned, suited)
        elif row is None and column.role != "src":
            without = scores.without(fault.segments)
        if fault.kind not in FATAL:
            gain = scores.gain(without if after is None else after, before)
            if row is None and after is not None and gain < -ROUNDING:
                return None
            if before is not None or after is None:
                points = abs(gain)
                severity = "error" if points >= _ERROR else "warning"
                if row is not None and row.is_choice:
                    severity = "warning" if points >= _ERROR else "note"
                elif points < _WARNING or fault.kind == "duplicate-segment":
                    severity = "note"
    lines = fault.lines or column.numbers(fault.segments)
    return Finding(
        kind=fault.kind,
        severity=severity,
        role=column.role,
        column=column.name,
        lines=lines,
        where=_where(column, () if fault.whole else lines),
        message=fault.message or SENTENCES[fault.kind],
        evidence=tuple(fault.evidence or column.evidence(() if fault.whole else fault.segments)),
        advice=row.advice if row else ADVICE[fault.kind],
        before=before,
        after=after,
        metric=metric.name,
        without=without,
        normalization=None if row is None or ": " in row.name else row.name,
    )


def _where(column: Column, lines: Sequence[int]) -> str:
    first, *others = dict.fromkeys(lines) or [None]  # several gaps at one line
    if first is None:
        return column.name + column.suffix
    named = [column.where(first), *map(str, others[: EXCERPTS + 1])]
    more = len(others) + 1 - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def begin(systems: Sequence[Texts], metric: Any, processes: Processes) -> list[Call[list[Finding]]]:
    """Begin to look for the findings of each system, in processes if there are many lines."""
    # To start a process takes as long as to check so many lines.
    is_large = sum(len(texts.hyp) for texts in systems) >= 2 * MANY
    hyps = [texts.hyp for texts in systems]
    calls = [
        partial(inspect, texts, metric, tuple(same_system(texts.hyp, hyps[:place])))
        for place, texts in enumerate(systems)
    ]
    return [processes.call(call) if is_large else Call(call, None) for call in calls]
