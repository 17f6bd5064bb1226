# SPDX-License-Identifier: Apache-2.0
"""What `make test` leaves to `make test-slow`, which runs everything."""

import os

import pytest
from hypothesis import settings

SLOW = os.environ.get("HYPOTHESIS_PROFILE") == "slow"


def examples(share):
    """Settings of a test that is repeated for many cases: one in `share` of the usual examples."""
    return settings(max_examples=settings().max_examples // share)


def few(cases, every):
    """Cases to parametrize a test with: `make test` runs one in `every`, the first included."""
    return [
        case if i % every == 0 else pytest.param(*(case if type(case) is tuple else (case,)), marks=pytest.mark.slow)
        for i, case in enumerate(cases)
    ]
