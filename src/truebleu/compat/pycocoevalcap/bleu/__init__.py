# SPDX-License-Identifier: Apache-2.0
"""The modules `bleu` and `bleu_scorer` of `pycocoevalcap.bleu`."""
