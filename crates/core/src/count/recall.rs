//! Recall instead of precision, with weights for words: `CodeBLEU`'s weighted match.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Counter, table};
use crate::plan::{Count, Keywords};
use crate::simd::Isa;
use crate::stats;
use crate::tokenize::Tokens;

/// Weight of a keyword; other words have 1. `CodeBLEU` has 1 and 0.2.
const KEYWORD: i64 = 5;

impl Counter {
    /// Fills the row's counts: matches and n-grams, summed over references, those of single words in
    /// fifths. Each reference counts at least one n-gram.
    #[inline(never)]
    pub(super) fn recall<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        keywords: &Keywords,
        hyp: &Tokens,
        refs: &[Tokens],
        (matches, totals): (&mut [i64], &mut [i64]),
    ) {
        matches.fill(0);
        let mut of_one = vec![0; matches.len()];
        let in_hyp = occurrences(hyp, keywords);
        for one in refs.chunks(1) {
            self.matches(isa, how, hyp, one, &mut of_one);
            stats::add(matches, &of_one);
            for (word, count) in occurrences(&one[0], keywords) {
                let shared = in_hyp.get(word).map_or(0, |&in_hyp| count.min(in_hyp));
                matches[0] += (KEYWORD - 1) * shared;
            }
        }
        self::totals(refs, keywords, totals);
    }
}

/// How often a text has each keyword.
fn occurrences<'a>(tokens: &'a Tokens, keywords: &Keywords) -> HashMap<&'a [u8], i64, RandomState> {
    let mut counts = HashMap::default();
    for word in (0..tokens.len()).map(|i| tokens.token(i)) {
        if keywords.contains(word) {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    counts
}

/// Fills the n-grams of references.
pub fn totals(refs: &[Tokens], keywords: &Keywords, totals: &mut [i64]) {
    totals.fill(0);
    for reference in refs {
        let weights = (0..reference.len()).map(|i| weight(reference.token(i), keywords));
        totals[0] += weights.sum::<i64>().max(KEYWORD);
        for (n, total) in totals.iter_mut().enumerate().skip(1) {
            *total += (reference.len() as i64 - n as i64).max(1);
        }
    }
}

/// Calls `sink` with `n`, the place in the hypothesis and the weight of each n-gram of `n + 1` tokens
/// that matches, once for each reference.
#[cold]
pub fn each_match(
    hyp: &Tokens,
    refs: &[Tokens],
    keywords: &Keywords,
    orders: usize,
    mut sink: impl FnMut(usize, usize, i64),
) {
    for reference in refs {
        let one = std::slice::from_ref(reference);
        table::each_match(table::CLIP, hyp, one, orders, |n, at, _| {
            let weight = if n == 0 {
                weight(hyp.token(at), keywords)
            } else {
                1
            };
            sink(n, at, weight);
        });
    }
}

fn weight(word: &[u8], keywords: &Keywords) -> i64 {
    if keywords.contains(word) { KEYWORD } else { 1 }
}
