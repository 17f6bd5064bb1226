//! Compares counts and scores with those of the specification in Python (`judged.tsv`, written by
//! `tests/support/judged_cases.py`), and different ways to count with each other.

use std::collections::HashMap;

use crate::columns::views::{Corpus, Ids, Marks, Segments, Text};
use crate::combine;
use crate::plan::Plan;
use crate::run::{batch, bleu};
use crate::simd::Level;

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

fn cases() -> Vec<Case<'static>> {
    let mut usual = Settings::new();
    let mut settings = Settings::new();
    let mut all = Vec::new();
    for line in include_str!("judged.tsv").lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let pairs = fields[1..].iter().filter_map(|field| field.split_once('='));
        match fields[0] {
            "default" => usual = pairs.collect(),
            "plan" => {
                settings.clone_from(&usual);
                settings.extend(pairs);
                settings.retain(|name, value| !value.is_empty() || *name == "keywords");
            }
            hyp => all.push(Case {
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
    all
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

fn all_same(results: &[f64], expected: &[f64]) -> bool {
    results.len() == expected.len() && results.iter().zip(expected).all(|(&a, &b)| same(a, b))
}

fn plan(settings: &Settings) -> Plan {
    Plan::compile(settings.iter().map(|(&name, &value)| (name, value))).expect("a plan")
}

fn corpus<'a>(segments: impl IntoIterator<Item = (&'a str, &'a [&'a str])>) -> Corpus<'a> {
    let (mut hyps, mut refs, mut bounds) = (Vec::new(), Vec::new(), vec![0]);
    for (hyp, its_refs) in segments {
        hyps.push(Text::Utf8(hyp.as_bytes()));
        refs.extend(its_refs.iter().map(|text| Text::Utf8(text.as_bytes())));
        bounds.push(refs.len());
    }
    Corpus {
        hyps: Segments::Texts(hyps),
        refs: Segments::Texts(refs),
        bounds: Some(bounds),
        group: 1,
    }
}

#[test]
fn counts_and_scores_are_those_of_the_specification() {
    let cases = cases();
    assert!(cases.len() > 300);
    for case in cases {
        let plan = plan(&case.settings);
        let corpus = corpus([(case.hyp, case.refs.as_slice())]);
        let context = format!("{:?} {:?} {:?}", plan.combine, case.hyp, case.refs);
        let row = batch::row(&plan, &corpus).expect("a row");
        assert_eq!(row, case.row, "{context}");
        let combined = combine::combine(&plan.combine, &row);
        let (alone, up_to) = combine::by_order(&plan.combine, &row);
        let mut results = vec![
            (vec![combined.value], vec![case.value]),
            (vec![combined.bp], vec![case.bp]),
            (alone, case.alone),
            (up_to, case.up_to),
        ];
        if !case.value.is_nan() {
            results.push((combined.precisions, case.precisions));
        }
        for (result, expected) in results {
            let equal = all_same(&result, &expected);
            assert!(equal, "{result:?} {expected:?} {context}");
        }
        let scores = batch::scores(&plan, &corpus, 1).expect("a score");
        assert!(same(scores[0], case.value), "{context}");
        let how = &plan.combine;
        let (matches, totals) = row[2..].split_at(plan.count.orders);
        let mean = combine::mean(how, row[0], matches, totals, &mut Vec::new());
        let value = combine::product(how, combine::length_factor(how, row[0], row[1]), mean);
        assert!(same(value, case.value), "{value} {} {context}", case.value);
        if combine::is_geometric(how) && totals[3] > 0 && row[0].min(totals[0]) >= 4 {
            let ones: Vec<_> = matches.iter().map(|&count| count.min(1)).collect();
            let shape = combine::mean(how, row[0], &ones, totals, &mut Vec::new());
            let shape = combine::product(how, 1.0, shape);
            let counts = matches[..how.orders]
                .iter()
                .map(|&count| count.max(1) as f64);
            let expected = shape * case.bp * counts.product::<f64>().powf(0.25);
            let near = (value - expected).abs() <= 1e-12 * value;
            assert!(near || value.is_nan(), "{value} {expected} {context}");
        }
    }
}

