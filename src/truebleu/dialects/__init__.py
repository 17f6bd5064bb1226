# SPDX-License-Identifier: Apache-2.0
"""Definitions of BLEU: five decisions, the table of tools, signatures."""
