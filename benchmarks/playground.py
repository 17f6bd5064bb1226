# SPDX-License-Identifier: Apache-2.0
"""The playground in Chromium: files that are dropped, and the time from a key to all panels."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from corpora import english
from pages import chromium, opened
from results import Figure

from truebleu import BLEU, write_playground

_SEGMENTS = 10_000

#: Drops two files; returns the score and the seconds until it is shown.
_DROP = """async ([hyps, refs]) => {
    const data = new DataTransfer();
    data.items.add(new File([hyps], "hyp.txt"));
    data.items.add(new File([refs], "ref.txt"));
    const start = performance.now();
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
    const shown = () => document.querySelector("[data-subset-score='hyp.txt']");
    while (!shown()) await new Promise(requestAnimationFrame);
    return [shown().dataset.value, (performance.now() - start) / 1000];
}"""

#: Types a character; returns the milliseconds until all panels and the table of tools are drawn.
_TYPE = """async () => {
    const hyp = document.getElementById("hyp");
    const start = performance.now();
    hyp.value += "x";
    hyp.dispatchEvent(new Event("input"));
    while (!("ready" in document.documentElement.dataset)) await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""


def playground(*, quick: bool) -> Iterator[Figure]:
    """The playground: seconds for 10,000 dropped segments, milliseconds for a key."""
    corpus = english()
    pairs = [(corpus.hyps[i % len(corpus)], corpus.refs[i % len(corpus)]) for i in range(_SEGMENTS)]
    hyps, refs = map(list, zip(*pairs, strict=True))
    expected = BLEU().corpus(hyps, refs).value
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        if browser is None:
            return
        path = Path(folder) / "playground.html"
        write_playground(path)
        opening, dropping, typing = [], [], []
        for _ in range(1 if quick else 3):  # the shortest is disturbed least
            page, seconds = opened(browser, path)
            opening.append(seconds)
            typing += [page.evaluate(_TYPE) for _ in range(5)]
            value, seconds = page.evaluate(_DROP, ["\n".join(hyps), "\n".join(refs)])
            is_right = abs(float(value) - expected) < 1e-12 * expected
            dropping.append(seconds if is_right else float("nan"))
            page.close()
    name = "playground"
    yield Figure(name, "example", 1, "opens in", min(opening), "s")
    yield Figure(name, "example", 1, "all panels after a key", min(typing), "ms")
    fast = min(dropping) < 1
    yield Figure(name, corpus.name, _SEGMENTS, "dropped files", min(dropping), "s", fast)
