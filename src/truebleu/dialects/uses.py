# SPDX-License-Identifier: Apache-2.0
"""Uses: which row a tool calls, with which options, by the names that people search.

The uses are data, in `uses.toml`. A row reproduces a formula; a use adds how a tool reads text and
joins segments. If no options express what a tool does to texts first, its use has lines of Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from truebleu.dialects.words import read
from truebleu.errors import OptionError, suggest

#: How a number was verified, by the key `verified`.
VERIFIED = {
    "tool": "the tool's own function gave the same numbers",
    "formula": "the tool's lines, written anew with its libraries, gave the same numbers",
    "row": "the tool calls what the row reproduces",
    "source": "its source was read",
}
#: What is scored, by the key `scores`, and the function and the flags that score it.
_CALLS = {
    "corpus": ("the whole corpus", "corpus_bleu(hyps, refs", ""),
    "mean": ("each segment; their mean", "corpus_bleu(hyps, refs", ""),
    "segments": ("each segment", "sentence_bleu(hyp, refs", " --sentence-level"),
}


@dataclass(frozen=True, slots=True)
class Use:
    """How a tool uses a row of the table. Frozen.

    Attributes:
        name: the name of the use.
        tool: the name of the tool, and what people call it.
        version: the version or commit that was read.
        source: the file of the tool.
        dialect: the name of the row.
        scores: `corpus`, `mean` (of segments) or `segments`.
        verified: a key of `VERIFIED`.
        options: the options of the row that the tool changes.
        note: what users may not expect.
        python: the lines of Python that replace the tool, if options do not express it.
    """

    name: str
    tool: str
    version: str
    source: str
    dialect: str
    scores: str
    verified: str
    options: dict[str, Any]
    note: str = ""
    python: str = ""

    @property
    def code(self) -> str:
        """The lines of Python that give the tool's number."""
        return self.python.strip() or f'tb.{_CALLS[self.scores][1]}, use="{self.name}")'

    @property
    def command(self) -> str:
        """The command that gives the tool's number; empty if there is none."""
        if self.python:
            return ""
        return f"truebleu score REF -i HYP -d {self.name}{_CALLS[self.scores][2]}"

    def _about(self) -> dict[str, str]:
        """Everything as text, by name; what is empty is left out."""
        options = (f"{name}={value}" for name, value in self.options.items())
        texts = {name: getattr(self, name) for name in ("name", "tool", "version", "source")} | {
            "python": self.code,
            "command": self.command,
            "is": ", ".join([self.dialect, *options]),
            "scores": _CALLS[self.scores][0],
            "note": self.note,
            "verified": VERIFIED[self.verified],
        }
        return {name: text for name, text in texts.items() if text}


@cache
def uses() -> dict[str, Use]:
    """All uses by name."""
    entries = read("uses.toml").items()
    return {name: Use(name, **{"options": {}, **entry}) for name, entry in entries}


def find(name: object, rows: Iterable[str]) -> Use:
    """The use with this name, for functions that take a dialect.

    Raises:
        OptionError: neither a row nor a use has the name, or options do not express the use.
    """
    use = uses().get(name) if isinstance(name, str) else None
    if use is None:
        names = [*rows, *uses()]
        raise OptionError(f"no dialect is named {suggest(name, names, 'truebleu dialects lists all')}")
    if use.python:
        raise OptionError(
            f"{name} prepares texts as no option does; `truebleu dialects {name}` shows the lines that give its number"
        )
    return use
