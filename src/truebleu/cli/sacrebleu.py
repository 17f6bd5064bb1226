# SPDX-License-Identifier: Apache-2.0
"""`truebleu sacrebleu ...`: the command line of the drop-in, with sacreBLEU's arguments."""

from __future__ import annotations

from truebleu.compat.sacrebleu.sacrebleu import main as run

__all__ = ["run"]
