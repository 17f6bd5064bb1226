# SPDX-License-Identifier: Apache-2.0
"""The same call to a library and to the same library accelerated, and what a user sees of it.

A library is accelerated in processes of their own only, so that it judges the kernel in this one.
"""

import functools
import importlib
import logging
import multiprocessing
import sys
import traceback
from contextlib import contextmanager

import sacrebleu
from hypothesis import strategies as st

import truebleu
from support.corpora import SMOOTHINGS

for part in ("nltk", "sacrebleu", "significance"):
    importlib.import_module(f"truebleu.compat.accelerate.{part}")  # once, and not in each process

TOKENIZERS = ("13a", "intl", "zh", "char", "none")


@st.composite
def settings(draw):
    """Arguments of BLEU."""
    method, value = draw(st.sampled_from(SMOOTHINGS))
    return {
        "tokenize": draw(st.sampled_from(TOKENIZERS)),
        "lowercase": draw(st.booleans()),
        "smooth_method": method,
        "smooth_value": value,
        "max_ngram_order": draw(st.sampled_from([4, 4, 1, 2, 3, 6])),
        "effective_order": draw(st.booleans()),
    }


class Log(logging.Handler):
    """What is logged while it listens."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        self.messages.append((record.name, record.levelname, record.getMessage()))

    def __enter__(self):
        self.logger = logging.getLogger("sacrebleu")
        self.propagate, self.logger.propagate = self.logger.propagate, False
        self.logger.addHandler(self)
        return self

    def __exit__(self, *_):
        self.logger.removeHandler(self)
        self.logger.propagate = self.propagate


def outcome(call):
    """All that a caller sees: the result to the last bit and type, or the error; and the log."""
    with Log() as log:
        try:
            result = described(call(sacrebleu))
        except Exception as error:  # noqa: BLE001  # whatever it is, both must raise it
            result = type(error).__name__, str(error)
    return result, log.messages


def described(result):
    """A result as text that tells floats, ints and NumPy's numbers apart."""
    if isinstance(result, sacrebleu.metrics.base.Score):
        return type(result).__name__, repr(vars(result)), str(result)
    return repr(result)


def apart(call):
    """The result of `call()` in a process that is forked for it."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)

    def run():
        try:
            sender.send((call(), ""))
        except BaseException:  # noqa: BLE001  # this process raises it
            sender.send((None, traceback.format_exc()))

    process = fork.Process(target=run)
    process.start()
    sender.close()
    result, failure = receiver.recv()
    process.join()
    assert not failure, failure
    return result


def in_process_of_its_own(test):
    """A test that accelerates libraries, which judge the kernel in this process."""
    return functools.wraps(test)(lambda *args, **kwargs: apart(lambda: test(*args, **kwargs)))


def accelerated(names, call):
    """The result of a call to libraries that are accelerated."""

    def run():
        with truebleu.accelerate(*names):
            return call()

    return apart(run)


def alike(*calls):
    """Assert that sacreBLEU does the same with and without acceleration; returns what it was."""

    def outcomes():
        return [outcome(call) for call in calls]

    mine, theirs = accelerated(["sacrebleu"], outcomes), outcomes()
    assert mine == theirs
    return theirs[0]


def by_hooks(module, name):
    """The class of a metric that the kernel does not score, because a hook is overridden."""

    class Hooked(getattr(module, name)):
        def _preprocess_segment(self, sent):
            return super()._preprocess_segment(sent)

    return Hooked


def everything(module, name, options, hyps, refs):
    """All that a user can see of a metric's corpus score."""
    metric = getattr(module, name)(**options)
    score = metric.corpus_score(hyps, refs)
    line = str(metric.get_signature())
    cached = getattr(module, name)(**options, references=refs)
    hooked = by_hooks(module, name)(**options)
    return [
        described(score), line, metric.get_signature().format(short=True),
        score.format(signature=line), score.format(3, is_json=True, signature=line),
        score.format(5, score_only=True), repr(metric._extract_corpus_statistics(hyps, refs)),
        described(cached.corpus_score(hyps, None)), str(cached.get_signature()),
        repr(cached._ref_cache), described(cached.corpus_score(hyps, None)),
        described(hooked.corpus_score(hyps, refs)),
        repr(hooked._extract_corpus_statistics(hyps, refs)),
    ]  # fmt: skip


@contextmanager
def no_counting_in_python():
    """Fail if sacreBLEU itself counts a segment meanwhile."""
    counted = []

    def watch(frame, event, _):
        if event == "call" and frame.f_code.co_name == "_compute_segment_statistics":
            counted.append(frame.f_code)

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)
    assert not counted
