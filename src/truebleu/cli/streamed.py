# SPDX-License-Identifier: Apache-2.0
"""`truebleu score` of tables, and of what may not fit into memory."""

from __future__ import annotations

import time

from truebleu.cli import inputs
from truebleu.cli.progress import Progress
from truebleu.errors import OptionError
from truebleu.metrics.scan import Scan
from truebleu.metrics.stream_scoring import score as run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu.metrics.checkpoint import Checkpoint
    from truebleu.metrics.tally import Tally

#: Seconds between two drawings of the bar, and between two checkpoints.
_DRAWN, _SAVED = 0.2, 10.0


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
        from truebleu.metrics.stream_output import Output

        output = Output(given["per_segment"], metrics, grouped="group_by" in given)
    checkpoint = _checkpoint(scan, metrics, names, given)
    bar = Progress("scoring")
    try:
        with bar:
            tally = run(
                metrics, scan, output=output, checkpoint=checkpoint, resume="resume" in given,
                progress=_Shown(bar),
            )  # fmt: skip
    except KeyboardInterrupt:
        if checkpoint and checkpoint.is_there():
            inputs.notice("stopped; the same command with --resume goes on")
        raise
    if tally.skipped:
        inputs.notice(f"{tally.skipped} of {tally.rows} rows were bad and are left out:")
        for message in tally.messages:
            inputs.notice(message)
    scores = zip(names, tally.scores(), strict=True)
    scored = [(name, one) for name, found in scores for one in found]
    if "group_by" not in given:
        return scored
    groups = [(name, one) for name, found in tally.groups().items() for one in found]
    return [*groups, *(("(all)", one) for _, one in scored)]


def _scan(paths: list[str], given: Mapping[str, Any]) -> Scan:
    hyps = given.get("input", [] if "hyp_col" in given and "ref_col" in given else ["-"])
    inputs.check_standard_input([*paths, *hyps])
    if "ref_col" not in given:
        for i, path in enumerate(paths):
            if path in paths[:i]:
                inputs.notice(f"{path}: given twice as a reference, which changes nothing")
    fields = given.get("num_refs")
    if fields is not None and "ref_col" in given:
        raise OptionError("--num-refs splits lines of text; name several columns to --ref-col")
    return Scan(
        paths, hyps, given.get("hyp_col", ()), given.get("ref_col", ()), given.get("group_by"),
        on_error=given.get("on_error", "stop"), encoding=given.get("encoding", "utf-8"),
        errors=given.get("errors", "strict"), fields=fields, notice=inputs.notice,
    )  # fmt: skip


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
    if given.get("checkpoint_every", 0) < 0:
        raise OptionError("--checkpoint-every is a number of seconds; give 0 or more")


def _checkpoint(
    scan: Scan, metrics: list[Any], names: list[str], given: Mapping[str, Any]
) -> Checkpoint | None:
    """Where the run is kept safe: not if it reads what can be read once only."""
    if "-" in scan.files:
        if "resume" in given or "checkpoint" in given:
            raise OptionError("standard input can be read once, so no run can go on with it")
        return None
    from truebleu.metrics.checkpoint import Checkpoint, default_path

    path, notice = given.get("checkpoint"), None
    if path is None and "per_segment" in given:
        path = f"{given['per_segment']}.checkpoint"
    elif path is None:  # nobody asked for it
        path, notice = default_path(scan.files), inputs.notice
    settings = {
        "metrics": [metric.signature for metric in metrics],
        "systems": names,
        "columns": [scan.hyp, scan.ref, scan.by],
        **{
            key.replace("_", " "): given.get(key)
            for key in ("per_segment", "on_error", "encoding", "errors", "num_refs")
        },
    }
    every = given.get("checkpoint_every", _SAVED)
    checkpoint = Checkpoint(path, settings, scan.files, every, notice)
    if "resume" in given and not checkpoint.is_there():
        inputs.notice(f"{checkpoint.path}: no such checkpoint; starting at the beginning")
    return checkpoint


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
