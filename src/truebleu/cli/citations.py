# SPDX-License-Identifier: Apache-2.0
"""`--cite`: BibTeX of TrueBLEU and of the metrics, tokenizers and tests of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from truebleu.cli.flags import Args
from truebleu.metrics.bleu import BLEU
from truebleu.version import __version__


def bibtex(args: Args) -> str:
    """The entries of TrueBLEU, of metrics with tools and tokenizers, of a test and correction."""
    text = Path(__file__).with_name("citations.bib").read_text(encoding="utf-8")
    entries: dict[str, list[str]] = {}
    for part in text.rstrip().replace("VERSION", __version__).split("\n\n"):
        comment, _, entry = part.partition("\n")  # what to cite the entry for
        for subject in comment.removeprefix("% ").split(", "):
            entries.setdefault(subject, []).append(entry)
    subjects = ["every command", *_subjects(args)]
    return "\n\n".join(dict.fromkeys(e for subject in subjects for e in entries.get(subject, ())))


def _subjects(args: Args) -> Iterator[str]:
    for name in args.get("metrics", ["bleu"]):
        yield f"metric {name}"
        if name == "chrf" and args.get("chrf_word_order"):
            yield "metric chrf++"
        if name == "bleu":
            tool = BLEU(args["dialect"]).dialect  # names the mistake, if there is no such tool
            yield f"tool {tool.name}"
            tokenizer = args.get("tokenize", tool.options()["tokenize"])
            yield f"tokenizer {tokenizer.partition(':')[0]}"
    with suppress(KeyError):  # score has no test
        test = args["test"].removeprefix("sacrebleu-")
        yield f"test {test}"
        if len(args.get("input", ())) != 2:  # one pair needs no correction
            default = "maxt" if test == args["test"] else "holm"
            yield f"correction {args.get('correction', default)}"
