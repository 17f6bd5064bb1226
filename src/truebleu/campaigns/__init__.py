# SPDX-License-Identifier: Apache-2.0
"""Many test sets and systems, gates and learning curves."""
