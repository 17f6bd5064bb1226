# SPDX-License-Identifier: Apache-2.0
"""`truebleu score` of tables, and of what may not fit into memory."""

from __future__ import annotations

import sys
import time

from truebleu.cli import inputs
from truebleu.cli.progress import Progress
from truebleu.errors import OptionError
from truebleu.metrics.scan import Scan
from truebleu.metrics.streaming import score as run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu.metrics.streaming import Tally

#: Seconds between two drawings of the bar.
_DRAWN = 0.2


def score(metrics: list[Any], paths: list[str], given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The scores, each with the name of its system or group.

    Raises:
        TrueBLEUError: the input is bad, or something cannot be written.
    """
    if "sentence_level" in given:
        raise OptionError("--sentence-level prints what --per-segment FILE writes; use that")
    scan = _scan(paths, given)
    names = _names(scan, given)
    _check(names, given)
    output = None
    if "per_segment" in given:
        from truebleu.metrics.segment_files import SegmentFile

        output = SegmentFile(given["per_segment"], metrics, grouped="group_by" in given)
    # While the user types, the terminal is not drawn on.
    is_typed = "-" in [*paths, *_hyp_paths(given)] and inputs.is_keyboard()
    bar = Progress("scoring", None if is_typed else sys.stderr)
    with bar:
        tally = run(metrics, scan, output=output, progress=_Shown(bar))
    if tally.skipped:
        rows = "row" if tally.skipped == 1 else "rows"
        inputs.notice(f"skipped {tally.skipped} bad {rows} of {tally.rows}:")
        for message in tally.messages:
            inputs.notice(message)
    scores = zip(names, tally.scores(), strict=True)
    scored = [(name, one) for name, found in scores for one in found]
    if "group_by" not in given:
        return scored
    groups = [(name, one) for name, found in tally.groups().items() for one in found]
    return [*groups, *(("(all)", one) for _, one in scored)]


def _scan(paths: list[str], given: Mapping[str, Any]) -> Scan:
    hyps = _hyp_paths(given)
    inputs.check_standard_input([*paths, *hyps])
    if "ref_col" not in given:
        for i, path in enumerate(paths):
            if path in paths[:i]:
                inputs.notice(f"{path}: given twice as a reference, which changes nothing")
    if "group_by" in given and not given.keys() & {"hyp_col", "ref_col"}:
        raise OptionError("--group-by also needs --hyp-col and --ref-col")
    fields = given.get("num_refs")
    if fields is not None and "ref_col" in given:
        raise OptionError("--num-refs splits lines of text; name several columns to --ref-col")
    return Scan(
        paths, hyps, given.get("hyp_col", ()), given.get("ref_col", ()), given.get("group_by"),
        on_error=given.get("on_error", "stop"), encoding=given.get("encoding", "utf-8"),
        errors=given.get("errors", "strict"), fields=fields, notice=inputs.notice,
    )  # fmt: skip


def _hyp_paths(given: Mapping[str, Any]) -> list[str]:
    paths: list[str] = given.get(
        "input", [] if "hyp_col" in given and "ref_col" in given else ["-"]
    )
    return paths


def _names(scan: Scan, given: Mapping[str, Any]) -> list[str]:
    """What the systems are called: their files, or their columns."""
    if "input" in given or not scan.hyp:
        return inputs.system_names(given.get("input", ["-"]))
    return scan.hyp


def _check(names: list[str], given: Mapping[str, Any]) -> None:
    for key in ("group_by", "per_segment"):
        if key in given and len(names) > 1:
            flag = f"--{key.replace('_', '-')}"
            raise OptionError(f"{flag} is for one system, and there are {len(names)}; give one")


class _Shown:
    """Tells a bar how far a run is."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._begun: tuple[float, int] | None = None

    def __call__(self, tally: Tally, given: int, total: int) -> None:
        now = time.monotonic()
        if self._begun is None:
            self._begun = now, given
        if not self._bar.is_due(_DRAWN):
            return
        running = tally.running()
        parts = [_size(given) + (f" of {_size(total)}" if total else "")]
        parts.append(f"{tally.rows:,} segments")
        if running is not None:
            parts.append(f"{running.name} {running.value:.1f}")
        start, before = self._begun
        if total and given > before:
            left = round((now - start) * (total - given) / (given - before))
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        self._bar.draw(given / total if total else 0.0, "".join(f"  {part}" for part in parts))


def _size(count: float) -> str:
    """Bytes in the unit that suits them."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.{int(unit != 'bytes')}f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