#[test]
fn segments_side_by_side_count_as_each_alone() {
    let cases = cases();
    for cases in cases.chunk_by(|a, b| a.settings == b.settings) {
        let corpus = corpus(cases.iter().map(|case| (case.hyp, case.refs.as_slice())));
        let rows = batch::rows(&plan(&cases[0].settings), &corpus, 1).expect("rows");
        let alone: Vec<_> = cases.iter().flat_map(|case| &case.row).copied().collect();
        assert_eq!(rows, alone, "{:?}", cases[0].settings);
    }
}

/// Words, some of which are as long as a key or longer.
const WORDS: &str = "a b c fifteen-letters sixteen-letters! sixteen-letters? \
    thirty-two-letters-of-one-word.. thirty-three-letters-of-one-word. \
    thirty-three-letters-of-one-more.";

/// Segments of these words by their numbers, each a hypothesis and its references.
fn long_segments() -> Vec<(Vec<i32>, Vec<Vec<i32>>)> {
    let mut state = 1_u32; // of a congruential generator
    let mut below = move |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % limit
    };
    let mut segments = Vec::new();
    for length in [
        0, 1, 63, 64, 65, 128, 129, 150, 192, 193, 256, 257, 511, 512, 513,
    ] {
        for most in [12, 40, 600] {
            let mut lengths = vec![most - below(most.min(90)), length];
            lengths.extend((0..below(3)).map(|_| below(length + 9)).collect::<Vec<_>>());
            let mut words = |length| (0..length).map(|_| below(9) as i32).collect();
            let hyp = words(lengths[0]);
            segments.push((
                hyp,
                lengths[1..].iter().map(|&length| words(length)).collect(),
            ));
        }
    }
    segments
}

/// Short segments and few orders are counted by masks, all others by a table; words or ids.
#[test]
fn long_segments_and_many_orders_count_as_few_orders_do() {
    let segments = long_segments();
    let words: Vec<_> = WORDS.split_ascii_whitespace().collect();
    let text = |ids: &Vec<i32>| {
        let words: Vec<_> = ids.iter().map(|&id| words[id as usize]).collect();
        words.join(" ")
    };
    let texts: Vec<(String, Vec<String>)> = segments
        .iter()
        .map(|(hyp, refs)| (text(hyp), refs.iter().map(text).collect()))
        .collect();
    let views: Vec<(&str, Vec<&str>)> = texts
        .iter()
        .map(|(hyp, refs)| (hyp.as_str(), refs.iter().map(String::as_str).collect()))
        .collect();
    let of_words = corpus(views.iter().map(|(hyp, refs)| (*hyp, refs.as_slice())));
    let column = |rows: Vec<_>| Segments::Ids {
        rows,
        marks: Marks::default(),
    };
    let hyps = segments.iter().map(|(hyp, _)| Ids::Int32(hyp)).collect();
    let refs = segments.iter().flat_map(|(_, refs)| refs);
    let of_ids = Corpus {
        hyps: column(hyps),
        refs: column(refs.map(|ids| Ids::Int32(ids)).collect()),
        bounds: of_words.bounds.clone(),
        group: 1,
    };
    let usual = cases().swap_remove(0).settings;
    for level in Level::available() {
        let of_orders = |orders| {
            let mut settings = usual.clone();
            settings.insert("max_ngram_order", orders);
            Plan {
                level,
                ..plan(&settings)
            }
        };
        let nine = batch::rows(&of_orders("9"), &of_words, 1).expect("rows");
        for (n, orders) in [(1, "1"), (4, "4"), (5, "5"), (6, "6"), (9, "9")] {
            let first = |row: &[i64]| [&row[..2 + n], &row[11..11 + n]].concat();
            let first: Vec<_> = nine.chunks(20).flat_map(first).collect();
            for corpus in [&of_words, &of_ids] {
                let rows = batch::rows(&of_orders(orders), corpus, 1).expect("rows");
                assert_eq!(rows, first, "{orders} {level:?}");
            }
        }
        let plan = of_orders("4");
        let prefixes = |corpus| bleu::prefixes(&plan, corpus, 1).expect("scores");
        assert_eq!(prefixes(&of_ids), prefixes(&of_words));
    }
}
