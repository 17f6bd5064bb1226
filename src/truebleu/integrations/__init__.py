# SPDX-License-Identifier: Apache-2.0
"""Doors to frameworks of training and to data frames: thin, and importing theirs when used."""
