//! Counting and combining beside numbers of the specification in Python: `tests/judged_cases.py`
//! writes them, so that the tests of this crate have a judge without Python.

#![allow(clippy::expect_used)] // the file of numbers is made by a program

use std::collections::HashMap;

use truebleu_core::plan::Plan;
use truebleu_core::views::{Corpus, Segments, Text};
use truebleu_core::{batch, combine};

/// The settings of a case: those that all have, and those that it changes.
type Settings<'a> = HashMap<&'a str, &'a str>;

struct Case<'a> {
    settings: Settings<'a>,
    hyp: &'a str,
    refs: Vec<&'a str>,
    row: Vec<i64>,
    value: f64,
    bp: f64,
    /// Not known where the tool has no score.
    precisions: Vec<f64>,
    alone: Vec<f64>,
    up_to: Vec<f64>,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut usual = Settings::new();
    let mut settings = Settings::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let pairs = fields[1..].iter().filter_map(|field| field.split_once('='));
        match fields[0] {
            "default" => usual = pairs.collect(),
            "plan" => {
                settings.clone_from(&usual);
                settings.extend(pairs);
                settings.retain(|name, value| !value.is_empty() || *name == "keywords");
            }
            hyp => found.push(Case {
                settings: settings.clone(),
                hyp,
                refs: fields[1].split('|').collect(),
                row: numbers(fields[2]),
                value: fields[3].parse().expect("a score"),
                bp: fields[4].parse().expect("a brevity penalty"),
                precisions: numbers(fields[5]),
                alone: numbers(fields[6]),
                up_to: numbers(fields[7]),
            }),
        }
    }
    found
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let number = |word: &str| word.parse().ok();
    text.split(' ').filter_map(number).collect()
}

/// Equal, or both no number; elsewhere than on Linux with glibc, logarithms may differ in a bit.
fn same(a: f64, b: f64) -> bool {
    let near = !cfg!(target_env = "gnu") && (a - b).abs() <= 1e-14 * b.abs();
    a.to_bits() == b.to_bits() || near || (a.is_nan() && b.is_nan())
}

fn all_same(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(&a, &b)| same(a, b))
}

#[test]
fn counts_and_scores_are_those_of_the_specification() {
    let text = include_str!("judged.tsv");
    let cases = cases(text);
    assert!(cases.len() > 300);
    for case in cases {
        let plan = Plan::compile(case.settings.iter().map(|(&name, &value)| (name, value)))
            .expect("a plan");
        let corpus = Corpus {
            hyps: Segments::Texts(vec![Text::Utf8(case.hyp.as_bytes())]),
            refs: Segments::Texts(
                case.refs
                    .iter()
                    .map(|text| Text::Utf8(text.as_bytes()))
                    .collect(),
            ),
            bounds: Some(vec![0, case.refs.len()]),
            group: 1,
        };
        let said = format!("{:?} {:?} {:?}", plan.combine, case.hyp, case.refs);
        let row = batch::row(&plan, &corpus).expect("a row");
        assert_eq!(row, case.row, "{said}");
        let combined = combine::combine(&plan.combine, &row);
        assert!(
            same(combined.value, case.value),
            "{} {} {said}",
            combined.value,
            case.value
        );
        assert!(
            same(combined.bp, case.bp),
            "{} {} {said}",
            combined.bp,
            case.bp
        );
        assert!(
            case.value.is_nan() || all_same(&combined.precisions, &case.precisions),
            "{:?} {:?} {said}",
            combined.precisions,
            case.precisions,
        );
        let (alone, up_to) = combine::by_order(&plan.combine, &row);
        assert!(
            all_same(&alone, &case.alone),
            "{alone:?} {:?} {said}",
            case.alone
        );
        assert!(
            all_same(&up_to, &case.up_to),
            "{up_to:?} {:?} {said}",
            case.up_to
        );
        let scores = batch::scores(&plan, &corpus, 1).expect("a score");
        assert!(same(scores[0], case.value), "{said}");
    }
}
