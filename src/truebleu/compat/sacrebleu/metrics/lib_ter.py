# SPDX-License-Identifier: Apache-2.0
"""The edits of TER in Python (sacreBLEU 2.6.0, `metrics.lib_ter`), after Tercom.

Words are any hashable objects. The kernel counts those of `metrics.ter`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

#: A distance and its last step.
Cell = tuple[int, str]
#: Cached rows by their last word, each with the rows after it.
_Rows = dict[Any, "tuple[list[Cell], _Rows]"]
#: A move: its gain, the length of the block, minus its start, minus its target, the words
#: after the move. The best move is the greatest.
Candidate = tuple[int, int, int, int, list[Any]]

_COST_INS = 1
_COST_DEL = 1
_COST_SUB = 1

#: Tercom's limits: the longest block to move, its distance, half the band of the matrix.
_MAX_SHIFT_SIZE = 10
_MAX_SHIFT_DIST = 50
_BEAM_WIDTH = 25

#: sacreBLEU's own limits.
_MAX_CACHE_SIZE = 10000
_MAX_SHIFT_CANDIDATES = 1000
_INT_INFINITY = int(1e16)

_OP_INS = "i"
_OP_DEL = "d"
_OP_NOP = " "
_OP_SUB = "s"
_OP_UNDEF = "x"

_FLIP_OPS = str.maketrans(_OP_INS + _OP_DEL, _OP_DEL + _OP_INS)


def translation_edit_rate(words_hyp: list[str], words_ref: list[str]) -> tuple[int, int]:
    """The number of edits, and the number of words in the reference.

    Example:
        >>> translation_edit_rate("sat the cat".split(), "the cat sat".split())
        (1, 3)
    """
    if not words_ref:
        return len(words_hyp), 0
    distance = BeamEditDistance(words_ref)
    words, moves, tried = words_hyp, 0, 0
    while True:
        gain, moved, tried = _shift(words, words_ref, distance, tried)
        if tried >= _MAX_SHIFT_CANDIDATES or gain <= 0:
            break
        words = moved
        moves += 1
    return moves + distance(words)[0], len(words_ref)


def _shift(
    words_h: list[str], words_r: list[str], cached_ed: BeamEditDistance, checked_candidates: int
) -> tuple[int, list[str], int]:
    """The gain of the best move of a block, the words after it, and the moves tried so far."""
    before, steps = cached_ed(words_h)
    # The steps from the reference to the hypothesis.
    align, ref_err, hyp_err = trace_to_alignment(_flip_trace(steps))
    best: Candidate | None = None
    for start_h, start_r, length in _find_shifted_pairs(words_h, words_r):
        if not any(hyp_err[start_h : start_h + length]):
            continue
        if not any(ref_err[start_r : start_r + length]):
            continue
        if start_h <= align[start_r] < start_h + length:
            continue
        for target in _targets(align, start_r, length):
            moved = _perform_shift(words_h, start_h, length, target)
            gain = before - cached_ed(moved)[0]
            candidate = gain, length, -start_h, -target, moved
            checked_candidates += 1
            if best is None or candidate > best:
                best = candidate
        if checked_candidates >= _MAX_SHIFT_CANDIDATES:
            break
    if best is None:
        return 0, words_h, checked_candidates
    return best[0], best[4], checked_candidates


def _targets(align: dict[int, int], start_r: int, length: int) -> Iterator[int]:
    """The targets of a block: before its first word in the reference, and after each word."""
    last = -1
    for at in range(start_r - 1, start_r + length):
        if at == -1:
            target = 0
        elif at in align:
            target = align[at] + 1
        else:
            return
        if target != last:
            yield target
        last = target


def _perform_shift(words: list[str], start: int, length: int, target: int) -> list[str]:
    """The words with the block at `start` moved to `target`."""
    end = start + length
    block = words[start:end]
    if target < start:
        return words[:target] + block + words[target:start] + words[end:]
    # A target within the block moves it forward by that many words.
    until = target if target > end else length + target
    return words[:start] + words[end:until] + block + words[until:]


def _find_shifted_pairs(
    words_h: Sequence[str], words_r: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """The blocks that both have: a start in each, and the length."""
    for start_h in range(len(words_h)):
        for start_r in range(len(words_r)):
            if abs(start_r - start_h) > _MAX_SHIFT_DIST:
                continue
            most = min(len(words_h) - start_h, len(words_r) - start_r, _MAX_SHIFT_SIZE)
            for length in range(1, most + 1):
                if words_h[start_h + length - 1] != words_r[start_r + length - 1]:
                    break
                yield start_h, start_r, length


def _flip_trace(trace: str) -> str:
    """The steps of the other direction."""
    return trace.translate(_FLIP_OPS)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """The aligned positions and the errors of a trace.

    Args:
        trace: the steps from the reference to the hypothesis.

    Returns:
        The position in the hypothesis of each position in the reference (the last one before it
        for a missing word), and lists with a 1 for each error in the reference and hypothesis.

    Raises:
        Exception: unknown step.
    """
    align: dict[int, int] = {}
    ref_err: list[int] = []
    hyp_err: list[int] = []
    for step in trace:
        if step not in (_OP_NOP, _OP_SUB, _OP_INS, _OP_DEL):
            raise Exception(f"unknown operation {step!r}")  # noqa: TRY002  # sacreBLEU's
        error = int(step != _OP_NOP)
        if step != _OP_DEL:
            hyp_err.append(error)
        if step != _OP_INS:
            align[len(ref_err)] = len(hyp_err) - 1
            ref_err.append(error)
    return align, ref_err, hyp_err


class BeamEditDistance:
    """Edit distances to one reference, within a band around the diagonal.

    Rows are cached for hypotheses with the same first words. The band depends on the length of the
    hypothesis, so a cached row may differ from a new one, as in sacreBLEU.

    Args:
        words_ref: the reference.

    Example:
        >>> BeamEditDistance("a b c".split())("a x c d".split())
        (2, ' s d')
    """

    def __init__(self, words_ref: list[str]) -> None:
        self._words_ref = words_ref
        self._n_words_ref = len(words_ref)
        self._cached: _Rows = {}
        self._cached_size = 0

    def __call__(self, words_hyp: list[str]) -> tuple[int, str]:
        """The distance, and the steps from `words_hyp` to the reference."""
        rows = [[(i * _COST_INS, _OP_INS) for i in range(self._n_words_ref + 1)]]
        following = self._cached
        for word in words_hyp:
            if word not in following:
                break
            row, following = following[word]
            rows.append(row)
        known = len(rows) - 1
        for i in range(len(rows), len(words_hyp) + 1):
            rows.append(self._row(rows[-1], words_hyp[i - 1], self._band(i, len(words_hyp))))
        distance = rows[-1][-1][0], self._steps(rows)
        if self._cached_size < _MAX_CACHE_SIZE:
            self._cached_size += len(words_hyp) - known
            for word, row in zip(words_hyp[known:], rows[known + 1 :], strict=True):
                following[word] = row, {}
                following = following[word][1]
        return distance

    def _band(self, i: int, n_words_hyp: int) -> range:
        """The columns of row i."""
        ratio = self._n_words_ref / n_words_hyp
        width = _BEAM_WIDTH
        if width < ratio / 2:
            width = math.ceil(ratio / 2 + width)
        diagonal = math.floor(i * ratio)
        end = self._n_words_ref + 1
        return range(
            max(0, diagonal - width), end if i == n_words_hyp else min(end, diagonal + width)
        )

    def _row(self, before: list[Cell], word: str, columns: range) -> list[Cell]:
        row: list[Cell] = [(_INT_INFINITY, _OP_UNDEF)] * (self._n_words_ref + 1)
        for j in columns:
            if j == 0:
                row[0] = before[0][0] + _COST_DEL, _OP_DEL
                continue
            same = word == self._words_ref[j - 1]
            replace = (0, _OP_NOP) if same else (_COST_SUB, _OP_SUB)
            # The first of the cheapest steps.
            for cost, step in (
                (before[j - 1][0] + replace[0], replace[1]),
                (before[j][0] + _COST_DEL, _OP_DEL),
                (row[j - 1][0] + _COST_INS, _OP_INS),
            ):
                if row[j][0] > cost:
                    row[j] = cost, step
        return row

    def _steps(self, rows: list[list[Cell]]) -> str:
        i, j = len(rows) - 1, self._n_words_ref
        steps = []
        while i > 0 or j > 0:
            step = rows[i][j][1]
            steps.append(step)
            if step not in (_OP_NOP, _OP_SUB, _OP_INS, _OP_DEL):
                raise Exception(f"unknown operation {step!r}")  # noqa: TRY002  # sacreBLEU's
            i -= step != _OP_INS
            j -= step != _OP_DEL
        return "".join(reversed(steps))
