# SPDX-License-Identifier: Apache-2.0
"""NLTK's BLEU, GLEU and NIST computed by the functions of `truebleu.compat.nltk`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

from truebleu.compat.accelerate.patches import is_own
from truebleu.compat.nltk import Door, bleu_of
from truebleu.compat.nltk.gleu_score import corpus_gleu
from truebleu.compat.nltk.nist_score import corpus_nist

Function = Callable[..., Any]

_PLAIN = {list, tuple}


def patches(name: str, module: Any) -> Iterator[tuple[FunctionType, Callable[[Any], Function]]]:
    """The functions to replace in a module of `nltk.translate`."""
    names: tuple[str, ...]
    if name.endswith("bleu_score"):
        names = ("ngrams", "modified_precision", "closest_ref_length")
        if not all(is_own(getattr(module, name), "nltk") for name in names):
            return
        door = Door(module)
        yield module.corpus_bleu, lambda original: partial(bleu_of, door, original)
    elif name.endswith("gleu_score"):
        names = ("Counter", "everygrams", "ngrams")
        yield module.corpus_gleu, lambda original: _corpus(original, corpus_gleu, module, names)
    else:
        names = ("Counter", "math", "ngrams", "nist_length_penalty")
        yield module.corpus_nist, lambda original: _corpus(original, corpus_nist, module, names)


def _corpus(original: Function, ours: Function, module: Any, names: tuple[str, ...]) -> Function:
    """A function that computes as `ours` does, if its module has the usual functions."""
    usual = [getattr(module, name) for name in names]
    if not all(is_own(value, "nltk") for value in usual if isinstance(value, FunctionType)):
        return original

    def corpus(list_of_references: Any, hypotheses: Any, *orders: Any) -> Any:
        if (
            {type(list_of_references), type(hypotheses)} <= _PLAIN
            and {*map(type, list_of_references)} <= _PLAIN
            and {type(text) for refs in list_of_references for text in refs} <= {*_PLAIN, str}
            and {*map(type, hypotheses)} <= {*_PLAIN, str}
            and [getattr(module, name) for name in names] == usual
        ):
            try:
                return ours(list_of_references, hypotheses, *orders)
            except Exception:  # noqa: BLE001, S110  (the original raises its own error)
                pass
        return original(list_of_references, hypotheses, *orders)

    return corpus
