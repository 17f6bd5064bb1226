# SPDX-License-Identifier: Apache-2.0
"""Many test sets and systems, and a ledger of everything scored."""
