# SPDX-License-Identifier: Apache-2.0
"""A drop-in for codebleu 0.7.0: `calc_codebleu`, with its keys and the last bits of its numbers.

>>> from truebleu.compat.codebleu import calc_codebleu
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from truebleu.dialects.keywords import KEYWORDS
from truebleu.errors import needing
from truebleu.metrics.codebleu import CodeBLEU

#: Weighted matches and words: the columns of their fifths, and of what rounding adds.
_WEIGHTED = (("weighted_match_1", "rounded_match"), ("weighted_total_1", "rounded_total"))
#: One in the unit of what rounding adds to fifths.
_UNIT = 1 << 55


def calc_codebleu(
    references: list[str] | list[list[str]],
    predictions: list[str],
    lang: str,
    weights: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25),
    tokenizer: Callable[[str], list[str]] | None = None,
    keywords_dir: Path | None = None,
) -> dict[str, float]:
    """CodeBLEU of a corpus and its four parts, from 0 to 1.

    `truebleu.CodeBLEU` adds integers, so that any split of a corpus sums to the whole. codebleu
    adds weighted words as floats, segment by segment; so does this function, whose last bits are
    those of the original for corpora, too.

    Args:
        references: a program, or a list of them, for each prediction.
        predictions: programs.
        lang: their language, as in `truebleu.CodeBLEU`.
        weights: of the four parts.
        tokenizer, keywords_dir: not read here: with one of them, or with wrong arguments, codebleu
            itself computes the result or raises its error.

    Example:
        >>> from truebleu.compat.codebleu import calc_codebleu
        >>> calc_codebleu(["x = f(1)"], ["x = f(2)"], "python")["syntax_match_score"]
        1.0
    """
    rows = [[row] if isinstance(row, str) else row for row in references]
    are_usual = (tokenizer, keywords_dir) == (None, None) and lang in KEYWORDS and len(weights) == 4
    if not are_usual or len(rows) != len(predictions) or not all(map(_are_programs, [predictions, *rows])):
        with needing("calc_codebleu with these arguments", "code"):
            from codebleu import calc_codebleu as original
        directory = {} if keywords_dir is None else {"keywords_dir": keywords_dir}
        result: dict[str, float] = original(references, predictions, lang, weights, tokenizer, **directory)
        return result
    metric = CodeBLEU(lang)
    stats = metric.stats(predictions, rows)
    total = list(stats.sum()[0])
    for names in _WEIGHTED:
        fifths, rounded = map(stats.column_names().index, names)
        added = 0.0
        for row in stats:
            added += (row[fifths] * _UNIT + row[rounded]) / (5 * _UNIT)
        total[rounded] = 5 * int(added * _UNIT) - total[fifths] * _UNIT
    parts = {f"{name}_score": part or 0.0 for name, part in metric.score(stats.like_rows([total])).parts().items()}
    ngram, weighted, syntax, dataflow = parts.values()
    alpha, beta, gamma, theta = weights
    return {"codebleu": alpha * ngram + beta * weighted + gamma * syntax + theta * (dataflow or 1), **parts}


def _are_programs(row: Any) -> bool:
    """Whether it is a list of strings, of which there is one at least."""
    return type(row) is list and {*map(type, row)} == {str}
