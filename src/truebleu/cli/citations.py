# SPDX-License-Identifier: Apache-2.0
"""`--cite`: BibTeX of TrueBLEU and of the metrics, tokenizers and tests of a command."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from truebleu.metrics.bleu import BLEU
from truebleu.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from truebleu.cli.flags import Args

_SACREBLEU = "post-2018-call"

#: What describes a metric, a tool, a tokenizer, a test; keys of `citations.bib`.
_METRICS = {
    "bleu": ("papineni-etal-2002-bleu",), "chrf": ("popovic-2015-chrf", _SACREBLEU),
    "ter": ("snover-etal-2006-study", _SACREBLEU), "gleu": ("wu-etal-2016-gnmt",),
    "nist": ("doddington-2002-nist",), "codebleu": ("ren-etal-2020-codebleu",),
}  # fmt: skip
_TOOLS = {
    "sacrebleu": _SACREBLEU, "nltk": "bird-etal-2009-nltk", "multi-bleu": "koehn-etal-2007-moses",
    "multi-bleu-detok": "koehn-etal-2007-moses", "coco-caption": "chen-etal-2015-coco",
}  # fmt: skip
_TOKENIZERS = {
    "flores101": "goyal-etal-2022-flores", "flores200": "nllb-2022", "spBLEU-1K": "nllb-2022",
    "ja-mecab": "kudo-etal-2004-applying", "ko-mecab": "kudo-etal-2004-applying",
    "moses": "koehn-etal-2007-moses", "nltk": "bird-etal-2009-nltk",
    "nltk-line": "bird-etal-2009-nltk",
}  # fmt: skip
_TESTS = {"permutation": "riezler-maxwell-2005-pitfalls", "bootstrap": "koehn-2004-statistical",
          "ar": "riezler-maxwell-2005-pitfalls"}  # fmt: skip
_CORRECTIONS = {
    "maxt": "westfall-young-1993-resampling", "holm": "holm-1979-procedure",
    "bh": "benjamini-hochberg-1995-controlling",
}  # fmt: skip


def bibtex(args: Args) -> str:
    """The entries of TrueBLEU, of metrics with tools and tokenizers, of a test and correction."""
    text = Path(__file__).with_name("citations.bib").read_text(encoding="utf-8")
    entries = {entry.partition("{")[2].partition(",")[0]: entry for entry in text.split("\n\n")}
    keys = dict.fromkeys(["truebleu", *_keys(args)])
    return "\n\n".join(entries[key].strip().replace("VERSION", __version__) for key in keys)


def _keys(args: Args) -> Iterator[str]:
    for name in args.get("metrics", ["bleu"]):
        yield from _METRICS[name]
        if name == "chrf" and args.get("chrf_word_order"):
            yield "popovic-2017-chrf"
        if name == "bleu":
            tool = BLEU(args["dialect"]).dialect  # names the mistake, if there is no such tool
            tokenizer = args.get("tokenize", tool.options()["tokenize"])
            yield from (table[key] for table, key in ((_TOOLS, tool.name), (_TOKENIZERS, tokenizer))
                        if key in table)  # fmt: skip
    with suppress(KeyError):  # score has no test
        test = args["test"].removeprefix("sacrebleu-")
        yield _TESTS[test]
        if len(args.get("input", ())) != 2:  # one pair needs no correction
            yield _CORRECTIONS[args.get("correction", "maxt" if test == args["test"] else "holm")]
