# SPDX-License-Identifier: Apache-2.0
"""The version of sacreBLEU whose results the drop-in has."""

from __future__ import annotations

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
