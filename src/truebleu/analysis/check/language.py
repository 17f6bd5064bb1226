# SPDX-License-Identifier: Apache-2.0
"""Hypotheses in another script or language than their references.

Letter trigrams separate languages of one script in a line (Cavnar and Trenkle 1994). Those of the
references show their language, so that no list of languages is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.alignment import DOUBTFUL
from truebleu.analysis.check.columns import Texts, excerpt
from truebleu.analysis.check.judge import Floats
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.scripts import UNSPACED, letters, script_of, script_of_most
from truebleu.text.normalization import WRITTEN_BY_PROGRAMS

#: The fewest letters of another script, alone in a line and of Han, kana or Hangul: names and units
#: are shorter. The fewest letters of a script that no reference of the line has: symbols are fewer.
_ALONE, _ALONE_WIDE, _FOREIGN = 12, 4, 3
#: The fewest trigrams that show the language of a line, and about how many letters teach it.
_SHORTEST, _ENOUGH = 16, 200_000
#: Trigrams of a line in another language are rarer in the references than those of its own
#: reference by this (natural logarithm), and by this divided by their number in short lines: nine
#: of ten English lines in German texts and the reverse, and none of WMT22's own lines.
_WORSE, _WORSE_LINE = 0.7, 10.0
_NO_LETTER = re.compile(r"[\W\d_]+")


def find(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> Iterator[Fault]:
    """Lines in another script or language than the references, in aligned texts."""
    main = script_of_most([text for column in columns[1:] for text in column])
    if not main:
        return
    usual = {"Han", "Kana"} if main == "Japanese" else {main}
    scripts = _odd_scripts(columns, usual)
    rows = list(scripts)
    if rows:
        names = ", ".join(sorted(set(scripts.values())))
        yield Fault(
            "wrong-script", texts.hyp, rows,
            f"There are letters of a script ({names}) that the references do not have.",
            [(place, _from_script(columns[0][row], scripts[row])) for row, (place, _) in
             zip(rows, texts.hyp.evidence(rows), strict=False)],
        )  # fmt: skip
    if main == "Japanese":
        foreign = [
            row for row in np.flatnonzero(similarity < similarity.mean()).tolist()
            if _is_without_kana(columns[0][row], [column[row] for column in columns[1:]])
        ]  # fmt: skip
    elif main in UNSPACED:
        return
    else:
        foreign = _in_another_language(columns, similarity)
    foreign = [row for row in foreign if row not in scripts]
    if len(foreign) >= WRITTEN_BY_PROGRAMS:
        message = "The letters are not those of the references' language."
        if main == "Japanese":
            message = "There is no kana, but the references have it: wrong language?"
        yield Fault("wrong-language", texts.hyp, foreign, message, texts.hyp.evidence(foreign))


def _from_script(text: str, script: str) -> str:
    """A text from the first letter of a script."""
    return excerpt(text, next((i for i, c in enumerate(text) if script_of(c) == script), 0))


def _odd_scripts(columns: Sequence[Sequence[str]], usual: set[str]) -> dict[int, str]:
    """The rows of hypotheses in a wrong script, and that script."""
    alphabet = set().union(*columns[0])
    foreign = "".join(c for c in alphabet if script_of(c) not in ("", *usual))
    odd: dict[int, str] = {}
    if not foreign:
        return odd
    search = re.compile(f"[{re.escape(foreign)}]").search
    for row, text in enumerate(columns[0]):
        if not search(text):
            continue
        own, others = letters(text), [letters(column[row]) for column in columns[1:]]
        script = max(own, key=lambda name: own[name])
        fewest = _ALONE_WIDE if script in ("Han", "Kana", "Hangul") else _ALONE
        if (
            not any(own[name] for name in usual) and own[script] >= fewest
            and all(sum(of[name] for name in usual) * 2 > of.total() for of in others)
        ):  # fmt: skip
            odd[row] = script
            continue
        for name, count in own.items():
            if (
                name not in ("Latin", *usual)
                and count >= _FOREIGN
                and not any(of[name] for of in others)
            ):
                odd[row] = name
    return odd


def _is_without_kana(text: str, refs: Sequence[str]) -> bool:
    """Whether a text is Han alone: no Japanese sentence has twelve such letters and no kana."""
    own = letters(text)
    return (
        not own["Kana"]
        and own["Han"] >= _ALONE
        and all(letters(ref)["Kana"] >= _FOREIGN for ref in refs)
    )


def _in_another_language(columns: Sequence[Sequence[str]], similarity: Floats) -> list[int]:
    """Hypotheses that share little with their references, and few trigrams with any."""
    suspects = np.flatnonzero(similarity < DOUBTFUL / 2).tolist()
    step = max(sum(map(len, columns[1])) // _ENOUGH, 1)
    taught, _ = _trigrams([text for column in columns[1:] for text in column[::step]])
    values, counts = np.unique(taught, return_counts=True)
    if not suspects or not len(values):
        return []
    fits, sizes = [], []
    for column in columns:
        grams, rows = _trigrams([column[row] for row in suspects])
        at = np.searchsorted(values, grams).clip(0, len(values) - 1)
        times = np.where(values[at] == grams, counts[at], 0).astype(float)
        if column is not columns[0]:
            times = np.maximum(times - 1, 0)  # a reference has taught its own trigrams
        sizes.append(np.bincount(rows, minlength=len(suspects)))
        sums = np.bincount(rows, np.log(times + 0.5), minlength=len(suspects))
        fits.append(sums / np.maximum(sizes[-1], 1))
    worse = np.max(fits[1:], axis=0) - fits[0]
    is_foreign = worse > _WORSE + _WORSE_LINE / np.maximum(sizes[0], 1)
    is_foreign &= np.min(sizes, axis=0) >= _SHORTEST
    return [suspects[row] for row in np.flatnonzero(is_foreign).tolist()]


def _trigrams(lines: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The letter trigrams of lines as numbers, and the line of each."""
    joined = "\n".join(" ".join(_NO_LETTER.split(line.lower())) for line in lines)
    codes = np.frombuffer(joined.encode("utf-32-le"), np.uint32).astype(np.uint64)
    rows = np.cumsum(codes == ord("\n"))
    grams = codes[:-2] << np.uint64(42) | codes[1:-1] << np.uint64(21) | codes[2:]
    inside = rows[:-2] == rows[2:]
    return grams[inside], rows[:-2][inside]
