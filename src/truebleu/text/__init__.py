# SPDX-License-Identifier: Apache-2.0
"""Text that is safe to show or write."""
