# SPDX-License-Identifier: Apache-2.0
"""`truebleu playground`: a page on which every BLEU can be tried.

Write a page on which every BLEU can be tried: type a translation and its references, and
watch the five decisions. It is one file that needs no network.
"""

from __future__ import annotations

from pathlib import Path

from truebleu.cli.flags import Args, Flag
from truebleu.errors import OptionError
from truebleu.playground import write_playground
from truebleu.text.escaping import visible

FLAGS = (
    Flag("-o, --output FILE", "file to write", default="playground.html", common=True),
    Flag("--force", "replace an existing file", common=True),
    Flag("--open", "open the page in the browser", common=True),
)

GROUPS = (("output", FLAGS),)

USAGE = "truebleu playground [-o playground.html] [--open]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    if paths:
        raise OptionError(f"unexpected argument {visible(paths[0])}; type {USAGE}")
    target = args["output"]
    write_playground(target, force="force" in args)
    print(visible(target))
    if "open" in args:
        import webbrowser  # 10 ms

        webbrowser.open(Path(target).resolve().as_uri())
