# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU as it is, and accelerated in a process of its own: the same calls, the same results."""

import hashlib
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import peers
import sacrebleu
from corpora import Corpus, english, non_ascii
from results import Row, race
from sacrebleu.significance import PairedTest
from timing import SCRIPTS, Contender, Times, interleave, process

CORPORA = {"english": english, "non_ascii": non_ascii}


def sentence_score(corpus: Corpus) -> list[Any]:
    """The method for one sentence, of a metric that is made once."""
    bleu = sacrebleu.BLEU(effective_order=True, tokenize=corpus.tokenize)
    pairs = zip(corpus.hyps, corpus.refs, strict=True)
    return [bleu.sentence_score(hyp, [ref]) for hyp, ref in pairs]


def sentence_bleu(corpus: Corpus) -> list[Any]:
    """The function for one sentence, which makes a metric each time."""
    pairs = zip(corpus.hyps, corpus.refs, strict=True)
    return [sacrebleu.sentence_bleu(hyp, [ref], tokenize=corpus.tokenize) for hyp, ref in pairs]


def scored(metric: Any, corpus: Corpus, **options: Any) -> Any:
    """The score of a corpus."""
    return metric.corpus_score(corpus.hyps, [corpus.refs], **options)


def paired(kind: str, corpus: Corpus) -> Any:
    """A test of two systems with 1,000 resamples."""
    systems = [("A", corpus.hyps), ("B", corpus.hyps[:-9] + corpus.refs[-9:])]
    metrics = {"BLEU": sacrebleu.BLEU(tokenize=corpus.tokenize)}
    return PairedTest(systems, metrics, [corpus.refs], kind, n_samples=1_000)()


#: Each call, the segments of a full run, and how often ours runs in each round.
CALLS: dict[str, tuple[Callable[[Corpus], Any], int, int]] = {
    "corpus_bleu": (lambda c: sacrebleu.corpus_bleu(c.hyps, [c.refs], tokenize=c.tokenize), 4_000, 5),
    "sentence_score": (sentence_score, 1_000, 3),
    "sentence_bleu": (sentence_bleu, 1_000, 3),
    "chrf": (lambda c: scored(sacrebleu.CHRF(), c), 2_000, 5),
    "ter": (lambda c: scored(sacrebleu.TER(), c), 400, 5),
    "n_bootstrap": (lambda c: scored(sacrebleu.BLEU(), c, n_bootstrap=1_000), 2_000, 3),
    "paired_bs": (partial(paired, "bs"), 2_000, 3),
    "paired_ar": (partial(paired, "ar"), 2_000, 3),
}


def accelerate(*, quick: bool) -> Iterator[Row]:
    """sacreBLEU accelerated, in a process of its own, against sacreBLEU."""
    rounds = 3 if quick else 7
    for name, load in CORPORA.items():
        for call in list(CALLS)[: None if name == "english" else 3]:
            function, segments, repeat = CALLS[call]
            size = segments // 4 if quick else segments
            corpus = load().head(size)
            theirs, expected = measure(function, corpus, rounds, 1)
            options = [call, name, str(size), str(rounds), str(repeat)]
            command = [sys.executable, "-m", "truebleu", "accelerate", __file__, *options]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            seconds, result = json.loads(done.stdout)
            yield Row(
                "acceler.",
                corpus.name,
                len(corpus),
                call[:13],
                Times(tuple(seconds)),
                peers.named("sacrebleu"),
                theirs,
                result == expected,
            )
    yield _command_line(3 if quick else 9)


def measure(call: Callable[[Corpus], Any], corpus: Corpus, rounds: int, repeat: int) -> tuple[Times, str]:
    """The times of a call in this process, and a hash of its result."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    contender = Contender("", lambda: call(corpus), peers.clear_caches, repeat)
    ((times, result),) = interleave([contender], rounds)
    results = result if isinstance(result, list) else [result]
    shown = [repr(vars(score) if hasattr(score, "score") else score) for score in results]
    return times, hashlib.sha256(repr(shown).encode()).hexdigest()


def _command_line(rounds: int) -> Row:
    """`truebleu sacrebleu` against `sacrebleu`, from the start of the process to its end."""
    corpus = english().head(2_000)
    with TemporaryDirectory() as folder:
        hyp, ref = corpus.files(folder)
        files = (str(ref), "-i", str(hyp))
        ours = process("truebleu sac.", str(SCRIPTS / "truebleu"), "sacrebleu", *files)
        peer = process(peers.named("sacrebleu"), str(SCRIPTS / "sacrebleu"), *files)
        return race("acceler.", corpus.name, len(corpus), ours, peer, rounds)


if __name__ == "__main__":
    name, corpus_name, segments, rounds, repeat = sys.argv[1:]
    head = CORPORA[corpus_name]().head(int(segments))
    times, digest = measure(CALLS[name][0], head, int(rounds), int(repeat))
    print(json.dumps([times.seconds, digest]))
