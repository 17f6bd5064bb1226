# SPDX-License-Identifier: Apache-2.0
"""Rows of tables that have bad ones among them, and the flags for their columns."""

from support.tables import HYPS, REFS

COLUMNS = ("--hyp-col", "mt", "--ref-col", "ref")
#: Segments that are one line to every reader.
GOOD = [(hyp, ref) for hyp, ref in zip(HYPS, REFS, strict=True) if "\u2028" not in hyp + ref]
