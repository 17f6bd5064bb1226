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
        is_copy = self.kind in ("hyp-is-ref", "hyp-is-src", "matches-reference")
        return is_copy or not (self.segments or self.lines)
