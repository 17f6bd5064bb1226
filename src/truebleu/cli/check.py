# SPDX-License-Identifier: Apache-2.0
"""`truebleu check REF... -i HYP... [--src SRC]`: find problems in the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from truebleu.analysis.check import Column, Finding, Texts, effect_text, inspect
from truebleu.cli import inputs, metrics
from truebleu.cli.flags import NO_COLOR, THREADS, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result
from truebleu.errors import quantity
from truebleu.inputs import files
from truebleu.metrics import kernel
from truebleu.text.escaping import columns, visible
from truebleu.text.tables import DIM, PLAIN

FLAGS = (
    inputs.INPUT,
    Flag(("--src",), "source file, to find untranslated lines", file=True, common=True),
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
    "Find problems in the files, where they are, and what they do to the score. The files may\n"
    "differ in length. Exit codes: 0 no error found, 1 an error found, 2 bad input."
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
        lambda: "\n\n".join(_report(hyp, findings, color=color) for hyp, findings in checked),
    )
    return int(any(f.severity == "error" for _, findings in checked for f in findings))


def _column(role: str, path: str, args: Args) -> Column:
    return Column(role, files.name_of(path), tuple(_read(path, args)), first=1)


def _read(path: str, args: Args) -> Any:
    return files.read_lines(path, kernel, args["encoding"], args["errors"], keep_bom=True)


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


def _report(hyp: Column, findings: Sequence[Finding], *, color: bool) -> str:
    name = visible(hyp.name)
    if not findings:
        return f"{name}: no problems found in {quantity(len(hyp), 'segment')}"
    counts = Counter(finding.severity for finding in findings)  # the findings are sorted
    summary = ", ".join(quantity(count, severity) for severity, count in counts.items())
    return "\n".join([f"{name}: {summary}", *(_paragraph(f, color=color) for f in findings)])


def _paragraph(finding: Finding, *, color: bool) -> str:
    strong, dim, plain = (_COLORS[finding.severity], DIM, PLAIN) if color else ("", "", "")
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
    return "\n".join([*lines, f"  {effect_text(finding)}", f"  {dim}Fix:{plain} {finding.advice}"])
