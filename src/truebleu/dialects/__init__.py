# SPDX-License-Identifier: Apache-2.0
"""What a BLEU is: five decisions, the table of tools, signatures."""
