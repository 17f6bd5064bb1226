# SPDX-License-Identifier: Apache-2.0
"""Doors to the frameworks of training and evaluation: thin, and importing theirs when used."""
