# SPDX-License-Identifier: Apache-2.0
"""Self-BLEU: how similar the texts of a set are to each other. Low is diverse."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt
from random import Random
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError, check_int, suggest
from truebleu.inputs import corpus
from truebleu.inputs.corpus import Marks, Reading, as_python, reading
from truebleu.inputs.ids import Ids
from truebleu.metrics.bleu import BLEU, cached_bleu

#: Definitions of the name in use; docs/pairwise.md explains them.
DEFINITIONS = {
    "leave-one-out": "the mean of each text's score against all the others (Zhu et al. 2018)",
    "pairwise": "the mean over all ordered pairs of the score of one text against the other",
    "pairwise-corpus": "the corpus score of all ordered pairs (Shen et al. 2019)",
}

#: Half the width of a 95 % interval, in standard errors.
_NORMAL = 1.959963984540054
#: Texts that are scored against all others at a time, which bounds the memory.
_ROWS = 512


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SelfBLEU(float):
    """A self-BLEU: a float with its definition and signature.

    Attributes:
        value: the same as a plain float.
        texts: the number of texts.
        scored: the number of texts that were scored.
        definition: the key of `DEFINITIONS`.
        signature: how single scores are computed.
        interval: if a sample was scored, the 95 % interval of the value of all texts; else None.
        scores: the score of each scored text against all others, an array in the order of the
            texts; None for the definitions by pairs.
    """

    value: float
    texts: int
    scored: int
    definition: str
    signature: str
    interval: tuple[float, float] | None = None
    scores: NDArray[np.float64] | None = None

    def __new__(cls, value: float, **about: Any) -> Self:  # noqa: ARG004  (`__init__` reads it)
        """A value with its attributes by name."""
        return float.__new__(cls, value)


def self_bleu(
    texts: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    definition: str = "leave-one-out",
    sample: int | None = None,
    seed: int = 12345,
    pad_id: Marks = None,
    eos_id: Marks = None,
    threads: int | None = None,
    **changes: Unpack[BLEUChanges],
) -> SelfBLEU:
    """The self-BLEU of a set of texts, such as samples of a model.

    Each text is scored by itself with all the others as its references, as `sentence_bleu` would:
    n-grams are clipped by the largest count in one of the others, and the length is compared with
    the closest one among them. Self-BLEU is the mean of these scores. All n-grams are counted in
    one pass, so the time is linear in the length of the texts.

    Args:
        texts: at least two: strings, lists of words or token ids, as for `BLEU.corpus`.
        dialect: the name of a row of `DIALECTS`, or a Dialect. Its smoothing matters here; most
            published numbers used `"fast-bleu"` or `"nltk-method1"`.
        definition: one of `DEFINITIONS`.
        sample: the number of texts, drawn at random, to score against all others. For large
            sets: memory is then proportional to the n-grams of the sample.
        seed: random seed of the sample.
        pad_id, eos_id: for ids, as in `BLEU.corpus`.
        threads: the most threads to use for pairs; they never change a result.
        changes: options of the dialect to change, by name.

    Raises:
        InputError: there are fewer than two texts, or they cannot be scored.
        OptionError: there is no such definition, or the sample is too large or too small.

    Example:
        >>> from truebleu import self_bleu
        >>> texts = ["a cat sat on the mat", "a cat sat on a hat", "dogs bark"]
        >>> round(self_bleu(texts), 2)
        33.88
        >>> round(self_bleu(texts, "nltk-method1", tokenize="13a"), 4)
        0.3388
    """
    if not isinstance(definition, str) or definition not in DEFINITIONS:
        raise OptionError(f"definition cannot be {suggest(definition, DEFINITIONS)}")
    options = reading(pad_id, eos_id, 1)
    bleu = cached_bleu(dialect, threads, changes)
    if definition == "leave-one-out":
        return _leave_one_out(bleu, texts, sample, seed, options)
    if sample is not None:
        raise OptionError(f"sample= is for leave-one-out; {definition} scores all pairs")
    listed = corpus.column("texts", texts)
    # Reports unreadable texts by name; takes little time compared with all pairs.
    bleu.sentence_plan.against_others(bleu.column("texts", listed, once=True), None, options)
    if not isinstance(listed, Ids):
        listed = as_python("texts", listed)
    by_corpus = definition == "pairwise-corpus"
    return SelfBLEU(
        (_pairwise_corpus if by_corpus else _pairwise)(bleu, listed, options),
        texts=len(listed),
        scored=len(listed),
        definition=definition,
        signature=bleu.signature if by_corpus else bleu.sentence_signature,
    )


def _leave_one_out(bleu: BLEU, texts: Any, sample: Any, seed: int, options: Reading) -> SelfBLEU:
    """The mean of all scores; or of a sample drawn without replacement, with an interval.

    The standard error is that of a finite population (Cochran 1977, chapter 2): zero if all texts
    are drawn.
    """
    places = None
    if sample is not None:
        texts = corpus.column("texts", texts)
        if not hasattr(texts, "__len__"):  # an Arrow stream
            texts = as_python("texts", texts)
        count = len(texts)
        if count < 2:
            raise InputError(f"self-BLEU needs at least two texts; texts has {count}")
        sample = check_int("sample", sample, 2, count)
        seed = check_int("seed", seed, 0, (1 << 64) - 1)
        places = sorted(Random(seed).sample(range(count), sample))  # noqa: S311  (not a secret)
    column = bleu.column("texts", texts, once=True)
    scores = np.frombuffer(bleu.sentence_plan.against_others(column, places, options))
    scores.flags.writeable = False
    mean, interval = fsum(scores.tolist()) / len(scores), None
    if places:
        variance = fsum((score - mean) ** 2 for score in scores.tolist()) / (sample - 1)
        half = _NORMAL * sqrt(variance / sample * (1 - sample / count))
        interval = mean - half, mean + half
    return SelfBLEU(
        mean,
        interval=interval,
        texts=count if places else len(scores),
        scored=len(scores),
        scores=scores,
        definition="leave-one-out",
        signature=bleu.sentence_signature,
    )


def _pairwise(bleu: BLEU, texts: Any, options: Reading) -> float:
    column = bleu.column("texts", texts)
    sums = []
    for start in range(0, len(texts), _ROWS):
        end = min(start + _ROWS, len(texts))
        rows = bleu.column("texts", _part(texts, start, end))
        scores = bleu.sentence_plan.pairwise((rows, column), True, bleu.threads, np.empty, options)
        scores[range(end - start), range(start, end)] = 0  # a text against itself
        sums.append(float(scores.sum()))
    return fsum(sums) / (len(texts) * (len(texts) - 1))


def _pairwise_corpus(bleu: BLEU, texts: Any, options: Reading) -> float:
    pairs = bleu.accumulator()
    pad_id, eos_id, _ = options
    for i in range(len(texts)):
        # Each text is the reference of all texts before it and after it.
        for others in (_part(texts, 0, i), _part(texts, i + 1, len(texts))):
            if len(others):
                ref = _part(texts, i, i + 1)
                pairs.update(others, ref, pad_id=pad_id, eos_id=eos_id, group=len(others))
    value: float = pairs.compute().value
    return value


def _part(texts: Any, start: int, end: int) -> Any:
    return texts.rows(start, end) if isinstance(texts, Ids) else texts[start:end]
