//! Plans from settings: names and values in words, as they come from outside.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;

use crate::plan::{
    Arithmetic, Brevity, Case, Combine, Count, Guard, LengthUnit, LowercaseWhen, Markup,
    MissingOrder, Normalize, Plan, RefLen, Rounding, Smooth, Strip, Summation, Undefined,
    ZeroPrecision,
};
use crate::simd::Level;
use crate::tokenize::{Rules, Seed, Tokenizer, Whitespace};

impl Plan {
    /// Compiles settings. Each is a name and a value in words; a number is written so that
    /// parsing gives it back exactly.
    pub fn compile<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, String> {
        let mut given: HashMap<_, _> = settings.into_iter().collect();
        let mut settings = Settings(&mut given);
        let lowercase = settings.one_of("lowercase", &YES_NO)?;
        let lowercase_rule = settings.one_of("lowercase_rule", &LOWERCASE_RULES)?;
        let normalize = Normalize {
            case: if lowercase {
                lowercase_rule
            } else {
                Case::Mixed
            },
            when: settings.one_of("lowercase_when", &LOWERCASE_WHENS)?,
            strip: settings.one_of("strip", &STRIPS)?,
        };
        let rules = settings.one_of("tokenize", &TOKENIZERS)?;
        let whitespace = settings.one_of("whitespace", &WHITESPACES)?;
        let markup = settings.one_of("markup", &MARKUPS)?;
        let combine = Combine::compile(&mut settings)?;
        let orders = combine.orders + usize::from(combine.smooth.needs_next_order());
        let recall = settings.one_of("measure", &MEASURES)?;
        let keywords = settings.words("keywords");
        let count = Count {
            orders,
            first_reference_only: settings.one_of("references", &REFERENCES)?,
            ref_len: settings.one_of("ref_len", &REF_LENS)?,
            length_unit: settings.one_of("length_unit", &LENGTH_UNITS)?,
            floor_totals: settings.one_of("floor_totals", &YES_NO)?,
            recall: recall.then_some(keywords),
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
        check_all_read(given)?;
        Ok(plan)
    }
}

impl Combine {
    fn compile(settings: &mut Settings) -> Result<Self, String> {
        let smooth = settings.one_of("smooth_method", &SMOOTHINGS)?;
        let orders = settings.orders("max_ngram_order", 1, 4)?;
        let weights = settings.numbers("weights")?;
        if weights
            .as_ref()
            .is_some_and(|weights| weights.len() != orders)
        {
            return Err("weights need one number for each order".into());
        }
        let arithmetic = settings.one_of("arithmetic", &ARITHMETICS)?;
        let scale: f64 = settings.number("scale", 100.0)?;
        Ok(Self {
            orders,
            smooth: smooth(settings.number("smooth_value", 0.0)?),
            guard: settings.one_of("guard", &GUARDS)?,
            missing_order: settings.one_of("missing_order", &MISSING_ORDERS)?,
            zero_precision: settings.one_of("zero_precision", &ZERO_PRECISIONS)?,
            effective_order: settings.one_of("effective_order", &YES_NO)?,
            weights,
            auto_reweigh: settings.one_of("auto_reweigh", &YES_NO)?,
            arithmetic,
            summation: settings.one_of("summation", &SUMMATIONS)?,
            brevity: settings.one_of("brevity", &BREVITIES)?,
            undefined: settings.one_of("undefined", &UNDEFINEDS)?,
            factor: match arithmetic {
                Arithmetic::Percent => scale / 100.0,
                _ => scale,
            },
            rounding: settings.one_of("precision", &PRECISIONS)?,
        })
    }
}

/// The highest n-gram order: each has its integers in every row.
const MOST_ORDERS: usize = 1_000;

// The values that a setting can have; without the setting, the first one holds.
pub const YES_NO: [(&str, bool); 2] = [("no", false), ("yes", true)];
const LOWERCASE_RULES: [(&str, Case); 2] =
    [("unicode", Case::LowerUnicode), ("ascii", Case::LowerAscii)];
const LOWERCASE_WHENS: [(&str, LowercaseWhen); 2] = [
    ("before", LowercaseWhen::Before),
    ("after", LowercaseWhen::After),
];
const STRIPS: [(&str, Strip); 2] = [("none", Strip::None), ("right", Strip::Right)];
const MARKUPS: [(&str, Markup); 2] = [("text", Markup::Text), ("sgml", Markup::Sgml)];
const TOKENIZERS: [(&str, Rules); 7] = [
    ("none", Rules::Whitespace),
    ("13a", Rules::V13a),
    ("intl", Rules::International),
    ("intl-split", Rules::InternationalSplit),
    ("zh", Rules::Zh),
    ("zh-fixed", Rules::ZhFixed),
    ("char", Rules::Characters),
];
const WHITESPACES: [(&str, Whitespace); 3] = [
    ("python", Whitespace::Python),
    ("perl", Whitespace::Perl),
    ("ascii", Whitespace::Ascii),
];
const REFERENCES: [(&str, bool); 2] = [("all", false), ("first", true)];
const REF_LENS: [(&str, RefLen); 7] = [
    ("closest", RefLen::Closest),
    ("closest-first", RefLen::ClosestFirst),
    ("shortest", RefLen::Shortest),
    ("longest", RefLen::Longest),
    ("first", RefLen::First),
    ("average", RefLen::Average),
    ("pair", RefLen::Pair),
];
const MEASURES: [(&str, bool); 2] = [("precision", false), ("recall", true)];
const LENGTH_UNITS: [(&str, LengthUnit); 2] = [
    ("tokens", LengthUnit::Tokens),
    ("characters", LengthUnit::Characters),
];
/// Makes a smoothing of its value.
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
const GUARDS: [(&str, Guard); 6] = [
    ("none", Guard::None),
    ("no-match", Guard::NoMatch),
    ("no-unigram", Guard::NoUnigram),
    ("any-order", Guard::AnyOrder),
    ("empty-hyp", Guard::EmptyHyp),
    ("short-hyp", Guard::ShortHyp),
];
const MISSING_ORDERS: [(&str, MissingOrder); 3] = [
    ("stop", MissingOrder::Stop),
    ("zero", MissingOrder::Zero),
    ("one", MissingOrder::One),
];
const ZERO_PRECISIONS: [(&str, ZeroPrecision); 2] =
    [("zero", ZeroPrecision::Zero), ("skip", ZeroPrecision::Skip)];
const ARITHMETICS: [(&str, Arithmetic); 3] = [
    ("percent", Arithmetic::Percent),
    ("mean", Arithmetic::Mean),
    ("weighted", Arithmetic::Weighted),
];
const SUMMATIONS: [(&str, Summation); 3] = [
    ("naive", Summation::Naive),
    ("compensated", Summation::Compensated),
    ("exact", Summation::Exact),
];
const BREVITIES: [(&str, Brevity); 4] = [
    ("standard", Brevity::Standard),
    ("ratio", Brevity::Ratio),
    ("inverted", Brevity::Inverted),
    ("none", Brevity::None),
];
const UNDEFINEDS: [(&str, Undefined); 4] = [
    ("never", Undefined::Never),
    ("empty-hyp", Undefined::EmptyHyp),
    ("empty-either", Undefined::EmptyEither),
    ("empty-both", Undefined::EmptyBoth),
];
const PRECISIONS: [(&str, Rounding); 2] =
    [("double", Rounding::Nothing), ("single", Rounding::Score)];

/// Settings that have not been read yet.
pub struct Settings<'a, 's>(pub &'s mut HashMap<&'a str, &'a str>);

impl Settings<'_, '_> {
    /// The choice that is set, or else the first one.
    pub fn one_of<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Result<T, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(choices[0].1);
        };
        let found = choices.iter().find(|(choice, _)| *choice == value);
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|&(name, _)| name).collect();
            refused(name, value, &format!("one of {}", names.join(", ")))
        })
    }

    /// The instruction set; without the setting, the fastest there is.
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

    pub fn words(&mut self, name: &str) -> HashSet<Vec<u8>> {
        let words = self.0.remove(name).unwrap_or_default().split(',');
        words.map(|word| word.as_bytes().to_vec()).collect()
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

/// An error if a setting is left that no one has read.
pub fn check_all_read(left: HashMap<&str, &str>) -> Result<(), String> {
    match left.into_keys().next() {
        None => Ok(()),
        Some(name) => Err(format!("no setting is named {name:?}")),
    }
}

fn refused(name: &str, value: &str, expected: &str) -> String {
    format!("{name} cannot be {value:?}; it must be {expected}")
}
