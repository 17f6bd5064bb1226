# SPDX-License-Identifier: Apache-2.0
"""BLEU, chrF and TER over one kernel."""
