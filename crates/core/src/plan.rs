//! A plan: the five decisions for one tool, as values. Compiled once, then used for any input.

use std::num::NonZeroUsize;
use std::str::FromStr;

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
    pub fn compile<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, String> {
        let mut lowercase = false;
        let mut lowercase_rule = Case::LowerUnicode;
        let mut strip = Strip::None;
        let mut rules = Rules::Whitespace;
        let mut whitespace = Whitespace::Python;
        let mut max_ngram_order = 4;
        let mut ref_len = RefLen::Closest;
        let mut smooth: MakeSmooth = |_| Smooth::None;
        let mut smooth_value = 0.0;
        let mut effective_order = false;
        let mut weights = None;
        let mut summation = Summation::Naive;
        let mut level = Level::available()[0];
        for (name, value) in settings {
            let setting = Setting { name, value };
            match name {
                "lowercase" => lowercase = setting.one_of(&YES_NO)?,
                "lowercase_rule" => lowercase_rule = setting.one_of(&LOWERCASE_RULES)?,
                "strip" => strip = setting.one_of(&STRIPS)?,
                "tokenize" => rules = setting.one_of(&TOKENIZERS)?,
                "whitespace" => whitespace = setting.one_of(&WHITESPACES)?,
                "max_ngram_order" => max_ngram_order = setting.number::<NonZeroUsize>()?.get(),
                "ref_len" => ref_len = setting.one_of(&REF_LENS)?,
                "smooth_method" => smooth = setting.one_of(&SMOOTHINGS)?,
                "smooth_value" => smooth_value = setting.number()?,
                "effective_order" => effective_order = setting.one_of(&YES_NO)?,
                "weights" => weights = Some(setting.numbers()?),
                "summation" => summation = setting.one_of(&SUMMATIONS)?,
                "simd" => {
                    let levels = Level::available().into_iter();
                    level = setting.one_of(&levels.map(|l| (l.name(), l)).collect::<Vec<_>>())?;
                }
                _ => return Err(format!("no setting is named {name:?}")),
            }
        }
        if weights
            .as_ref()
            .is_some_and(|weights: &Vec<f64>| weights.len() != max_ngram_order)
        {
            return Err("weights need one number for each order".into());
        }
        let smooth = smooth(smooth_value);
        Ok(Self {
            normalize: Normalize {
                case: if lowercase {
                    lowercase_rule
                } else {
                    Case::Mixed
                },
                strip,
            },
            tokenizer: Tokenizer::new(rules, whitespace),
            count: Count {
                max_ngram_order,
                ref_len,
            },
            combine: Combine {
                smooth,
                effective_order,
                weights,
                summation,
            },
            level,
            seed: Seed::default(),
        })
    }

    /// Integers in a row of this plan.
    pub fn width(&self) -> usize {
        crate::stats::width(self.count.max_ngram_order)
    }
}

const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];
const LOWERCASE_RULES: [(&str, Case); 2] =
    [("unicode", Case::LowerUnicode), ("ascii", Case::LowerAscii)];
const STRIPS: [(&str, Strip); 2] = [("none", Strip::None), ("right", Strip::Right)];
const TOKENIZERS: [(&str, Rules); 6] = [
    ("none", Rules::Whitespace),
    ("13a", Rules::V13a),
    ("intl", Rules::International),
    ("zh", Rules::Zh),
    ("zh-fixed", Rules::ZhFixed),
    ("char", Rules::Characters),
];
const WHITESPACES: [(&str, Whitespace); 2] =
    [("python", Whitespace::Python), ("ascii", Whitespace::Ascii)];
const REF_LENS: [(&str, RefLen); 5] = [
    ("closest", RefLen::Closest),
    ("closest-first", RefLen::ClosestFirst),
    ("shortest", RefLen::Shortest),
    ("longest", RefLen::Longest),
    ("first", RefLen::First),
];
/// Makes a smoothing of its value.
type MakeSmooth = fn(f64) -> Smooth;

const SMOOTHINGS: [(&str, MakeSmooth); 4] = [
    ("none", |_| Smooth::None),
    ("floor", Smooth::Floor),
    ("add-k", Smooth::AddK),
    ("exp", |_| Smooth::Exp),
];
const SUMMATIONS: [(&str, Summation); 2] = [
    ("naive", Summation::Naive),
    ("compensated", Summation::Compensated),
];

struct Setting<'a> {
    name: &'a str,
    value: &'a str,
}

impl Setting<'_> {
    fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, String> {
        let found = choices.iter().find(|(name, _)| *name == self.value);
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|&(name, _)| name).collect();
            self.refused(&format!("one of {}", names.join(", ")))
        })
    }

    fn number<T: FromStr>(&self) -> Result<T, String> {
        self.value.parse().map_err(|_| self.refused("a number"))
    }

    fn numbers(&self) -> Result<Vec<f64>, String> {
        let parsed: Result<_, _> = self.value.split(',').map(str::parse).collect();
        parsed.map_err(|_| self.refused("numbers"))
    }

    fn refused(&self, expected: &str) -> String {
        format!(
            "{} cannot be {:?}; it must be {expected}",
            self.name, self.value
        )
    }
}
