# SPDX-License-Identifier: Apache-2.0
"""BLEU, chrF, TER and BLEU's relatives over one kernel."""
