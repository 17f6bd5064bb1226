# SPDX-License-Identifier: Apache-2.0
"""Batches of segments from an iterator, never all in memory at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from truebleu.errors import InputError


def pairs(batches: Any) -> Iterator[tuple[Any, Any]]:
    """Hypotheses and references of each batch that is not empty.

    Batches are a `truebleu.Scan`, or an iterator of tables or record batches of any library with
    the columns `hyp` and `ref`.
    """
    if isinstance(batches, (str, bytes, list, tuple)) or not hasattr(batches, "__iter__"):
        raise InputError("refs are missing; give them, or batches that hold both: truebleu.scan")
    for batch in batches:
        if hasattr(batch, "hyps") and hasattr(batch, "refs"):
            hyps, refs = batch.hyps, batch.refs
        else:
            try:
                hyps, refs = batch["hyp"], batch["ref"]
            except Exception:  # noqa: BLE001  (each library has its own error)
                raise InputError(
                    f"a batch, a {type(batch).__name__}, does not have the columns hyp and ref; "
                    "name its columns: truebleu.scan(batches, hyp=..., ref=...)"
                ) from None
        if len(hyps):
            yield hyps, refs
