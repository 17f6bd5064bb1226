# SPDX-License-Identifier: Apache-2.0
"""CrystalBLEU: BLEU without the n-grams that any two texts share (Eghbali and Pradel 2022)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Unpack

from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.dialects.options import CrystalBLEUOptions
from truebleu.errors import check_int
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.family import Family
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Stats


class CrystalBLEUScore(MetricScore):
    """A score of CrystalBLEU, on the scale of its dialect. Frozen.

    Attributes:
        name: CrystalBLEU.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on, which is BLEU's.
        scale: the score of a perfect hypothesis, 1 or 100.
    """

    __slots__ = ("scale",)

    _FIELDS = (*MetricScore._FIELDS, "scale")

    stats: Stats

    _width = 4


class CrystalBLEU(Family["Stats", "CrystalBLEUScore"]):
    """CrystalBLEU (Eghbali and Pradel 2022), with the verbs of `BLEU`.

    BLEU in which some n-grams are left out of the hypothesis and of the references before they are
    counted: those that any two texts of a language share, such as `) ;` in code. Lengths stay.
    With the dialect `nltk`, the default, it is `crystalbleu` 0.2 to the last bit.

    Args:
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        ignore: n-grams to leave out, each a sequence of words; see `trivial_ngrams`.
        threads: the most threads that a call uses; see `BLEU`.
        changes: options of BLEU to change, by name.

    Raises:
        OptionError: a dialect, an option or a value does not exist.

    Example:
        >>> from truebleu import CrystalBLEU
        >>> crystal = CrystalBLEU(ignore=[(";",), ("(", ")")], max_ngram_order=2)
        >>> print(crystal.corpus(["f ( ) ;"], ["g ( ) ;"]))
        CrystalBLEU = 0.5774
    """

    __slots__ = ()

    reader: BLEU

    _NAME, _KERNEL = "CrystalBLEU", "crystalbleu"
    options: CrystalBLEUOptions
    _OPTIONS, _STATS, _SCORE = CrystalBLEUOptions, Stats, CrystalBLEUScore

    def __init__(
        self,
        dialect: str | Dialect = "nltk",
        *,
        ignore: Iterable[Iterable[str]] = (),
        threads: int | None = None,
        **changes: Unpack[BLEUChanges],
    ) -> None:
        reader = BLEU(dialect, threads=threads, **changes)
        self._declare(reader, {"ignore": ignore}, threads)

    @property
    def scale(self) -> float:
        """The score of a perfect hypothesis, 1 or 100."""
        return self.reader.scale

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        return {"dialect": self.reader.dialect, **vars(self.options)}

    def _kernel_options(self) -> dict[str, Any]:
        def ngram(words: tuple[str, ...]) -> str:
            return f"{len(words)};" + "".join(f"{len(word.encode())}:{word}" for word in words)

        return {"ignore": "".join(map(ngram, self.options.ignore))}

    def _shape(self) -> tuple[int, ...]:
        return self.reader.zero_stats().shape

    @property
    def _counting(self) -> str:
        return f"{self.reader.zero_stats().signature}|{self._ignored}"

    @property
    def _ignored(self) -> str:
        from zlib import crc32

        ngrams = sorted(self.options.ignore)
        return f"ignore:{len(ngrams)}-{crc32(repr(ngrams).encode()):08x}"

    def _score_signature(self, nrefs: int | str | None, tokenized: bool = False, sentence: bool = False) -> str:
        return f"{self.reader._score_signature(nrefs, tokenized, sentence)}|{self._ignored}"


def trivial_ngrams(
    texts: Any, k: int = 500, dialect: str | Dialect = "nltk", **changes: Unpack[BLEUChanges]
) -> list[tuple[str, ...]]:
    """The most frequent n-grams of a corpus, for `CrystalBLEU` to ignore.

    Args:
        texts: segments of the language: strings, or lists of words. Absent ones are left out.
        k: how many n-grams, of all orders together; of equally frequent ones, the shorter and then
            the earlier come first.
        dialect: the tokenization.
        changes: options of BLEU to change, by name; `max_ngram_order` is 4 unless it is given.

    Raises:
        InputError: `texts` cannot be read.
        OptionError: a dialect, an option or a value does not exist.

    Example:
        >>> from truebleu import trivial_ngrams
        >>> trivial_ngrams(["a ( ) ;", "b ( ) ;"], k=3)
        [('(',), (')',), (';',)]
    """
    changes.setdefault("max_ngram_order", 4)
    bleu = BLEU(dialect, **changes)
    k = check_int("k", k, 0)
    present = [text for text in corpus.as_python("texts", texts) if text is not None]
    rows = bleu.plan.tokens(bleu.column("texts", present))
    counts = Counter(
        ngram
        for n in range(1, bleu.dialect.count.max_ngram_order + 1)
        for row in rows
        for ngram in zip(*(row[i:] for i in range(n)), strict=False)
    )
    return [ngram for ngram, _ in counts.most_common(k)]
