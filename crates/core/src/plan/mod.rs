//! The five decisions for one tool, as values that are compiled once and used for any input.

mod compile;

use std::collections::HashSet;

use foldhash::fast::RandomState;

use crate::normalize::{LowercaseWhen, Normalize};
use crate::sets::trie::Trie;
use crate::settings::choices;
use crate::simd::Level;
use crate::tokenize::{Seed, Tokenizer};

choices! {
    /// Which reference length a segment counts, when there are several references.
    pub enum RefLen {
        /// The closest to the hypothesis; with a tie, the shorter.
        Closest = "closest",
        /// The closest; with a tie, the one listed first.
        ClosestFirst = "closest-first",
        Shortest = "shortest",
        Longest = "longest",
        First = "first",
        /// The mean, rounded down.
        Average = "average",
        /// Always 2: `CodeBLEU` measures the pair of words and weights.
        Pair = "pair",
    }
}

choices! {
    /// Which references the matches of a segment come from.
    pub enum References {
        All = "all",
        First = "first",
        /// For each order, the reference with the most matches.
        Best = "best",
    }
}

/// What is counted of each order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The n-grams of the hypothesis that match, each at most as often as a reference has it.
    Precision,
    /// The same, however often a reference has them.
    SimplePrecision,
    /// How often a reference has each n-gram that is in the hypothesis.
    ReferenceCounts,
    /// The n-grams of references that match, with more weight on these words.
    Recall(Keywords),
}

impl Measure {
    /// How often an n-gram matches, from its counts in a hypothesis and a reference.
    pub(crate) fn shared(&self) -> fn(u32, u32) -> u32 {
        match self {
            Self::Precision | Self::Recall(_) => Ord::min,
            Self::SimplePrecision => |hyp, reference| hyp * reference.min(1),
            Self::ReferenceCounts => |hyp, reference| reference * hyp.min(1),
        }
    }
}

/// Words with more weight.
pub type Keywords = HashSet<Vec<u8>, RandomState>;

choices! {
    /// The unit of a hypothesis's length.
    pub enum LengthUnit {
        Tokens = "tokens",
        Characters = "characters",
    }
}

#[derive(Clone, Debug)]
pub struct Count {
    /// Number of orders in a row.
    pub orders: usize,
    /// Number of orders whose matches are counted; a segment's score is noted in the others.
    pub counted: usize,
    pub references: References,
    pub ref_len: RefLen,
    pub length_unit: LengthUnit,
    /// Count at least one n-gram of each order.
    pub floor_totals: bool,
    /// Count a negative number of n-grams in segments that are too short for an order.
    pub negative_totals: bool,
    pub measure: Measure,
    /// N-grams that are not counted, which only `CrystalBLEU` has.
    pub ignored: Option<Trie>,
}

impl Count {
    /// Whether `other` counts the same matches, and perhaps more orders. `several`: whether a segment
    /// has several references.
    pub fn matches_as(&self, other: &Self, several: bool) -> bool {
        self.measure == other.measure
            && !matches!(self.measure, Measure::Recall(_))
            && self.counted <= other.counted
            && (self.references == other.references || !several)
            && self.ignored.is_none()
            && other.ignored.is_none()
    }
}

/// How counts of zero are smoothed (Chen and Cherry 2014).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smooth {
    None,
    /// This value instead of a count of zero.
    Floor(f64),
    /// This value instead of a precision of zero.
    Constant(f64),
    /// This value added to matches and totals from order 2 on, whether they are zero or not.
    AddK(f64),
    /// The same from order 1 on.
    AddKAll(f64),
    /// The j-th order without a match counts 1 / 2^j (mteval's).
    Exp,
    /// The j-th order without a match counts ln(length) / (this value * 2^j).
    Length(f64),
    /// Each precision is averaged with its neighbors.
    Average,
    /// From order 3 on, precisions are interpolated with an extrapolation of the two before, by this
    /// weight.
    Interpolate(f64),
    /// `Length`, then `Average`.
    LengthAverage(f64),
}

impl Smooth {
    /// The precision of an order without n-grams.
    pub fn constant(self) -> f64 {
        match self {
            Self::Constant(value) => value,
            _ => 0.0,
        }
    }

    pub fn interpolates(self) -> bool {
        matches!(self, Self::Interpolate(_))
    }

    pub fn needs_next_order(self) -> bool {
        matches!(self, Self::Average | Self::LengthAverage(_))
    }
}

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

/// Values that are rounded to floats of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Nothing,
    Score,
    /// Each step of a precision, as sacreBLEU resamples with `NumPy` 2.
    Precisions,
}

#[derive(Clone, Debug)]
pub struct Combine {
    /// Number of orders in the mean.
    pub orders: usize,
    pub smooth: Smooth,
    /// Added to the matches, the n-grams and the precision of each order.
    pub add_counts: [f64; 3],
    /// An order has at least so many n-grams.
    pub least_total: f64,
    pub guard: Guard,
    pub missing_order: MissingOrder,
    pub zero_precision: ZeroPrecision,
    /// Leave out orders without n-grams.
    pub effective_order: bool,
    /// One for each order; equal if `None`.
    pub weights: Option<Vec<f64>>,
    /// The score is the sum of those up to each order, times these numbers, instead of the last.
    pub cumulative_weights: Option<Vec<f64>>,
    /// NLTK's option: for fewer than four tokens, four equal weights are spread over the orders
    /// that exist.
    pub auto_reweigh: bool,
    pub arithmetic: Arithmetic,
    pub summation: Summation,
    pub brevity: Brevity,
    /// The exponent of the penalty.
    pub brevity_power: f64,
    /// Added to the length of the hypothesis and of the reference in the penalty.
    pub add_lengths: [f64; 2],
    pub undefined: Undefined,
    /// The factor of the product.
    pub factor: f64,
    pub join: Join,
    pub rounding: Rounding,
}

impl Combine {
    /// Orders that are counted for smoothing or the score.
    pub fn orders_read(&self) -> usize {
        self.orders + usize::from(self.smooth.needs_next_order())
    }
}

/// The five decisions. Rows add; for a mean of segments, they hold the sum of the scores too, and
/// for smoothed segments the matches that smoothing added.
#[derive(Debug)]
pub struct Plan {
    pub normalize: Normalize,
    /// Not used for segments that the caller tokenized.
    pub tokenizer: Tokenizer,
    /// Splits at white space alone, for texts that are tokenized already.
    pub blanks: Tokenizer,
    pub count: Count,
    pub combine: Combine,
    pub level: Level,
    pub seed: Seed,
}

impl Plan {
    /// Integers in a row of this plan.
    pub fn width(&self) -> usize {
        crate::stats::width(self.count.orders)
    }

    /// Whether it makes the same tokens of every text as `other`.
    pub fn reads_as(&self, other: &Self) -> bool {
        self.normalize == other.normalize
            && self.tokenizer == other.tokenizer
            && self.count.length_unit == other.count.length_unit
    }

    /// Whether several texts can be read as one line.
    pub(crate) fn reads_several(&self) -> bool {
        self.tokenizer.takes_several()
            && self.count.length_unit != LengthUnit::Characters
            && self.normalize.when != LowercaseWhen::After
    }

    /// Whether it reads the letters of words, which ids do not have.
    pub fn reads_letters(&self) -> bool {
        self.count.length_unit == LengthUnit::Characters
            || matches!(self.count.measure, Measure::Recall(_))
    }
}
