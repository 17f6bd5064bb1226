# SPDX-License-Identifier: Apache-2.0
"""Faults and their kinds: how severe each kind is, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from truebleu.analysis.check.texts import Column, Texts

#: From faults that make a score wrong to facts worth knowing.
SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Kind:
    """A severity, what to do, and the severity if a repair leaves the score as it is."""

    severity: str
    advice: str
    harmless: str = "note"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in one column. It has one of four repairs, or none.

    Attributes:
        rows: the rows of the column that have it, ascending.
        evidence: pairs of a place and an excerpt.
        fix: repairs the text of one of the rows.
        texts: the repaired texts, if lines must move.
        removed: segments of the aligned texts that must go.
        changes: options of the dialect that suit these texts.
        whole: whether it concerns the column as a whole instead of single rows.
    """

    kind: str
    column: Column
    rows: Sequence[int]
    message: str
    evidence: Sequence[tuple[str, str]] = ()
    fix: Callable[[str], str] | None = None
    texts: Texts | None = None
    removed: Sequence[int] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    whole: bool = False


_REALIGN = (
    "line i of each file must belong to the same segment: realign the files, and look for the "
    "split, joined or dropped lines"
)
_SPACE = "replace them with ordinary spaces in hypotheses and references alike"

KINDS: dict[str, Kind] = {
    # Alignment of lines.
    "unequal-lines": Kind("error", _REALIGN, "error"),
    "lost-line": Kind("error", _REALIGN, "error"),
    "inserted-line": Kind("error", _REALIGN, "error"),
    "shifted-lines": Kind("error", _REALIGN, "error"),
    "unrelated-lines": Kind("error", "check that these are translations of the same test set, in "
                            "the same order and language", "error"),
    "transposed": Kind("error", "group the references by segment: refs=truebleu.streams(*refs)",
                       "error"),
    "missing-reference": Kind("error", "give each segment at least one reference, or leave it out",
                              "error"),
    "trailing-blank-line": Kind("warning", "delete the blank lines at the end of the file"),
    # Characters.
    "byte-order-mark": Kind("warning", "save the file as UTF-8 without it: most tools score it as "
                            "a part of the first word"),
    "carriage-return": Kind("warning", "convert the file to Unix line ends (\\n)"),
    "line-separator": Kind("warning", "replace them with spaces: some tools end a line there, and "
                           "all later lines are misaligned"),
    "tab": Kind("warning", "replace them with spaces: tools that read tab-separated references "
                "split there"),
    "control-character": Kind("warning", "delete them, and look for the program that wrote them"),
    "replacement-character": Kind("warning", "decode the original bytes with the right encoding: "
                                  "the characters are lost here"),
    "odd-space": Kind("warning", _SPACE),
    "invisible-character": Kind("warning", "delete them in hypotheses and references alike"),
    "mixed-normalization": Kind("warning", "normalize all files to NFC: the same letter in two "
                                "encodings does not match"),
    "html-entity": Kind("warning", "unescape them in hypotheses and references alike"),
    "escaped": Kind("warning", "unescape the text: read it with the format's own reader"),
    "mojibake": Kind("warning", "decode the original bytes with the right encoding, not as Latin-1 "
                     "or Windows-1252"),
    # Marks around and inside lines.
    "added-text": Kind("warning", "remove it: score the translations alone"),
    "foreign-marks": Kind("warning", "remove the marks, and look for the program that wrote them"),
    "missing-spaces": Kind("warning", "write spaces as the references do, and look for the program "
                           "that dropped them"),
    # Tokens and case.
    "tokenized": Kind("error", "score detokenized text against unchanged references; the dialect "
                      "tokenizes both"),
    "tokenized-lines": Kind("warning", "detokenize these lines like the others"),
    "subwords": Kind("error", "join the subwords before scoring"),
    "wrong-tokenizer": Kind("error", "use the tokenizer for this script, and report it with the "
                            "score", "error"),
    "case": Kind("error", "restore the case, or ignore it (lowercase) and report that"),
    "case-lines": Kind("warning", "restore the case of these lines"),
    # Content.
    "hyp-is-ref": Kind("error", "score the output of the system: this is a reference", "error"),
    "hyp-is-src": Kind("error", "score the output of the system: this is the source", "error"),
    "matches-reference": Kind("warning", "check that the system has not seen the references"),
    "same-reference": Kind("warning", "give each reference once: a copy adds nothing, but the "
                           "signature counts it", "warning"),
    "untranslated": Kind("warning", "translate these lines"),
    "repeated-output": Kind("warning", "look at the system's output for these lines"),
    "duplicate-segment": Kind("note", "remove the repeats unless the test set has them"),
    "empty-hyp": Kind("warning", "translate these lines; each costs its reference's full length"),
    "empty-ref": Kind("warning", "give a reference, or None if there is none: an empty string is a "
                      "reference of length 0"),
    "repeated-text": Kind("warning", "keep each text once, and look why decoding does not stop"),
    "truncated": Kind("warning", "raise the limit of tokens, and translate these lines again"),
    "chat": Kind("warning", "translate these lines again"),
    "too-short": Kind("warning", "check whether the translation is cut off"),
    "too-long": Kind("warning", "check whether the translation repeats itself or joins two lines"),
    "wrong-script": Kind("warning", "check whether these lines are in the wrong language"),
    "wrong-language": Kind("warning", "check whether these lines are in the wrong language"),
}  # fmt: skip
