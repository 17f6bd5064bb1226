# SPDX-License-Identifier: Apache-2.0
"""A BLEU score as sacreBLEU gives it, with texts that are made when they are read."""

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class BLEUScore(Score):
    """A BLEU score and what it is made of (sacreBLEU 2.6.0, `metrics.bleu.BLEUScore`).

    Args:
        score: the number, 0 to 100.
        counts: matches of each order.
        totals: n-grams of the hypotheses, of each order.
        precisions: in percent, after smoothing.
        bp: the brevity penalty.
        sys_len: words of the hypotheses.
        ref_len: words of the references.

    Example:
        >>> from truebleu.compat.sacrebleu import corpus_bleu
        >>> corpus_bleu(["the cat is on the mat"], [["the cat sat on the mat"]])
        BLEU = 37.99 83.3/60.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """

    # What a score of the kernel's does not have of its own until it is set. Of such a score, which
    # is made without `__init__`, those attributes that are texts come when they are asked for.
    name = "BLEU"
    _mean = -1.0
    _ci = -1.0

    prec_str: str
    ratio: float

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self._complete()

    def _complete(self) -> None:
        self.prec_str = "/".join([f"{precision:.1f}" for precision in self.precisions])
        self.ratio = self.sys_len / self.ref_len if self.ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )

    def __getattr__(self, name: str) -> Any:
        if name in ("prec_str", "ratio", "_verbose") and "bp" in _attributes(self):
            self._complete()
            return _attributes(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """All attributes, also those that were not asked for yet."""
        own = _attributes(self)
        if "bp" in own and not own.keys() >= _ALL:
            if "_verbose" not in own:
                self._complete()
            given = {**{name: getattr(self, name) for name in _ORDER}, **own}
            own.clear()
            own.update(given)
        return own


#: The attributes in the order in which sacreBLEU sets them, which `vars` shows.
_ORDER = (
    "name", "score", "_mean", "_ci", "_verbose", "bp", "counts", "totals", "sys_len", "ref_len",
    "precisions", "prec_str", "ratio",
)  # fmt: skip

_ALL = frozenset(_ORDER)

#: The attributes that an object has at the moment, past the property above.
_attributes: Callable[[Score], dict[str, Any]] = Score.__dict__["__dict__"].__get__
