# SPDX-License-Identifier: Apache-2.0
"""GLEU: matched n-grams of all orders, over those of the longer text (Wu et al. 2016)."""

from __future__ import annotations

from truebleu.dialects.options import GLEUOptions
from truebleu.metrics.family import ReadAsBLEU
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from truebleu.dialects.changes import GLEUChanges
    from truebleu.dialects.decisions import Dialect


class GLEUStats(Rows):
    """Rows of GLEU's statistics, one for each segment or sum of segments. Frozen.

    A row is `[match, total]`: n-grams of all orders that match the best reference, and those of the
    hypothesis or of this reference, whichever has more.
    """

    __slots__ = ()

    _MAGIC = b"TBGLEU\x01\x00"
    _COLUMNS = ("match", "total")


class GLEUScore(MetricScore):
    """A score of GLEU, from 0 to 1. Frozen. Its n-grams are in `counts()`.

    Attributes:
        name: GLEU.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.

    Example:
        >>> from truebleu import GLEU
        >>> print(GLEU().corpus(["the cat sat"], ["the cat sits"]))
        GLEU = 0.5000
    """

    __slots__ = ()

    stats: GLEUStats

    scale = 1


class GLEU(ReadAsBLEU["GLEUStats", "GLEUScore"]):
    """GLEU ("Google-BLEU", Wu et al. 2016), with the verbs of `BLEU`.

    The smaller of precision and recall of the n-grams of all orders together: clipped matches over
    the n-grams of the hypothesis or of the reference, whichever has more. With several references,
    the one with the best score of its own counts, and of equal ones the first. A corpus score is
    the sum of the matches of all segments over the sum of these n-grams. Of texts it is the
    `google_bleu` of Hugging Face evaluate 0.4.6, of lists of words NLTK's `corpus_gleu`, to the
    last bit.

    Args:
        dialect: a row of `DIALECTS`, or a Dialect, whose first two decisions say how text is read.
        min_len: the lowest n-gram order (1).
        max_len: the highest n-gram order (4).
        tokenize: the tokenizer; like other options of these decisions, such as `lowercase`, it
            changes how text is read.
        threads: the most threads that a call uses; see `BLEU`.

    Raises:
        OptionError: an option or a value does not exist.

    Example:
        >>> from truebleu import GLEU
        >>> score = GLEU().corpus(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score.format(signature=True))
        GLEU|nrefs:1|case:mixed|tok:13a|min_len:1|max_len:4|version:3.10.4 = 0.6111
        >>> score.counts()
        {'match': 11, 'total': 18}
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(
            self, dialect: str | Dialect = "sacrebleu", *, threads: int | None = None, **changes: Unpack[GLEUChanges]
        ) -> None: ...

    _NAME, _KERNEL, _TOOL = "GLEU", "gleu", "nltk"
    options: GLEUOptions
    _OPTIONS, _STATS, _SCORE = GLEUOptions, GLEUStats, GLEUScore
