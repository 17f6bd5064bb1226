# SPDX-License-Identifier: Apache-2.0
"""The score of a corpus under every dialect of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Unpack

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import MissingExtraError, OptionError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.score import Score
from truebleu.text.results import Printed, plain
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
        return {"dialect": self.name, "score": plain(self.score), "problem": self.problem}


class Survey(Printed, list[Standing]):
    """The score of a corpus under every dialect, in the order of the table. Prints as a table."""

    def format(self, terminal: int | None = None, *, color: bool = False) -> str:  # noqa: ARG002
        """The scores as text; `terminal` is the width of the terminal in columns."""
        rows: list[tuple[str, ...]] = [("score", "BP", "tokens", "against", "dialects")]
        for group in same_numbers((standing,) for standing in self):
            names = ", ".join(standing.name for (standing,) in group)
            score = group[0][0].score
            assert score is not None  # noqa: S101  (for type checkers)
            lengths = map(str, (score.hyp_len, score.ref_len))
            rows.append((f"{score.value * (100 / score.scale):.2f}", f"{score.bp:.3f}", *lengths, names))
        heads = ["  ".join(row) for row in padded([row[:-1] for row in rows], terminal)]
        width = max(40, (terminal or 100) - len(heads[0]) - 2)
        lines = []
        for head, row in zip(heads, rows, strict=True):
            first, *continuation = wrap(row[-1], width, break_on_hyphens=False)
            lines += [f"{head}  {first}", *(f"{'':{len(head)}}  {more}" for more in continuation)]
        return "\n".join(lines + [f"{s.name}: {s.problem}" for s in self if s.problem])


def same_numbers(surveys: Iterable[Sequence[Standing]]) -> list[list[Sequence[Standing]]]:
    """Dialects that give the same numbers, to four decimals of 100.

    Args:
        surveys: for each dialect, its standings for one or several systems.

    Returns:
        The dialects of each group, in the order of the table. Those that cannot be used are left
        out.
    """
    groups: dict[tuple[str, ...], list[Sequence[Standing]]] = {}
    for standings in surveys:
        scores = [standing.score for standing in standings if standing.score is not None]
        if len(scores) == len(standings):
            key = tuple(f"{score.value * (100 / score.scale):.4f}" for score in scores)
            groups.setdefault(key, []).append(standings)
    return list(groups.values())


def survey(
    hyps: Any, refs: Any, *, progress: Callable[[float], None] = lambda _: None, **changes: Unpack[BLEUChanges]
) -> Survey:
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
    metrics: dict[str, BLEU] = {}
    problems: dict[str, str] = {}
    by_tokenizer: dict[Any, list[str]] = {}
    for name in DIALECTS:
        try:
            metrics[name] = bleu = BLEU(name, **changes)
        except (MissingExtraError, OptionError) as error:
            problems[name] = str(error)
        else:
            by_tokenizer.setdefault(bleu.dialect.tokenize, []).append(name)
    scores: dict[str, Score] = {}
    for names in by_tokenizer.values():
        corpus.count(metrics[name] for name in names)
        scores |= {name: corpus.score(metrics[name]) for name in names}
        progress(len(scores) / len(metrics))
    return Survey(Standing(name, scores.get(name), problems.get(name, "")) for name in DIALECTS)
