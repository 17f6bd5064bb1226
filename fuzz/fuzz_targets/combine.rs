//! Settings in any words and rows of any integers: an error or a score, never a panic, and the ways
//! to a score agree.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::chrf::Chrf;
use truebleu_core::combine;
use truebleu_core::metric::Metric;
use truebleu_core::plan::Plan;
use truebleu_core::run::{batch, bleu};
use truebleu_core::ter::Ter;
use truebleu_fuzz::{bits, choose};

#[derive(Arbitrary, Debug)]
struct Input {
    settings: Vec<(u8, Value)>,
    cells: Vec<Cell>,
    of_ter: bool,
    of_chrf: bool,
}

#[derive(Arbitrary, Debug)]
enum Value {
    Known(u8),
    Number(u8),
    Float(f64),
    Words(String),
}

#[derive(Arbitrary, Debug)]
enum Cell {
    Small(u8),
    Any(i64),
}

const NAMES: [&str; 30] = [
    "lowercase",
    "lowercase_rule",
    "lowercase_when",
    "strip",
    "tokenize",
    "whitespace",
    "markup",
    "smooth_method",
    "smooth_value",
    "max_ngram_order",
    "weights",
    "arithmetic",
    "scale",
    "guard",
    "missing_order",
    "zero_precision",
    "effective_order",
    "auto_reweigh",
    "summation",
    "brevity",
    "undefined",
    "precision",
    "measure",
    "keywords",
    "references",
    "ref_len",
    "length_unit",
    "floor_totals",
    "char_order",
    "word_order",
];
const VALUES: [&str; 36] = [
    "yes",
    "no",
    "none",
    "exp",
    "floor",
    "constant",
    "add-k",
    "add-k-all",
    "length",
    "average",
    "interpolate",
    "length-average",
    "no-match",
    "no-unigram",
    "any-order",
    "empty-hyp",
    "short-hyp",
    "zero",
    "one",
    "skip",
    "percent",
    "mean",
    "weighted",
    "naive",
    "compensated",
    "exact",
    "standard",
    "ratio",
    "inverted",
    "empty-either",
    "empty-both",
    "single",
    "recall",
    "first",
    "0.25,0.25,0.25,0.25",
    "0,nan",
];

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Known(by) => choose(&VALUES, *by).to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
            Self::Words(words) => words.clone(),
        }
    }
}

fuzz_target!(|input: Input| {
    let named: Vec<_> = input
        .settings
        .iter()
        .map(|(name, value)| (choose(&NAMES, *name), value.text()))
        .collect();
    let settings = || named.iter().map(|(name, value)| (*name, value.as_str()));
    let cell = |i: usize| match input.cells.get(i % input.cells.len().max(1)) {
        Some(Cell::Small(count)) => i64::from(*count),
        Some(Cell::Any(count)) => *count,
        None => 0,
    };
    let metric: Option<Box<dyn Metric>> = match (input.of_chrf, input.of_ter) {
        (true, _) => Chrf::compile(settings())
            .ok()
            .map(|metric| Box::new(metric) as _),
        (_, true) => Ter::compile(settings())
            .ok()
            .map(|metric| Box::new(metric) as _),
        _ => None,
    };
    if let Some(metric) = metric {
        let row: Vec<_> = (0..metric.width()).map(cell).collect();
        assert_eq!(
            bits(&batch::values(&*metric, &row)),
            bits(&[metric.value(&row, &mut Vec::new())])
        );
        metric.value_in_floats(&row, &mut Vec::new());
        metric.lost_in_floats(&row);
        return;
    }
    let Ok(plan) = Plan::compile(settings()) else {
        return;
    };
    let row: Vec<_> = (0..plan.width()).map(cell).collect();
    let combined = combine::combine(&plan.combine, &row);
    let mut precisions = Vec::new();
    let (value, bp) = combine::score(&plan.combine, &row, &mut precisions);
    assert_eq!(bits(&[value, bp]), bits(&[combined.value, combined.bp]));
    assert_eq!(bits(&batch::values(&plan, &row)), bits(&[value]));
    let parts = [vec![value, bp], combined.precisions].concat();
    assert_eq!(bits(&bleu::parts(&plan, &row)), bits(&parts));
    let (alone, up_to) = combine::by_order(&plan.combine, &row);
    assert_eq!([alone.len(), up_to.len()], [plan.combine.orders; 2]);
});
