# SPDX-License-Identifier: Apache-2.0
"""The version; Cargo.toml has the same, and a test compares them."""

VERSION = "0.1.0"
