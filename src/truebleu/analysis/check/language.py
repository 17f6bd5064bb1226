# SPDX-License-Identifier: Apache-2.0
"""Hypotheses in another script or language than their references, and tokenizers for it.

Letter trigrams separate languages of one script in a line (Cavnar and Trenkle 1994). Those of the
references show their language, so that no list of languages is needed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np

from truebleu.analysis.check.columns import LONG, Texts
from truebleu.analysis.check.judge import LINES, TIMES, UNLIKE, Floats
from truebleu.analysis.check.kinds import Fault
from truebleu.errors import MissingExtraError
from truebleu.inputs.mistakes import OF_SPACED, unsplit
from truebleu.metrics.tokenizers import find as find_tokenizer
from truebleu.text.normalization import WRITTEN_BY_PROGRAMS
from truebleu.text.scripts import letters, main_script, script_of
from truebleu.text.signs import alphabet, flags, grams

#: Trigrams of a line in another language are half as frequent in the references as those of its own
#: reference, and short lines vary by ten divided by their number: nine of ten English lines in
#: German texts and the reverse, and none of WMT22's own lines.
_RARER = log(2)

#: Tokenizers that split at spaces alone.
SPLIT = ("none", "space", "words")


def find(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> Iterator[Fault]:
    """Lines in another script or language than the references, or without spaces."""
    samples = [column[:: len(column) // LINES + 1] for column in columns]
    main = main_script(alphabet([text for sample in samples[1:] for text in sample]))
    if not main:
        return
    # Chinese texts have no kana, and all Japanese sentences do.
    usual, common = ("Kana", ("Latin", "Han")) if main == "Japanese" else (main, ("Latin",))
    marks = flags(columns[0], [lambda text: script_of(text[0]) not in ("", usual, *common),
                               lambda text: script_of(text[0]) == usual])  # fmt: skip
    odd = {}
    for row in np.flatnonzero(marks != 2).tolist():
        if script := _odd_script([letters(Counter(c[row])) for c in columns], usual, common):
            odd[row] = script
    if odd:
        names = ", ".join(sorted({*odd.values()}))
        message = f"There are letters of another script ({names}) than the references' ({main})."
        signs = [c for row in odd for c in columns[0][row] if script_of(c) == odd[row]]
        evidence = texts.hyp.evidence(odd, re.compile(f"[{''.join(signs)}]"))
        yield Fault("wrong-script", texts.hyp, [*odd], message, evidence)
    if main == "Japanese" or [*unsplit(columns[1], OF_SPACED)]:
        return  # without spaces, few trigrams occur twice
    rows = [row for row in _in_another_language(columns, similarity, samples[1:]) if row not in odd]
    if len(rows) >= WRITTEN_BY_PROGRAMS:
        yield Fault("wrong-language", texts.hyp, rows)
    if main != "Hangul":
        own, *others = np.array([[text.count(" ") for text in column] for column in columns])
        is_joined = np.min(others, axis=0) >= np.maximum(4 * own + 1, TIMES)
        rows = [
            row for row in np.flatnonzero(is_joined).tolist()
            if 2 * len(columns[0][row]) > min(len(refs[row]) for refs in columns[1:])
        ]  # fmt: skip
        if len(rows) >= WRITTEN_BY_PROGRAMS:
            yield Fault("lost-spaces", texts.hyp, rows)


def _odd_script(counts: Sequence[Counter[str]], usual: str, common: Sequence[str]) -> str:
    """The wrong script of a hypothesis, by its letters and those of its references, or none.

    Letters of common scripts are in texts of this script, too: alone they are wrong.
    """
    own, *others = counts
    is_alone = not own[usual] and all(of[usual] for of in others)
    for script, count in own.items():
        is_new = script not in (usual, *common) and not any(of[script] for of in others)
        if count >= (WRITTEN_BY_PROGRAMS if is_new else LONG // 2) and (is_new or is_alone):
            return script
    return ""


def _in_another_language(
    columns: Sequence[Sequence[str]], similarity: Floats, samples: Sequence[Sequence[str]]
) -> list[int]:
    """Hypotheses that share little with their references, and few trigrams with any."""
    suspects = np.flatnonzero(similarity < UNLIKE).tolist()
    if not suspects:
        return []
    taught, _ = grams([text for sample in samples for text in sample], 3)
    values, counts = np.unique(np.append(taught, 0), return_counts=True)
    fits, sizes = [], []
    for column in columns:
        own, rows = grams([column[row] for row in suspects], 3)
        at = np.searchsorted(values, own).clip(max=len(values) - 1)
        times = np.where(values[at] == own, counts[at], 0).astype(float)
        if column is not columns[0]:
            times = np.maximum(times - 1, 0)  # a reference has taught its own trigrams
        sizes.append(np.bincount(rows, minlength=len(suspects)))
        sums = np.bincount(rows, np.log(times + 0.5), minlength=len(suspects))
        fits.append(sums / np.maximum(sizes[-1], 1))
    rarer = np.max(fits[1:], axis=0) - fits[0]
    is_foreign = rarer > _RARER + 10 / np.maximum(sizes[0], 1)
    is_foreign &= np.min(sizes, axis=0) >= LONG
    return [suspects[row] for row in np.flatnonzero(is_foreign).tolist()]


def wrong_tokenizer(texts: Texts, tokenizer: Any) -> Iterator[Fault]:
    """A tokenizer that splits at spaces, for a language without them, or with few."""
    ref = texts.refs[0]
    why = "leaves whole phrases as tokens, because there are no spaces between words"
    cases = [*unsplit(ref.filled, [tokenizer])]
    script = main_script(alphabet(ref.filled[:: len(ref) // LINES + 1]))
    if script == "Hangul" and tokenizer in OF_SPACED and tokenizer not in SPLIT:
        cases, why = [("Korean", tokenizer, "ko-mecab")], "joins particles to their words"
    for language, _, better in cases:
        suited = better.split()[-1]
        try:
            find_tokenizer(suited)
        except MissingExtraError:
            suited = "char"
        message = f"The references are {language}: {tokenizer} {why}. Repair uses {suited}."
        changes = {"tokenize": suited}
        yield Fault("wrong-tokenizer", ref, [], message, ref.evidence([0]), changes=changes)
