# SPDX-License-Identifier: Apache-2.0
"""Between equal systems, tests of averages find a difference as often as their level says."""

import numpy as np
import pytest
from support.simulated_systems import as_stats, rows, swapped

from truebleu import BLEU, read_lines
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.compare.strata import Strata

REPLICATES = 2_000

pytestmark = pytest.mark.slow


def rejections(draw, test, replicates=REPLICATES, resamples=999):
    """The share of replicates in which a test of averages finds a difference at 5 %.

    `draw(replicate)` gives, for each set, the statistics of two systems that are equally good.
    """
    bleu = BLEU(threads=1)
    count = 0
    for replicate in range(replicates):
        strata = {str(i): {"a": a, "b": b} for i, (a, b) in enumerate(draw(replicate))}
        resampling = Strata(bleu, strata, "ab")
        _, (p,), _ = TESTS[test].run(resampling, resampling.observed, resamples, replicate)
        count += p <= 0.05
    return count / replicates


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize(
    ("sizes", "replicates"), [((100,), 10_000), ((100, 300), REPLICATES), ((50, 80, 120, 200, 400), REPLICATES)]
)
def test_of_simulated_systems(test, sizes, replicates):
    rng = np.random.default_rng([len(sizes), 11])
    share = rejections(lambda _: [as_stats(rows(rng, size)) for size in sizes], test, replicates)
    print(f"{test} of {len(sizes)} sets: {share:.2%}")
    # A bootstrap of a single set of 100 segments finds a little too much.
    assert 0.04 <= share <= (0.065 if (test, len(sizes)) == ("bootstrap", 1) else 0.06)


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_of_outputs_of_wmt_swapped_at_random(test, shared):
    """Two systems of each set exchange their outputs segment by segment, which makes them equal."""
    names = {
        "wmt22/en-de": ("Online-A", "PROMT"),
        "wmt22/zh-en": ("NiuTrans", "DLUT"),
        "wmt21/en-ru": ("Manifold", "Online-G"),
    }
    bleu = BLEU()
    tables = []
    for folder, systems in names.items():
        path = shared / "data" / folder
        refs = read_lines(path / "ref.A.txt")
        hyps = (read_lines(path / f"hyp.{name}.txt") for name in systems)
        tables.append(np.array([bleu.stats(one, refs).__array__() for one in hyps]))

    def draw(replicate):
        sizes = (200, 400, 600)
        return [
            swapped(table, [0, 0], size, 3 * replicate + i)[0]
            for i, (table, size) in enumerate(zip(tables, sizes, strict=True))
        ]

    share = rejections(draw, test)
    print(f"{test} of 3 sets of WMT: {share:.2%}")
    assert 0.04 <= share <= 0.06
