# SPDX-License-Identifier: Apache-2.0
"""The page that most tests of the report read."""

import pytest
from support.pages import DOCUMENTS, GROUPS, SHUFFLED, SOURCES, SYSTEMS, written

from truebleu import CHRF, TER


@pytest.fixture(scope="module", autouse=True)
def _charts_are_drawn_here():
    """Other processes, which users have, would load the library of charts for each page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUEBLEU_NUM_THREADS", "1")
        yield


@pytest.fixture(scope="session")
def page_path(tmp_path_factory):
    return written(
        tmp_path_factory.mktemp("report") / "report.html",
        {name: SYSTEMS[name] for name in SHUFFLED},
        srcs=SOURCES,
        documents=DOCUMENTS,
        groups=GROUPS,
        metrics=[CHRF(), TER()],
        title="Three systems",
    )
