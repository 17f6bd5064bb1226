# SPDX-License-Identifier: Apache-2.0
"""What the crate is tested with is what the specification says now."""

from support import judged_cases


def test_the_cases_of_the_crate_are_up_to_date():
    assert judged_cases.FILE.read_text(encoding="utf-8") == judged_cases.text(), (
        "run `python tests/support/judged_cases.py`"
    )
