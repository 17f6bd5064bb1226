# SPDX-License-Identifier: Apache-2.0
"""Profiles of the property tests, and fixtures that many tests share."""

import gc
import json
import os
import sys
from html import escape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.command import HYPS, REFS
from support.started_engines import chromium_started

from truebleu.analysis.processes import Call, Processes
from truebleu.charts import figure

ROOT = Path(__file__).parent.parent

settings.register_profile("fast", max_examples=25, deadline=None, print_blob=True)
settings.register_profile(
    "slow", max_examples=1_500, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_configure():
    gc.disable()


def pytest_collection_finish():
    """Modules and tests live to the end: collecting them takes a tenth of all the time."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _judges_are_the_originals():
    """Libraries that judge the kernel are accelerated in processes of their own only."""
    yield
    module = sys.modules.get("truebleu.compat.accelerate")
    assert not (module and list(filter(module.is_accelerated, module.LIBRARIES)))


@pytest.fixture(scope="session")
def shared() -> Path:
    """WMT system outputs and scores of other tools, which are not part of the project."""
    path = Path(os.environ.get("TRUEBLEU_SHARED", ROOT.parent / "shared"))
    if not (path / "golden").is_dir():
        pytest.skip(f"the WMT data is not at {path}; TRUEBLEU_SHARED names another folder")
    return path


@pytest.fixture(scope="session")
def example() -> list[str]:
    """A few English sentences, many of them translations of the same source."""
    files = sorted((ROOT / "examples" / "de-en").glob("[hr]*.txt"))
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a hypothesis `hyp` and a reference `ref`."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "TRUEBLEU_NUM_THREADS", "TRUEBLEU_SIMD"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "hyp").write_text("".join(line + "\n" for line in HYPS))
    (tmp_path / "ref").write_text("".join(line + "\n" for line in REFS))
    return tmp_path


@pytest.fixture
def undrawn(monkeypatch):
    """Figures are JSON within SVG, in one process: drawing takes most of the time of a page."""
    monkeypatch.setattr(Processes, "call", lambda _, here, *__: Call(here, None))
    text = lambda drawn, _: f"<svg >{escape(json.dumps(drawn.spec))}</svg>".encode()  # noqa: E731
    monkeypatch.setattr(figure, "render", text)


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium without a window."""
    with chromium_started() as browser:
        if browser is None:
            pytest.skip("playwright is not installed, or there is no chromium on the PATH")
        yield browser


@pytest.fixture
def new_tab(chromium):
    """Opens pages in tabs that must be quiet, and are closed at the end."""
    from support.pages import Tab

    tabs = []
    yield lambda *arguments, **look: tabs.append(Tab(chromium, *arguments, **look)) or tabs[-1]
    for tab in tabs:
        tab.check_quiet()
        tab.close()
