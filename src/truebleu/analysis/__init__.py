# SPDX-License-Identifier: Apache-2.0
"""What rows of integers make cheap: a package for each verb."""
