# SPDX-License-Identifier: Apache-2.0
"""The kinds of faults: how bad each is, and what to do about it."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen

#: From what makes a score wrong to what is good to know.
SEVERITIES = ("error", "warning", "note")


class Kind(Frozen):
    """One kind of fault.

    Attributes:
        severity: of `SEVERITIES`.
        advice: what to do.
        harmless: the severity where a repair was computed and does not change the score.
    """

    __slots__ = ("advice", "harmless", "severity")

    severity: str
    advice: str
    harmless: str

    def __init__(self, severity: str, advice: str, harmless: str = "note") -> None:
        values = {"severity": severity, "advice": advice, "harmless": harmless}
        for slot, value in values.items():
            object.__setattr__(self, slot, value)


_REALIGN = (
    "line i of each file must belong to the same segment: put the files back into step, and look "
    "for what split, joined or dropped lines"
)
_SPACE = "replace them by ordinary spaces in hypotheses and references alike"

KINDS: dict[str, Kind] = {
    # Which lines belong together.
    "unequal-lines": Kind("error", _REALIGN, "error"),
    "lost-line": Kind("error", _REALIGN, "error"),
    "inserted-line": Kind("error", _REALIGN, "error"),
    "shifted-lines": Kind("error", _REALIGN, "error"),
    "unrelated-lines": Kind("error", "check that these are translations of the same test set, in "
                            "the same order and language", "error"),
    "transposed": Kind("error", "give the references of each segment together: "
                       "refs=truebleu.streams(*refs)", "error"),
    "missing-reference": Kind("error", "give each segment one reference at least, or leave it out",
                              "error"),
    "trailing-blank-line": Kind("warning", "delete the blank lines at the end of the file"),
    # Characters.
    "byte-order-mark": Kind("warning", "save the file as UTF-8 without it: most tools score it as "
                            "a part of the first word"),
    "carriage-return": Kind("warning", "convert the file to Unix line ends (\\n alone)"),
    "line-separator": Kind("warning", "replace them by spaces: some tools end a line there, and "
                           "then all that follows is misaligned"),
    "tab": Kind("warning", "replace them by spaces: tools that read tab-separated references split "
                "there"),
    "control-character": Kind("warning", "delete them, and look for what wrote them"),
    "replacement-character": Kind("warning", "decode the text anew with its right encoding: what "
                                  "was there is lost"),
    "odd-space": Kind("warning", _SPACE),
    "invisible-character": Kind("warning", "delete them in hypotheses and references alike"),
    "mixed-normalization": Kind("warning", "normalize all files to NFC: the same letter in two "
                                "encodings does not match"),
    "html-entity": Kind("warning", "unescape them in hypotheses and references alike"),
    "mojibake": Kind("warning", "decode the text anew with its right encoding, not as Latin-1 or "
                     "Windows-1252"),
    # Tokens and case.
    "tokenized": Kind("error", "score detokenized text against untouched references; the dialect "
                      "tokenizes both sides alike"),
    "tokenized-lines": Kind("warning", "detokenize these lines as the others are"),
    "subwords": Kind("error", "join the subwords before scoring"),
    "wrong-tokenizer": Kind("error", "choose the tokenizer for this script, and say so with the "
                            "score", "error"),
    "case": Kind("error", "restore the case, or score without it (lowercase) and say so"),
    "case-lines": Kind("warning", "restore the case of these lines"),
    # Texts that are what they should not be.
    "hyp-is-ref": Kind("error", "score the output of the system: this is a reference", "error"),
    "hyp-is-src": Kind("error", "score the output of the system: this is the source", "error"),
    "matches-reference": Kind("warning", "check that the system has not seen the references"),
    "same-reference": Kind("warning", "give each reference once: the same again adds nothing, but "
                           "the signature counts it", "warning"),
    "untranslated": Kind("warning", "translate these lines"),
    "repeated-output": Kind("warning", "look at what the system did with these lines"),
    "duplicate-segment": Kind("note", "nothing, if the test set is so; else keep each once"),
    "empty-hyp": Kind("warning", "translate these lines; each costs its reference's full length"),
    "empty-ref": Kind("warning", "give a reference, or None where there is none: an empty one is "
                      "a reference of length 0"),
    "too-short": Kind("warning", "look whether the translation is cut off"),
    "too-long": Kind("warning", "look whether the translation repeats itself or holds two lines"),
    "wrong-script": Kind("warning", "look whether these lines are in the wrong language"),
    "wrong-language": Kind("warning", "look whether these lines are in the wrong language"),
}  # fmt: skip
