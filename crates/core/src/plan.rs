//! A plan: the five decisions for one tool, as values. Compiled once, then used for any input.

use std::collections::HashSet;

use crate::simd::Level;
use crate::tokenize::{Seed, Tokenizer};

/// What happens to upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Mixed,
    /// Full Unicode lower case.
    LowerUnicode,
    /// A to Z only.
    LowerAscii,
}

/// Which ends of a segment lose their white space before it is tokenized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strip {
    None,
    Right,
}

/// What the text is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Text in which entities were left.
    Text,
    /// The text of an SGML file, where `&`, `<` and `>` had been escaped.
    Sgml,
}

/// Before or behind the tokenizer: it undoes markup, whose names are in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowercaseWhen {
    Before,
    After,
}

#[derive(Clone, Copy, Debug)]
pub struct Normalize {
    pub case: Case,
    pub when: LowercaseWhen,
    pub strip: Strip,
}

/// Which reference length a segment counts, when there are several references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefLen {
    /// The closest to the hypothesis; of two, the shorter.
    Closest,
    /// The closest; of two, the one listed first.
    ClosestFirst,
    Shortest,
    Longest,
    First,
    /// The mean, rounded down.
    Average,
    /// 2, whatever the references are: `CodeBLEU` measures the pair of words and weights.
    Pair,
}

/// What the length of a hypothesis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    Tokens,
    Characters,
}

#[derive(Clone, Debug)]
pub struct Count {
    /// Orders that are counted.
    pub orders: usize,
    /// Use the first reference alone.
    pub first_reference_only: bool,
    pub ref_len: RefLen,
    pub length_unit: LengthUnit,
    /// Count one n-gram where a hypothesis has none.
    pub floor_totals: bool,
    /// Count the n-grams of the references, with these words weighing more.
    pub recall: Option<HashSet<Vec<u8>>>,
}

/// What stands in for a count of zero (Chen and Cherry 2014).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smooth {
    None,
    /// This value in place of a zero count.
    Floor(f64),
    /// This value in place of a zero precision.
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
    /// From order 3 on, precisions are drawn to what the two before foretell, by this weight.
    Interpolate(f64),
    /// `Length`, then `Average`.
    LengthAverage(f64),
}

impl Smooth {
    /// The precision of an order that has none.
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

/// When a score is zero before anything is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    None,
    NoMatch,
    NoUnigram,
    /// An order has no match.
    AnyOrder,
    EmptyHyp,
    /// The hypothesis has fewer tokens than there are orders.
    ShortHyp,
}

/// What an order means of which the hypotheses have no n-gram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingOrder {
    /// This order and those behind it have a precision of zero, or no part in the effective order.
    Stop,
    Zero,
    One,
}

/// What the logarithm of a precision of zero is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroPrecision {
    /// So low that the score is zero.
    Zero,
    /// Left out of the sum.
    Skip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brevity {
    /// e^(1 - r/c).
    Standard,
    /// e^(1 - 1/(c/r)).
    Ratio,
    /// e^(1 - c/r).
    Inverted,
    None,
}

/// For which corpora the tool has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    Never,
    EmptyHyp,
    EmptyEither,
    EmptyBoth,
}

/// How the mean of logarithms is computed: the last bit of a score depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Of precisions in percent, their sum divided.
    Percent,
    /// Of precisions from 0 to 1, their sum divided.
    Mean,
    /// Of precisions from 0 to 1, each multiplied by its weight, which need not sum to 1.
    Weighted,
}

/// How logarithms are added: the last bit of a score depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summation {
    /// One after the other: Python's `sum` before 3.12.
    Naive,
    /// With Neumaier's correction: Python's `sum` from 3.12 on.
    Compensated,
    /// Rounded once: Python's `math.fsum`.
    Exact,
}

/// What is rounded to floats of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Nothing,
    Score,
    /// Each step of a precision: so sacreBLEU resamples, with `NumPy` 2.
    Precisions,
}

#[derive(Clone, Debug)]
pub struct Combine {
    /// Orders that the score is a mean of.
    pub orders: usize,
    pub smooth: Smooth,
    pub guard: Guard,
    pub missing_order: MissingOrder,
    pub zero_precision: ZeroPrecision,
    /// Leave out the orders of which the hypothesis has no n-gram.
    pub effective_order: bool,
    /// One for each order; `None` weighs all alike.
    pub weights: Option<Vec<f64>>,
    /// NLTK's: for fewer than four tokens, equal weights of four orders go to those there are.
    pub auto_reweigh: bool,
    pub arithmetic: Arithmetic,
    pub summation: Summation,
    pub brevity: Brevity,
    pub undefined: Undefined,
    /// What the product is multiplied by.
    pub factor: f64,
    pub rounding: Rounding,
}

/// The five decisions (how segments join needs no setting: rows add).
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
}
