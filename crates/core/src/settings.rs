//! Plans from settings: pairs of names and values, as text.

use std::collections::HashMap;
use std::str::FromStr;

use crate::plan::{
    Arithmetic, Case, Combine, Count, Join, Keywords, LengthUnit, LowercaseWhen, Markup, Measure,
    Normalize, Plan, Rounding, Smooth, Strip,
};
use crate::simd::Level;
use crate::tokenize::{Rules, Seed, Tokenizer, Whitespace};

impl Plan {
    /// Compiles pairs of names and values; numbers are written so that parsing is exact.
    pub fn compile<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, String> {
        let mut settings = Settings(settings.into_iter().collect());
        let lowercase: bool = settings.choice("lowercase")?;
        let lowercase_rule = settings.one_of("lowercase_rule", &LOWERCASE_RULES)?;
        let mut normalize = Normalize {
            case: if lowercase {
                lowercase_rule
            } else {
                Case::Mixed
            },
            when: settings.choice("lowercase_when")?,
            strip: settings.choice("strip")?,
        };
        let rules: Rules = settings.choice("tokenize")?;
        let whitespace = settings.choice("whitespace")?;
        let length_unit = settings.choice("length_unit")?;
        // What changes no token is left out, so that more plans read alike.
        if !lowercase && rules.tokens_are_words() {
            normalize.when = LowercaseWhen::Before;
        }
        if (rules, whitespace) == (Rules::Whitespace, Whitespace::Python)
            && length_unit == LengthUnit::Tokens
        {
            normalize.strip = Strip::None;
        }
        let markup = settings.choice("markup")?;
        let combine = Combine::compile(&mut settings)?;
        let counted = combine.orders_read();
        let notes = match combine.join {
            Join::Rows => 0,
            Join::Smoothed => combine.orders,
            Join::Mean => 1,
        };
        let measure = settings.one_of("measure", &MEASURES)?;
        let keywords = settings.words("keywords");
        let count = Count {
            orders: counted + notes,
            counted,
            references: settings.choice("references")?,
            ref_len: settings.choice("ref_len")?,
            length_unit,
            floor_totals: settings.choice("floor_totals")?,
            negative_totals: settings.choice("negative_totals")?,
            measure: measure(keywords),
            ignored: None,
        };
        let plan = Self {
            normalize,
            tokenizer: Tokenizer::new(rules, whitespace, markup),
            blanks: Tokenizer::new(Rules::Whitespace, whitespace, Markup::Text),
            count,
            combine,
            level: settings.level()?,
            seed: Seed::default(),
        };
        settings.check_all_read()?;
        Ok(plan)
    }
}

impl Combine {
    fn compile(settings: &mut Settings) -> Result<Self, String> {
        let smooth = settings.one_of("smooth_method", &SMOOTHINGS)?;
        let orders = settings.orders("max_ngram_order", 1, 4)?;
        let weights = settings.weights("weights", orders)?;
        let cumulative_weights = settings.weights("cumulative_weights", orders)?;
        let arithmetic = settings.choice("arithmetic")?;
        let scale: f64 = settings.number("scale", 100.0)?;
        Ok(Self {
            orders,
            smooth: smooth(settings.number("smooth_value", 0.0)?),
            add_counts: settings.array("add_counts")?,
            least_total: settings.number("least_total", 0.0)?,
            guard: settings.choice("guard")?,
            missing_order: settings.choice("missing_order")?,
            zero_precision: settings.choice("zero_precision")?,
            effective_order: settings.choice("effective_order")?,
            weights,
            cumulative_weights,
            auto_reweigh: settings.choice("auto_reweigh")?,
            arithmetic,
            summation: settings.choice("summation")?,
            brevity: settings.choice("brevity")?,
            brevity_power: settings.number("brevity_power", 1.0)?,
            add_lengths: settings.array("add_lengths")?,
            undefined: settings.choice("undefined")?,
            factor: match arithmetic {
                Arithmetic::Percent => scale / 100.0,
                _ => scale,
            },
            join: settings.choice("join")?,
            rounding: settings.one_of("precision", &PRECISIONS)?,
        })
    }
}

/// The highest n-gram order: each has its integers in every row.
const MOST_ORDERS: usize = 1_000;

/// A value that a setting chooses by its name; the first one is the default.
pub trait Choice: Copy + 'static {
    const CHOICES: &'static [(&'static str, Self)];
}

impl Choice for bool {
    const CHOICES: &'static [(&'static str, Self)] = &[("no", false), ("yes", true)];
}

