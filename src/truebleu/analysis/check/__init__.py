# SPDX-License-Identifier: Apache-2.0
"""What is wrong with hypotheses and references? One module for each family of faults.

A detector reads the columns of text and yields `Fault`s: where, what, and how to repair it.
`faults` runs them all; `findings` scores the texts before and after each repair, and `repair` makes
the repairs.
"""

from truebleu.analysis.check.findings import Finding, check, effect_text, inspect, separate
from truebleu.analysis.check.repairs import Change, Repaired, repair, repaired
from truebleu.analysis.check.several import begin
from truebleu.analysis.check.texts import Column, Texts

__all__ = [
    "Change", "Column", "Finding", "Repaired", "Texts", "begin", "check", "effect_text",
    "inspect", "repair", "repaired", "separate",
]  # fmt: skip
