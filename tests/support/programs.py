# SPDX-License-Identifier: Apache-2.0
"""Run other programs in tests."""

import subprocess


def run_program(command, **options):
    """The exit code of a command, and its output with its messages."""
    kept = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, **options}
    done = subprocess.run(command, check=False, timeout=1_800, **kept)
    return done.returncode, done.stdout


def output_of(command, **options):
    """The output of a command, which must succeed."""
    code, text = run_program(command, **options)
    assert code == 0, text
    return text
