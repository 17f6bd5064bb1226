# SPDX-License-Identifier: Apache-2.0
"""Faults that no change of single texts mends, and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from truebleu.analysis.check.columns import Column, Texts
from truebleu.text.normalization import Normalization
from truebleu.text.normalizations import MESSAGES

#: From faults that make a score wrong to facts worth knowing.
SEVERITIES = ("error", "warning", "note")

_REALIGN = (
    "line i of each file must belong to the same segment: realign the files, and look for the "
    "split, joined or dropped lines"
)

#: What to do about each structural fault.
ADVICE = {
    **dict.fromkeys(("unequal-lines", "lost-line", "inserted-line", "shifted-lines"), _REALIGN),
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
    **dict.fromkeys(("wrong-script", "wrong-language"), "check whether these lines are in the "
                    "wrong language"),
}  # fmt: skip
#: What is wrong, if the sentence has no numbers or names.
SENTENCES = {
    **MESSAGES,
    "transposed": "The references are in sacreBLEU's layout, one list per set: "
    "[reference][segment].",
    "missing-reference": "There is no reference.",
    "trailing-blank-line": "There are blank lines at the end.",
    "duplicate-segment": "Hypothesis and references equal those of an earlier segment.",
    "untranslated": "The hypothesis equals its source.",
    "empty-hyp": "The hypothesis is empty, its reference is not.",
    "empty-ref": "The reference is empty, the hypothesis is not.",
    "replacement-character": "There is U+FFFD, which replaces bytes that could not be decoded.",
    "truncated": "The hypothesis stops before the end of its reference.",
    "refusal": "A chat model answers instead of translating.",
    "too-short": "The hypothesis is far shorter than each reference.",
    "too-long": "The hypothesis is far longer than each reference.",
    "lost-spaces": "There are no spaces between words.",
    "wrong-language": "The letters are not those of the references' language.",
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
        is_copy = self.kind in ("hyp-is-ref", "hyp-is-src", "matches-reference")
        return is_copy or not (self.segments or self.lines)
