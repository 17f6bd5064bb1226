# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's functions: a metric is made for each call."""

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from truebleu.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from truebleu.compat.sacrebleu.metrics.ter import TER, TERScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """Score a corpus (sacreBLEU 2.6.0, `corpus_bleu`).

    Args:
        hypotheses: n strings.
        references: streams of n strings; `None` stands for an absent one.
        smooth_method: `exp`, `floor`, `add-k` or `none`.
        smooth_value: of floor (0.1 if not given) and add-k (1).
        force: say nothing about text that looks tokenized.
        lowercase: lower-case the text.
        tokenize: a tokenizer's name.
        use_effective_order: leave out orders of which the hypotheses have no n-gram.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.corpus_bleu(["a b c d e"], [["a b c d f"]]).score
        66.87403049764218
    """
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Score a corpus of tokens, with floor smoothing (sacreBLEU 2.6.0, `raw_corpus_bleu`).

    Args:
        hypotheses: n strings of tokens.
        references: streams of n strings.
        smooth_value: the floor.
    """
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Score one segment (sacreBLEU 2.6.0, `sentence_bleu`).

    Args:
        hypothesis: a string.
        references: strings.
        smooth_method: `exp`, `floor`, `add-k` or `none`.
        smooth_value: of floor (0.1 if not given) and add-k (1).
        lowercase: lower-case the text.
        tokenize: a tokenizer's name.
        use_effective_order: leave out orders of which the hypothesis has no n-gram.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.sentence_bleu("a b c", ["a b c"]).score
        100.00000000000004
    """
    metric = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        force=False,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
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
    """Score a corpus by chrF (sacreBLEU 2.6.0, `corpus_chrf`).

    Args:
        hypotheses: n strings.
        references: streams of n strings; `None` stands for an absent one.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; 2 makes chrF++.
        beta: how many times as much recall counts as precision.
        remove_whitespace: blanks are no characters.
        eps_smoothing: an order without n-grams counts a little, in place of being left out.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.corpus_chrf(["a b c d e"], [["a b c d f"]])
        chrF2 = 54.33
    """
    metric = CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
    )
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Score one segment by chrF (sacreBLEU 2.6.0, `sentence_chrf`).

    Args:
        hypothesis: a string.
        references: strings.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; 2 makes chrF++.
        beta: how many times as much recall counts as precision.
        remove_whitespace: blanks are no characters.
        eps_smoothing: an order without n-grams counts a little, in place of being left out.
    """
    metric = CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
    )
    score: CHRFScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score a corpus by TER (sacreBLEU 2.6.0, `corpus_ter`).

    Args:
        hypotheses: n strings.
        references: streams of n strings; `None` stands for an absent one.
        normalized: set signs apart and undo markup.
        no_punct: drop punctuation.
        asian_support: the two do the same for Asian signs; `normalized` sets characters apart.
        case_sensitive: do not lower-case.

    Example:
        >>> from truebleu.compat import sacrebleu
        >>> sacrebleu.corpus_ter(["sat the cat"], [["the cat sat"]])
        TER = 33.33
    """
    metric = TER(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
    )
    return metric.corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score one segment by TER (sacreBLEU 2.6.0, `sentence_ter`).

    Args:
        hypothesis: a string.
        references: strings.
        normalized: set signs apart and undo markup.
        no_punct: drop punctuation.
        asian_support: the two do the same for Asian signs; `normalized` sets characters apart.
        case_sensitive: do not lower-case.
    """
    metric = TER(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
    )
    score: TERScore = metric.sentence_score(hypothesis, references)
    return score