/// Defines an enum as a [`Choice`]: each value has its name in settings.
macro_rules! choices {
    ($(#[$about:meta])* $vis:vis enum $choice:ident {
        $($(#[$note:meta])* $value:ident = $name:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $choice { $($(#[$note])* $value,)+ }

        impl $crate::settings::Choice for $choice {
            const CHOICES: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),+];
        }
    };
}
pub(crate) use choices;

// Choices of other types.
const LOWERCASE_RULES: [(&str, Case); 2] =
    [("unicode", Case::LowerUnicode), ("ascii", Case::LowerAscii)];
/// Makes a measure from keywords.
type MakeMeasure = fn(Keywords) -> Measure;

const MEASURES: [(&str, MakeMeasure); 4] = [
    ("precision", |_| Measure::Precision),
    ("simple-precision", |_| Measure::SimplePrecision),
    ("reference-counts", |_| Measure::ReferenceCounts),
    ("recall", Measure::Recall),
];
/// Makes a smoothing from its value.
type MakeSmooth = fn(f64) -> Smooth;

const SMOOTHINGS: [(&str, MakeSmooth); 10] = [
    ("none", |_| Smooth::None),
    ("floor", Smooth::Floor),
    ("constant", Smooth::Constant),
    ("add-k", Smooth::AddK),
    ("add-k-all", Smooth::AddKAll),
    ("exp", |_| Smooth::Exp),
    ("length", Smooth::Length),
    ("average", |_| Smooth::Average),
    ("interpolate", Smooth::Interpolate),
    ("length-average", Smooth::LengthAverage),
];
const PRECISIONS: [(&str, Rounding); 2] =
    [("double", Rounding::Nothing), ("single", Rounding::Score)];

/// Settings that are not read yet.
pub struct Settings<'a>(pub HashMap<&'a str, &'a str>);

impl Settings<'_> {
    /// The choice set, or the first one.
    pub fn one_of<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Result<T, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(choices[0].1);
        };
        let entry = choices.iter().find(|(choice, _)| *choice == value);
        entry.map(|&(_, choice)| choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|&(name, _)| name).collect();
            refused(name, value, &format!("one of {}", names.join(", ")))
        })
    }

    /// A choice by its name.
    pub fn choice<T: Choice>(&mut self, name: &str) -> Result<T, String> {
        self.one_of(name, T::CHOICES)
    }

    /// The instruction set, by default the fastest available.
    pub fn level(&mut self) -> Result<Level, String> {
        let levels = Level::available().into_iter();
        let levels: Vec<_> = levels.map(|level| (level.name(), level)).collect();
        self.one_of("simd", &levels)
    }

    pub fn number<T: FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(default);
        };
        value.parse().map_err(|_| refused(name, value, "a number"))
    }

    /// A number of n-gram orders, from `least` on.
    pub fn orders(&mut self, name: &str, least: usize, default: usize) -> Result<usize, String> {
        let orders = self.number(name, default)?;
        if (least..=MOST_ORDERS).contains(&orders) {
            return Ok(orders);
        }
        let range = format!("{least} to {MOST_ORDERS}");
        Err(refused(name, &orders.to_string(), &range))
    }

    /// An error if a setting is unknown, which means that it was not read.
    pub fn check_all_read(self) -> Result<(), String> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("no setting is named {name:?}")),
        }
    }

    pub fn words(&mut self, name: &str) -> Keywords {
        let words = self.0.remove(name).unwrap_or_default().split(',');
        words
            .filter(|word| !word.is_empty())
            .map(|word| word.as_bytes().to_vec())
            .collect()
    }

    /// Numbers of a fixed count, by default zeros.
    pub fn array<const N: usize>(&mut self, name: &str) -> Result<[f64; N], String> {
        let numbers = self.numbers(name)?.unwrap_or_else(|| vec![0.0; N]);
        let count = numbers.len();
        <[f64; N]>::try_from(numbers).map_err(|_| format!("{name} has {count} numbers, not {N}"))
    }

    /// One number for each order.
    pub fn weights(&mut self, name: &str, orders: usize) -> Result<Option<Vec<f64>>, String> {
        let weights = self.numbers(name)?;
        if weights
            .as_ref()
            .is_some_and(|weights| weights.len() != orders)
        {
            return Err(format!("{name} need one number for each order"));
        }
        Ok(weights)
    }

    pub fn numbers(&mut self, name: &str) -> Result<Option<Vec<f64>>, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(None);
        };
        let parsed: Result<_, _> = value.split(',').map(str::parse).collect();
        parsed
            .map(Some)
            .map_err(|_| refused(name, value, "numbers"))
    }
}

fn refused(name: &str, value: &str, expected: &str) -> String {
    format!("{name} cannot be {value:?}; it must be {expected}")
}
