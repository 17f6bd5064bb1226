# SPDX-License-Identifier: Apache-2.0
"""Upper and lower case that only one side has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.marks import only_here
from truebleu.analysis.check.signs import Sign
from truebleu.analysis.check.texts import Column, Texts

#: A column has one case if at most one in fifty of its texts has letters of the other.
_EXCEPTIONS = 50
#: A column has both cases if at least one in two texts has letters of each.
_USUAL = 2
#: About how many texts show the case of a column.
_SAMPLE = 10_000
#: The fewest texts with upper or lower case letters that are evidence.
_FEWEST = 3
#: The fewest letters of a text in capitals that are evidence, unlike "USA" or "iPhone".
_LETTERS = 12
#: The fewest lines in small letters that are evidence, and their share: some systems copy those of
#: their sources, up to 0.014 of the lines in WMT21 and WMT22.
_LINES, _SHARE = 10, 0.015
#: Texts with one of these are not in capitals, or not in small letters.
_SMALL, _CAPITAL = Sign(ascii_lowercase), Sign(ascii_uppercase)


def find(texts: Texts, aligned: Texts | None) -> Iterator[Fault]:
    """A whole column in one case, or else single lines in capitals, if there is an alignment."""
    cases = {column: _case(column.script, [column]) for column in texts.scored}
    odd = False
    for column, case in cases.items():
        if case not in ("lower", "upper"):
            continue
        of_hyps = column is texts.hyp
        other = _case(texts.script, texts.refs) if of_hyps else cases[texts.hyp]
        if other == "mixed":
            odd = True
            side = "the references have" if of_hyps else "the hypotheses have"
            rows = [row for row, text in column.rows() if text.strip()]
            yield Fault(
                "case", column, rows, f"All letters are {case}-case, {side} both.",
                evidence=column.evidence(rows[:2]), changes={"lowercase": True}, whole=True,
            )  # fmt: skip
    if not odd and aligned is not None:
        yield from _capitals(aligned)


def _case(script: str, columns: Sequence[Column]) -> str:
    """`lower` or `upper` if nearly all letters are so, `mixed` if most texts have both.

    Of many texts, some at equal distances decide.
    """
    if script not in ("Latin", "Greek", "Cyrillic", "Armenian"):
        return ""  # other scripts have Latin acronyms alone
    texts = list(chain.from_iterable(column.texts for column in columns))
    present: Sequence[int] = range(len(texts))
    if None in texts:
        present = [i for i in present if texts[i] is not None]
    some = np.array(present[:: max(len(present) // _SAMPLE, 1)], dtype=int)
    signs = np.concatenate([column.signs for column in columns])[some]
    with_upper, with_lower = _CAPITAL.among(signs), _SMALL.among(signs)
    # Letters beyond ASCII decide for the rest.
    for i in np.flatnonzero(~(with_upper & with_lower)).tolist():
        text = texts[some[i]] or ""
        lower, upper = text.lower(), text.upper()
        with_upper[i], with_lower[i] = lower not in (upper, text), upper not in (lower, text)
    cased, uppers, lowers = map(np.count_nonzero, (with_upper | with_lower, with_upper, with_lower))
    if cased < _FEWEST:
        return ""
    if uppers * _EXCEPTIONS <= cased:
        return "lower"
    if lowers * _EXCEPTIONS <= cased:
        return "upper"
    return "mixed" if min(uppers, lowers) * _USUAL >= cased else ""


def _capitals(texts: Texts) -> Iterator[Fault]:
    """Lines in capitals whose counterparts are not in capitals."""
    segments = {column: texts.segments(column) for column in texts.columns}
    srcs = [] if texts.src is None else [texts.src]  # the case of the source is no fault
    for column in texts.scored:
        others = [one for one in texts.scored if one is not column]
        in_capitals = [
            i for i in texts.with_sign(_SMALL, column, present=False)
            if (text := segments[column][i]) and _is_shouted(text) and not any(
                _is_shouted(other) or sum(map(str.islower, other)) < _LETTERS // 2
                for one in others if (other := segments[one][i]) is not None
            ) and not any(_is_shouted(segments[src][i] or "") for src in srcs)
        ]  # fmt: skip
        rows = texts.rows_of(column, in_capitals)
        if rows:
            side = "the references" if column is texts.hyp else "the hypothesis"
            message = f"All letters are capitals, unlike in {side}."
            yield Fault("case-lines", column, rows, message, evidence=column.evidence(rows))
    small = {
        column: _small(texts.with_sign(_CAPITAL, column, present=False), some)
        for column, some in segments.items()
    }
    with_ref = set().union(*(small[one] for one in (*texts.refs, *srcs)))
    fewest = max(_LINES, int(_SHARE * texts.length))
    rows = texts.rows_of(texts.hyp, only_here(small[texts.hyp], with_ref, fewest))
    if rows:
        message = "All letters are small, unlike in the references."
        yield Fault("case-lines", texts.hyp, rows, message, evidence=texts.hyp.evidence(rows))


def _small(rows: Sequence[int], texts: Sequence[str | None]) -> set[int]:
    """The rows, of these, of texts in small letters, of which there are enough."""
    return {
        row for row in rows
        if (text := texts[row]) and len(text) >= _LETTERS and text.islower()
        and sum(map(str.islower, text)) >= _LETTERS
    }  # fmt: skip


def _is_shouted(text: str) -> bool:
    """Whether most letters are capitals, and none is small: Japanese has acronyms alone."""
    if not text.isupper():
        return False
    capitals = sum(letter.isupper() for letter in text)
    letters = sum(letter.isalpha() for letter in text)
    return capitals >= _LETTERS and capitals * 2 > letters
