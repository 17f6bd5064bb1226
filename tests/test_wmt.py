# SPDX-License-Identifier: Apache-2.0
"""Real system outputs score what sacreBLEU gave for them, row by row of the recorded scores."""

from __future__ import annotations

import csv
import gzip
from functools import cache

from truebleu import BLEU, streams


def golden(shared, name):
    with gzip.open(shared / "golden" / name, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def lines(path):
    with path.open(encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:-1]


@cache
def scored(shared, set_, pair, system, refs, tokenize, lowercase):
    """Statistics of a system: each tokenization is counted once for all smoothings."""
    folder = shared / "data" / set_ / pair
    references = [lines(folder / f"ref.{name}.txt") for name in refs.split("+")]
    bleu = BLEU(tokenize=tokenize, lowercase=lowercase)
    return bleu.stats(lines(folder / f"hyp.{system}.txt"), streams(*references)).sum()


def test_every_recorded_score_of_sacrebleu_is_reproduced(shared):
    rows = golden(shared, "sacrebleu_bleu.tsv.gz")
    assert len(rows) > 2_000
    for row in rows:
        lowercase = row["case"] == "lc"
        key = (row["set"], row["pair"], row["system"], row["refs"], row["tok"], lowercase)
        stats = scored(shared, *key)
        counts = [int(row[f"{kind}{n}"]) for kind in ("correct", "total") for n in range(1, 5)]
        assert list(stats[0]) == [int(row["sys_len"]), int(row["ref_len"]), *counts], row
        bleu = BLEU(
            tokenize=row["tok"],
            lowercase=lowercase,
            smooth_method=row["smooth"],
            effective_order="eff=yes" in row["config"],
        )
        score = bleu.score(stats)
        assert score.value == float(row["value"]), row
        assert score.bp == float(row["bp"]), row
        assert list(score.precisions) == [float(row[f"p{n}"]) for n in range(1, 5)], row
