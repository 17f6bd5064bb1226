# SPDX-License-Identifier: Apache-2.0
"""`truebleu check REF... -i HYP... [--src SRC]`: what is wrong with the files."""

from __future__ import annotations

from truebleu.analysis.check.findings import inspect
from truebleu.analysis.check.texts import Column, Texts
from truebleu.cli import inputs, metrics
from truebleu.cli.flags import NO_COLOR, THREADS, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result
from truebleu.inputs import files
from truebleu.text.escaping import columns, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.check.findings import Finding
    from truebleu.cli.flags import Args

FLAGS = (
    inputs.INPUT,
    Flag(("--src",), "source file, to find lines that are not translated", file=True, common=True),
    metrics.METRIC,
    metrics.DIALECT,
    format_flag("text", "json"),
    *inputs.FILE_FLAGS,
    THREADS,
    NO_COLOR,
)
GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu check REF... [-i HYP...] [--src SRC] [options]"
PURPOSE = (
    "Find what is wrong with the files, where, and what it does to the score. They may differ in\n"
    "their number of lines. Exit codes: 0 no error found, 1 an error found, 2 bad input."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    hyp_paths = inputs.hypothesis_paths(args)
    sources = [args["src"]] if "src" in args else []
    inputs.check_standard_input([*paths, *hyp_paths, *sources])
    (metric,) = metrics.make_metrics(args)
    refs = [column for path in paths for column in _references(path, args)]
    src = _column("src", sources[0], args) if sources else None
    hyps = [_column("hyp", path, args) for path in hyp_paths]
    with Progress("checking"):
        checked = [(hyp, inspect(Texts(hyp, refs, src), metric)) for hyp in hyps]
    entries = [
        {"system": hyp.name, "segments": len(hyp), "findings": [f.to_dict() for f in findings]}
        for hyp, findings in checked
    ]
    color = has_color(args)
    print_result(
        args,
        lambda: entries[0] if len(entries) == 1 else entries,
        lambda: "\n\n".join(_report(hyp, found, color=color) for hyp, found in checked),
    )
    return int(any(finding.severity == "error" for _, found in checked for finding in found))


def _column(role: str, path: str, args: Args) -> Column:
    return Column(role, files.name_of(path), tuple(_read(path, args)), first=1)


def _read(path: str, args: Args) -> Any:
    return files.read_whole(path, args["encoding"], args["errors"])


def _references(path: str, args: Args) -> list[Column]:
    """The columns of a file: one, or as many as it has references on each line."""
    count = args["num_refs"]
    if count is None:
        return [_column("ref", path, args)]
    rows = inputs.split_references(path, _read(path, args), count)
    name = files.name_of(path)
    return [
        Column("ref", name, texts, 1, f" (reference {k})")
        for k, texts in enumerate(zip(*rows, strict=True), start=1)
    ]


_COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


def _report(hyp: Column, findings: Sequence[Finding], *, color: bool) -> str:
    if not findings:
        return f"{visible(hyp.name)}: nothing is wrong with these {len(hyp)} segments"
    counts = {
        severity: sum(finding.severity == severity for finding in findings) for severity in _COLORS
    }
    summary = ", ".join(
        f"{count} {severity}{'s' if count > 1 else ''}"
        for severity, count in counts.items()
        if count
    )
    return "\n".join(
        [f"{visible(hyp.name)}: {summary}", *(_paragraph(f, color=color) for f in findings)]
    )


def _paragraph(finding: Finding, *, color: bool) -> str:
    strong, dim, plain = (_COLORS[finding.severity], _DIM, _PLAIN) if color else ("", "", "")
    lines = [
        "",
        f"{strong}{finding.severity}{plain}  {finding.kind}  {visible(finding.where)}",
        f"  {visible(finding.message)}",
    ]
    evidence = [(visible(place), visible(text)) for place, text in finding.evidence]
    width = max((columns(place) for place, _ in evidence), default=0)
    for place, text in evidence:
        blanks = " " * (width - columns(place))
        lines.append(f"    {dim}{place}{blanks}{plain}  {text}")
    lines.append(f"  {_effect(finding)}")
    lines.append(f"  {dim}do:{plain} {finding.advice}")
    return "\n".join(lines)


def _effect(finding: Finding) -> str:
    name = finding.metric
    if finding.after is None:
        return f"{name} once it is repaired: cannot be computed from these files"
    if finding.before is None:
        return f"{name} once it is repaired: {finding.after:.2f}; as it is, it cannot be computed"
    if finding.before == finding.after:
        return f"{name} {finding.before:.2f}, repaired or not"
    return (
        f"{name} {finding.before:.2f}, repaired {finding.after:.2f} "
        f"({finding.after - finding.before:+.2f})"
    )
