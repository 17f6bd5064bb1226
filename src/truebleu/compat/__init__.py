# SPDX-License-Identifier: Apache-2.0
"""Drop-ins with the names, arguments, results, warnings and errors of other tools."""
