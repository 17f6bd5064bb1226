# SPDX-License-Identifier: Apache-2.0
"""W7: a score for each pair of rows of token ids, as the reward of a training step."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import peers
import pyarrow as pa
import sacrebleu
from nltk.translate import bleu_score as nltk_bleu
from results import Row, race
from timing import Contender

from truebleu import BLEU, Ids

PAIRS = 65_536
#: Least and most tokens of a row, 128 in the mean.
SHORTEST, LONGEST = 96, 160
VOCABULARY = 32_000
PAD = 0


def make(pairs: int) -> tuple[Any, Any]:
    """Hypotheses and references of one in three tokens exchanged, as padded rows of int32."""
    random = np.random.default_rng(7)

    def rows() -> Any:
        return (random.zipf(1.2, (pairs, LONGEST)) % VOCABULARY + 1).astype(np.int32)

    refs = rows()
    hyps = np.where(random.random(refs.shape) < 1 / 3, rows(), refs)
    for ids in (hyps, refs):
        lengths = random.integers(SHORTEST, LONGEST + 1, (pairs, 1))
        ids[np.arange(LONGEST) >= lengths] = PAD
    return hyps, refs


def ragged(rows: Any) -> Ids:
    """The same rows without the padding."""
    kept = rows != PAD
    return Ids(rows[kept], np.concatenate([[0], kept.sum(axis=1).cumsum()]))


def token_ids(*, quick: bool) -> Iterator[Row]:
    """One score for each pair of about 128 token ids, from arrays to an array."""
    pairs, sample = (16_384, 100) if quick else (PAIRS, 300)
    hyps, refs = make(pairs)
    effective = BLEU(summation=peers.SUMMATION, threads=1)
    like_nltk = BLEU("nltk-method1", threads=1)
    wide = hyps.astype(np.int64), refs.astype(np.int64)
    runs = ragged(hyps), ragged(refs)
    arrow = tuple(_arrow(rows) for rows in runs)

    words = [[[str(i) for i in row if i != PAD] for row in ids[:sample]] for ids in (hyps, refs)]
    texts = [[" ".join(row) for row in rows] for rows in words]
    lists = [[[int(i) for i in row if i != PAD] for row in ids[:sample]] for ids in (hyps, refs)]
    metric = sacrebleu.BLEU(effective_order=True, tokenize="none")
    smoothing = nltk_bleu.SmoothingFunction().method1

    strings = Contender(
        peers.named("sacrebleu", ", strings"),
        lambda: [metric.sentence_score(h, [r]).score for h, r in zip(*texts, strict=True)],
        peers.clear_caches,
    )
    by_nltk = Contender(
        peers.named("nltk", ", ids"),
        lambda: [
            nltk_bleu.sentence_bleu([ref], hyp, smoothing_function=smoothing) for hyp, ref in zip(*lists, strict=True)
        ],
    )
    for name, work, peer in (
        ("padded int32", lambda: effective.sentences(hyps, refs, pad_id=PAD), strings),
        ("padded int64", lambda: effective.sentences(*wide, pad_id=PAD), strings),
        ("ragged int32", lambda: effective.sentences(*runs), strings),
        ("Arrow lists", lambda: effective.sentences(*arrow), strings),
        ("nltk-method1", lambda: like_nltk.sentences(hyps, refs, pad_id=PAD), by_nltk),
    ):
        yield race(
            "w7",
            "ids, 128 to a row",
            pairs,
            Contender(name, work, repeat=3),
            peer,
            2 if quick else 5,
            lambda scores, theirs: scores[:sample].tolist() == theirs,
            pairs / sample,
        )


def _arrow(ids: Ids) -> Any:
    return pa.ListArray.from_arrays(ids.offsets.astype(np.int32), ids.values)
