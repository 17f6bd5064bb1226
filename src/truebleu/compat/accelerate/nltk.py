# SPDX-License-Identifier: Apache-2.0
"""NLTK's BLEU, GLEU and NIST computed by the functions of `truebleu.compat.nltk`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from types import FunctionType
from typing import Any

from truebleu.compat.accelerate.patches import is_own
from truebleu.compat.nltk import Door, bleu_of
from truebleu.compat.nltk.gleu_score import corpus_gleu
from truebleu.compat.nltk.nist_score import corpus_nist

Function = Callable[..., Any]

_PLAIN = {list, tuple}

#: The names in each module that its score depends on, and what computes it; a `Door` for BLEU.
_MODULES: dict[str, tuple[str, Function | None]] = {
    "bleu_score": ("ngrams modified_precision closest_ref_length", None),
    "gleu_score": ("Counter everygrams ngrams", corpus_gleu),
    "nist_score": ("Counter math ngrams nist_length_penalty", corpus_nist),
}


def patches(name: str, module: Any) -> Iterator[tuple[FunctionType, Function]]:
    """The functions to replace in a module of `nltk.translate`, if it has the usual names."""
    names, ours = _MODULES[name.rpartition(".")[2]]
    current = attrgetter(*names.split())
    usual = current(module)
    if not all(is_own(value, "nltk") for value in usual if value not in (Counter, math)):
        return
    if ours is None:
        yield module.corpus_bleu, partial(bleu_of, Door(module))
    else:
        yield getattr(module, ours.__name__), partial(_corpus, ours, lambda: current(module) == usual)


def _corpus(ours: Function, is_usual: Function, original: Function, refs: Any, hyps: Any, *orders: Any) -> Any:
    """The result of `ours` for plain lists, if the module has its usual names; else NLTK's."""
    if (
        {type(refs), type(hyps)} <= _PLAIN
        and {*map(type, refs)} <= _PLAIN
        and {type(text) for row in refs for text in row} <= {*_PLAIN, str}
        and {*map(type, hyps)} <= {*_PLAIN, str}
        and is_usual()
    ):
        try:
            return ours(refs, hyps, *orders)
        except Exception:  # noqa: BLE001, S110  (the original raises its own error)
            pass
    return original(refs, hyps, *orders)
