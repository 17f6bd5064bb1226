# SPDX-License-Identifier: Apache-2.0
"""Faults that no change of single texts mends, and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from truebleu.analysis.check.columns import Column, Texts
from truebleu.text.normalizations import MESSAGES

#: From faults that make a score wrong to facts worth knowing.
SEVERITIES = ("error", "warning", "note")

_REALIGN = (
    "line i of each file must belong to the same segment: realign the files, and look for the "
    "split, joined or dropped lines"
)
_LANGUAGE = "check whether these lines are in the wrong language"

#: What to do about each structural fault.
ADVICE = {
    "unequal-lines": _REALIGN,
    "lost-line": _REALIGN,
    "inserted-line": _REALIGN,
    "shifted-lines": _REALIGN,
    "shuffled-lines": "put the lines into the order of the test set",
    "unrelated-lines": "check that these are translations of the same test set, in the same order "
    "and language",
    "transposed": "group the references by segment: refs=truebleu.streams(*refs)",
    "missing-reference": "give each segment at least one reference, or leave it out",
    "trailing-blank-line": "delete the blank lines at the end of the file",
    "wrong-tokenizer": "use the tokenizer for this script, and report it with the score",
    "hyp-is-ref": "score the output of the system: this is a reference",
    "hyp-is-src": "score the output of the system: this is the source",
    "same-system": "score each system once, and look for the file of this one",
    "same-reference": "give each reference once: a copy adds nothing, but the signature counts it",
    "matches-reference": "ask whether the reference was post-edited from this system, or whether "
    "the system has seen it",
    "repeated-reference": "leave out the segments that have no reference of their own",
    "repeated-output": "look at the system's output for these lines",
    "duplicate-segment": "remove the repeats unless the test set has them",
    "untranslated": "translate these lines",
    "empty-hyp": "translate these lines; each costs its reference's full length",
    "empty-ref": "give a reference, or None if there is none: an empty string is a reference of "
    "length 0",
    "replacement-character": "decode the original bytes with the right encoding: the characters "
    "are lost here",
    "truncated": "raise the limit of tokens, and translate these lines again",
    "refusal": "translate these lines again",
    "too-short": "check whether the translation is cut off",
    "too-long": "check whether the translation repeats itself or joins two lines",
    "lost-spaces": "look for the program that dropped the spaces",
    "wrong-script": _LANGUAGE,
    "wrong-language": _LANGUAGE,
}
#: Structural faults with which a score means nothing, whatever it is.
FATAL = {
    "unequal-lines", "lost-line", "inserted-line", "unrelated-lines", "transposed",
    "missing-reference", "wrong-tokenizer", "hyp-is-ref", "hyp-is-src", "same-system",
}  # fmt: skip
#: All kinds of findings.
KINDS = (*ADVICE, *MESSAGES)


@dataclass(frozen=True, slots=True)
class Fault:
    """A structural fault in one column.

    Attributes:
        segments: the segments of the aligned texts that have it, ascending.
        evidence: pairs of a place and an excerpt.
        lines: the numbers of the lines, if they are not those of the segments.
        texts: the repaired texts, if that is known.
        removed: whether repair removes the segments.
        changes: options of the dialect that suit these texts.
        whole: whether it concerns the column as a whole instead of single lines.
    """

    kind: str
    column: Column
    segments: Sequence[int]
    message: str
    evidence: Sequence[tuple[str, str]] = ()
    lines: tuple[int, ...] = ()
    texts: Texts | None = None
    removed: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)
    whole: bool = False
