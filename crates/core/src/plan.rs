//! A plan: the five decisions for one tool, as values. Compiled once, then used for any input.

use crate::simd::Level;
use crate::tokenize::{Rules, Seed, Tokenizer, Whitespace};

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

#[derive(Clone, Copy, Debug)]
pub struct Normalize {
    pub case: Case,
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
}

#[derive(Clone, Copy, Debug)]
pub struct Count {
    pub max_ngram_order: usize,
    pub ref_len: RefLen,
}

/// What stands in for a count of zero (Chen and Cherry 2014).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smooth {
    None,
    /// This value in place of a zero count.
    Floor(f64),
    /// This value added to matches and totals from order 2 on, whether they are zero or not.
    AddK(f64),
    /// The j-th order without a match counts 1 / 2^j (mteval's).
    Exp,
}

/// How logarithms are added: the last bit of a score depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summation {
    /// One after the other: Python's `sum` before 3.12.
    Naive,
    /// With Neumaier's correction: Python's `sum` from 3.12 on.
    Compensated,
}

#[derive(Clone, Debug)]
pub struct Combine {
    pub smooth: Smooth,
    /// Leave out the orders of which the hypothesis has no n-gram.
    pub effective_order: bool,
    /// One for each order; `None` weighs all alike.
    pub weights: Option<Vec<f64>>,
    pub summation: Summation,
}

/// The five decisions (how segments join needs no setting: rows add).
#[derive(Debug)]
pub struct Plan {
    pub normalize: Normalize,
    /// Not used for segments that the caller tokenized.
    pub tokenizer: Tokenizer,
    pub count: Count,
    pub combine: Combine,
    pub level: Level,
    pub seed: Seed,
}

impl Plan {
    /// Compiles settings. Each is a name and a value in words; a number is written so that
    /// parsing gives it back exactly.
    pub fn compile<'a>(settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, String> {
        let mut case_rule = Case::LowerUnicode;
        let mut lowercase = false;
        let mut strip = Strip::None;
        let mut rules = Rules::Whitespace;
        let mut whitespace = Whitespace::Python;
        let mut max_ngram_order = 4;
        let mut ref_len = RefLen::Closest;
        let mut smooth_method = "none";
        let mut smooth_value = 0.0;
        let mut effective_order = false;
        let mut weights = None;
        let mut summation = Summation::Naive;
        let mut level = None;
        for (name, value) in settings {
            let unknown = || format!("{name} cannot be {value:?}");
            match name {
                "lowercase" => lowercase = boolean(value).ok_or_else(unknown)?,
                "lowercase_rule" => {
                    case_rule = match value {
                        "unicode" => Case::LowerUnicode,
                        "ascii" => Case::LowerAscii,
                        _ => return Err(unknown()),
                    }
                }
                "strip" => {
                    strip = match value {
                        "none" => Strip::None,
                        "right" => Strip::Right,
                        _ => return Err(unknown()),
                    }
                }
                "tokenize" => {
                    rules = match value {
                        "none" => Rules::Whitespace,
                        "13a" => Rules::V13a,
                        "intl" => Rules::International,
                        "zh" => Rules::Zh,
                        "zh-fixed" => Rules::ZhFixed,
                        "char" => Rules::Characters,
                        _ => return Err(unknown()),
                    }
                }
                "whitespace" => {
                    whitespace = match value {
                        "python" => Whitespace::Python,
                        "ascii" => Whitespace::Ascii,
                        _ => return Err(unknown()),
                    }
                }
                "max_ngram_order" => {
                    max_ngram_order = value.parse().ok().filter(|&n| n > 0).ok_or_else(unknown)?;
                }
                "ref_len" => {
                    ref_len = match value {
                        "closest" => RefLen::Closest,
                        "closest-first" => RefLen::ClosestFirst,
                        "shortest" => RefLen::Shortest,
                        "longest" => RefLen::Longest,
                        "first" => RefLen::First,
                        _ => return Err(unknown()),
                    }
                }
                "smooth_method" => smooth_method = value,
                "smooth_value" => smooth_value = value.parse().map_err(|_| unknown())?,
                "effective_order" => effective_order = boolean(value).ok_or_else(unknown)?,
                "weights" => {
                    let parsed: Result<Vec<f64>, _> = value.split(',').map(str::parse).collect();
                    weights = Some(parsed.map_err(|_| unknown())?);
                }
                "summation" => {
                    summation = match value {
                        "naive" => Summation::Naive,
                        "compensated" => Summation::Compensated,
                        _ => return Err(unknown()),
                    }
                }
                "simd" => {
                    let found = Level::available().into_iter().find(|level| level.name() == value);
                    level = Some(found.ok_or_else(|| {
                        let names: Vec<_> =
                            Level::available().into_iter().map(Level::name).collect();
                        format!("simd {value:?} is not here; this processor has {}", names.join(", "))
                    })?);
                }
                _ => return Err(format!("no setting is named {name:?}")),
            }
        }
        let smooth = match smooth_method {
            "none" => Smooth::None,
            "floor" => Smooth::Floor(smooth_value),
            "add-k" => Smooth::AddK(smooth_value),
            "exp" => Smooth::Exp,
            other => return Err(format!("smooth_method cannot be {other:?}")),
        };
        if weights.as_ref().is_some_and(|weights| weights.len() != max_ngram_order) {
            return Err("weights need one number for each order".into());
        }
        Ok(Self {
            normalize: Normalize { case: if lowercase { case_rule } else { Case::Mixed }, strip },
            tokenizer: Tokenizer::new(rules, whitespace),
            count: Count { max_ngram_order, ref_len },
            combine: Combine { smooth, effective_order, weights, summation },
            level: level.unwrap_or_else(|| Level::available()[0]),
            seed: Seed::default(),
        })
    }

    /// Integers in a row of this plan.
    pub fn width(&self) -> usize {
        crate::stats::width(self.count.max_ngram_order)
    }
}

fn boolean(value: &str) -> Option<bool> {
    match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}
