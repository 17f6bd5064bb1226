# SPDX-License-Identifier: Apache-2.0
"""Long calls release the interpreter: event loops run on, and threads score at the same time."""

import asyncio
import pickle
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from support.corpora import words
from support.profiles import SLOW

import truebleu as tb
from truebleu import BLEU, InputError, mbr, pairwise, self_bleu

METRIC = BLEU(threads=1)

#: Rounds of the loop while a call runs, at least.
TICKS = 5


def ids(rows, columns, top=50):
    return np.random.default_rng(rows).integers(0, top, (rows, columns), dtype=np.int32)


def texts(count):
    return [words(20, seed) for seed in range(count)]


#: Each takes 50 ms or more, most of it in one call of the kernel.
CALLS = {
    "sentences": (texts, (2_000,), lambda rows: METRIC.sentences(rows * 100, rows[::-1] * 100)),
    "corpus of ids": (ids, (100_000, 100), lambda rows: METRIC.corpus(rows, rows[::-1])),
    "pairwise": (texts, (3_000,), lambda rows: pairwise(rows, threads=1)),
    "mbr of ids": (ids, (40_000, 40), lambda rows: mbr(rows, group=40, threads=1)),
    "self_bleu of ids": (ids, (50_000, 40), lambda rows: self_bleu(rows, threads=1)),
    "compare": (texts, (2_000,), lambda rows: tb.compare(
        {"A": rows, "B": rows[::-1]}, rows[1:] + rows[:1], resamples=80_000, threads=1
    )),
}  # fmt: skip


@pytest.mark.parametrize(("make", "size", "score"), CALLS.values(), ids=CALLS)
def test_an_event_loop_runs_during_a_long_call(make, size, score):
    call = partial(score, make(*size))
    call()  # imports and compiles

    async def main():
        ticks = [time.perf_counter()]
        scoring = asyncio.create_task(asyncio.to_thread(call))
        while not scoring.done():
            await asyncio.sleep(0.001)
            ticks.append(time.perf_counter())
        await scoring
        return np.diff(ticks)

    def runs_on():
        with ThreadPoolExecutor(1) as pool:  # the main thread may run Playwright's event loop
            gaps = pool.submit(asyncio.run, main()).result()
        # If the call kept the interpreter, one gap would be the whole call.
        return len(gaps) >= TICKS and gaps.max() < 0.6 * gaps.sum()

    assert any(runs_on() for _ in range(3))  # other programs may delay the loop


def test_eight_threads_share_everything(tmp_path):
    """Metrics, accumulators, files and the cache of compiled metrics, all at once."""
    few = texts(120)
    refs = few[1:] + few[:1]
    path = tmp_path / "lines"
    path.write_text("\n".join(few) + "\n")
    chrf, ter = tb.CHRF(threads=2), tb.TER(threads=2)
    shared = [metric.accumulator() for metric in (METRIC, chrf, ter)]

    def work(number):
        values = [tb.corpus_bleu(few, refs, max_ngram_order=1 + number % 70).value]
        for i in range(20):
            part = few[i::20], refs[i::20]
            for accumulator in shared:
                accumulator.update(*part)
            values += [
                METRIC.corpus(*part).value, chrf.corpus(*part).value, ter.corpus(*part).value,
                tb.sentence_bleu(part[0][0], [part[1][0]], tokenize="intl").value,
            ]  # fmt: skip
        return [*values, METRIC.corpus(tb.scan(path, hyps=path)).value]

    serial = [work(number) for number in range(8)]
    expected = [np.array(accumulator.state) for accumulator in shared]
    for accumulator in shared:
        accumulator.reset()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(8))) == serial
    finally:
        sys.setswitchinterval(before)
    for accumulator, state in zip(shared, expected, strict=True):
        assert (accumulator.state == state).all()
        again = pickle.loads(pickle.dumps(accumulator))  # noqa: S301
        again.merge(accumulator)
        assert (again.state == 2 * state).all()


def _write(shared, make, ended):
    """Replace, add and remove items of a list that other threads read."""
    rng = np.random.default_rng(len(shared))
    while not ended.is_set():
        at = int(rng.integers(0, len(shared) - 4))
        shared[at] = make(at)
        shared.append(make(at))
        del shared[-2:]
        shared.append(make(at))
        if isinstance(shared[at], list):
            shared[at].append(shared[at][0])
            shared[at].pop()


@pytest.mark.parametrize(
    "make",
    [
        lambda at: f"a b c{at % 9} d e f",
        lambda at: ["a", "b", f"c{at % 9}", "d", "e"],
        lambda at: [at % 9, 1 << 40, 3, 4, 5],
    ],
    ids=["texts", "words", "ids"],
)
def test_other_threads_may_change_the_lists(make):
    """Scores are finite, or an error says that the list changed."""
    shared = [make(at) for at in range(20_000)]
    ended = threading.Event()
    calls = [
        lambda: METRIC.corpus(shared, shared).value,
        lambda: METRIC.sentences(shared, shared).sum(),
        lambda: METRIC.corpus(iter(shared), shared).value,
        lambda: self_bleu(shared[:2_000] + shared),
    ]

    def read(call):
        outcomes = []
        until = time.monotonic() + (1.5 if SLOW else 0.25)
        while time.monotonic() < until:
            try:
                outcomes.append(call())
            except (InputError, RuntimeError) as error:  # a list that shrinks
                outcomes.append(str(error))
        return outcomes

    writers = [threading.Thread(target=_write, args=(shared, make, ended)) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        with ThreadPoolExecutor(len(calls)) as pool:
            results = list(pool.map(read, calls))
    finally:
        ended.set()
        for writer in writers:
            writer.join()
    for outcomes in results:
        scores = [score for score in outcomes if not isinstance(score, str)]
        assert outcomes
        assert all(np.isfinite(scores))
        assert all(re.search("segments|shorten", one) for one in outcomes if isinstance(one, str))
    assert METRIC.corpus(shared, shared).value == pytest.approx(100)
