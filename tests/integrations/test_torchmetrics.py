# SPDX-License-Identifier: Apache-2.0
"""Metrics of torchmetrics; test_frameworks.py and test_torch.py test them with PyTorch."""

from itertools import combinations

from truebleu import BLEU
from truebleu.integrations.torchmetrics import state_name


def test_metrics_with_different_options_have_states_of_different_names():
    metrics = [
        BLEU(), BLEU(lowercase=True), BLEU(smooth_method="floor"), BLEU(tokenize="char"),
        BLEU(max_ngram_order=2), BLEU(weights=(0.5, 0.3, 0.1, 0.1)), BLEU("nltk"),
        BLEU("multi-bleu"),
    ]  # fmt: skip
    names = [state_name(metric) for metric in metrics]
    assert all(one != other for one, other in combinations(names, 2))
    assert all(name.isidentifier() for name in names)
    assert state_name(BLEU(threads=1)) == state_name(BLEU())
