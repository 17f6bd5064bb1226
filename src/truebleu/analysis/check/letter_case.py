# SPDX-License-Identifier: Apache-2.0
"""Upper and lower case that only one side has."""

from __future__ import annotations

from truebleu.analysis.check.excerpts import excerpt
from truebleu.analysis.check.fault import Fault
from truebleu.analysis.check.scripts import main_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from truebleu.analysis.check.texts import Column, Texts

#: A column is of one case if at most one in fifty of its texts has letters of the other.
_EXCEPTIONS = 50
#: And has the case if one in two texts has letters of it.
_USUAL = 2
#: Texts with letters that have a case, of which fewer say nothing.
_FEWEST = 3
#: Texts with fewer letters of a case say nothing: "USA", "iPhone".
_LETTERS = 12


def find(texts: Texts) -> Iterator[Fault]:
    """A whole column of one case beside others of both, and single lines in capitals."""
    refs = [text for ref in texts.refs for _, text in ref.rows()]
    columns = (texts.hyp, *texts.refs)
    cases = [(column, _case([text for _, text in column.rows()])) for column in columns]
    hyp_case = cases[0][1]
    of_refs = _case(refs)
    odd = [
        (column, case) for column, case in cases
        if case in ("lower", "upper") and (of_refs if column is texts.hyp else hyp_case) == "mixed"
    ]  # fmt: skip
    for column, case in odd:
        side = "the references have" if column is texts.hyp else "the hypotheses have"
        rows = [row for row, text in column.rows() if text.strip()]
        yield Fault(
            "case", column, rows, f"All letters are {case}-case, {side} both.",
            evidence=[(column.where(row), excerpt(column.texts[row] or "")) for row in rows[:2]],
            changes={"lowercase": True}, whole=True,
        )  # fmt: skip
    if not odd:
        yield from _capitals(texts)


def _case(texts: Sequence[str]) -> str:
    """`lower` or `upper` if nearly all letters are so, `mixed` if most texts have both."""
    cased = [text for text in texts if text.lower() != text.upper()]
    # Elsewhere there are Latin acronyms alone.
    if len(cased) < _FEWEST or main_script(texts) not in ("Latin", "Greek", "Cyrillic", "Armenian"):
        return ""
    with_upper = sum(text.lower() != text for text in cased)
    with_lower = sum(text.upper() != text for text in cased)
    if with_upper * _EXCEPTIONS <= len(cased):
        return "lower"
    if with_lower * _EXCEPTIONS <= len(cased):
        return "upper"
    usual = with_upper * _USUAL >= len(cased) and with_lower * _USUAL >= len(cased)
    return "mixed" if usual else ""


def _capitals(texts: Texts) -> Iterator[Fault]:
    """Lines in capitals whose counterparts are not."""
    hyps = texts.segments(texts.hyp)
    columns = [texts.segments(ref) for ref in texts.refs]
    for column in (texts.hyp, *texts.refs):
        found = []
        for segment, text in enumerate(texts.segments(column)):
            if not text or text.upper() != text or text.lower() == text:
                continue
            others = [hyps] if column is not texts.hyp else columns
            row = texts.row(column, segment)
            if row is not None and _is_shouted(text) and not any(
                _is_shouted(other) or not _has_lower(other)
                for of in others if (other := of[segment]) is not None
            ):  # fmt: skip
                found.append(row)
        if found:
            side = "the references are" if column is texts.hyp else "the hypothesis is"
            message = f"All letters are capitals, {side} not."
            yield Fault("case-lines", column, found, message, evidence=_evidence(column, found))


def _is_shouted(text: str) -> bool:
    """Whether most letters are capitals, and none is small: Japanese has acronyms alone."""
    capitals = sum(letter.isupper() for letter in text)
    letters = sum(letter.isalpha() for letter in text)
    return capitals >= _LETTERS and capitals * 2 > letters and text.upper() == text


def _has_lower(text: str) -> bool:
    return sum(letter.islower() for letter in text) >= _LETTERS // 2


def _evidence(column: Column, rows: list[int]) -> list[tuple[str, str]]:
    return [(column.where(row), excerpt(column.texts[row] or "")) for row in rows[:3]]
