# SPDX-License-Identifier: Apache-2.0
"""The version of sacreBLEU that the drop-in is equal to, as users compare it."""

from __future__ import annotations

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
