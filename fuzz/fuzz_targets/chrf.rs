//! chrF on any text: rows as counted in hash maps, and matrices as pair by pair.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::chrf::Chrf;
use truebleu_core::columns::views::{Corpus, Segments, Sides};
use truebleu_core::metric::Metric;
use truebleu_core::run::batch;
use truebleu_fuzz::inputs::Stored;
use truebleu_fuzz::naive::{grams, is_space};
use truebleu_fuzz::{bits, levels};

#[derive(Arbitrary, Debug)]
struct Input {
    orders: [u8; 2],
    options: [bool; 4],
    hyps: Vec<Stored>,
    refs: Vec<Stored>,
}

/// A sign at the end of a word is a word of its own, or else one at its start.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|c| is_space(c, "python")).filter(|word| !word.is_empty()) {
        let sign = |c: Option<char>| c.is_some_and(|c| c.is_ascii_punctuation());
        let chars: Vec<char> = word.chars().collect();
        let cut = match chars.len() {
            1 => 0,
            n if sign(chars.last().copied()) => n - 1,
            _ if sign(chars.first().copied()) => 1,
            _ => 0,
        };
        let parts = [&chars[..cut], &chars[cut..]];
        let parts = parts.iter().filter(|part| !part.is_empty());
        words.extend(parts.map(|part| part.iter().collect::<String>()));
    }
    words
}

fn row(orders: [usize; 2], lower: bool, blanks: bool, hyp: &str, reference: &str) -> Vec<i64> {
    let texts =
        [hyp, reference].map(|text| if lower { text.to_lowercase() } else { text.to_owned() });
    let characters = texts.each_ref().map(|text| {
        let kept = text.chars().filter(|&c| blanks || !is_space(c, "python"));
        kept.map(String::from).collect::<Vec<_>>()
    });
    let words = texts.each_ref().map(|text| words(text));
    let mut row = Vec::new();
    for ([hyp, reference], most) in [characters, words].iter().zip(orders) {
        for order in 1..=most {
            let [own, its] = [grams(hyp, order), grams(reference, order)];
            let both = own.iter().map(|(gram, &n)| n.min(its.get(gram).copied().unwrap_or(0)));
            let total = if its.is_empty() { 0 } else { own.values().sum() };
            row.extend([total, its.values().sum(), both.sum()]);
        }
    }
    row
}

fuzz_target!(|input: Input| {
    let [mut characters, words] = input.orders.map(|order| usize::from(order % 10));
    characters += usize::from(characters + words == 0);
    let [lower, blanks, eps, first] = input.options;
    let yes_no = |yes| if yes { "yes" } else { "no" };
    let read = |column: &[Stored]| column.iter().map(Stored::read).collect::<Vec<_>>();
    let (hyps, refs) = (read(&input.hyps), read(&input.refs));
    let all_text = hyps.iter().chain(&refs).all(|(_, text)| text.is_some());
    let pairs = hyps.len().min(refs.len());
    for level in levels() {
        let chrf = Chrf::compile([
            ("char_order", characters.to_string().as_str()),
            ("word_order", words.to_string().as_str()),
            ("lowercase", yes_no(lower)),
            ("whitespace", yes_no(blanks)),
            ("eps_smoothing", yes_no(eps)),
            ("tie", if first { "first" } else { "longer" }),
            ("simd", level),
        ])
        .expect("settings");
        let metric: &dyn Metric = &chrf;
        let [all_hyps, all_refs] = [&hyps, &refs]
            .map(|column| Segments::Texts(column.iter().map(|(units, _)| units.view()).collect()));
        let mut matrix = vec![-1.0; hyps.len() * refs.len()];
        let sides = Sides { candidates: &all_hyps, references: Some(&all_refs) };
        let filled = metric.pairs(sides, true, 2, &mut matrix);
        let corpus = Corpus {
            hyps: all_hyps.slice(0..pairs),
            refs: all_refs.slice(0..pairs),
            bounds: None,
            group: 1,
        };
        let rows = batch::rows(metric, &corpus, 1);
        if !all_text {
            continue;
        }
        filled.expect("plain text");
        let rows = rows.expect("plain text");
        for (i, found) in rows.chunks(metric.width()).enumerate() {
            let text = |column: &[(_, Option<String>)]| column[i].1.clone().unwrap_or_default();
            let (hyp, reference) = (text(&hyps), text(&refs));
            let expected = row([characters, words], lower, blanks, &hyp, &reference);
            assert_eq!(found, expected, "{level} {hyp:?} {reference:?}");
            let place = i * refs.len() + i;
            assert_eq!(bits(&matrix[place..=place]), bits(&batch::values(metric, found)));
        }
        // Of several references, the best counts.
        if let (Some(_), false) = (hyps.first(), refs.is_empty()) {
            let several = Corpus {
                hyps: all_hyps.slice(0..1),
                refs: all_refs,
                bounds: Some(vec![0, refs.len()]),
                group: 1,
            };
            let best = matrix[..refs.len()].iter().copied().fold(f64::MIN, f64::max);
            let found = batch::scores(metric, &several, 1).expect("plain text");
            assert_eq!(bits(&found), bits(&[best]));
        }
    }
});
