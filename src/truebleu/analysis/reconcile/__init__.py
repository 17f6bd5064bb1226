# SPDX-License-Identifier: Apache-2.0
"""Which setting gives the number in the paper?

All usual settings are tried, and those that give the number come back, the most usual first. A BLEU
without its setting cannot be compared (Post 2018, arXiv:1804.08771); this finds the setting.
"""

from __future__ import annotations

from truebleu.analysis.reconcile import usualness
from truebleu.analysis.reconcile.candidates import Candidates
from truebleu.analysis.reconcile.matches import Match, Matches
from truebleu.analysis.reconcile.reported import Reported
from truebleu.analysis.reconcile.tally import Tally
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[Any]

#: Scores that differ by less, relatively, are the same: some tools compute in single precision.
_SAME = 1e-7
#: How far around a score others are counted, to say how dense they are there; 1 is perfect.
_AROUND = 0.02


def reconcile(
    hyps: Any,
    refs: Any,
    reported: Any,
    *,
    dialects: Sequence[str] | None = None,
    threads: int | None = None,
) -> Matches:
    """The settings that give a reported number, the most usual first.

    Args:
        hyps, refs: the corpus, as for `corpus_bleu`; all references that there are.
        reported: the number: text, whose decimals count (`"34.20"` is known to 2), or a float. On a
            scale of 0 to 1 or of 0 to 100, or in percent (`"34.2%"`).
        dialects: names of the rows to search; all if none is given.
        threads: the most threads to use.

    Returns:
        A list of truly different settings; `Match.equivalents` has those that give the same here.
        If none gives the number, it is empty, and its `nearest` says how near any comes.

    Raises:
        InputError: the corpus cannot be scored, or is empty.
        OptionError: the number is none or outside of the scale, or a dialect does not exist.

    Example:
        >>> from truebleu import reconcile
        >>> found = reconcile(["the cat sat on the mat ."], ["The cat sat on a mat ."], "48.9")
        >>> found[0].dialect.name, found[0].departures
        ('sacrebleu', ('lowercase',))
    """
    number = Reported.read(reported)
    asked = [] if dialects is None else list(dialects)
    wanted = {dialect(name).name for name in asked or DIALECTS}
    tally = Tally(hyps, refs, threads)
    candidates = Candidates(tally, [name for name in DIALECTS if name in wanted])
    if not len(candidates):
        raise InputError("none of these tools has a score for these texts; search all of them")
    return _Search(candidates, (tally.references, tally.tokenized), number).matches()


class _Search:
    """Finds a number among the scores of candidates."""

    def __init__(self, candidates: Candidates, given: tuple[int, bool], reported: Reported) -> None:
        import numpy as np

        self._candidates = candidates
        self._given = given
        self._reported = reported
        # Settings that give the same form a group; groups are numbered by their score.
        order = np.argsort(candidates.values, kind="stable")
        ordered = candidates.values[order]
        steps = np.diff(ordered) > _SAME * ordered[1:]
        self._groups = np.empty(len(order), dtype=np.int64)
        self._groups[order] = np.concatenate(([0], np.cumsum(steps)))
        starts = np.concatenate(([0], np.flatnonzero(steps) + 1))
        self._scores = ordered[starts]
        self._usual = np.minimum.reduceat(candidates.points[order], starts)

    def matches(self) -> Matches:
        """Those that give the number, and if there are none, the nearest."""
        import numpy as np

        points, scales, truncated = self._read()
        found = np.flatnonzero(scales)
        by_group: dict[int, list[int]] = {}
        for cell in found[np.argsort(points[found], kind="stable")].tolist():
            by_group.setdefault(int(self._groups[cell]), []).append(cell)

        def match(cell: int, equivalents: tuple[Match, ...] = ()) -> Match:
            rounding = "truncated" if truncated[cell] else "rounded"
            return self._match(cell, int(scales[cell]), rounding, int(points[cell]), equivalents)

        listed = [match(first, tuple(map(match, rest))) for first, *rest in by_group.values()]
        nearest = [] if listed else self._nearest()
        return Matches(listed, self._reported, nearest, len(self._groups), len(self._scores))

    def _read(self) -> tuple[Array, Array, Array]:
        """What each setting is worth as a source of the number.

        Returns:
            How unusual it is; on which scale it gives the number, 0 if on none; and whether it does
            so with decimals cut off.
        """
        import numpy as np

        values, own = self._candidates.values, self._candidates.scales
        never = np.iinfo(np.int64).max
        points = np.full(len(values), never)
        scales, truncated = np.zeros(len(values), dtype=np.int64), np.zeros(len(values), dtype=bool)
        for scale in self._reported.scales:
            scaled = values * scale
            cost = self._candidates.points + usualness.SCALED * (own != scale)
            readings = (
                (self._reported.is_rounded(scaled), cost, False),
                (self._reported.is_truncated(scaled), cost + usualness.TRUNCATED, True),
            )
            for gives_it, total, is_truncated in readings:
                better = gives_it & (total < points)
                points[better], scales[better] = total[better], scale
                truncated[better] = is_truncated
        return points, scales, truncated

    def _nearest(self) -> list[Match]:
        """From the nearest on, each next one is more usual and the nearest of its kind."""
        import numpy as np

        scale = self._reported.scales[0]
        points = self._candidates.points + usualness.SCALED * (self._candidates.scales != scale)
        away = np.abs(self._candidates.values * scale - self._reported.value)
        found, nearest = [], np.inf
        for cell in np.lexsort((away, points)).tolist():
            if away[cell] < nearest - _SAME * scale:
                nearest = away[cell]
                found.append(self._match(cell, scale, "", int(points[cell]), ()))
        return found[::-1]

    def _match(
        self,
        cell: int,
        scale: int,
        rounding: str,
        points: int,
        equivalents: tuple[Match, ...],
    ) -> Match:
        return Match(
            value=float(self._candidates.values[cell]) * scale,
            scale=scale,
            setting=self._candidates.setting(cell),
            rounding=rounding,
            points=points,
            chance=self._chance(cell, scale, points),
            equivalents=equivalents,
            given=self._given,
        )

    def _chance(self, cell: int, scale: int, points: int) -> float:
        """How many groups as usual as this setting are expected in what rounds to the number."""
        import numpy as np

        as_usual = self._usual <= points
        around = np.abs(self._scores - self._candidates.values[cell]) <= _AROUND
        return float((as_usual & around).sum()) * self._reported.unit / scale / (2 * _AROUND)
