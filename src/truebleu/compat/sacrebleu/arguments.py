# SPDX-License-Identifier: Apache-2.0
"""The arguments of sacreBLEU's command line: its names, values and defaults."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from truebleu.compat.sacrebleu.metrics import BLEU, METRICS
from truebleu.compat.sacrebleu.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    made = argparse.ArgumentParser(
        prog="sacrebleu",
        description="Score text as sacreBLEU does, with TrueBLEU: sacrebleu REF... -i HYP...",
    )
    _add_test_sets(made)
    _add_files(made)
    _add_metrics(made)
    _add_tests(made)
    _add_output(made)
    made.add_argument("--version", "-V", action="version", version=f"%(prog)s {__version__}")
    return made


def _add_test_sets(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("test sets, which need pip install 'truebleu[testsets]'")
    add.add_argument(
        "--citation", "--cite", action="store_true", help="print the BibTeX entry of a test set"
    )
    add.add_argument(
        "--list", action="store_true",
        help="list the test sets; with -t, the language pairs and fields of one",
    )  # fmt: skip
    add.add_argument("--test-set", "-t", help="the test set, or several separated by commas")
    add.add_argument(
        "--language-pair", "-l", dest="langpair", help="its languages, source first: de-en"
    )
    add.add_argument(
        "--origlang", "-ol",
        help="keep segments whose original language is this; non-de keeps all others",
    )  # fmt: skip
    add.add_argument(
        "--subset", help="keep segments whose document matches this regular expression"
    )
    add.add_argument("--download", help="download this test set and stop")
    add.add_argument(
        "--echo", nargs="+",
        help="print fields of the test set (src, ref, docid, ...; all), separated by tabs",
    )  # fmt: skip


def _add_files(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("files")
    add.add_argument(
        "--input", "-i", nargs="*", help="a file for each system (default: standard input)"
    )
    add.add_argument("refs", nargs="*", default=[], help="reference files; write them before -i")
    add.add_argument(
        "--num-refs", "-nr", type=int, default=1,
        help="references on each line of the file, separated by tabs (default: %(default)s)",
    )  # fmt: skip
    add.add_argument(
        "--encoding", "-e", default="utf-8", help="encoding of all files (default: %(default)s)"
    )


def _add_metrics(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--metrics", "-m", choices=[name.lower() for name in METRICS], nargs="+", default=["bleu"],
        help="metrics to compute (default: bleu)",
    )  # fmt: skip
    made.add_argument(
        "--sentence-level", "-sl", action="store_true", help="score each line separately"
    )
    add = made.add_argument_group("BLEU")
    add.add_argument(
        "--smooth-method", "-s", dest="bleu_smooth_method", choices=BLEU.SMOOTH_DEFAULTS,
        default="exp", help="smoothing of orders without a match (default: %(default)s)",
    )  # fmt: skip
    add.add_argument(
        "--smooth-value", "-sv", type=float, dest="bleu_smooth_value",
        help="value of floor (default: 0.1) and add-k (default: 1)",
    )  # fmt: skip
    add.add_argument(
        "--tokenize", "-tok", choices=BLEU.TOKENIZERS, dest="bleu_tokenize",
        help="tokenizer (default: zh for Chinese, ja-mecab for Japanese, ko-mecab for Korean as "
        "target language of -l, otherwise 13a)",
    )  # fmt: skip
    add.add_argument(
        "--lowercase", "-lc", dest="bleu_lowercase", action="store_true", help="lower-case the text"
    )
    add.add_argument(
        "--force", dest="bleu_force", action="store_true",
        help="do not warn about text that looks tokenized",
    )  # fmt: skip
    add = made.add_argument_group("chrF")
    add.add_argument(
        "--chrf-char-order", "-cc", type=int, default=6,
        help="longest character n-grams (default: %(default)s)",
    )  # fmt: skip
    add.add_argument(
        "--chrf-word-order", "-cw", type=int, default=0,
        help="longest word n-grams; 2 is chrF++ (default: %(default)s)",
    )  # fmt: skip
    add.add_argument(
        "--chrf-beta", type=int, default=2,
        help="weight of recall relative to precision (default: %(default)s)",
    )  # fmt: skip
    add.add_argument("--chrf-whitespace", action="store_true", help="count spaces as characters")
    add.add_argument("--chrf-lowercase", action="store_true", help="lower-case the text")
    add.add_argument(
        "--chrf-eps-smoothing", action="store_true",
        help="give orders without n-grams a tiny score, as chrF++.py does, instead of skipping "
        "them",
    )  # fmt: skip
    add = made.add_argument_group("TER")
    add.add_argument("--ter-case-sensitive", action="store_true", help="do not lower-case the text")
    add.add_argument(
        "--ter-asian-support", action="store_true", help="split Asian text into characters"
    )
    add.add_argument("--ter-no-punct", action="store_true", help="remove punctuation")
    add.add_argument(
        "--ter-normalized", action="store_true", help="split off punctuation and replace entities"
    )


def _add_tests(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("confidence interval of one system")
    add.add_argument(
        "--confidence", "-ci", action="store_true", help="print a 95%% bootstrap interval"
    )
    add.add_argument(
        "--confidence-n", "-cin", type=int, default=1000, help="resamples (default: %(default)s)"
    )
    add = made.add_argument_group("paired tests of several systems")
    either = add.add_mutually_exclusive_group()
    either.add_argument(
        "--paired-ar", "-par", action="store_true", help="test by approximate randomization"
    )
    either.add_argument(
        "--paired-bs", "-pbs", action="store_true", help="test by paired bootstrap resampling"
    )
    add.add_argument(
        "--paired-ar-n", "-parn", type=int, default=10000,
        help="trials of approximate randomization (default: %(default)s)",
    )  # fmt: skip
    add.add_argument(
        "--paired-bs-n", "-pbsn", type=int, default=1000,
        help="resamples of the bootstrap (default: %(default)s)",
    )  # fmt: skip
    add.add_argument(
        "--paired-jobs", "-j", type=int, default=1,
        help="parallel processes; 0 for one per system (default: %(default)s)",
    )  # fmt: skip


def _add_output(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("output")
    add.add_argument(
        "--quiet", "-q", action="store_true", help="print no messages on standard error"
    )
    add.add_argument("--short", "-sh", action="store_true", help="shorten the signature")
    add.add_argument("--score-only", "-b", action="store_true", help="print only the score")
    add.add_argument(
        "--width", "-w", type=int, default=1, help="decimals of the score (default: %(default)s)"
    )
    add.add_argument(
        "--detail", "-d", action="store_true",
        help="also score each original language and domain of the test set",
    )  # fmt: skip
    add.add_argument("--no-color", "-nc", action="store_true", help="print without colors")
    add.add_argument(
        "--format", "-f", default="json", choices=FORMATS,
        help="json or text for one system, text or latex for several; the environment variable "
        "SACREBLEU_FORMAT overrides it (default: %(default)s)",
    )  # fmt: skip
