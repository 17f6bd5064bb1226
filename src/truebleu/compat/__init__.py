# SPDX-License-Identifier: Apache-2.0
"""Drop-ins: modules with the names, arguments, results, warnings and errors of other BLEU tools.

Nothing here imports the original.
"""
