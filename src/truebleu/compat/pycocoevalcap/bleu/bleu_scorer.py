# SPDX-License-Identifier: Apache-2.0
"""The class that counts and scores.

The formula differs from that of the paper: 1e-15 matches and 1e-9 n-grams are added to each order,
and as much to the lengths, so that nothing divides by zero. BLEU-k is the k-th root of a product.
"""

# ruff: noqa: S101  (`python -O` skips the assertions of pycocoevalcap, too)

from __future__ import annotations

from typing import Any, Self

from truebleu.metrics.bleu import cached_bleu

#: Added to the lengths of references and captions.
_SMALL, _TINY = 1e-9, 1e-15


class BleuScorer:
    """Captions and their references, which are counted when a score is computed.

    Args:
        test: a caption.
        refs: its references, a list of strings.
        n: the highest n-gram order (in the original at most 4).
        special_reflen: the reference length of all captions, instead of an option.

    Attributes:
        ctest: the captions. (Their counts in the original, as in `crefs`.)
        crefs: the references of each.

    Example:
        >>> from truebleu.compat.pycocoevalcap import BleuScorer
        >>> scorer = BleuScorer(n=2)
        >>> scorer += ("a man rides a big wave", ["a man rides a wave", "a man is surfing"])
        >>> scorer.compute_score(option="shortest")
        ([0.8333333331944446, 0.7071067810569115], [[0.8333333331944446], [0.7071067810569115]])
    """

    __slots__ = ("_reflen", "_score", "_testlen", "crefs", "ctest", "n", "special_reflen")

    def __init__(self, test: Any = None, refs: Any = None, n: int = 4, special_reflen: float | None = None) -> None:
        self.n = n
        self.crefs: list[list[str]] = []
        self.ctest: list[Any] = []
        self._score: list[float] | None = None
        self.cook_append(test, refs)
        self.special_reflen = special_reflen

    def copy(self) -> BleuScorer:
        """A scorer with the same captions and references."""
        new = BleuScorer(n=self.n)
        new.ctest, new.crefs = self.ctest[:], self.crefs[:]
        return new

    def cook_append(self, test: Any, refs: Any) -> None:
        """Add a caption and its references."""
        if refs is not None:
            self.crefs.append(list(refs))
            self.ctest.append(test)
        self._score = None

    def __iadd__(self, other: Any) -> Self:
        """Add a pair of a caption and its references, or all those of another scorer."""
        if type(other) is tuple:
            self.cook_append(other[0], other[1])
        else:
            assert self.compatible(other), "incompatible BLEUs."
            self.ctest.extend(other.ctest)
            self.crefs.extend(other.crefs)
            self._score = None
        return self

    def compatible(self, other: Any) -> bool:
        """Whether the other one is a scorer of the same orders."""
        return isinstance(other, BleuScorer) and self.n == other.n

    def size(self) -> int:
        """The number of captions."""
        sizes = len(self.crefs), len(self.ctest)
        assert sizes[0] == sizes[1], f"refs/test mismatch! {sizes[0]}<>{sizes[1]}"
        return sizes[0]

    def retest(self, new_test: Any) -> Self:
        """Replace the captions."""
        if type(new_test) is str:
            new_test = [new_test]
        assert len(new_test) == len(self.crefs), new_test
        self.ctest = list(new_test)
        self._score = None
        return self

    def rescore(self, new_test: Any) -> Any:
        """Replace the captions, and score them."""
        return self.retest(new_test).compute_score()

    def reflen(self, option: str | None = None) -> float:
        """The reference length of the corpus."""
        self.compute_score(option=option)
        return self._reflen

    def testlen(self, option: str | None = None) -> int:
        """The number of words of all captions."""
        self.compute_score(option=option)
        return self._testlen

    def single_reflen(self, option: str = "average") -> float:
        """The reference length of the first caption."""
        lengths = _lengths(self.crefs[0])
        if option == "average":
            return sum(lengths) / len(lengths)
        assert option in _RULES, f"unsupported reflen option {option}"
        return min(lengths)

    def recompute_score(self, option: str | None = None, verbose: int = 0) -> Any:
        """The score, computed again."""
        self._score = None
        return self.compute_score(option, verbose)

    def compute_score(self, option: str | None = None, verbose: int = 0) -> Any:
        """Score the corpus and each caption.

        Args:
            option: which length counts if references differ: `closest`, `shortest` or `average`
                (default: `average` for a single caption, else `closest`).
            verbose: 1 prints the counts and the ratio of lengths, 2 also those of each caption.

        Returns:
            A score for each order, and for each order a list of the captions' scores; from 0 to 1.
            As in pycocoevalcap, a second call returns the first of the two only, whatever the
            option.

        Raises:
            AssertionError: the option does not exist.
            InputError: a caption is not a string.
        """
        import numpy as np

        if self._score is not None:
            return self._score
        n, orders = self.n, max(self.n, 4)  # the original always counts four
        if option is None:
            option = "average" if len(self.crefs) == 1 else "closest"
        rule = "shortest" if option == "shortest" else "closest"
        metric = cached_bleu("coco-caption", None, {"max_ngram_order": orders, "ref_len": rule})
        rows = np.asarray(metric.stats(self.ctest, self.crefs))
        reflens = self._reflens(option, rows)
        if verbose > 1:
            for row, refs, length in zip(rows.tolist(), self.crefs, reflens, strict=True):
                print({"reflen": _lengths(refs), "testlen": row[0], "guess": row[2 + orders :],
                       "correct": row[2 : 2 + orders]}, length)  # fmt: skip
        total = rows.sum(axis=0)
        self._testlen, self._reflen = int(total[0]), 0
        for length in reflens:
            self._reflen += length
        buffer = metric.plan.scores_up_to(np.vstack([rows, total]), [*reflens, self._reflen])
        scores = np.frombuffer(buffer).reshape(orders, -1)[:n].tolist()
        if verbose > 0:
            print({"testlen": self._testlen, "reflen": self._reflen,
                   "guess": total[2 + orders :][:n].tolist(),
                   "correct": total[2:][:n].tolist()})  # fmt: skip
            print("ratio:", (self._testlen + _TINY) / (self._reflen + _SMALL))
        self._score = [of_order.pop() for of_order in scores]
        return self._score, scores

    def _reflens(self, option: str, rows: Any) -> list[Any]:
        """The reference length of each caption."""
        if self.special_reflen is not None:
            return [self.special_reflen] * len(rows)
        if option == "average":
            return [sum(_lengths(refs)) / len(refs) for refs in self.crefs]
        assert not len(rows) or option in _RULES, f"unsupported reflen option {option}"
        return rows[:, 1].tolist()  # type: ignore[no-any-return]


#: The options that are rules of the kernel; its averages are integers.
_RULES = ("closest", "shortest")


def _lengths(refs: list[str]) -> list[int]:
    return [len(ref.split()) for ref in refs]
