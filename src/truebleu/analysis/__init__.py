# SPDX-License-Identifier: Apache-2.0
"""Analyses of statistics: one package for each verb, such as explain and compare."""
