# SPDX-License-Identifier: Apache-2.0
"""What `make docs` runs: writes the pages that repeat what the code declares.

docs/generate.py            write options.md, dialects.md and cli.md
docs/generate.py --check    write nothing; exit with 1 if one of them is not up to date
"""

from __future__ import annotations

import io
import sys
import textwrap
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truebleu import DIALECTS, cli
from truebleu.cli.commands import COMMANDS
from truebleu.cli.flags import of_option
from truebleu.dialects.decisions import OPTIONS, PARTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from truebleu.dialects.options import Option

HERE = Path(__file__).resolve().parent

NOTICE = "<!-- Written by docs/generate.py (`make docs`) from the code; edit that. -->"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)])


def code(value: Any) -> str:
    """A value as it is typed in Python."""
    fence = "``" if "`" in repr(value) else "`"
    return f"{fence}{value!r}{fence}"


def values(option: Option) -> str:
    """What an option can be."""
    if option.choices:
        names = ", ".join(map(code, option.choices))
        if option.name == "tokenize":
            more = "`'re:PATTERN'`, `'spm:PATH'`; in Python also a function from text to tokens"
            return f"{names}, {more}"
        return names
    if option.name == "normalize":
        return "names of normalizations; in Python also a `Normalization`"
    if option.name == "keywords":
        return "words"
    return {
        bool: "`True`, `False`",
        int: "a whole number, 1 or more",
        float: "a number, 0 or more, or `None`",
        tuple: "a number for each order, 0 or more, or `None`",
        str: "text",
    }[option.kind]


OPTIONS_TEXT = """# Options

BLEU is five decisions. A dialect makes all of them; options change single ones. Their names are
arguments of `BLEU(...)`, `corpus_bleu(...)` and `sentence_bleu(...)`, and their flags are those of
the command line. The defaults shown are sacreBLEU's; [dialects](dialects.md) have their own."""


def options_page() -> str:
    """Every option of the five parts."""
    rows = [
        (
            f"`{option.name}`",
            option.part,
            values(option),
            code(option.default),
            ", ".join(f"`{name}`" for name in of_option(option).names),
            option.help,
        )
        for option in OPTIONS.values()
    ]
    questions = [(part.__name__.lower(), _first_line(part.__doc__)) for part in PARTS]
    head = ("option", "part", "values", "default", "flags", "what it does")
    return "\n\n".join([OPTIONS_TEXT, table(("part", "question"), questions), table(head, rows)])


def _first_line(docstring: str | None) -> str:
    return (docstring or "").partition("\n")[0]


DIALECTS_TEXT = """\
A dialect is a tool's BLEU as values of [the options](options.md). Options that are not shown have
their defaults, which are sacreBLEU's. `truebleu dialects` prints this table, `truebleu dialects
NAME` one row, and `truebleu dialects WORD` the rows that mention a word, such as `caption`. *Seen
in* is what a census of public code met. Where a tool is wrong, *right instead* names the dialect to
use."""


def dialects_page() -> str:
    """Every row of the table of dialects."""
    overview = [
        (f"[{name}](#{name})", row.users, row.seen, row.version, row.source, row.exact, row.fixed)
        for name, row in DIALECTS.items()
    ]
    sections = [
        "# Dialects",
        DIALECTS_TEXT,
        table(
            ("dialect", "who uses it", "seen in", "version", "source", "exact", "right instead"),
            overview,
        ),
    ]
    for name, row in DIALECTS.items():
        settings = [
            (OPTIONS[option].part, f"`{option}`", code(value))
            for option, value in row.options().items()
            if value != OPTIONS[option].default
        ]
        head = ("part", "option", "value")
        shown = table(head, settings) if settings else "All options have their defaults."
        quirks = textwrap.fill(row.quirks, 100, break_on_hyphens=False)
        sections += [f"## {name}", *filter(None, [quirks]), shown]
    return "\n\n".join(sections)


def cli_page() -> str:
    """The help of the command and of each of its commands."""
    sections = ["# Command line"]
    # The help of `sacrebleu` is the original's, which Python wraps differently in each version.
    own = [command for command in COMMANDS if command != "sacrebleu"]
    for arguments in (["--help"], *([command, "--help-all"] for command in own)):
        with redirect_stdout(io.StringIO()) as shown:
            cli.main(arguments)
        title = " ".join(["truebleu", *arguments])
        sections += [f"## `{title}`", f"```text\n{shown.getvalue().rstrip()}\n```"]
    return "\n\n".join(sections)


PAGES = {
    "options.md": options_page,
    "dialects.md": dialects_page,
    "cli.md": cli_page,
}


def main(arguments: Sequence[str]) -> int:
    """Write the pages, or compare them."""
    if arguments not in ([], ["--check"]):
        print("usage: docs/generate.py [--check]", file=sys.stderr)
        return 2
    stale = []
    for name, page in PAGES.items():
        path = HERE / name
        text = f"{NOTICE}\n\n{page()}\n".encode()
        if path.exists() and path.read_bytes() == text:
            continue
        stale.append(name)
        if not arguments:
            path.write_bytes(text)
    for name in stale:
        print(f"docs/{name} {'is not up to date; run `make docs`' if arguments else 'written'}")
    return int(bool(arguments and stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
