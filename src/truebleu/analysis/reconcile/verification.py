# SPDX-License-Identifier: Apache-2.0
"""Does the signature in the paper give the reported score?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truebleu.analysis.diff import Diff, diff
from truebleu.analysis.reconcile import penalties, reconcile
from truebleu.analysis.reconcile.matches import Matches, Reported, reference_names
from truebleu.analysis.reconcile.texts import CorpusCounts
from truebleu.dialects.decisions import Dialect
from truebleu.dialects.signature import named_references, parse_signature
from truebleu.errors import OptionError, check_bool, quantity
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.tokenizers import NATIVE
from truebleu.text.results import Printed, attributes
from truebleu.text.tables import BOLD, PLAIN

_PATH = "From the signature (a) to the first of these settings (b):"


@dataclass(frozen=True, slots=True)
class Verification(Printed):
    """Whether a signature gives the score reported with it; `str()` describes the result.

    Attributes:
        reported: the reported score.
        dialect: the dialect of the signature.
        value: its score, on the scale of the reported score.
        references: positions of the references that are used, from 0 up.
        agrees: whether the score is the reported one.
        named: the number of references in the signature; None if it has none.
        given: the number of references that you passed.
        instead: the settings that give the reported score, if the signature does not.
        diff: the path from the signature to the first of these, one decision at a time, with the
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

    def format(self, names: Sequence[str] | None = None, *, limit: int = 5, color: bool = False) -> str:
        """The verdict, and settings that give the reported score instead.

        Args:
            names: of the references; None for numbers from 1 up.
            limit: the largest number of settings to show.
            color: bold text, for terminals.
        """
        bold, plain = (BOLD, PLAIN) if check_bool("color", color) else ("", "")
        names = reference_names(names, self.given)
        verdict, *remarks = self._verdict(names)
        lines = [f"{bold}{verdict}{plain}", *remarks]
        if self.instead is not None:
            lines += ["", self.instead.format(names, limit=limit, color=color)]
        if self.diff is not None:
            lines += ["", _PATH, "", self.diff.format(color=color)]
        return "\n".join(lines)

    def _verdict(self, names: Sequence[str]) -> list[str]:
        """A sentence, and one more if the number of references is not that of the signature."""
        used = ", ".join(names[i] for i in self.references)
        number = self.reported.text
        several = "s" * (len(self.references) > 1)
        gives = f"the signature gives {self.reported.format([self.value])}, with reference{several} {used}"
        lines = [f"Verified: {number}; {gives}." if self.agrees else f"Not {number}: {gives}."]
        if self.named not in (None, len(self.references)):
            lines.append(f"The signature names {quantity(self.named, 'reference')}, but you passed {self.given}.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON. References count from 1 there."""
        return {
            "reported": self.reported.text,
            **attributes(self, ("agrees", "value", "diff", "instead")),
            "signature": BLEU(self.dialect).signature,
            "references": [i + 1 for i in self.references],
            "references_named": self.named,
            "references_given": self.given,
        }


def verify(hyps: Any, refs: Any, signature: str, reported: Any = None, *, threads: int | None = None) -> Verification:
    """Whether a signature gives the score reported with it, and if not, which settings do.

    Args:
        hyps, refs: the corpus, as for `corpus_bleu`, with all references that you have. If the
            signature names fewer, every choice of that many is tried.
        signature: a signature of TrueBLEU or of sacreBLEU 1.x or 2.x, or a line of sacreBLEU's
            output.
        reported: the score, as for `reconcile`; None for the one after ` = ` in the line.
        threads: the largest number of threads.

    Raises:
        InputError: the corpus cannot be scored, or is empty.
        OptionError: the signature cannot be read; the score is missing or not a number.

    Example:
        >>> from truebleu import verify
        >>> line = "BLEU|nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.3.1 = 48.9"
        >>> verify(["the cat sat on the mat ."], ["The cat sat on a mat ."], line).agrees
        True
    """
    dialect = parse_signature(signature)
    tokenize = dialect.tokenize.tokenize
    if isinstance(tokenize, str) and tokenize.startswith("re:") and tokenize not in NATIVE:
        raise OptionError(
            f"the signature has the pattern {tokenize!r:.80}, and a pattern may run for ever; "
            "if you trust it, score with BLEU(parse_signature(signature))"
        )
    named = named_references(signature)
    number = Reported.read(_score_of_line(signature) if reported is None else reported)
    corpus = CorpusCounts(hyps, refs, threads)
    bleu = BLEU(dialect, threads=threads)
    subsets = [
        subset
        for subset, _ in penalties.subsets(corpus.references)
        if len(subset) == (named or corpus.references) and corpus.complete(subset)
    ]
    scale = 100 if number.scales[0] == 100 else dialect.combine.scale
    tried = []
    for subset in subsets or [tuple(range(corpus.references))]:
        value = bleu.corpus(*corpus.selected(subset)).value * (scale / dialect.combine.scale)
        agrees = any(reading[0] for reading in number.readings(np.array([[value]])))
        tried.append((not agrees, abs(value - number.values[0]), subset, value))
    disagrees, _, subset, value = min(tried)
    instead = path = None
    if disagrees:
        instead = reconcile(hyps, refs, reported or number.text, threads=threads)
        other = instead[0].dialect if instead and not instead[0].setting.texts else None
        if other is not None and other.replace(scale=dialect.combine.scale) != dialect:
            path = diff(*corpus.selected(instead[0].references), dialect, other)
    return Verification(number, dialect, value, subset, not disagrees, named, corpus.references, instead, path)


def _score_of_line(line: str) -> str:
    """The score in a line such as `BLEU|nrefs:1|... = 27.3 60.1/33.0/...`."""
    words = line.partition(" = ")[2].split()
    if not words:
        raise OptionError("a signature needs its score; give it, or a line that ends in = 27.3")
    return words[0]
