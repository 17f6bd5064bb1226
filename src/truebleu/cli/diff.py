# SPDX-License-Identifier: Apache-2.0
"""`truebleu diff REF... -i HYP -a NAME -b NAME`: why two dialects disagree."""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.flags import Flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import room, show
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAGS = (
    inputs.INPUT,
    Flag(("-a",), "the one dialect: the name of a row, or a signature (sacrebleu)"),
    Flag(("-b",), "the other: the name of a row, or a signature"),
    Flag(("--all",), "what the corpus scores under every dialect, in place of -a and -b", takes=0),
    Flag(("--segments",), "how many segments that differ are shown (5)", kind=int, range=(0, None)),
    Flag(("-f", "--format"), "how it is printed", choices=("text", "json")),
    *inputs.FILE_FLAGS,
    inputs.NO_COLOR,
    inputs.HELP,
)
GROUPS = (("options", FLAGS),)

USAGE = "truebleu diff REF... [-i HYP] [-a DIALECT] -b DIALECT [options]"
PURPOSE = (
    "Why two dialects disagree: the path from the one score to the other, one decision at a time,\n"
    "and the first segments that differ. --all lists what every dialect makes of the corpus."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "all" in given and ("a" in given or "b" in given):
        raise OptionError("--all takes every dialect; leave out -a and -b")
    if "all" not in given and "b" not in given:
        raise OptionError("no dialect is given to compare with; name one with -b, or use --all")
    most = given.get("segments", 5)
    references, (lines,) = inputs.read(paths, inputs.one_system(given), given)
    as_json = given.get("format") == "json"
    if "all" in given:
        from truebleu.analysis.diff import surveys

        with Progress("scoring under every dialect") as progress:
            standings = surveys.survey(lines, references, progress=progress)
        entries = [standing.to_dict() for standing in standings]
        if as_json:
            print(_json(entries))
        else:
            show(surveys.table(standings, room()))
        return 0
    from truebleu.analysis.diff import diff

    with Progress("comparing dialects"):
        found = diff(lines, references, given.get("a", "sacrebleu"), given["b"], most=most)
    if as_json:
        print(_json(found.to_dict()))
    else:
        show(found.format(color=inputs.colored(given)))
    return 0


def _json(value: Any) -> str:
    from truebleu.text.json_text import json_text

    return json_text(value, allow_nan=False)
