# SPDX-License-Identifier: Apache-2.0
"""A fault as its detector reports it."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.analysis.check.texts import Column, Texts


class Fault(Frozen):
    """What is wrong, where, and how it can be repaired: in one of three ways, or in none.

    Attributes:
        kind: a name of `KINDS`.
        column: where it is.
        rows: the rows of the column that have it, in order.
        message: what was seen, as a sentence.
        evidence: pairs of a place and the text there, odd characters still raw.
        fix: makes the right text of one of those rows.
        texts: what the right texts would be, where lines have to move or go.
        changes: options of the dialect that suit these texts.
        whole: whether the column as a whole is meant rather than its single rows.
    """

    __slots__ = (
        "changes", "column", "evidence", "fix", "kind", "message", "rows", "texts", "whole",
    )  # fmt: skip

    kind: str
    column: Column
    rows: tuple[int, ...]
    message: str
    evidence: tuple[tuple[str, str], ...]
    fix: Callable[[str], str] | None
    texts: Texts | None
    changes: dict[str, Any]
    whole: bool

    def __init__(
        self,
        kind: str,
        column: Column,
        rows: Sequence[int],
        message: str,
        *,
        evidence: Sequence[tuple[str, str]] = (),
        fix: Callable[[str], str] | None = None,
        texts: Texts | None = None,
        changes: dict[str, Any] | None = None,
        whole: bool = False,
    ) -> None:
        values = {
            "kind": kind, "column": column, "rows": tuple(rows), "message": message,
            "evidence": tuple(evidence), "fix": fix, "texts": texts, "changes": changes or {},
            "whole": whole,
        }  # fmt: skip
        for slot, value in values.items():
            object.__setattr__(self, slot, value)
