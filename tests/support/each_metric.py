# SPDX-License-Identifier: Apache-2.0
"""One metric of each kind that reads text, or several with options that change how it counts."""

from functools import partial
from importlib.util import find_spec

import truebleu as tb
from support.corpora import words

INFO = ["the cat sat on the mat .", "a b c d", "a a b b", words(50)]
IGNORED = [("a",), ("the", "cat"), (",",), ("a", "b")]
#: They read text as BLEU does.
RELATIVES = [
    tb.GLEU,
    partial(tb.GLEU, min_len=2, max_len=6, lowercase=True, tokenize="char"),
    partial(tb.NIST, info=INFO),
    partial(tb.NIST, info=INFO, references="best", order=3, dialect="mteval-v13a"),
    partial(tb.CrystalBLEU, ignore=IGNORED),
    partial(tb.CrystalBLEU, "sacrebleu", ignore=IGNORED, max_ngram_order=5),
]
CHRF_TER = [
    tb.CHRF,
    partial(tb.CHRF, word_order=2, lowercase=True),
    tb.TER,
    partial(tb.TER, normalized=True, no_punct=True),
]
CODE = (0.3, 0.3, 0.4, 0) if find_spec("tree_sitter_java") else (0.5, 0.5, 0, 0)
MAKERS = [tb.BLEU, *CHRF_TER, *RELATIVES, partial(tb.CodeBLEU, "java", weights=CODE)]
METRICS = [make() for make in MAKERS]
