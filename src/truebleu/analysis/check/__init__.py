# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with hypotheses and references: one module for each family of faults.

A detector looks at the columns of text and returns `Fault`s: where, what it saw, and how to repair
it. `truebleu.analysis.check.findings` words them and measures what the repair does to the score.
"""
