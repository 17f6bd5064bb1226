# SPDX-License-Identifier: Apache-2.0
"""The arguments of sacreBLEU's command line; names, defaults and help are what its users know."""

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics import BLEU, METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMATS = ["json", "text", "latex"]

_METRICS = [name.lower() for name in METRICS]

_BLEU = "BLEU related arguments"
_CHRF = "chrF related arguments"
_TER = "TER related arguments (The defaults replicate TERCOM's behavior)"
_CI = "Confidence interval (CI) estimation for single-system evaluation"
_PAIRED = "Paired significance testing for multi-system evaluation"
_REPORT = "Reporting related arguments"

#: Each argument: the title of its group, its names, and what argparse is told.
ARGUMENTS: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    (
        "",
        ("--citation", "--cite"),
        {"action": "store_true", "help": "Dump the bibtex citation and quit."},
    ),
    ("", ("--list",), {"action": "store_true", "help": "Print a list of all available test sets."}),
    (
        "",
        ("--test-set", "-t"),
        {
            "help": (
                "The test set to use (see also --list) or a comma-separated list of test sets to "
                "be concatenated."
            )
        },
    ),
    (
        "",
        ("--language-pair", "-l"),
        {"dest": "langpair", "help": "Source-target language pair (2-char ISO639-1 codes)."},
    ),
    (
        "",
        ("--origlang", "-ol"),
        {
            "help": (
                "Use a subset of sentences with a given original language (2-char ISO639-1 "
                'codes), "non-" prefix means negation.'
            )
        },
    ),
    (
        "",
        ("--subset",),
        {
            "help": (
                "Use a subset of sentences whose document annotation matches a given regex (see "
                "SUBSETS in the source code)."
            )
        },
    ),
    ("", ("--download",), {"help": "Download a test set and quit."}),
    (
        "",
        ("--echo",),
        {
            "nargs": "+",
            "help": (
                "Output the source (src), reference (ref), or other available field (docid, "
                "ref:A, ref:1 for example) to STDOUT and quit. You can get available fields with "
                "options `--list` and `-t`For example: `sacrebleu -t wmt21 --list`. If multiple "
                "fields are given, they are outputted with tsv format in the order they are "
                "given.You can also use `--echo all` to output all available fields."
            ),
        },
    ),
    ("", ("--input", "-i"), {"nargs": "*", "help": "Read input from file(s) instead of STDIN."}),
    (
        "",
        ("refs",),
        {
            "nargs": "*",
            "default": [],
            "help": (
                "Optional list of references. If given, it should preceed the -i/--input argument."
            ),
        },
    ),
    (
        "",
        ("--num-refs", "-nr"),
        {
            "type": int,
            "default": 1,
            "help": (
                "Split the reference stream on tabs, and expect this many references. (Default: "
                "%(default)s)"
            ),
        },
    ),
    (
        "",
        ("--encoding", "-e"),
        {
            "default": "utf-8",
            "help": "Open text files with specified encoding (Default: %(default)s)",
        },
    ),
    (
        "",
        ("--metrics", "-m"),
        {
            "choices": _METRICS,
            "nargs": "+",
            "default": ["bleu"],
            "help": "Space-delimited list of metrics to compute (Default: bleu)",
        },
    ),
    (
        "",
        ("--sentence-level", "-sl"),
        {"action": "store_true", "help": "Compute metric for each sentence."},
    ),
    (
        _BLEU,
        ("--smooth-method", "-s"),
        {
            "choices": BLEU.SMOOTH_DEFAULTS,
            "default": "exp",
            "dest": "bleu_smooth_method",
            "help": (
                "Smoothing method: exponential decay, floor (increment zero counts), add-k "
                "(increment num/denom by k for n>1), or none. (Default: %(default)s)"
            ),
        },
    ),
    (
        _BLEU,
        ("--smooth-value", "-sv"),
        {
            "type": float,
            "dest": "bleu_smooth_value",
            "help": (
                "The smoothing value. Only valid for floor and add-k. (Defaults: floor: 0.1, "
                "add-k: 1)"
            ),
        },
    ),
    (
        _BLEU,
        ("--tokenize", "-tok"),
        {
            "choices": BLEU.TOKENIZERS,
            "dest": "bleu_tokenize",
            "help": (
                "Tokenization method to use for BLEU. If not provided, defaults to `zh` for "
                "Chinese, `ja-mecab` for Japanese, `ko-mecab` for Korean and `13a` (mteval) "
                "otherwise."
            ),
        },
    ),
    (
        _BLEU,
        ("--lowercase", "-lc"),
        {
            "dest": "bleu_lowercase",
            "action": "store_true",
            "help": "If True, enables case-insensitivity. (Default: %(default)s)",
        },
    ),
    (
        _BLEU,
        ("--force",),
        {
            "action": "store_true",
            "dest": "bleu_force",
            "help": "Insist that your tokenized input is actually detokenized.",
        },
    ),
    (
        _CHRF,
        ("--chrf-char-order", "-cc"),
        {"type": int, "default": 6, "help": "Character n-gram order. (Default: %(default)s)"},
    ),
    (
        _CHRF,
        ("--chrf-word-order", "-cw"),
        {
            "type": int,
            "default": 0,
            "help": (
                "Word n-gram order (Default: %(default)s). If equals to 2, the metric is referred"
                " to as chrF++."
            ),
        },
    ),
    (
        _CHRF,
        ("--chrf-beta",),
        {
            "type": int,
            "default": 2,
            "help": "Determine the importance of recall w.r.t precision. (Default: %(default)s)",
        },
    ),
    (
        _CHRF,
        ("--chrf-whitespace",),
        {
            "action": "store_true",
            "help": "Include whitespaces when extracting character n-grams. (Default: %(default)s)",
        },
    ),
    (
        _CHRF,
        ("--chrf-lowercase",),
        {"action": "store_true", "help": "Enable case-insensitivity. (Default: %(default)s)"},
    ),
    (
        _CHRF,
        ("--chrf-eps-smoothing",),
        {
            "action": "store_true",
            "help": (
                "Enables epsilon smoothing similar to chrF++.py, NLTK and Moses; instead of "
                "effective order smoothing. (Default: %(default)s)"
            ),
        },
    ),
    (
        _TER,
        ("--ter-case-sensitive",),
        {"action": "store_true", "help": "Enables case sensitivity. (Default: %(default)s)"},
    ),
    (
        _TER,
        ("--ter-asian-support",),
        {
            "action": "store_true",
            "help": "Enables special treatment of Asian characters. (Default: %(default)s)",
        },
    ),
    (
        _TER,
        ("--ter-no-punct",),
        {"action": "store_true", "help": "Removes punctuation. (Default: %(default)s)"},
    ),
    (
        _TER,
        ("--ter-normalized",),
        {
            "action": "store_true",
            "help": "Applies basic normalization and tokenization. (Default: %(default)s)",
        },
    ),
    (
        _CI,
        ("--confidence", "-ci"),
        {"action": "store_true", "help": "Report confidence interval using bootstrap resampling."},
    ),
    (
        _CI,
        ("--confidence-n", "-cin"),
        {
            "type": int,
            "default": 1000,
            "help": (
                "Set the number of bootstrap resamples for CI estimation (Default: %(default)s)."
            ),
        },
    ),
    (
        _PAIRED,
        ("--paired-ar", "-par"),
        {
            "action": "store_true",
            "help": (
                "Perform paired test using approximate randomization (AR). This option is "
                "mutually exclusive with --paired-bs (Default: %(default)s)."
            ),
        },
    ),
    (
        _PAIRED,
        ("--paired-bs", "-pbs"),
        {
            "action": "store_true",
            "help": (
                "Perform paired test using bootstrap resampling. This option is mutually "
                "exclusive with --paired-ar (Default: %(default)s)."
            ),
        },
    ),
    (
        _PAIRED,
        ("--paired-ar-n", "-parn"),
        {
            "type": int,
            "default": 10000,
            "help": "Number of trials for approximate randomization test (Default: %(default)s).",
        },
    ),
    (
        _PAIRED,
        ("--paired-bs-n", "-pbsn"),
        {
            "type": int,
            "default": 1000,
            "help": (
                "Number of bootstrap resamples for paired bootstrap resampling test (Default: "
                "%(default)s)."
            ),
        },
    ),
    (
        _PAIRED,
        ("--paired-jobs", "-j"),
        {
            "type": int,
            "default": 1,
            "help": (
                "If 0, launches as many workers as the number of systems. If > 0, sets the number"
                " of workers manually. This feature is currently not supported on Windows."
            ),
        },
    ),
    (_REPORT, ("--quiet", "-q"), {"action": "store_true", "help": "Suppress verbose messages."}),
    (
        _REPORT,
        ("--short", "-sh"),
        {"action": "store_true", "help": "Produce a shorter (less human readable) signature."},
    ),
    (
        _REPORT,
        ("--score-only", "-b"),
        {"action": "store_true", "help": "Print only the computed score."},
    ),
    (
        _REPORT,
        ("--width", "-w"),
        {"type": int, "default": 1, "help": "Floating point width (Default: %(default)s)."},
    ),
    (
        _REPORT,
        ("--detail", "-d"),
        {
            "action": "store_true",
            "help": "Print detailed information (split test sets based on origlang).",
        },
    ),
    (
        _REPORT,
        ("--no-color", "-nc"),
        {"action": "store_true", "help": "Disable the occasional use of terminal colors."},
    ),
    (
        _REPORT,
        ("--format", "-f"),
        {
            "default": "json",
            "choices": FORMATS,
            "help": (
                "Set the output format. `latex` is only valid for multi-system mode whereas "
                "`json` and `text` apply to single-system mode only. This flag is overridden if "
                "the SACREBLEU_FORMAT environment variable is set to one of the valid choices "
                "(Default: %(default)s)."
            ),
        },
    ),
)
