# SPDX-License-Identifier: Apache-2.0
"""`truebleu explain REF... -i HYP`: why a score is what it is."""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.flags import DIALECT_FLAGS, Flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import room, show
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAGS = (
    inputs.INPUT,
    inputs.DIALECT,
    Flag(("-n", "--segment"), "explain this segment alone; lines are counted from 1", kind=int),
    Flag(
        ("--worst",),
        "how many of the segments that cost most are shown (5)",
        kind=int,
        range=(0, None),
    ),
    Flag(
        ("--ngrams",),
        "how many of the n-grams that cost most are shown (10)",
        kind=int,
        range=(0, None),
    ),
    Flag(("-f", "--format"), "how it is printed", choices=("text", "json")),
    *inputs.FILE_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)
GROUPS = (("files and output", FLAGS), ("dialect", DIALECT_FLAGS))

USAGE = "truebleu explain REF... [-i HYP] [-n SEGMENT] [options]"
PURPOSE = (
    "Why a score is what it is. Of a corpus: the sum on paper, the points that each n-gram order\n"
    "and brevity cost, and the segments and n-grams that cost most. With -n, one segment stage by\n"
    "stage. JSON has all segments."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "segment" in given and "worst" in given:
        raise OptionError("-n shows one segment and --worst several; give one of them")
    bleu = inputs.metric(given)
    references, (lines,) = inputs.read(paths, inputs.one_system(given), given)

    from truebleu.analysis.explain import explain_corpus

    most = 0 if "segment" in given else given.get("ngrams", 10)
    with Progress("explaining"):
        found = explain_corpus(bleu, lines, references, most)
    worst = given.get("worst", 5)
    color = inputs.colored(given)
    alone = found.segment(given["segment"]) if "segment" in given else None
    if given.get("format") == "json":
        from truebleu.text.json_text import json_text

        entry = alone.to_dict() if alone else found.to_dict()
        if alone is None:
            entry["worst"] = [found.segment(number).to_dict() for number in found.worst(worst)]
        print(json_text(entry, allow_nan=False))
    elif alone is not None:
        show(alone.format(color=color, room=room()))
    else:
        show(found.format(worst, color=color, room=room()))
    return 0
