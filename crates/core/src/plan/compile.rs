//! Plans from settings: pairs of names and values, as text.

use super::{Count, Keywords, LengthUnit, Measure, Plan};
use crate::combine::{Combine, Join};
use crate::normalize::{Case, LowercaseWhen, Normalize, Strip};
use crate::settings::{Named, Settings};
use crate::tokenize::{Markup, Rules, Seed, Tokenizer, Whitespace};

impl Plan {
    /// Compiles pairs of names and values; numbers are written so that parsing is exact.
    pub fn compile<'a>(settings: impl Named<'a>) -> Result<Self, String> {
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
            Join::Mean => 1 + usize::from(combine.empty.skips()),
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
