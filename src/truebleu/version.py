# SPDX-License-Identifier: Apache-2.0
"""The version, which is written in Cargo.toml alone; the kernel was built with it."""

from truebleu._core import VERSION as __version__

__all__ = ["__version__"]
