# SPDX-License-Identifier: Apache-2.0
"""`python -m truebleu`."""

from truebleu.cli import command

command()
