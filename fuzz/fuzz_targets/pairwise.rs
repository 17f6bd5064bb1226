//! Matrices and self-BLEU: each score is the one that its pair, or its text, has alone.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::columns::views::{Corpus, Sides};
use truebleu_core::plan::Plan;
use truebleu_core::run::batch;
use truebleu_core::sets::pairwise;
use truebleu_core::sets::self_bleu::Collection;
use truebleu_fuzz::inputs::{Words, corpus, texts};
use truebleu_fuzz::{bits, choose, plans};

#[derive(Arbitrary, Debug)]
struct Input {
    settings: u8,
    ref_len: u8,
    threads: u8,
    candidates: Vec<Words>,
    references: Vec<Words>,
    /// Each text so many times, so that blocks of references fill up.
    times: u8,
}

const SETTINGS: [&[(&str, &str)]; 6] = [
    &[("smooth_method", "exp"), ("effective_order", "yes"), ("guard", "no-match")],
    &[("smooth_method", "floor"), ("smooth_value", "0.1"), ("length_unit", "characters")],
    &[("smooth_method", "average"), ("arithmetic", "weighted"), ("floor_totals", "yes")],
    &[("smooth_method", "add-k"), ("smooth_value", "1"), ("max_ngram_order", "2")],
    &[("smooth_method", "exp"), ("max_ngram_order", "6"), ("undefined", "empty-hyp")],
    &[("measure", "recall"), ("keywords", "a,the"), ("references", "first")],
];

fn one_by_one(plan: &Plan, candidates: &[String], references: &[String]) -> Vec<f64> {
    let (mut hyps, mut refs) = (Vec::new(), Vec::new());
    for candidate in candidates {
        for reference in references {
            hyps.push(candidate.clone());
            refs.push(reference.clone());
        }
    }
    let corpus = Corpus { hyps: texts(&hyps), refs: texts(&refs), bounds: None, group: 1 };
    batch::scores(plan, &corpus, 1).expect("plain text")
}

fn check(plan: &Plan, candidates: &[String], references: Option<&[String]>, threads: usize) {
    let columns = references.unwrap_or(candidates);
    let expected = one_by_one(plan, candidates, columns);
    let (candidates, refs) = (texts(candidates), references.map(texts));
    let sides = Sides { candidates: &candidates, references: refs.as_ref() };
    for exact in [true, false] {
        let mut found = vec![-1.0; expected.len()];
        pairwise::fill(plan, sides, exact, threads, &mut found).expect("plain text");
        if exact {
            assert_eq!(bits(&found), bits(&expected), "{}", plan.level.name());
        }
        for (found, expected) in found.iter().zip(&expected) {
            let close = (found - expected).abs() <= 1e-13 * expected.abs();
            assert!(close || found.to_bits() == expected.to_bits(), "{found} {expected}");
        }
    }
}

fuzz_target!(|input: Input| {
    let times = 1 + usize::from(input.times % 40);
    let repeated = |words: &[Words]| {
        let texts = words.iter().map(|words| words.list().join(" "));
        let texts: Vec<_> = texts.collect();
        let all = (0..times).flat_map(|_| texts.clone());
        all.take(300).collect::<Vec<_>>()
    };
    let candidates: Vec<_> = repeated(&input.candidates).into_iter().take(20).collect();
    let references = repeated(&input.references);
    let rules = ["closest", "closest-first", "shortest", "longest", "first", "average"];
    let mut settings = choose(&SETTINGS, input.settings).to_vec();
    settings.push(("ref_len", choose(&rules, input.ref_len)));
    let threads = 1 + usize::from(input.threads % 3);
    for plan in plans(&settings) {
        check(&plan, &candidates, Some(&references), threads);
        check(&plan, &candidates, None, threads);
        if candidates.len() < 2 {
            continue;
        }
        // Self-BLEU: each against all others.
        let mut refs = Vec::new();
        for i in 0..candidates.len() {
            refs.extend_from_slice(&candidates[..i]);
            refs.extend_from_slice(&candidates[i + 1..]);
        }
        let counts = candidates.iter().map(|_| candidates.len() - 1);
        let others = corpus(texts(&candidates), texts(&refs), counts, 1);
        let expected = batch::scores(&plan, &others, 1).expect("plain text");
        let mut collection = Collection::new(&plan, candidates.len());
        let (first, rest) = candidates.split_at(threads.min(candidates.len()));
        for part in [first, rest] {
            collection.extend(&texts(part)).expect("plain text");
        }
        let found = collection.scores(None).expect("short texts");
        assert_eq!(bits(&found), bits(&expected));
    }
});
