# SPDX-License-Identifier: Apache-2.0
"""What is wrong with hypotheses and references? One module for each family of faults.

A detector reads the columns of text and yields `Fault`s: where, what, and how to repair it.
`findings` scores the texts before and after each repair.
"""

from truebleu.analysis.check.findings import Finding, check, effect_text, inspect
from truebleu.analysis.check.texts import Column, Texts

__all__ = ["Column", "Finding", "Texts", "check", "effect_text", "inspect"]
