# SPDX-License-Identifier: Apache-2.0
"""The arguments of sacreBLEU's command line: its names, values and defaults, in our words."""

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics import BLEU, METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMATS = ["json", "text", "latex"]

_METRICS = [name.lower() for name in METRICS]

#: An argument: its names, and what argparse is told.
Argument = tuple[tuple[str, ...], "dict[str, Any]"]


def _flag(*names: str, help: str, **more: Any) -> Argument:
    """An argument that is there or not."""
    return names, {"action": "store_true", "help": help, **more}


def _value(*names: str, help: str, **more: Any) -> Argument:
    """An argument with a value, whose default the help names."""
    shown = f"{help} (%(default)s)" if isinstance(more.get("default"), (str, int)) else help
    return names, {"help": shown, **more}


_TEST_SETS: tuple[Argument, ...] = (
    _flag("--citation", "--cite", help="print how to cite a test set, as BibTeX"),
    _flag("--list", help="print the test sets; with -t, the language pairs and fields of one"),
    _value("--test-set", "-t", help="score against this test set; several with commas between"),
    _value(
        "--language-pair", "-l", dest="langpair",
        help="languages of the test set, source first, such as de-en",
    ),
    _value(
        "--origlang", "-ol",
        help="keep the segments first written in this language; non-de keeps all others",
    ),
    _value("--subset", help="keep the segments whose document matches this regular expression"),
    _value("--download", help="fetch this test set into the cache, and stop"),
    _value(
        "--echo", nargs="+",
        help="print fields of the test set (src, ref, docid, ...; all), with tabs between them",
    ),
)  # fmt: skip

_FILES: tuple[Argument, ...] = (
    _value("--input", "-i", nargs="*", help="the systems' files; without, standard input"),
    (("refs",), {"nargs": "*", "default": [], "help": "reference files; give them before -i"}),
    _value(
        "--num-refs", "-nr", type=int, default=1,
        help="references on each line of the file, separated by tabs",
    ),
    _value("--encoding", "-e", default="utf-8", help="how all files are encoded"),
    _value(
        "--metrics", "-m", choices=_METRICS, nargs="+", default=["bleu"],
        help="what to compute, one or more (bleu)",
    ),
    _flag("--sentence-level", "-sl", help="score each line by itself"),
)  # fmt: skip

_BLEU: tuple[Argument, ...] = (
    _value(
        "--smooth-method", "-s", dest="bleu_smooth_method", choices=BLEU.SMOOTH_DEFAULTS,
        default="exp", help="what stands in for orders without a match",
    ),
    _value(
        "--smooth-value", "-sv", type=float, dest="bleu_smooth_value",
        help="the value of the methods floor (0.1 if not given) and add-k (1)",
    ),
    _value(
        "--tokenize", "-tok", choices=BLEU.TOKENIZERS, dest="bleu_tokenize",
        help="the tokenizer; without, that of the target language of -l, which is 13a for all but "
        "Chinese (zh), Japanese (ja-mecab) and Korean (ko-mecab)",
    ),
    _flag("--lowercase", "-lc", dest="bleu_lowercase", help="lower-case all text"),
    _flag("--force", dest="bleu_force", help="do not warn of text that looks tokenized"),
)  # fmt: skip

_CHRF: tuple[Argument, ...] = (
    _value("--chrf-char-order", "-cc", type=int, default=6, help="longest character n-grams"),
    _value(
        "--chrf-word-order", "-cw", type=int, default=0,
        help="longest word n-grams; 2 makes it chrF++",
    ),
    _value("--chrf-beta", type=int, default=2, help="how much recall weighs against precision"),
    _flag("--chrf-whitespace", help="count blanks as characters"),
    _flag("--chrf-lowercase", help="lower-case all text"),
    _flag(
        "--chrf-eps-smoothing",
        help="give orders without n-grams a tiny precision, as chrF++.py does, rather than none",
    ),
)  # fmt: skip

_TER: tuple[Argument, ...] = (
    _flag("--ter-case-sensitive", help="tell upper from lower case"),
    _flag("--ter-asian-support", help="split Asian scripts into characters"),
    _flag("--ter-no-punct", help="leave out punctuation"),
    _flag("--ter-normalized", help="split off punctuation and resolve entities first"),
)

_INTERVAL: tuple[Argument, ...] = (
    _flag("--confidence", "-ci", help="add a 95 %% interval by the bootstrap"),
    _value("--confidence-n", "-cin", type=int, default=1000, help="resamples of the bootstrap"),
)

PAIRED = "paired tests of several systems"

#: The first of that group, of which one can be given.
EITHER: tuple[Argument, ...] = (
    _flag("--paired-ar", "-par", help="test differences by approximate randomization"),
    _flag("--paired-bs", "-pbs", help="test differences by the paired bootstrap"),
)

_PAIRED: tuple[Argument, ...] = (
    _value("--paired-ar-n", "-parn", type=int, default=10000, help="trials of randomization"),
    _value("--paired-bs-n", "-pbsn", type=int, default=1000, help="resamples of the bootstrap"),
    _value(
        "--paired-jobs", "-j", type=int, default=1,
        help="processes that work at a time; 0 for one each system",
    ),
)  # fmt: skip

_REPORT: tuple[Argument, ...] = (
    _flag("--quiet", "-q", help="no messages on standard error"),
    _flag("--short", "-sh", help="short keys in the signature"),
    _flag("--score-only", "-b", help="print the number alone"),
    _value("--width", "-w", type=int, default=1, help="decimals of the score"),
    _flag("--detail", "-d", help="also score each original language and domain of the test set"),
    _flag("--no-color", "-nc", help="no colors on a terminal"),
    _value(
        "--format", "-f", default="json", choices=FORMATS,
        help="json or text for one system; text or latex for several; SACREBLEU_FORMAT in the "
        "environment comes first",
    ),
)  # fmt: skip

#: The arguments by the titles of their groups.
GROUPS: dict[str, tuple[Argument, ...]] = {
    "test sets": _TEST_SETS,
    "files": _FILES,
    "BLEU": _BLEU,
    "chrF": _CHRF,
    "TER, as tercom computes it": _TER,
    "interval of one system": _INTERVAL,
    PAIRED: _PAIRED,
    "output": _REPORT,
}
