# SPDX-License-Identifier: Apache-2.0
"""The steps of a score multiply to it, for every row of the table and any row of integers."""

import math

import numpy as np
import pytest
from support.profiles import SLOW

from truebleu import BLEU, DIALECTS
from truebleu.metrics.steps import steps

ROWS = 2_000 if SLOW else 500


def drawn(dialect, rng):
    """Random rows of integers: corpora of all sizes, many of them short or without matches."""
    orders, counted = dialect.orders_read, dialect.counted_orders
    hyp_lens = rng.choice([0, 1, 2, 3, 4, 9, 30, 1_000, 1_000_000], ROWS)
    ref_lens = rng.integers(0, 3 * hyp_lens + 9)
    totals = hyp_lens[:, None] - np.arange(orders) * rng.choice([0, 1, 9], (ROWS, 1))
    least = 1 if dialect.count.floor_totals else 0
    if not dialect.count.negative_totals:
        totals = totals.clip(least)
    matches = rng.integers(0, totals.clip(0) + 1) * rng.integers(0, 2, (ROWS, orders))
    notes = np.zeros((ROWS, 2, counted - orders), int)
    if dialect.aggregate.join == "smoothed":
        notes[:, 0] = rng.integers(0, 2**40, notes[:, 0].shape)
    if dialect.aggregate.join == "mean":
        notes[:, 1] = rng.integers(1, 3, (ROWS, 1))
        notes[:, 0] = rng.integers(0, 2**36, (ROWS, 1)) * notes[:, 1]
    table = (hyp_lens[:, None], ref_lens[:, None], matches, notes[:, 0], totals, notes[:, 1])
    return np.hstack(table).astype(np.int64)


@pytest.mark.parametrize("name", DIALECTS)
def test_factors_multiply_to_the_score_or_the_steps_say_why_not(name):
    dialect = DIALECTS[name]
    rows = drawn(dialect, np.random.default_rng(len(name)))
    bleu = BLEU(dialect.replace(tokenize="none"))
    values = np.frombuffer(bleu.plan.values(rows))
    calculations = [steps(dialect, row) for row in rows.tolist()]
    factors = [[c.bp, *(order.factor for order in c.orders)] for c in calculations]
    products = dialect.combine.scale * np.prod(factors, axis=1)
    is_product = np.array([c.outcome == "product" for c in calculations])
    if dialect.combine.precision == "single":
        last_digit = np.spacing(products.astype(np.float32))
        np.testing.assert_array_less(abs(products - values)[is_product], last_digit[is_product])
    else:
        np.testing.assert_allclose(products[is_product], values[is_product], rtol=1e-12, atol=0)
    outcomes = {c.outcome for c in calculations}
    assert "product" in outcomes or dialect.combine.cumulative_weights
    for calculation, value in zip(calculations, values.tolist(), strict=True):
        is_nan = calculation.outcome in ("undefined", "no-trigram", "not-a-number")
        assert math.isnan(value) == is_nan
        if calculation.outcome in ("guard", "no-order"):
            assert value == 0
    how = dialect.combine
    expected = {
        "guard": how.guard != "none", "segments": dialect.aggregate.join == "mean",
        "orders": how.cumulative_weights is not None,
        "no-order": how.effective_order or how.zero_precision == "drop",
        "undefined": how.undefined != "never", "no-trigram": how.smooth_method == "interpolate",
        "not-a-number": how.smooth_method in ("average", "length-average"), "product": True,
    }  # fmt: skip
    assert all(expected[outcome] for outcome in outcomes)
