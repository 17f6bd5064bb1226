# SPDX-License-Identifier: Apache-2.0
"""What a corpus scores under every row of the table of dialects."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import MissingExtraError, OptionError
from truebleu.metrics.bleu import BLEU
from truebleu.text.tables import padded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.metrics.score import Score


@dataclass(frozen=True, slots=True)
class Standing:
    """What a row makes of a corpus.

    Attributes:
        name: the row.
        score: the score; None if the row cannot be used here.
        problem: why it cannot.
    """

    name: str
    score: Score | None
    problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        score = None if self.score is None else {"scale": self.score.scale, **self.score.to_dict()}
        return {"dialect": self.name, "score": score, "problem": self.problem}


def survey(
    hyps: Any, refs: Any, *, progress: Callable[[float], None] = lambda _: None, **changes: Any
) -> list[Standing]:
    """The score of a corpus under every row; it is counted once for each way to count.

    Args:
        hyps, refs: as `corpus_bleu` takes them.
        progress: is told the share of the rows that is done.
        changes: options to change in every row, by name.

    Raises:
        InputError: hypotheses and references are not aligned, or not text.
        OptionError: an option to change does not exist, or cannot have its value.

    Example:
        >>> from truebleu import survey
        >>> rows = survey(["the cat sat"], ["the cat sat"])
        >>> [(row.name, row.score.value) for row in rows if row.name in ("mteval-v13a", "nltk")]
        [('mteval-v13a', 1.0), ('nltk', 1.2213386697554703e-77)]
    """
    dialect("sacrebleu", **changes)  # what is wrong for all rows is not a problem of each
    corpus = CountedCorpus(hyps, refs)
    standings = []
    for name in DIALECTS:
        standings.append(_standing(corpus, name, changes))
        progress(len(standings) / len(DIALECTS))
    return standings


def _standing(corpus: CountedCorpus, name: str, changes: dict[str, Any]) -> Standing:
    try:
        bleu = BLEU(name, **changes)
    except (MissingExtraError, OptionError) as error:
        return Standing(name, None, str(error))
    return Standing(name, corpus.score(bleu))


def table(standings: Sequence[Standing], room: int | None = None) -> str:
    """The standings as text, for a terminal of so many columns if they are given."""
    rows = [("dialect", "score", "of", "in percent", "BP", "tokens", "against")]
    for standing in standings:
        score = standing.score
        if score is None:
            continue
        width = 2 if score.scale > 1 else 4
        rows.append(
            (standing.name, f"{score.value:.{width}f}", str(score.scale),
             f"{score.value * (100 / score.scale):.2f}", f"{score.bp:.3f}",
             str(score.hyp_len), str(score.ref_len))
        )  # fmt: skip
    lines = ["  ".join(row) for row in padded(rows, room)]
    return "\n".join(lines + [f"{s.name}: {s.problem}" for s in standings if s.problem])
