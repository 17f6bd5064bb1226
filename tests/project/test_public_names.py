# SPDX-License-Identifier: Apache-2.0
"""No public name changes by accident."""

import difflib

from support import public_names


def test_public_names_are_those_of_the_snapshot():
    expected = public_names.SNAPSHOT.read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(expected, list(public_names.lines()), lineterm="", n=0))
    assert not changes, (
        "public names have changed; if intended, run `python tests/support/public_names.py` and "
        "add a line to CHANGELOG.md:\n" + "\n".join(changes[2:])
    )
