//! The five decisions for one tool, as values that are compiled once and used for any input.

mod compile;

use std::collections::HashSet;

use foldhash::fast::RandomState;

use crate::combine::Combine;
use crate::count::trie::Trie;
use crate::normalize::{LowercaseWhen, Normalize};
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
