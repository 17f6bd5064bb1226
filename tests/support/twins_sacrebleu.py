# SPDX-License-Identifier: Apache-2.0
"""The same call to sacreBLEU and to its drop-in, and what a user sees of it."""

import logging

import sacrebleu as original
from hypothesis import strategies as st

from support.command import run
from support.corpora import SMOOTHINGS
from truebleu.compat import sacrebleu as ours

TWINS = (original, ours)

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


def outcome(call, module):
    """All that a caller sees: the result to the last bit and type, or the error; and the log."""
    with Log() as log:
        try:
            result = described(call(module))
        except Exception as error:  # noqa: BLE001  # whatever it is, both must raise it
            result = type(error).__name__, str(error)
    return result, log.messages


def described(result):
    """A result as text that tells floats, ints and NumPy's numbers apart."""
    if isinstance(result, (original.metrics.base.Score, ours.metrics.base.Score)):
        return type(result).__name__, repr(vars(result)), str(result)
    return repr(result)


def by_hooks(module, name):
    """The class of a metric that the kernel does not score, because a hook is overridden."""

    class Hooked(getattr(module, name)):
        def _preprocess_segment(self, sent):
            return super()._preprocess_segment(sent)

    return Hooked


def everything(module, name, how, hyps, refs):
    """All that a user can see of a metric's corpus score."""
    metric = getattr(module, name)(**how)
    score = metric.corpus_score(hyps, refs)
    line = str(metric.get_signature())
    cached = getattr(module, name)(**how, references=refs)
    hooked = by_hooks(module, name)(**how)
    return [
        described(score),
        line,
        metric.get_signature().format(short=True),
        score.format(signature=line),
        score.format(3, is_json=True, signature=line),
        score.format(5, score_only=True),
        repr(metric._extract_corpus_statistics(hyps, refs)),
        described(cached.corpus_score(hyps, None)),
        str(cached.get_signature()),
        repr(cached._ref_cache),
        described(hooked.corpus_score(hyps, refs)),
        repr(hooked._extract_corpus_statistics(hyps, refs)),
    ]


def alike(call):
    """Assert that both modules do the same; returns what it was."""
    theirs, mine = (outcome(call, module) for module in TWINS)
    assert mine == theirs
    return theirs


def run_ours(arguments, stdin=b"", **environment):
    """The exit code of `truebleu sacrebleu`, its output and its messages."""
    done = run("sacrebleu", *arguments, stdin=stdin, COLUMNS="100", **environment)
    return done.returncode, done.stdout, done.stderr


def both(arguments, stdin=b"", **environment):
    """The same of `sacrebleu`, and of `truebleu sacrebleu`."""
    done = run(*arguments, program="sacrebleu", stdin=stdin, COLUMNS="100", **environment)
    theirs = done.returncode, done.stdout, done.stderr
    return theirs, run_ours(arguments, stdin, **environment)
