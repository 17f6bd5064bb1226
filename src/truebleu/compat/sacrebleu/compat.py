# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's functions, which make a metric for each call."""

from __future__ import annotations

from collections.abc import Sequence

from truebleu.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from truebleu.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from truebleu.compat.sacrebleu.metrics.ter import TER, TERScore

__all__ = [
    "BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "TERScore", "corpus_bleu", "corpus_chrf",
    "corpus_ter", "raw_corpus_bleu", "sentence_bleu", "sentence_chrf", "sentence_ter",
]  # fmt: skip


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """The BLEU of a corpus (sacreBLEU 2.6.0, `corpus_bleu`).

    Args:
        hypotheses: n strings.
        references: streams of n strings; `None` stands for a missing one.
        smooth_method: `exp`, `floor`, `add-k` or `none`.
        smooth_value: for floor (default: 0.1) and add-k (default: 1).
        force: do not warn about text that looks tokenized.
        lowercase: lowercase the text.
        tokenize: a tokenizer's name.
        use_effective_order: skip orders for which the hypotheses have no n-grams.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.corpus_bleu(["a b c d e"], [["a b c d f"]]).score
        66.87403049764218
    """
    smoothing = smooth_method, smooth_value
    metric = BLEU(lowercase, force, tokenize, *smoothing, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """The BLEU of a tokenized corpus, with floor smoothing (sacreBLEU 2.6.0, `raw_corpus_bleu`).

    Args:
        hypotheses: n strings of tokens.
        references: streams of n strings.
        smooth_value: the floor.
    """
    metric = BLEU(False, True, "none", "floor", smooth_value, effective_order=True)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """The BLEU of one segment (sacreBLEU 2.6.0, `sentence_bleu`).

    Args:
        hypothesis: a string.
        references: strings.
        smooth_method: as for `corpus_bleu`, and so are the other arguments.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.sentence_bleu("a b c", ["a b c"]).score
        100.00000000000004
    """
    smoothing = smooth_method, smooth_value
    metric = BLEU(lowercase, False, tokenize, *smoothing, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """The chrF of a corpus (sacreBLEU 2.6.0, `corpus_chrf`).

    Args:
        hypotheses: n strings.
        references: streams of n strings; `None` stands for a missing one.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; 2 makes chrF++.
        beta: the weight of recall relative to precision.
        remove_whitespace: do not count spaces as characters.
        eps_smoothing: give an order without n-grams a tiny score instead of skipping it.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.corpus_chrf(["a b c d e"], [["a b c d f"]])
        chrF2 = 54.33
    """
    metric = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """The chrF of one segment (sacreBLEU 2.6.0, `sentence_chrf`).

    Args:
        hypothesis: a string.
        references: strings.
        char_order: as for `corpus_chrf`, and so are the other arguments.
    """
    metric = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
    return metric.sentence_score(hypothesis, references)  # type: ignore[no-any-return]


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """The TER of a corpus (sacreBLEU 2.6.0, `corpus_ter`).

    Args:
        hypotheses: n strings.
        references: streams of n strings; `None` stands for a missing one.
        normalized: split off punctuation and replace entities.
        no_punct: remove punctuation.
        asian_support: apply both options to Asian text as well, and split its characters.
        case_sensitive: do not lowercase.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.corpus_ter(["sat the cat"], [["the cat sat"]])
        TER = 33.33
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """The TER of one segment (sacreBLEU 2.6.0, `sentence_ter`).

    Args:
        hypothesis: a string.
        references: strings.
        normalized: as for `corpus_ter`, and so are the other arguments.
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.sentence_score(hypothesis, references)  # type: ignore[no-any-return]
