# SPDX-License-Identifier: Apache-2.0
"""What an interrupted call has hold of goes with its exception, and nothing stays after that."""

from __future__ import annotations

import pickle
import signal
import sys
import threading
import weakref
from contextlib import contextmanager

import pytest
from support.long_calls import StopError

from truebleu import BLEU, CHRF, mbr, pairwise, self_bleu

#: One object, so that its references can be counted.
WORD = str(b"word", "ascii")
ROWS, LENGTH = 40, 20_000
WORDS = [[WORD] * LENGTH] * ROWS


@contextmanager
def signal_in_the_kernel(error=StopError):
    """Have a signal come as soon as a call leaves the interpreter, which is not taken from it."""

    def stop(*_):
        raise error

    begun, main = threading.Event(), threading.main_thread().ident

    def send():
        begun.wait()
        signal.pthread_kill(main, signal.SIGUSR1)

    thread = threading.Thread(target=send)
    thread.start()
    before = signal.signal(signal.SIGUSR1, stop)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1_000)
    begun.set()
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        thread.join()
        signal.signal(signal.SIGUSR1, before)


CALLS = {
    "pairwise": lambda: pairwise(WORDS, WORDS),
    "pairwise of one column": lambda: pairwise(WORDS),
    "pairwise of chrF": lambda: pairwise(WORDS, metric=CHRF()),
    "mbr": lambda: mbr([WORDS] * 2, exact=True),
    "corpus": lambda: BLEU(max_ngram_order=100).corpus(WORDS, WORDS),
    "sentences": lambda: BLEU(max_ngram_order=100).sentences(WORDS, WORDS),
    "stats of a generator": lambda: BLEU(max_ngram_order=100).stats(iter(WORDS), iter(WORDS)),
    "self_bleu": lambda: self_bleu(WORDS),
}


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="needs the lock")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_it_goes_with_the_exception(call):
    before = sys.getrefcount(WORD)
    try:
        with signal_in_the_kernel():
            call()
    except StopError as error:
        assert sys.getrefcount(WORD) - before >= ROWS * LENGTH // 2  # or some have gone already
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301  (as pools of processes do)
        assert copy._held is None
        # Another call holds nothing when it has ended.
        held = sys.getrefcount(WORD)
        pairwise(WORDS[:5], WORDS[:5])
        assert sys.getrefcount(WORD) == held
    else:
        pytest.fail("the call was not interrupted")
    assert sys.getrefcount(WORD) == before


def test_an_exception_that_takes_no_attributes_keeps_nothing():
    class FixedError(StopError):
        def __setattr__(self, name, value):
            if name == "_held":
                raise AttributeError(name)
            super().__setattr__(name, value)

    before = sys.getrefcount(WORD)
    with pytest.raises(FixedError), signal_in_the_kernel(FixedError):
        pairwise(WORDS, WORDS)
    assert sys.getrefcount(WORD) == before


def test_it_goes_with_what_a_generator_raises():
    class Row(list):
        """A list that can be referred to weakly."""

    made = []

    def rows():
        for row in map(Row, WORDS):
            made.append(weakref.ref(row))
            yield row
        raise StopError

    try:
        BLEU().corpus(rows(), rows())
    except StopError:
        assert None not in [row() for row in made]
    assert [row() for row in made] == [None] * len(made)


def test_a_call_that_ends_holds_nothing():
    before = sys.getrefcount(WORD)
    pairwise(WORDS[:5], WORDS[:5])
    BLEU().corpus(WORDS[:5], WORDS[:5])
    assert sys.getrefcount(WORD) == before
