# SPDX-License-Identifier: Apache-2.0
"""Figures: each function makes an Altair chart of values of the library; see docs/plots.md."""

from __future__ import annotations

from truebleu.figures.intervals import difference, scores
from truebleu.figures.look import Look
from truebleu.figures.orders import losses, precisions
from truebleu.figures.slices import groups, lengths
from truebleu.figures.surveys import dialects

__all__ = [
    "Look",
    "dialects",
    "difference",
    "groups",
    "lengths",
    "losses",
    "precisions",
    "scores",
]
