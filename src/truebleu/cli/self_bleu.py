# SPDX-License-Identifier: Apache-2.0
"""`truebleu self-bleu FILE...`: how much the texts of a file repeat each other."""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.flags import DIALECT_FLAGS, Flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import show
from truebleu.errors import InputError, OptionError
from truebleu.inputs.files import name_of
from truebleu.metrics.self_bleu import DEFINITIONS, SelfBLEU, self_bleu
from truebleu.text import tables
from truebleu.text.tables import BOLD, PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAGS = (
    Flag(("--definition",), "which self-BLEU", choices=tuple(DEFINITIONS)),
    Flag(("--sample",), "score so many texts, drawn at random, against all others", kind=int),
    Flag(("--seed",), "of the draw (12345)", kind=int, range=(0, (1 << 64) - 1)),
    inputs.DIALECT,
    Flag(("-f", "--format"), "how results are printed", choices=("text", "json")),
    Flag(("-b", "--score-only"), "print the number alone", takes=0),
    Flag(("-w", "--width"), "decimals (1; 4 on a scale of 1)", kind=int, range=(0, 100)),
    *inputs.ENCODING_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)

#: The flags as the help and the shell completion show them.
GROUPS = (("files and output", FLAGS), ("dialect", DIALECT_FLAGS))

USAGE = "truebleu self-bleu [FILE...] [options]"
PURPOSE = (
    "How much the lines of each FILE repeat each other: the mean score of a line against all the\n"
    "others. Low is diverse. Without a file, or as -, standard input is read. Smoothing matters;\n"
    "-d fast-bleu --tokenize 13a and others give what papers print: docs/self-bleu.md."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    paths = paths or ["-"]
    if paths.count("-") > 1:
        raise OptionError("standard input can be read once; name files for the others")
    bleu = inputs.metric(given)
    width = given.get("width", 4 if bleu.dialect.combine.scale == 1 else 1)
    options = {
        key: given[key] for key in ("definition", "sample", "seed", "threads") if key in given
    }
    columns = [inputs.read_columns([path], given)[0] for path in paths]
    for path, lines in zip(paths, columns, strict=True):
        if len(lines) < 2:
            name = name_of(path)
            raise InputError(f"{name}: one line is alone; self-BLEU compares two at least")
    with Progress("comparing texts"):
        found = [self_bleu(lines, bleu.dialect, **options) for lines in columns]
    names = inputs.system_names([name_of(path) for path in paths])
    named = list(zip(names, found, strict=True))
    if given.get("format") == "json":
        from truebleu.text.json_text import json_text

        entries = [_to_dict(name, one) for name, one in named]
        print(json_text(entries[0] if len(entries) == 1 else entries))
    elif "score_only" in given:
        print("\n".join(f"{one:.{width}f}" for one in found))
    else:
        bold, plain = (BOLD, PLAIN) if inputs.colored(given) else ("", "")
        shown = tables.padded([[name, f"{one:.{width}f}"] for name, one in named])
        for (name, value), (_, one) in zip(shown, named, strict=True):
            start = f"{name}  " if len(named) > 1 else ""
            line = f"self-BLEU|{one.signature} = {bold}{value.strip()}{plain}"
            show(f"{start}{line} ({_about(one, width)})")
    return 0


def _about(one: SelfBLEU, width: int) -> str:
    about = f"{one.texts} texts, {one.definition}"
    if one.interval is not None:
        low, high = one.interval
        about += f"; {one.scored} drawn, 95 % interval {low:.{width}f} to {high:.{width}f}"
    return about


def _to_dict(name: str, one: SelfBLEU) -> dict[str, Any]:
    return {
        "file": name,
        "value": one.value if one == one else None,  # noqa: PLR0124  (JSON has no NaN)
        "interval": one.interval,
        "texts": one.texts,
        "scored": one.scored,
        "definition": one.definition,
        "signature": one.signature,
    }
