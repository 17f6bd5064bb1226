# SPDX-License-Identifier: Apache-2.0
"""The score of a corpus under every dialect of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import MissingExtraError, OptionError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.score import Score
from truebleu.text.tables import padded


@dataclass(frozen=True, slots=True)
class Standing:
    """The score of a corpus under one dialect.

    Attributes:
        name: the dialect.
        score: the score; None if the dialect cannot be used here.
        problem: why it cannot be used.
    """

    name: str
    score: Score | None
    problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        score = None if self.score is None else {"scale": self.score.scale, **self.score.to_dict()}
        return {"dialect": self.name, "score": score, "problem": self.problem}


def survey(
    hyps: Any, refs: Any, *, progress: Callable[[float], None] = lambda _: None, **changes: Any
) -> list[Standing]:
    """The score of a corpus under every dialect.

    Args:
        hyps, refs: as `corpus_bleu` takes them.
        progress: called with the share of the dialects that are done.
        changes: options to change in every dialect, by name.

    Raises:
        InputError: hypotheses and references are not aligned, or not text.
        OptionError: an option to change does not exist, or cannot have its value.

    Example:
        >>> from truebleu import survey
        >>> rows = survey(["the cat sat"], ["the cat sat"])
        >>> [(row.name, row.score.value) for row in rows if row.name in ("mteval-v13a", "nltk")]
        [('mteval-v13a', 1.0), ('nltk', 1.2213386697554703e-77)]
    """
    dialect("sacrebleu", **changes)  # raises for wrong options
    corpus = CountedCorpus(hyps, refs)
    standings = []
    for name in DIALECTS:
        try:
            standings.append(Standing(name, corpus.score(BLEU(name, **changes))))
        except (MissingExtraError, OptionError) as error:
            standings.append(Standing(name, None, str(error)))
        progress(len(standings) / len(DIALECTS))
    return standings


def table(standings: Sequence[Standing], terminal: int | None = None) -> str:
    """The scores as text; `terminal` is the width of the terminal in columns."""
    rows = [("dialect", "score", "of", "in percent", "BP", "tokens", "against")]
    for standing in standings:
        if (score := standing.score) is None:
            continue
        width = 2 if score.scale > 1 else 4
        rows.append(
            (standing.name, f"{score.value:.{width}f}", str(score.scale),
             f"{score.value * (100 / score.scale):.2f}", f"{score.bp:.3f}",
             str(score.hyp_len), str(score.ref_len))
        )  # fmt: skip
    lines = ["  ".join(row) for row in padded(rows, terminal)]
    return "\n".join(lines + [f"{s.name}: {s.problem}" for s in standings if s.problem])
