# SPDX-License-Identifier: Apache-2.0
"""`truebleu ledger list|show|compare|curve|export|gc`: past runs, without their texts."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from truebleu.analysis.compare.comparison import p_value, percent
from truebleu.analysis.compare.formats import render_all, render_groups
from truebleu.campaigns.ledger import Ledger
from truebleu.campaigns.ledger_curve import Curve, Point
from truebleu.campaigns.ledger_runs import Run
from truebleu.cli import inputs, metrics
from truebleu.cli.compare import OPTIONS, TEST_FLAGS, notice_warnings
from truebleu.cli.flags import NO_COLOR, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.recorded import open_existing
from truebleu.cli.terminal import has_color, print_wrapped, terminal_width
from truebleu.errors import OptionError, quantity, suggest
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.tables import number

FLAGS = (
    inputs.LEDGER,
    format_flag("text", "json", "tsv", "latex", "markdown"),
    Flag(("--over",), "curve: the tag of the steps", placeholder="TAG", default="step",
         common=True),
    Flag(("-o", "--output"), "export: a .csv or .parquet file", file=True, common=True),
    Flag(("--force",), "export: replace an existing file", takes=0),
    *(flag for flag in TEST_FLAGS if flag not in inputs.DOC_FLAGS),
    metrics.WIDTH,
    NO_COLOR,
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu ledger ACTION [RUN...] --ledger FILE [options]"
PURPOSE = (
    "Show and compare the runs of a ledger, which --ledger of score, compare and campaign fills.\n"
    "  list     a line for each run\n"
    "  show     everything about runs\n"
    "  compare  tests of runs on the same references, as by truebleu compare\n"
    "  curve    scores over steps; each step against the best before\n"
    "  export   a table with a row for each run; Parquet has the statistics of each segment\n"
    "  gc       remove the named runs, and statistics that no run has\n"
    "RUN is a number, the name of a system, or tags, such as step=2000 or set=wmt22,pair=de-en.\n"
    "Without RUN, list, show, curve and export take all runs."
)

#: The columns of `list`.
_COLUMNS = ("System", "run", "tags", "metric", "score", "segments", "references", "time")


def run(args: Args, words: list[str]) -> int:
    """Run the command; returns its exit code."""
    actions: dict[str, Callable[[Ledger, Args, list[str]], str]] = {
        "list": _list, "show": _show, "compare": _compare, "curve": _curve, "export": _export,
        "gc": _gc,
    }  # fmt: skip
    if not words:
        raise OptionError(f"no action: {', '.join(actions)}; usage: {USAGE}")
    action, *selections = words
    if action not in actions:
        raise OptionError(f"no action is named {suggest(action, actions)}")
    with open_existing(args) as ledger:
        text = actions[action](ledger, args, selections)
    if args["format"] == "text":
        print_wrapped(text)
    else:
        print(text)
    return 0


def _list(ledger: Ledger, args: Args, selections: list[str]) -> str:
    runs = ledger.runs(*selections)
    if args["format"] == "json":
        return json_text([run.to_dict() for run in runs])
    rows = [
        (run.name, str(run.id), _tags(run), run.metric,
         number(run.score, _width(args, 1 if run.score > 1 else 4)), f"{run.segments:,}",
         run.refs[:8], f"{run.time[:10]} {run.time[11:19]}")
        for run in runs
    ]  # fmt: skip
    return _table(args, [_COLUMNS, *rows])


def _table(args: Args, rows: list[Any]) -> str:
    form = args["format"]
    if form == "text":
        return "\n".join(tables.aligned(tables.padded(rows, terminal_width())))
    return "\n".join({"tsv": tables.tsv, "latex": tables.latex,
                      "markdown": tables.markdown}[form](rows))  # fmt: skip


def _width(args: Args, usual: int) -> int | None:
    """The decimals of scores; None for all."""
    return None if args["format"] == "tsv" else int(args.get("width", usual))


def _tags(run: Run) -> str:
    return " ".join(f"{key}={value}" for key, value in run.tags.items())


def _show(ledger: Ledger, args: Args, selections: list[str]) -> str:
    runs = ledger.runs(*selections)
    counts = [run.make_metric().score(ledger.rows(run)).counts() for run in runs]
    entries = [run.to_dict() | {"counts": one} for run, one in zip(runs, counts, strict=True)]
    if args["format"] == "json":
        return json_text(entries)
    if args["format"] != "text":
        raise OptionError(f"show has no format {args['format']}; use text or json")
    texts = []
    for run, entry in zip(runs, entries, strict=True):
        entry |= {"tags": _tags(run), "score": number(run.score, args.get("width", 4))}
        entry["counts"] = " ".join(f"{name}={value:,}" for name, value in entry["counts"].items())
        texts.append("\n".join(f"{name:<9}  {visible(str(entry[name]))}" for name in entry))
    return "\n\n".join(texts)


def _compare(ledger: Ledger, args: Args, selections: list[str]) -> str:
    if not selections:
        raise OptionError("compare needs runs; truebleu ledger list shows them")
    groups = ledger.compare(*selections, **_options(args))
    form, flat = args["format"], [one for some in groups.values() for one in some]
    notice_warnings(form, flat)
    looks = {
        "width": args.get("width", max(one.pairs[0].decimals for one in flat)),
        "detect": None,
        "color": form == "text" and has_color(args),
        "terminal": terminal_width(),
    }
    if len(groups) == 1:
        return render_all(form, flat, **looks)
    return render_groups(form, groups, "references", **looks)


def _options(args: Args) -> dict[str, Any]:
    return {name: args[name] for name in OPTIONS if name in args}


def _curve(ledger: Ledger, args: Args, selections: list[str]) -> str:
    with Progress("comparing") as progress:
        curves = ledger.curve(*selections, tag=args["over"], progress=progress, **_options(args))
    form = args["format"]
    if form == "json":
        return json_text([one.to_dict() for one in curves])
    texts: dict[str, str] = {}
    for one in curves:
        width = _width(args, max(point.pair.decimals if point.pair else 1 for point in one.points))
        text = _table(args, [_head(one), *(_row(point, width) for point in one.points)])
        if form == "text":
            text = "\n".join([text, "", *_sentences(args, one), f"signature: {one.signature}"])
        name = f"{one.name}, {one.references}, {one.metric}"
        texts[name if name not in texts else f"{name}, {one.signature}"] = text
    return tables.grouped(form, "curve", texts, color=form == "text" and has_color(args))


def _head(curve: Curve) -> tuple[str, ...]:
    interval = f"{percent(1 - curve.alpha)} interval"
    return (curve.tag, curve.metric, interval, "best before", "gain", "p", "verdict")


def _row(point: Point, width: int | None) -> tuple[str, ...]:
    interval = (
        "" if point.interval is None else " to ".join(number(x, width) for x in point.interval)
    )
    row = (str(point.step), number(point.run.score, width), interval)
    if point.pair is None:
        return (*row, "", "", "", "")
    pair = point.pair
    if width is None:
        p, gain = repr(pair.p_adjusted), repr(pair.difference)
    else:
        p, gain = p_value(pair.p_adjusted), f"{pair.difference:+.{width}f}"
    return (*row, str(point.best), gain, p, point.verdict or "")


def _sentences(args: Args, curve: Curve) -> list[str]:
    """The first step that is better than the best before, and the first that is worse."""
    lines = []
    for verdict in ("better", "worse"):
        point = curve.first(verdict)
        if point is not None and point.pair is not None:
            pair = visible(point.pair.sentence(args.get("width", point.pair.decimals)))
            lines.append(f"first {verdict} {curve.tag}: {point.step}. {pair}")
        else:
            lines.append(f"no {curve.tag} is significantly {verdict} than the best before")
    return lines


def _export(ledger: Ledger, args: Args, selections: list[str]) -> str:
    if "output" not in args:
        raise OptionError("export needs a file; name one with -o, such as runs.csv")
    ledger.export(args["output"], *selections, force="force" in args)
    return f"{visible(args['output'])}: {quantity(len(ledger.runs(*selections)), 'run')}"


def _gc(ledger: Ledger, args: Args, selections: list[str]) -> str:
    runs, texts = ledger.gc(*selections)
    size = os.path.getsize(args["ledger"])
    return (
        f"removed {quantity(runs, 'run')} and the statistics of {quantity(texts, 'text')}; "
        f"{visible(args['ledger'])} has {quantity(size, 'byte')}"
    )
