//! The options of the fifth decision that are choices.

use crate::settings::choices;

choices! {
    /// When a score is zero without smoothing.
    pub enum Guard {
        None = "none",
        NoMatch = "no-match",
        NoUnigram = "no-unigram",
        /// An order has no match.
        AnyOrder = "any-order",
        EmptyHyp = "empty-hyp",
        /// The hypothesis has fewer tokens than there are orders.
        ShortHyp = "short-hyp",
        /// An order has no n-grams.
        MissingOrder = "missing-order",
    }
}

choices! {
    /// The precision of an order without n-grams.
    pub enum MissingOrder {
        /// This order and higher ones have a precision of zero, or are not in the effective order.
        Stop = "stop",
        Zero = "zero",
        One = "one",
    }
}

choices! {
    /// The logarithm of a precision of zero.
    pub enum ZeroPrecision {
        /// So low that the score is zero.
        Zero = "zero",
        /// Left out of the sum.
        Skip = "skip",
        /// Left out of the sum and of the weights.
        Drop = "drop",
    }
}

choices! {
    pub enum Brevity {
        /// e^(1 - r/c).
        Standard = "standard",
        /// e^(1 - 1/(c/r)).
        Ratio = "ratio",
        /// e^(1 - c/r).
        Inverted = "inverted",
        /// c/r.
        Linear = "linear",
        /// e^(-|1 - r/c|), for long hypotheses too.
        Symmetric = "symmetric",
        None = "none",
    }
}

choices! {
    /// Corpora for which the tool has no score.
    pub enum Undefined {
        Never = "never",
        EmptyHyp = "empty-hyp",
        /// The hypotheses are empty, and the references are not.
        EmptyHypOnly = "empty-hyp-only",
        EmptyEither = "empty-either",
        EmptyBoth = "empty-both",
        /// An order has no n-grams.
        MissingOrder = "missing-order",
    }
}

choices! {
    /// How the mean of logarithms is computed: the last bit of a score depends on it.
    pub enum Arithmetic {
        /// The sum of logarithms of percentages, divided.
        Percent = "percent",
        /// The sum of logarithms of fractions, divided.
        Mean = "mean",
        /// The sum of logarithms of fractions times their weights, which need not sum to 1.
        Weighted = "weighted",
        /// The root of the product of fractions; `Mean` with weights, or if a precision of zero is not
        /// the score of zero.
        Root = "root",
    }
}

choices! {
    /// How logarithms are added: the last bit of a score depends on it.
    pub enum Summation {
        /// One after the other: Python's `sum` before 3.12.
        Naive = "naive",
        /// With Neumaier's correction: Python's `sum` from 3.12 on.
        Compensated = "compensated",
        /// Rounded once: Python's `math.fsum`.
        Exact = "exact",
    }
}

choices! {
    /// How segments join.
    pub enum Join {
        /// Their counts are added.
        Rows = "rows",
        /// Their counts are smoothed (by `exp` or `floor`), then added.
        Smoothed = "smoothed",
        /// The score is the mean of their scores.
        Mean = "mean",
    }
}

choices! {
    /// What a mean of segments does with one whose hypothesis or references have no tokens.
    pub enum Empty {
        Score = "score",
        Zero = "zero",
        Skip = "skip",
        SkipHyp = "skip-hyp",
        SkipRef = "skip-ref",
    }
}

impl Empty {
    pub fn skips(self) -> bool {
        !matches!(self, Self::Score | Self::Zero)
    }

    /// Whether a segment of these lengths is concerned.
    pub fn concerns(self, hyp_len: i64, ref_len: i64) -> bool {
        (hyp_len == 0 && !matches!(self, Self::Score | Self::SkipRef))
            || (ref_len == 0 && !matches!(self, Self::Score | Self::SkipHyp))
    }
}

/// Values that are rounded to floats of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Nothing,
    Score,
    /// Each step of a precision, as sacreBLEU resamples with `NumPy` 2.
    Precisions,
}

impl Rounding {
    pub const CHOICES: [(&str, Self); 2] = [("double", Self::Nothing), ("single", Self::Score)];
}
