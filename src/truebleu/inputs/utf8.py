# SPDX-License-Identifier: Apache-2.0
"""Bytes of UTF-8: two functions of the kernel that know nothing of metrics."""

from __future__ import annotations

from truebleu import _core

#: The place of the first byte that is not UTF-8, or None: three times as fast as decoding.
invalid_utf8 = _core.invalid_utf8
#: The number of lines that end in bytes from a place on, up to a limit, and the end of the last.
lines_end = _core.lines_end
