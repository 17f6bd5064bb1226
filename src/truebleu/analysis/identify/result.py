# SPDX-License-Identifier: Apache-2.0
"""The answer to what a scorer computes, as a value and as a page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truebleu.dialects.decisions import Dialect
from truebleu.errors import quantity
from truebleu.text.results import Record, attributes

#: The verdicts.
EQUAL, NEAREST, OTHER = "equal on all probes", "nearest", "no BLEU"


@dataclass(frozen=True, slots=True)
class Difference(Record):
    """A small corpus on which a scorer and the nearest dialect differ.

    Attributes:
        decision: the decision that the corpus asks about.
        hyps: the hypotheses.
        refs: the references of each.
        scorer: the score of the scorer; NaN if it raises an error or returns no number.
        nearest: the score of the nearest dialect, or of the other metric, on the same scale.
    """

    decision: str
    hyps: tuple[str, ...]
    refs: tuple[tuple[str, ...], ...]
    scorer: float
    nearest: float

    def __str__(self) -> str:
        pairs = zip(self.hyps, self.refs, strict=True)
        texts = [f"    hypothesis {hyp!r}, references {', '.join(map(repr, refs))}" for hyp, refs in pairs]
        own, nearest = ("no number" if math.isnan(value) else f"{value:.6g}" for value in (self.scorer, self.nearest))
        return "\n".join([f"  {self.decision}", *texts, f"    f: {own}, nearest: {nearest}"])


@dataclass(frozen=True, slots=True)
class Identification:
    """What a scorer computes; `str()` is a page about it. Frozen.

    Attributes:
        kind: the verdict: `equal on all probes`, `nearest` or `no BLEU`.
        dialect: the dialect, or the nearest one, for `corpus_bleu`, on the scale of the scorer;
            None if the scorer is no BLEU.
        changes: its options that differ from those of its row, `dialect.name`.
        line: the line of Python that gives the scorer's numbers. It was run on all probes and gave
            these numbers; empty if no line does.
        mistake: in which way the scorer differs from the dialect; empty if it does not, or if no
            mistake that was tried explains its numbers.
        metric: the metric that gives the numbers instead of BLEU, with its Python; empty for none.
        differences: small corpora on which the scorer and the dialect differ, one for each topic.
        alternatives: other rows that give the same numbers with as many changes.
        call: how the scorer is called, such as `hyps, refs by segment`.
        agreement: for each decision, how many probes agree and how many were asked.
        calls: how often the scorer was called.
        errors: how often it raised each exception.
        notes: remarks on the scorer.
    """

    kind: str
    dialect: Dialect | None
    changes: dict[str, Any]
    line: str
    mistake: str
    metric: str
    differences: tuple[Difference, ...]
    alternatives: tuple[str, ...]
    call: str
    agreement: Mapping[str, tuple[int, int]]
    calls: int
    errors: Mapping[str, int]
    notes: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether the dialect gives the scorer's number for all probes."""
        return self.kind == EQUAL

    @property
    def probes(self) -> int:
        """The number of probes."""
        return sum(asked for _, asked in self.agreement.values())

    @property
    def verdict(self) -> str:
        """The verdict in a sentence."""
        agreeing = sum(count for count, _ in self.agreement.values())
        probes, name = quantity(self.probes, "probe"), self.dialect and self.dialect.name
        share = "all" if agreeing == self.probes else f"{agreeing:,} of"
        setting = ", ".join([str(name), *(f"{k}={v!r}" for k, v in self.changes.items())])
        if self.exact:
            return f"Equal on all {probes}: {setting}"
        if self.metric:
            return f"No BLEU: equals {self.metric} on {share} {probes}"
        if name is None:
            return "No BLEU: no dialect and no other metric that was tried gives these numbers"
        if self.mistake:
            return f"Equals {setting} on {share} {probes}, but {self.mistake}"
        return f"Nearest, equal on {share} {probes}: {setting}"

    def __str__(self) -> str:
        lines = [self.verdict, *filter(None, [f"  {self.line}".rstrip()]), *self.notes]
        if self.alternatives:
            lines.append(f"The same on these probes: {', '.join(self.alternatives[:4])}")
        errors = ", ".join(f"{count} x {name}" for name, count in self.errors.items())
        times = quantity(self.calls, "time") + (f"; errors: {errors}" if errors else "")
        lines.append(f"Called as f({self.call}), {times}")
        shares = sorted(
            (count / asked, f"{count} of {asked}", decision) for decision, (count, asked) in self.agreement.items()
        )
        if shares[0][0] < 1 and self.dialect:
            lines += ["", "Probes that agree, by decision; all do for the others:"]
            lines += [f"{text:>14}  {name}" for share, text, name in shares if share < 1]
        if self.differences:
            lines += ["", "Smallest inputs on which they differ:", *map(str, self.differences)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return attributes(self, (*self.__slots__, "exact", "probes")) | {
            "dialect": self.dialect and self.dialect.name,
            "changes": {k: repr(v) if callable(v) else v for k, v in self.changes.items()},
        }
