# SPDX-License-Identifier: Apache-2.0
"""Does the signature in the paper give the number beside it?"""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.analysis.reconcile import reconcile, usualness
from truebleu.analysis.reconcile.matches import reference_names
from truebleu.analysis.reconcile.reported import Reported
from truebleu.analysis.reconcile.tally import Tally
from truebleu.dialects.signature import named_references, parse_signature
from truebleu.errors import OptionError, check_bool
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.diff import Diff
    from truebleu.analysis.reconcile.matches import Matches
    from truebleu.dialects.decisions import Dialect

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a signature gives the number reported with it. Frozen; `str()` tells it in words.

    Attributes:
        reported: the number.
        dialect: what the signature names.
        value: what that gives, in the scale of the number.
        references: positions of the references that it was scored with, from 0 on.
        agrees: whether this is the number.
        named: how many references the signature names; None if it does not say.
        given: how many there are.
        instead: if it does not agree, the settings that give the number.
        diff: the way from the signature to the first of these, one decision at a time, with the
            references of the latter; None if there is none or no decision differs.
    """

    reported: Reported
    dialect: Dialect
    value: float
    references: tuple[int, ...]
    agrees: bool
    named: int | None
    given: int
    instead: Matches | None
    diff: Diff | None

    def __str__(self) -> str:
        return self.format()

    def format(
        self, names: Sequence[str] | None = None, *, limit: int = 5, color: bool = False
    ) -> str:
        """The verdict, and what gives the number instead.

        Args:
            names: of the references; their numbers from 1 on if not given.
            limit: the most settings to show.
            color: bold text, for terminals.
        """
        bold, plain = (_BOLD, _PLAIN) if check_bool("color", color) else ("", "")
        names = reference_names(names, self.given)
        used = ", ".join(names[i] for i in self.references)
        number = self.reported.text
        gives = f"the signature gives {self.reported.format(self.value)}, with reference {used}"
        verdict = f"Verified: {number}; {gives}." if self.agrees else f"Not {number}: {gives}."
        lines = [f"{bold}{verdict}{plain}"]
        if self.named is not None and self.named != len(self.references):
            lines.append(f"The signature names {self.named} references; {self.given} are given.")
        if self.instead is not None:
            lines += ["", self.instead.format(names, limit=limit, color=color)]
        if self.diff is not None:
            lines += ["", "From what the signature says (a) to the first of these (b):", ""]
            lines.append(self.diff.format(color=color))
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, ready for JSON. References count from 1 there."""
        return {
            "reported": self.reported.text,
            "agrees": self.agrees,
            "value": None if self.value != self.value else self.value,
            "signature": BLEU(self.dialect).signature,
            "references": [i + 1 for i in self.references],
            "references_named": self.named,
            "references_given": self.given,
            "diff": None if self.diff is None else self.diff.to_dict(),
            "instead": None if self.instead is None else self.instead.to_dict(),
        }


def verify(
    hyps: Any, refs: Any, signature: str, reported: Any = None, *, threads: int | None = None
) -> Verification:
    """Whether a signature gives the number reported with it, and if not, what does.

    Args:
        hyps, refs: the corpus, as for `corpus_bleu`; all references that there are. If the
            signature names fewer, each choice of so many is tried.
        signature: ours or one of sacreBLEU 1.x or 2.x, or a whole line of sacreBLEU's output.
        reported: the number, as for `reconcile`; that behind the ` = ` of the line if not given.
        threads: the most threads to use.

    Raises:
        InputError: the corpus cannot be scored, or is empty.
        OptionError: the signature is none; the number is none, or not there.

    Example:
        >>> from truebleu import verify
        >>> line = "BLEU|nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.3.1 = 48.9"
        >>> verify(["the cat sat on the mat ."], ["The cat sat on a mat ."], line).agrees
        True
    """
    found = parse_signature(signature)
    named = named_references(signature)
    number = Reported.read(_behind(signature) if reported is None else reported)
    tally = Tally(hyps, refs, threads)
    bleu = BLEU(found, threads=threads)
    chosen = [
        subset
        for subset, _ in usualness.subsets(tally.references)
        if len(subset) == (named or tally.references) and tally.complete(subset)
    ]
    scale = 100 if number.scales[0] == 100 else found.combine.scale
    tried = []
    for subset in chosen or [tuple(range(tally.references))]:
        value = bleu.corpus(*tally.selected(subset)).value * (scale / found.combine.scale)
        tried.append((not _is(number, value), abs(value - number.value), subset, value))
    disagrees, _, subset, value = min(tried)
    instead = diff = None
    if disagrees:
        instead = reconcile(hyps, refs, reported or number.text, threads=threads)
        if instead and instead[0].dialect.replace(scale=found.combine.scale) != found:
            diff = diff.diff(*tally.selected(instead[0].references), found, instead[0].dialect)
    return Verification(
        number, found, value, subset, not disagrees, named, tally.references, instead, diff
    )


def _is(number: Reported, value: float) -> bool:
    import numpy as np

    values = np.array([value])
    return bool(number.is_rounded(values) | number.is_truncated(values))


def _behind(line: str) -> str:
    """The number of a line such as `BLEU|nrefs:1|... = 27.3 60.1/33.0/...`."""
    words = line.partition(" = ")[2].split()
    if not words:
        raise OptionError("no score is given; give one, or a whole line with = 27.3 behind")
    return words[0]
