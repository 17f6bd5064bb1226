# SPDX-License-Identifier: Apache-2.0
"""Programs that tests run, and what these say."""

from __future__ import annotations

import subprocess


def said(command, **options):
    """The exit code of a command, and all that it says."""
    kept = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, **options}
    done = subprocess.run(command, check=False, timeout=1_800, **kept)
    return done.returncode, done.stdout


def printed(command, **options):
    """What a command prints that must succeed."""
    code, text = said(command, **options)
    assert code == 0, text
    return text
