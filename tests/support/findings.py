# SPDX-License-Identifier: Apache-2.0
"""A changed line, and the finding that it gives."""


def changed(column, row, text):
    """The column with another text in a row."""
    return [*column[:row], text, *column[row + 1 :]]


def only(kind, findings):
    """The one finding of this kind."""
    (finding,) = (finding for finding in findings if finding.kind == kind)
    return finding
