# SPDX-License-Identifier: Apache-2.0
"""Anything a user has becomes aligned columns."""
