# SPDX-License-Identifier: Apache-2.0
"""The texts to check, as columns that may differ in length, and their faults.

The kinds of faults that no change of single texts mends are listed, with what to do about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from truebleu.errors import InputError
from truebleu.text.escaping import excerpt
from truebleu.text.normalization import Normalization
from truebleu.text.normalizations import MESSAGES

#: Excerpts of a finding: more are skipped by readers.
EXCERPTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Segments in order: a file, or an argument of `check`.

    Attributes:
        role: `hyp`, `ref` or `src`.
        texts: one per row; None where a reference is absent.
        first: the number of the first row: 1 in a file, 0 in an argument.
        suffix: follows the row number, for one of several references in an argument.
        rows: of aligned texts, the row of each segment in the file, None where it has none.
    """

    role: str
    name: str
    texts: Sequence[str | None]
    first: int = 0
    suffix: str = ""
    rows: Sequence[int | None] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for row, text in enumerate(self.texts):
            if not isinstance(text, str) and not (text is None and self.role == "ref"):
                raise InputError(
                    f"{self.name}[{row}] is of type {type(text).__name__}; check reads text before "
                    "it is tokenized: give strings"
                )

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def place(self) -> tuple[str, str, str]:
        """Identifies the column, independent of its texts."""
        return self.role, self.name, self.suffix

    @property
    def filled(self) -> list[str]:
        """The texts, empty ones where a reference is absent."""
        is_full = None not in self.texts
        return [*self.texts] if is_full else [text or "" for text in self.texts]  # type: ignore[list-item]

    def aligned(self, rows: Sequence[int | None]) -> Column:
        """The column with these rows in this order; a lost hypothesis is empty."""
        lost = None if self.role == "ref" else ""
        texts = [lost if row is None else self.texts[row] for row in rows]
        return replace(self, texts=texts, rows=[None if row is None else self.row(row) for row in rows])

    def row(self, segment: int) -> int | None:
        """The row of a segment in the file."""
        return segment if self.rows is None else self.rows[segment]

    def numbers(self, segments: Iterable[int]) -> tuple[int, ...]:
        """The numbers of the lines of some segments, ascending."""
        return tuple(sorted(row + self.first for row in map(self.row, segments) if row is not None))

    def where(self, number: int) -> str:
        """A line as an editor or Python writes it: `hyp.txt:17`, `refs[16][1]`."""
        if self.first:
            return f"{self.name}:{number}{self.suffix}"
        return f"{self.name}[{number}]{self.suffix}"

    def evidence(self, segments: Iterable[int], pattern: re.Pattern[str] | None = None) -> list[tuple[str, str]]:
        """Places and excerpts of the first segments, around the first match of a pattern."""
        rows = ((row, self.texts[segment] or "") for segment in segments if (row := self.row(segment)) is not None)
        return [
            (self.where(row + self.first), excerpt(text, match.start() if match else 0))
            for row, text in islice(rows, EXCERPTS)
            for match in [pattern.search(text) if pattern else None]
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Hypotheses, references and perhaps sources."""

    hyp: Column
    refs: Sequence[Column]
    src: Column | None = None

    @property
    def scored(self) -> tuple[Column, ...]:
        """Hypotheses and references."""
        return (self.hyp, *self.refs)

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns: hypotheses, references, sources."""
        return self.scored if self.src is None else (*self.scored, self.src)

    @property
    def paired(self) -> bool:
        """Whether hypotheses and references have the same length."""
        return len(set(map(len, self.scored))) == 1

    @property
    def has_score(self) -> bool:
        """Whether each hypothesis has a reference."""
        rows = zip(*(ref.texts for ref in self.refs), strict=False)
        return self.paired and len(self.hyp) > 0 and (None,) * len(self.refs) not in rows

    def aligned(self, rows: Mapping[Column, Sequence[int | None]]) -> Texts:
        """The texts with these rows of each column; columns without an entry stay."""
        hyp, *refs = (column.aligned(rows[column]) if column in rows else column for column in self.scored)
        src = self.src
        return Texts(hyp, refs, src.aligned(rows[src]) if src is not None and src in rows else src)

    def without(self, segments: Iterable[int]) -> Texts:
        """Aligned texts without some segments."""
        return self.aligned(dict.fromkeys(self.columns, sorted(set(range(len(self.hyp))).difference(segments))))

    def with_texts(self, texts: Sequence[Sequence[str]]) -> Texts:
        """Aligned texts with other hypotheses and references; absent ones stay absent."""
        hyp, *refs = (
            replace(column, texts=[new if old is not None else None for old, new in zip(column.texts, of, strict=True)])
            for column, of in zip(self.scored, texts, strict=True)
        )
        return Texts(hyp, refs, self.src)


#: From faults that make a score wrong to facts worth knowing.
SEVERITIES = ("error", "warning", "note")

_REALIGN = (
    "line i of each file must belong to the same segment: realign the files, and look for the "
    "split, joined or dropped lines"
)
_AGAIN = "translate these lines again"
_LANGUAGE = "check whether these lines are in the wrong language"

#: What is wrong with texts that no change of single texts mends (empty where the sentence has
#: numbers or names), and what to do.
_STRUCTURAL = {
    "unequal-lines": ("", _REALIGN),
    "lost-line": ("", _REALIGN),
    "inserted-line": ("", _REALIGN),
    "shifted-lines": ("", _REALIGN),
    "shuffled-lines": ("", "put the lines into the order of the test set"),
    "unrelated-lines": ("", "check that both are of one test set, in the same order and language"),
    "transposed": ("The references are in sacreBLEU's layout: [reference][segment].",
                   "group the references by segment: refs=truebleu.streams(*refs)"),
    "missing-reference": ("There is no reference.",
                          "give each segment at least one reference, or leave it out"),
    "trailing-blank-line": ("There are blank lines at the end.", "delete them"),
    "wrong-tokenizer": ("", "use the tokenizer for this script, and report it with the score"),
    "hyp-is-ref": ("", "score the output of the system: this is a reference"),
    "hyp-is-src": ("", "score the output of the system: this is the source"),
    "same-system": ("", "score each system once, and look for the file of this one"),
    "same-reference": ("", "give each reference once: the signature counts the copy"),
    "matches-reference": ("", "was the reference edited from this output, or trained on?"),
    "repeated-reference": ("", "leave out the segments that have no reference of their own"),
    "repeated-output": ("", "look at the system's output for these lines"),
    "duplicate-segment": ("Hypothesis and references equal those of an earlier segment.",
                          "remove the repeats unless the test set has them"),
    "untranslated": ("The hypothesis equals its source.", _AGAIN),
    "empty-hyp": ("The hypothesis is empty, its reference is not.",
                  "translate these lines; each costs its reference's full length"),
    "empty-ref": ("The reference is empty, the hypothesis is not.",
                  "give a reference, or None: an empty string is a reference of length 0"),
    "replacement-character": ("There is U+FFFD, which replaces bytes that could not be decoded.",
                              "decode the original bytes with the right encoding"),
    "truncated": ("The hypothesis stops before the end of its reference.",
                  f"raise the limit of tokens, and {_AGAIN}"),
    "refusal": ("A chat model answers instead of translating.", _AGAIN),
    "too-short": ("The hypothesis is far shorter than each reference.",
                  "check whether the translation is cut off"),
    "too-long": ("The hypothesis is far longer than each reference.",
                 "check whether the translation repeats itself or joins two lines"),
    "lost-spaces": ("There are no spaces between words.",
                    "look for the program that dropped the spaces"),
    "wrong-script": ("", _LANGUAGE),
    "wrong-language": ("The letters are not those of the references' language.", _LANGUAGE),
}  # fmt: skip
ADVICE = {kind: advice for kind, (_, advice) in _STRUCTURAL.items()}
SENTENCES = MESSAGES | {kind: sentence for kind, (sentence, _) in _STRUCTURAL.items()}
#: Structural faults with which a score means nothing, whatever it is.
FATAL = {
    "unequal-lines", "lost-line", "inserted-line", "unrelated-lines", "transposed",
    "missing-reference", "wrong-tokenizer", "hyp-is-ref", "hyp-is-src", "same-system",
}  # fmt: skip
#: All kinds of findings.
KINDS = (*ADVICE, *MESSAGES)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one column.

    Attributes:
        segments: the segments of the aligned texts that have it, ascending.
        message: that of the kind if it is empty.
        evidence: pairs of a place and an excerpt; the first segments if it is empty.
        lines: the numbers of the lines, if they are not those of the segments.
        texts: the repaired texts, if that is known.
        changes: options of the dialect that suit these texts.
        normalization: what repairs it, and the score `after` that.
    """

    kind: str
    column: Column
    segments: Sequence[int] = ()
    message: str = ""
    evidence: Sequence[tuple[str, str]] = ()
    lines: tuple[int, ...] = ()
    texts: Texts | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    normalization: Normalization | None = None
    after: float | None = None

    @property
    def whole(self) -> bool:
        """Whether it concerns the column as a whole instead of single lines."""
        return self.kind in ("hyp-is-ref", "hyp-is-src", "matches-reference") or not (self.segments or self.lines)
