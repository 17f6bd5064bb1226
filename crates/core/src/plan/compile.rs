//! Plans from settings: pairs of names and values, as text.

use super::{
    Arithmetic, Combine, Count, Join, Keywords, LengthUnit, Measure, Plan, Rounding, Smooth,
};
use crate::normalize::{Case, LowercaseWhen, Normalize, Strip};
use crate::settings::Settings;
use crate::tokenize::{Markup, Rules, Seed, Tokenizer, Whitespace};

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
        let keywords: Keywords = settings.words("keywords");
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
