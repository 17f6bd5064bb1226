# SPDX-License-Identifier: Apache-2.0
"""`truebleu check REF... -i HYP... [--src SRC]`: find problems in the files.

example: truebleu check ref.txt -i hyp.txt --src source.txt

Find problems in the files, where they are, and what they do to the score. The files may
differ in length. Exit codes: 0 no error found (with --fail-on warning: no warning either),
1 such a finding, 2 bad input.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from truebleu.analysis.check import MISALIGNED, SEVERITIES, Column, Finding, Texts
from truebleu.analysis.check.findings import begin, effect_text, separate
from truebleu.analysis.processes import Processes, results
from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result
from truebleu.errors import quantity
from truebleu.inputs.columns import labels
from truebleu.inputs.corpus import label_names, named_systems, reference_columns
from truebleu.text.escaping import columns, visible
from truebleu.text.tables import DIM, PLAIN

FLAGS = (
    *inputs.SYSTEM_FLAGS,
    *inputs.SRC_FLAGS,
    inputs.GROUP_BY,
    metrics.METRIC,
    metrics.DIALECT,
    format_flag("text", "json"),
    Flag("--fail-on", "exit with code 1 if there is one of these, or worse",
         choices=("warning", "error"), default="error", common=True),
    *inputs.TEST_SET_FLAGS,
    Flag("--fix DIR", "write repaired copies of the text files and tables to this folder",
         common=True),
    Flag("--force", "with --fix: replace existing files"),
    *inputs.LAST_FLAGS,
)  # fmt: skip
GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

#: The name of the group of each segment, or None.
Groups = Sequence[str] | None
#: Findings about references and sources by system, and the others of each system.
Checked = tuple[Sequence[Mapping[str, Finding]], Mapping[Column, Sequence[Finding]]]

USAGE = "truebleu check REF... [-i HYP...] [--src SRC] [options]"


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    plan = inputs.Plan(args, paths)
    (metric,) = metrics.make_metrics(args)
    if "fix" in args:
        from truebleu.cli import repaired_files

        copies = repaired_files.targets(args, plan)
    read = inputs.load(plan.all, args, keep_bom=True)
    refs = {column: place for place in plan.refs for column in _references(place.label, read[place])}
    srcs = {}
    if plan.source is not None:
        srcs[Column("src", plan.source.label, tuple(read[plan.source]), first=1)] = plan.source
    groups = None
    if plan.groups is not None:
        inputs.check_lengths({place: read[place] for place in (plan.refs[0], plan.groups)})
        group_labels = labels(read[plan.groups])
        by_label = label_names(group_labels)
        groups = [by_label[label] for label in group_labels]
    names = plan.names if "names" in args else [place.label for place in plan.hyps]
    if len(set(names)) < len(names) and "names" not in args:  # a column of several tables
        names = plan.hyp_paths
    hyps = {
        Column("hyp", name, tuple(read[place]), first=1): place
        for name, place in named_systems(zip(names, plan.hyps, strict=True))
    }
    systems = [Texts(hyp, list(refs), next(iter(srcs), None)) for hyp in hyps]
    written: list[dict[str, Any]] = []
    unmoved: list[str] = []
    with Progress("checking"):
        with Processes(metric.threads - 1) as processes:
            each = dict(zip(hyps, results(begin(systems, metric, processes)), strict=True))
        if "fix" in args:
            origins = {**refs, **hyps, **srcs}
            written = repaired_files.write(args, copies, origins, read, systems, metric)
            if any(place.name for place in read):
                kinds = [finding.kind for findings in each.values() for finding in findings]
                unmoved = [kind for kind in MISALIGNED if kind in kinds]
    shared, own = separate({hyp.name: findings for hyp, findings in each.items()})
    # With one system, all findings are its own.
    checked = (shared, {hyp: own[hyp.name] for hyp in each}) if len(each) > 1 else ([], each)
    color = has_color(args)

    def as_json() -> Any:
        repairs = {"repaired": written, "not_repaired": unmoved}
        return _json(checked, groups) | {key: value for key, value in repairs.items() if value}

    def as_text() -> str:
        text = _text(checked, groups, color=color)
        labels = [place.label for place in plan.all]
        for path, name in zip(labels, inputs.file_names(labels), strict=True):
            # Whole paths stand in the heads of systems alone, without the number of a line.
            text = re.sub(rf"{re.escape(path)}(?=:\d)", name.replace("\\", r"\\"), text)
        if written:
            text += f"\n\nrepaired:\n{repaired_files.described(written)}"
        if unmoved:
            text += f"\nnot repaired, because rows of tables stay in place: {', '.join(unmoved)}"
        return text

    print_result(args, as_json, as_text)
    fatal = SEVERITIES[: SEVERITIES.index(args["fail_on"]) + 1]
    return int(any(f.severity in fatal for findings in each.values() for f in findings))


def _by_group(finding: Finding, groups: Groups) -> dict[str, int]:
    """The number of lines that have the problem, by group; lines after the last have none."""
    if groups is None:
        return {}
    return dict(Counter(groups[line - 1] for line in finding.lines if line <= len(groups)))


def _plain(finding: Finding, groups: Groups) -> dict[str, Any]:
    """A finding for JSON."""
    entry = finding.to_dict()
    return entry if groups is None else {**entry, "groups": _by_group(finding, groups)}


#: What differs between systems in a finding about references or sources.
_EFFECTS = ("before", "after", "effect")


def _json(checked: Checked, groups: Groups) -> Any:
    """One system is an entry; of several, the findings about references and sources come first."""
    shared, own = checked
    systems = [
        {"system": hyp.name, "segments": len(hyp), "findings": [_plain(finding, groups) for finding in findings]}
        for hyp, findings in own.items()
    ]
    if len(systems) == 1:
        return systems[0]
    about_all = []
    for by_system in shared:
        finding = _plain(next(iter(by_system.values())), groups)
        common = {key: value for key, value in finding.items() if key not in _EFFECTS}
        effects = [
            {"system": name, **{key: finding.to_dict()[key] for key in _EFFECTS}} for name, finding in by_system.items()
        ]
        about_all.append({**common, "effects": effects})
    return {"findings": about_all, "systems": systems}


def _references(name: str, rows: Any) -> list[Column]:
    """A column of references, or one for each reference of a row."""
    columns = reference_columns(list(rows))
    if len(columns) == 1:
        return [Column("ref", name, columns[0], 1)]
    return [Column("ref", name, texts, 1, f" (reference {k})") for k, texts in enumerate(columns, start=1)]


_COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}


def _text(checked: Checked, groups: Groups, *, color: bool) -> str:
    shared, own = checked
    about_all = [(next(iter(systems.values())), _effects(systems)) for systems in shared]
    sections = [("references and sources", 0, about_all)] if shared else []
    sections += [(visible(hyp.name), len(hyp), [(f, [effect_text(f)]) for f in own[hyp]]) for hyp in own]
    parts = []
    for title, size, findings in sections:
        counts = Counter(finding.severity for finding, _ in findings)  # the findings are sorted
        listed = ", ".join(quantity(count, severity) for severity, count in counts.items())
        paragraphs = [_paragraph(finding, groups, effects, color=color) for finding, effects in findings]
        summary = listed or f"no problems found in {quantity(size, 'segment')}"
        parts.append("\n".join([f"{title}: {summary}", *paragraphs]))
    return "\n\n".join(parts)


def _effects(systems: Mapping[str, Finding]) -> list[str]:
    """What repair does to each system, by their short names; those that it leaves are one line."""
    named = dict(zip(inputs.system_names(list(systems)), systems.values(), strict=True))
    lines = [f"{visible(name)}: {effect_text(finding)}" for name, finding in named.items() if finding.effect != 0]
    same = len(systems) - len(lines)
    return [*lines, f"no effect on {quantity(same, 'system')}"] if same else lines


def _paragraph(finding: Finding, groups: Groups, effects: Sequence[str], *, color: bool) -> str:
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
    if counts := _by_group(finding, groups):
        sizes = Counter(groups)
        shares = (f"{name} {count:,} of {sizes[name]:,}" for name, count in counts.items())
        lines.append(f"  Lines by group: {visible(', '.join(shares))}")
    lines += [f"  {effect}" for effect in effects]
    return "\n".join([*lines, f"  {dim}Fix:{plain} {finding.advice}"])
