# SPDX-License-Identifier: Apache-2.0
"""What is wrong with hypotheses and references?

`corpus` applies the normalizations of the table (`truebleu.text.normalizations`) and those that
`discovery` suggests, and keeps what the `judge` says pays. Other modules find what no change of a
text mends: misaligned lines, copies, wrong languages. `findings` says what each fault costs.
"""

from truebleu.analysis.check.examination import MISALIGNED, Change, Repaired, repair, repaired
from truebleu.analysis.check.faults import KINDS, SEVERITIES, Column, Texts
from truebleu.analysis.check.findings import Finding, begin, check, effect_text, inspect, separate

__all__ = [
    "KINDS", "MISALIGNED", "SEVERITIES", "Change", "Column", "Finding", "Repaired", "Texts",
    "begin", "check", "effect_text", "inspect", "repair", "repaired", "separate",
]  # fmt: skip
