# SPDX-License-Identifier: Apache-2.0
"""The report page at a size at which pages break: how large it is, and how fast it opens."""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpora import english
from pages import chromium, opened
from results import Figure

from truebleu import CHRF, TER, write_report

#: What the page may weigh besides its texts, and the seconds in which it opens.
_FACTOR, _BYTES, _SECONDS = 1.3, 3e6, 3.0

#: What a reader waits for, and the most milliseconds that it may take.
_LIMITS = {"scores of a selection": 100, "interval of it": 1_000, "another dialect": 3_000}

#: Milliseconds of what the kernel computes, from the action to the numbers in the page.
_LIVE = """async () => {
    const root = document.documentElement;
    const settled = async () => {
        while (!("settled" in root.dataset)) await new Promise(done => setTimeout(done, 2));
    };
    const scores = document.querySelector("table[data-scores]");
    const written = () => new Promise(done => {
        const watcher = new MutationObserver(() => (watcher.disconnect(), done()));
        watcher.observe(scores, {childList: true, characterData: true, subtree: true});
    });
    const times = {};
    const change = async (id, value, what) => {
        delete root.dataset.settled;
        const control = document.getElementById(id);
        control.value = value;
        const start = performance.now();
        control.dispatchEvent(new Event("change"));
        await written();
        times[what] = performance.now() - start;
        await settled();
        return performance.now() - start - 200; // it waits so long for further changes
    };
    await settled();
    times["interval of it"] = await change("flagged", "differing", "scores of a selection");
    await change("flagged", "", "scores of all");
    await change("dialect", "nltk", "another dialect");
    return times;
}"""


def report(*, quick: bool) -> Iterator[Figure]:
    """The report page of two systems: size, seconds to write and to open, and to use it."""
    corpus = english()
    segments = 10_000 if quick else 100_000
    # In another order each time, so that repetitions do not compress as texts do not.
    rng = random.Random(1)
    order: list[int] = []
    while len(order) < segments:
        order += rng.sample(range(len(corpus.hyps)), len(corpus.hyps))
    order = order[:segments]
    hyps = [corpus.hyps[i] for i in order]
    refs = [corpus.refs[i] for i in order]
    other = [hyp.replace("the ", "a ") for hyp in hyps]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nine.html"
        nine = {
            f"system {k}": [hyp.replace("the ", "") if i % 9 < k else hyp for i, hyp in enumerate(hyps[:2_000])]
            for k in range(9)
        }
        seconds = _written(path, nine, refs[:2_000], metrics=[CHRF(), TER()])  # with trials
        yield Figure("report", corpus.name, 2_000, "nine systems, written in", seconds, "s")
        for what, value, unit, fast in [*_opened(path)][:1]:
            yield Figure("report", corpus.name, 2_000, what, value, unit, fast)
        path = Path(folder) / "report.html"
        seconds = _written(path, {"one": hyps, "other": other}, refs, resamples=1_000)
        yield Figure("report", corpus.name, segments, "written in", seconds, "s")
        text = sum(len(line.encode()) for line in (*hyps, *other, *refs))
        size = path.stat().st_size
        small = size < _FACTOR * text + _BYTES
        yield Figure("report", corpus.name, segments, "of its texts", size / text, "x", small)
        for what, value, unit, fast in _opened(path):
            yield Figure("report", corpus.name, segments, what, value, unit, fast)


def _written(path: Path, systems: dict[str, list[str]], refs: list[str], **options: Any) -> float:
    """Seconds to write a report."""
    start = time.perf_counter()
    write_report(path, systems, refs, **options)
    return time.perf_counter() - start


def _opened(path: Path) -> Iterator[tuple[str, float, str, bool | None]]:
    """The page in Chromium; nothing where there is none."""
    with chromium() as browser:
        if browser is None:
            return
        # The shortest is what other work on the machine disturbs least.
        pages = [opened(browser, path) for _ in range(3)]
        seconds = min(seconds for _, seconds in pages)
        yield "opens in", seconds, "s", seconds < _SECONDS
        for what, milliseconds in pages[-1][0].evaluate(_LIVE).items():
            most = _LIMITS.get(what)
            yield what, milliseconds, "ms", None if most is None else milliseconds < most
