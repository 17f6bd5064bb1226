# SPDX-License-Identifier: Apache-2.0
"""Rows of the table repeat the faults of their tools; the rows to use instead do not have them."""

import pytest

from truebleu import BLEU, DIALECTS

EIGHT = "one two three four five six seven eight"
ADD_K = {"smooth_method": "add-k"}

#: What is wrong, hypotheses, references, the tool's row with its score, and another row with its.
FAULTS = [
    ("a short segment lowers a perfect corpus", [EIGHT, "a b"], [[EIGHT], ["a b"]],
     "nltk", 0.9193, "papineni-2002", 1),
    ("an empty line lowers a perfect corpus", [EIGHT, ""], [[EIGHT], [""]],
     "nltk", 0.8633, "papineni-2002", 1),
    ("a score without matches is not 0", ["the cat sat on a mat"], [["the dog sat by the mat"]],
     "nltk", 1.532e-231, "papineni-2002", 0),
    ("a score is above 1", [EIGHT], [[EIGHT]], "nltk-method5", 1.1167, "papineni-2002", 1),
    ("a score is above 1", [EIGHT], [[EIGHT]], "nltk-method7", 1.1167, "papineni-2002", 1),
    ("one word is not smoothed", ["a"], [["a b c d"]], "nltk-method4", 0.04979, "papineni-2002", 0),
    ("an order without matches is perfect", ["the cat sat on mat"], [["the cat is on the mat"]],
     "compare-mt", 54.75, "sacrebleu", 20.80),
    ("recall instead of precision", ["return x + y"], [["return x + y", "y += x"]],
     "codebleu-weighted", 0.6263, "codebleu-ngram", 1),
    ("superfluous words cost nothing", ["return x + y and so on and so on"], [["return x + y"]],
     "codebleu-weighted", 1, "codebleu-ngram", 0.2627),
    ("the longer of two equally close references", ["a b c d e"], [["a b c d e f", "a b c d"]],
     "torchmetrics", 0.8187, "sacrebleu", 100),
    ("the shortest reference", ["a b c d e"], [["a b c d e f", "a b"]],
     "tf-nmt", 100, "sacrebleu", 81.87),
    ("the ratio of the brevity penalty is inverted", ["a b c d e"], [["a b c d e f g h i j"]],
     "quick-overview-as-coded", 1.649, "quick-overview", 0.3679),
    ("division by zero", [""], [["v w x y z"]], "hf-bleu", float("nan"), "sacrebleu", 0),
    ("division by zero", [""], [["v w x y z"]], "paddlenlp", float("nan"), "papineni-2002", 0),
    ("an empty corpus is perfect", [""], [[""]], "multeval", 1, "sacrebleu", 0),
    ("100.00000000000004", ["a b c d"], [["a b c d"]],
     "sacrebleu", 100.00000000000004, "papineni-2002", 1),
    # Faults that only options show.
    ("smoothing has no effect", ["the cat sat on mat"], [["the cat is on the mat"]],
     BLEU("torchmetrics", **ADD_K), 0, BLEU(**ADD_K), 33.09),
    ("points without a match", ["a b c d e"], [["v w x y z"]],
     BLEU("bleuscore", smooth_method="add-k-all"), 0.2296, "sacrebleu", 0),
    ("characters beyond 16 bits", ["𠀀𠀁𠀂𠀃𠀄"], [["𠀀𠀁𠀂𠀃𠀅"]],
     BLEU(tokenize="zh"), 0, BLEU(tokenize="zh-fixed"), 66.87),
]  # fmt: skip


def near(value):
    return pytest.approx(value, rel=1e-3, abs=0, nan_ok=True)


@pytest.mark.parametrize(("fault", "hyps", "refs", "tool", "theirs", "other", "right"), FAULTS)
def test_a_row_repeats_a_fault_and_its_right_row_does_not(fault, hyps, refs, tool, theirs, other, right):
    for row, score in ((tool, theirs), (other, right)):
        bleu = BLEU(row) if isinstance(row, str) else row
        assert bleu.corpus(hyps, refs).value == near(score), fault
    assert not isinstance(tool, str) or DIALECTS[tool].fixed in (None, "", other)


def test_every_row_with_a_right_row_differs_from_it():
    def percents(name):
        bleu = BLEU(name)
        return [bleu.corpus(hyps, refs).value * 100 / bleu.dialect.combine.scale for _, hyps, refs, *_ in FAULTS]

    for name, row in DIALECTS.items():
        if row.fixed:
            assert percents(name) != pytest.approx(percents(row.fixed), abs=1), name
