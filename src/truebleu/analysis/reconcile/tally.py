# SPDX-License-Identifier: Apache-2.0
"""Counts of one corpus under many dialects: what several of them count alike is counted once.

References are counted in any selection. Which of their lengths counts, and whether a short segment
counts an n-gram that it lacks, is derived from these counts and not counted again.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple
from unicodedata import category

from truebleu.dialects.decisions import Aggregate, Combine, Count, Normalize, Tokenize, rebuild
from truebleu.errors import InputError
from truebleu.inputs.corpus import as_words
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.workers import ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.decisions import Dialect

    Rows = NDArray[np.int64]

#: N-grams up to this order are counted eight times as fast as longer ones.
FAST_ORDERS = 4


class Text(NamedTuple):
    """How words come about, and what is counted of them."""

    normalize: Normalize
    tokenize: Tokenize
    counted: Count


class Kind(NamedTuple):
    """One kind of counts.

    Attributes:
        text: how words come about, and what is counted of them.
        references: positions of those that are used.
        ref_len: which of their lengths counts.
        floor_totals: whether a segment has one n-gram of each order at least.
    """

    text: Text
    references: tuple[int, ...]
    ref_len: str
    floor_totals: bool


def _characters_of(texts: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    # Ctrl-C is heard between two calls: pieces take a few milliseconds.
    for text in texts:
        for start in range(0, len(text), 1 << 18):
            found.update(text[start : start + (1 << 18)])
    return frozenset(found)


def _chosen(streams: Sequence[Sequence[Any]], absent: Any) -> list[list[Any]]:
    """The references of each segment. Where a single one is absent, nothing asks for its counts."""
    if len(streams) == 1:
        return [[absent if ref is None else ref] for ref in streams[0]]
    return [[ref for ref in row if ref is not None] for row in zip(*streams, strict=True)]


def _let_go(texts: list[Any]) -> None:
    """Free what was made of texts. In one go 10 million words took 0.2 s, deaf to signals."""
    while texts:
        del texts[-(1 << 12) :]


class Tally:
    """Counts of a corpus.

    Args:
        hyps, refs: as for `BLEU.corpus`.
        threads: the most threads to use.

    Attributes:
        references: the most references that a segment has.
        tokenized: whether the caller tokenized.

    Raises:
        InputError: they cannot be scored, or there are none.
    """

    def __init__(self, hyps: Any, refs: Any, threads: int | None = None) -> None:
        import numpy as np

        metric = BLEU(threads=threads)
        self.threads = metric.threads
        self._hyps = list(as_words("hyps", hyps))
        rows = list(as_words("refs", refs))
        metric.corpus(self._hyps, rows)  # says what is wrong with them
        if not self._hyps:
            raise InputError("the corpus is empty; give one segment at least")
        self.tokenized = isinstance(self._hyps[0], (list, tuple))
        listed = [_references_of(row, tokenized=self.tokenized) for row in rows]
        self.references = max(map(len, listed))
        self._columns = [
            [row[i] if i < len(row) else None for row in listed] for i in range(self.references)
        ]
        texts = [text for column in (self._hyps, *self._columns) for text in column if text]
        parts = (word for text in texts for word in text) if self.tokenized else texts
        self._characters = characters = _characters_of(parts)
        # What Python does not know may be upper case to the kernel, whose tables are newer.
        self._has_unknown = any(category(c) == "Cn" for c in characters)
        upper = {c for c in characters if c != c.lower()}
        self._has_upper = bool(upper) or self._has_unknown
        self._has_wide_upper = not all(c.isascii() for c in upper) or self._has_unknown
        self._has_markup = not characters.isdisjoint("&<>")
        # Of what else separates, the tools disagree.
        self._has_odd_spaces = any(c.isspace() and c not in " \t\n\r\f\v" for c in characters)
        self._has_other_blanks = any(c.isspace() and c != " " for c in characters)
        self._has_blank_ends = not self.tokenized and any(text[-1].isspace() for text in texts)
        self._has_single_blanks = not self.tokenized and not any(
            text is not None and (not text or "  " in text or text[0] == " " or text[-1] == " ")
            for column in (self._hyps, *self._columns)
            for text in column
        )
        self._present = np.array([[ref is not None for ref in c] for c in self._columns])
        self._counted: dict[tuple[Text, tuple[int, ...]], Rows] = {}
        self._totals: dict[Kind, Rows] = {}

    def sample(self) -> str:
        """Characters of some references, each as often as it occurs."""
        return "".join("".join(text) for text in self._columns[0][:200] if text)

    def complete(self, references: tuple[int, ...]) -> bool:
        """Whether each segment has one of these references."""
        columns = (self._columns[i] for i in references)
        return all(any(ref is not None for ref in row) for row in zip(*columns, strict=True))

    def selected(self, references: tuple[int, ...]) -> tuple[list[Any], list[list[Any]]]:
        """Hypotheses, and these references of each."""
        columns = (self._columns[i] for i in references)
        rows = zip(*columns, strict=True)
        return self._hyps, [[ref for ref in row if ref is not None] for row in rows]

    def text(self, dialect: Dialect, orders: int) -> Text:
        """What a dialect counts up to so many orders; the same for dialects that count alike."""
        how = dialect.count
        return Text(
            self._normalize(dialect),
            self._tokenize(dialect.tokenize),
            Count(
                max_ngram_order=orders,
                measure=how.measure,
                keywords=how.keywords,
                length_unit=how.length_unit,
            ),
        )

    def _normalize(self, dialect: Dialect) -> Normalize:
        """A dialect's decision, less the options that change nothing in these texts."""
        how = dialect.normalize
        if not self._has_upper:
            how = how.replace(lowercase=False)
        if not how.lowercase:
            how = how.replace(lowercase_when="before")
        if not (how.lowercase and self._has_wide_upper):
            how = how.replace(lowercase_rule="unicode")
        if not self._has_blank_ends or self._ends_are_split_off(dialect):
            how = how.replace(strip="none")
        reads_markup = dialect.tokenize.tokenize in ("13a", "intl", "intl-split")
        if self.tokenized or not (self._has_markup and reads_markup):
            how = how.replace(markup="text")
        return how

    def _ends_are_split_off(self, dialect: Dialect) -> bool:
        """Whether the tokenizer drops white space at the ends anyway, and nothing else sees it."""
        name = dialect.tokenize.tokenize
        if name == "13a" and "\n" in self._characters:
            return False  # it joins what a hyphen ends to the next line
        return (
            name in ("none", "13a", "zh", "zh-fixed", "char")
            and dialect.tokenize.whitespace == "python"
            and dialect.count.length_unit == "tokens"
        )

    def _tokenize(self, how: Tokenize) -> Tokenize:
        """The same for the next decision."""
        if self.tokenized:
            return Tokenize(tokenize="none")
        # The kernel's tokenizers are ten times as fast as functions of Python.
        if how.tokenize == "t2t" and self._digits_are_decimal:
            how = how.replace(tokenize="intl")
        if how.tokenize == "space" and self._has_single_blanks and not self._has_other_blanks:
            how = how.replace(tokenize="none")
        return how if self._has_odd_spaces else how.replace(whitespace="python")

    @cached_property
    def _digits_are_decimal(self) -> bool:
        """Whether tensor2tensor's rules make the same of these characters as the international.

        Both go by the class of a character, which its neighbors here show: a symbol is separated,
        punctuation beside what is no number, and a number keeps punctuation. They differ in what a
        number is, in the backslash, and where Python has another version of Unicode.
        """
        if self._has_unknown:
            return False
        characters = self._characters | {c for text in self._characters for c in text.lower()}
        probes = [f"{a}{c}{b}" for c in characters for a, b in (("a", "a"), ("1", "1"), (",", ","))]
        international = BLEU(tokenize="intl", strip="none", threads=1).plan.tokens(probes)
        tensor2tensor = BLEU("tensor2tensor", lowercase=False, threads=1).tokens
        return all(map(list.__eq__, map(tensor2tensor, probes), international))

    def run(self, kinds: Iterable[Kind]) -> None:
        """Count all these kinds, one text at a time on each thread."""
        wanted: dict[Text, dict[tuple[int, ...], None]] = {}
        for kind in kinds:
            selections = wanted.setdefault(kind.text, {})
            selections[kind.references] = None
            if kind.ref_len not in ("closest", "pair"):  # derived from the length of each
                selections |= {(i,): None for i in kind.references}
        # Functions of Python first: they take the longest, and one thread at a time.
        texts = sorted(wanted, key=lambda text: text.tokenize.tokenize in tokenizers.NATIVE)
        for counted in ordered(lambda text: self._count(text, wanted[text]), texts, self.threads):
            self._counted |= counted

    def _count(
        self, text: Text, selections: Iterable[tuple[int, ...]]
    ) -> dict[tuple[Text, tuple[int, ...]], Rows]:
        parts = (text.normalize, text.tokenize, text.counted, Aggregate(), Combine())
        bleu = BLEU(rebuild(parts, "sacrebleu", {}), threads=1)
        columns: list[Any] = [self._hyps, *self._columns]
        function, _ = tokenizers.find(text.tokenize.tokenize)
        if function is not None:
            columns = [list(tokenizers.apply(function, text.normalize, "text", c)) for c in columns]
        hyps, *streams = columns
        absent: Any = [] if self.tokenized or function else ""
        counted = {
            (text, selection): bleu.stats(
                hyps, _chosen([streams[i] for i in selection], absent)
            ).__array__()
            for selection in selections
        }
        if function is not None:
            for column in columns:
                _let_go(column)
        return counted

    def rows(self, kind: Kind) -> Rows:
        """The row of each segment."""
        import numpy as np

        rows = self._counted[kind.text, kind.references]
        if kind.ref_len == "closest" and not kind.floor_totals:
            return rows
        rows = rows.copy()
        rows[:, 1] = self._ref_lens(kind)
        if kind.floor_totals:
            totals = rows[:, 2 + kind.text.counted.max_ngram_order :]
            np.maximum(totals, 1, out=totals)
        return rows

    def total(self, kind: Kind) -> Rows:
        """The sum of the rows."""
        if kind not in self._totals:
            if kind.ref_len == "closest":
                self._totals[kind] = self.rows(kind).sum(axis=0)
            else:
                total = self.total(kind._replace(ref_len="closest")).copy()
                total[1] = self._ref_lens(kind).sum()
                self._totals[kind] = total
        return self._totals[kind]

    def _ref_lens(self, kind: Kind) -> Any:
        """The reference length of each segment."""
        import numpy as np

        rows = self._counted[kind.text, kind.references]
        if kind.ref_len == "closest":
            return rows[:, 1]
        if kind.ref_len == "pair":
            return np.full(len(rows), 2)
        lens = np.array([self._counted[kind.text, (i,)][:, 1] for i in kind.references])
        there = self._present[list(kind.references)]
        never = np.iinfo(np.int64).max
        if kind.ref_len == "shortest":
            return np.where(there, lens, never).min(axis=0)
        if kind.ref_len == "longest":
            return np.where(there, lens, -1).max(axis=0)
        if kind.ref_len == "average":
            return np.where(there, lens, 0).sum(axis=0) // there.sum(axis=0)
        distances = np.abs(lens - rows[:, 0]) if kind.ref_len == "closest-first" else 0
        chosen = np.where(there, distances, never).argmin(axis=0)  # the first of the smallest
        return lens[chosen, np.arange(len(rows))]


def _references_of(row: Any, *, tokenized: bool) -> list[Any]:
    """The references of a segment, whose row may be one of them."""
    if isinstance(row, str) or row is None:
        return [row]
    listed = list(row)
    return [listed] if tokenized and all(isinstance(item, str) for item in listed) else listed
