# SPDX-License-Identifier: Apache-2.0
"""The arguments of sacreBLEU's command line: its names, values and defaults."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

from truebleu.compat.sacrebleu.metrics import BLEU, METRICS
from truebleu.compat.sacrebleu.version import __version__

FORMATS = ["json", "text", "latex"]


def parse_args(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse a command line. The environment's SACREBLEU_FORMAT overrides `--format`."""
    args = parser().parse_args(arguments)
    format_ = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if format_ in FORMATS:
        args.format = format_
    return args


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="sacrebleu",
        description="Score text as sacreBLEU does, with TrueBLEU: sacrebleu REF... -i HYP...",
    )
    _add_input(parser)
    _add_metrics(parser)
    _add_output(parser)
    parser.add_argument("--version", "-V", action="version", version=f"%(prog)s {__version__}")
    return parser


def _flag(group: Any, *names: str, **more: Any) -> None:
    group.add_argument(*names, action="store_true", **more)


def _option(group: Any, *names: str, help: str, **more: Any) -> None:
    """Add an option, whose default ends its help if it is text or a number."""
    if isinstance(more.get("default"), (str, int)):
        help += " (default: %(default)s)"
    group.add_argument(*names, help=help, **more)


def _add_input(parser: argparse.ArgumentParser) -> None:
    sets = parser.add_argument_group("test sets, which need pip install 'truebleu[testsets]'")
    _flag(sets, "--citation", "--cite", help="print the BibTeX entry of a test set")
    _flag(sets, "--list", help="list the test sets; with -t, the languages and fields of one")
    _option(sets, "--test-set", "-t", help="the test set, or several separated by commas")
    _option(sets, "--language-pair", "-l", dest="langpair", help="languages, source first: de-en")
    _option(
        sets, "--origlang", "-ol",
        help="keep segments whose original language is this; non-de keeps all others",
    )  # fmt: skip
    _option(sets, "--subset", help="keep segments whose document matches this regular expression")
    _option(sets, "--download", help="download this test set and stop")
    _option(
        sets, "--echo", nargs="+",
        help="print fields of the test set (src, ref, docid, ...; all), separated by tabs",
    )  # fmt: skip
    files = parser.add_argument_group("files")
    _option(files, "--input", "-i", nargs="*", help="a file per system (default: standard input)")
    _option(files, "refs", nargs="*", default=[], help="reference files; write them before -i")
    _option(
        files, "--num-refs", "-nr", type=int, default=1,
        help="references on each line of the file, separated by tabs",
    )  # fmt: skip
    _option(files, "--encoding", "-e", default="utf-8", help="encoding of all files")


def _add_metrics(parser: argparse.ArgumentParser) -> None:
    metrics = parser.add_argument_group("metrics")
    _option(
        metrics, "--metrics", "-m", choices=[name.lower() for name in METRICS], nargs="+",
        default=["bleu"], help="metrics to compute (default: bleu)",
    )  # fmt: skip
    _flag(metrics, "--sentence-level", "-sl", help="score each line separately")
    bleu = parser.add_argument_group("BLEU")
    _option(
        bleu, "--smooth-method", "-s", dest="bleu_smooth_method", choices=BLEU.SMOOTH_DEFAULTS,
        default="exp", help="smoothing of orders without a match",
    )  # fmt: skip
    _option(
        bleu, "--smooth-value", "-sv", type=float, dest="bleu_smooth_value",
        help="value of floor (default: 0.1) and add-k (default: 1)",
    )  # fmt: skip
    _option(
        bleu, "--tokenize", "-tok", choices=BLEU.TOKENIZERS, dest="bleu_tokenize",
        help="tokenizer (default: by the target language of -l, zh for Chinese, ja-mecab for "
        "Japanese and ko-mecab for Korean; otherwise 13a)",
    )  # fmt: skip
    _flag(bleu, "--lowercase", "-lc", dest="bleu_lowercase", help="lowercase the text")
    _flag(bleu, "--force", dest="bleu_force", help="do not warn about text that looks tokenized")
    chrf = parser.add_argument_group("chrF")
    _option(chrf, "--chrf-char-order", "-cc", type=int, default=6, help="longest character n-grams")
    _option(
        chrf, "--chrf-word-order", "-cw", type=int, default=0,
        help="longest word n-grams; 2 is chrF++",
    )  # fmt: skip
    _option(chrf, "--chrf-beta", type=int, default=2, help="weight of recall relative to precision")
    _flag(chrf, "--chrf-whitespace", help="count spaces as characters")
    _flag(chrf, "--chrf-lowercase", help="lowercase the text")
    _flag(
        chrf, "--chrf-eps-smoothing",
        help="give orders without n-grams a tiny score instead of skipping them, as chrF++.py does",
    )  # fmt: skip
    ter = parser.add_argument_group("TER")
    _flag(ter, "--ter-case-sensitive", help="do not lowercase the text")
    _flag(ter, "--ter-asian-support", help="split Asian text into characters")
    _flag(ter, "--ter-no-punct", help="remove punctuation")
    _flag(ter, "--ter-normalized", help="split off punctuation and replace entities")
    interval = parser.add_argument_group("confidence interval of one system")
    _flag(interval, "--confidence", "-ci", help="print a 95%% bootstrap interval")
    _option(interval, "--confidence-n", "-cin", type=int, default=1000, help="resamples")
    tests = parser.add_argument_group("paired tests of several systems")
    either = tests.add_mutually_exclusive_group()
    _flag(either, "--paired-ar", "-par", help="test by approximate randomization")
    _flag(either, "--paired-bs", "-pbs", help="test by paired bootstrap resampling")
    _option(
        tests, "--paired-ar-n", "-parn", type=int, default=10000,
        help="trials of approximate randomization",
    )  # fmt: skip
    _option(
        tests, "--paired-bs-n", "-pbsn", type=int, default=1000, help="resamples of the bootstrap"
    )
    _option(
        tests, "--paired-jobs", "-j", type=int, default=1,
        help="parallel processes; 0 for one per system",
    )  # fmt: skip


def _add_output(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    _flag(output, "--quiet", "-q", help="print no messages on standard error")
    _flag(output, "--short", "-sh", help="shorten the signature")
    _flag(output, "--score-only", "-b", help="print only the score")
    _option(output, "--width", "-w", type=int, default=1, help="decimals of the score")
    _flag(
        output, "--detail", "-d", help="also score each original language and domain of a test set"
    )
    _flag(output, "--no-color", "-nc", help="print without colors")
    _option(
        output, "--format", "-f", default="json", choices=FORMATS,
        help="json or text for one system, text or latex for several; the environment variable "
        "SACREBLEU_FORMAT overrides it",
    )  # fmt: skip
