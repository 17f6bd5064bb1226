# SPDX-License-Identifier: Apache-2.0
"""Tables with one bad row, which is named, or skipped with a notice."""

import truebleu as tb
from support.command import refusal, scored
from support.tables import HYPS, REFS

COLUMNS = ("--hyp-col", "mt", "--ref-col", "ref")
#: Segments that are one line to every reader.
GOOD = [(hyp, ref) for hyp, ref in zip(HYPS, REFS, strict=True) if "\u2028" not in hyp + ref]


def check_bad(path, at, message):
    """Check that the bad row on line `at` is named; skipped, it is counted and the rest scored."""
    expected = tb.corpus_bleu(*map(list, zip(*GOOD, strict=True))).format(1, signature=True) + "\n"
    error = refusal("score", path, *COLUMNS)
    assert error.startswith(f"{path}:{at}: {message}")
    assert error.endswith("; correct the row, or use --on-error skip")
    line, notices = scored("score", path, *COLUMNS, "--on-error", "skip")
    assert line == expected
    first, second = notices.splitlines()
    assert first == f"truebleu: notice: skipped 1 bad row of {len(GOOD) + 1}:"
    assert second.startswith(f"truebleu: notice: {path}:{at}: {message}")
