# SPDX-License-Identifier: Apache-2.0
"""The boundary of the kernel: bounds of its settings, and panics as errors of Python."""

import numpy as np
import pytest

from truebleu import InternalError, TrueBLEUError
from truebleu._core import Metric, Resampler


def test_the_kernel_bounds_the_orders():
    for orders in ("0", "1001", str(1 << 60), str((1 << 64) - 1), str(1 << 64)):
        with pytest.raises(ValueError, match="max_ngram_order"):
            Metric("bleu", [("max_ngram_order", orders)])
        if orders != "0":
            with pytest.raises(ValueError, match="char_order"):
                Metric("chrf", [("char_order", orders)])


def test_a_panic_is_an_error_that_asks_for_a_report(capfd):
    resampler = Resampler(Metric("bleu", []), [np.ones(10, dtype=np.int64)])
    with pytest.raises(InternalError, match=r"^internal error: .*please report it") as caught:
        resampler.bootstrap(0, (0, 1 << 60), 1)  # no caller of the kernel asks for so many
    assert isinstance(caught.value, TrueBLEUError)
    assert isinstance(caught.value, RuntimeError)
    # Its place in the source is for the report.
    assert "panicked at" in capfd.readouterr().err


def test_only_bleu_has_five_decisions():
    chrf = Metric("chrf", [])
    assert chrf.tokens(["a b."]) == [["a", "b", "."]]
    assert chrf.score([0] * 18) == (0, None)
    with pytest.raises(ValueError, match="a row has 18 integers here, not 2"):
        chrf.score([0, 0])
    with pytest.raises(ValueError, match="only BLEU has prefixes"):
        chrf.prefixes(["a"], ["a"], 1, ((), (), 1))
    with pytest.raises(ValueError, match='no metric is named "meteor"'):
        Metric("meteor", [])
