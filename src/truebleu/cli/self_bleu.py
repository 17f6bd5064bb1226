# SPDX-License-Identifier: Apache-2.0
"""`truebleu self-bleu FILE...`: how much the texts of a file repeat each other.

example: truebleu self-bleu samples.txt

Measure how much the lines of each FILE repeat each other: the mean score of a line against
all others. Low means diverse. Without FILE, or with -, standard input is read. Smoothing
matters much: report the signature.
"""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.flags import SEED, Args, Flag, format_flag
from truebleu.cli.metrics import BLEU_GROUP, DIALECT, WIDTH, decimals, make_metrics
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result
from truebleu.errors import InputError
from truebleu.inputs.files import origins
from truebleu.metrics.self_bleu import DEFINITIONS, SelfBLEU, self_bleu
from truebleu.text import tables
from truebleu.text.results import attributes
from truebleu.text.tables import BOLD, PLAIN

FLAGS = (
    Flag("--definition", "definition of self-BLEU (default: leave-one-out)", choices=tuple(DEFINITIONS), common=True),
    Flag("--sample N", "score this many texts, drawn at random, against all others", common=True),
    SEED,
    Flag("--hyp-col COLUMN...", "columns of texts; FILE are tables then", common=True),
    inputs.NAMES,
    DIALECT,
    format_flag("text", "json"),
    Flag("-b, --score-only", "print only the score", common=True),
    WIDTH,
    *inputs.LAST_TEXT_FLAGS,
)

GROUPS = (("files and output", FLAGS), BLEU_GROUP)

USAGE = "truebleu self-bleu [FILE...] [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    paths = paths or ["-"]
    (bleu,) = make_metrics(args)
    width = decimals(args, [bleu])
    options = {key: args[key] for key in ("definition", "sample", "seed", "threads") if key in args}
    places = origins("text", paths, args.get("hyp_col", ()))
    columns = inputs.load(places, args, "FILE").values()
    default = args.get("hyp_col") or inputs.system_names([place.label for place in places])
    names = inputs.names(default, args)
    for place, lines in zip(places, columns, strict=True):
        if len(lines) < 2:
            raise InputError(f"{place.label}: one line; self-BLEU needs at least two")
    with Progress("comparing texts"):
        scores = [self_bleu(lines, bleu.dialect, **options) for lines in columns]
    if "score_only" in args and args["format"] == "text":
        print("\n".join(f"{score:.{width}f}" for score in scores))
        return
    keys = ("value", "interval", "texts", "scored", "definition", "signature")
    entries = [{"file": name, **attributes(score, keys)} for name, score in zip(names, scores, strict=True)]
    print_result(
        args,
        lambda: entries[0] if len(entries) == 1 else entries,
        lambda: _text(names, scores, width, color=has_color(args)),
    )


def _text(names: list[str], scores: list[SelfBLEU], width: int, *, color: bool) -> str:
    bold, plain = (BOLD, PLAIN) if color else ("", "")
    lines = []
    for (name,), score in zip(tables.padded([[name] for name in names]), scores, strict=True):
        start = f"{name}  " if len(names) > 1 else ""
        about = f"{score.texts} texts, {score.definition}"
        if score.interval is not None:
            interval = tables.span(score.interval, width)
            about += f"; {score.scored} drawn, 95 % interval {interval}"
        lines.append(f"{start}self-BLEU|{score.signature} = {bold}{score:.{width}f}{plain} ({about})")
    return "\n".join(lines)
