//! Recall instead of precision, with weights for words: `CodeBLEU`'s weighted match.

use std::collections::HashSet;

use super::table;
use crate::tokenize::Tokens;

/// Weight of a keyword; other words have 1. `CodeBLEU` has 1 and 0.2.
const KEYWORD: i64 = 5;

/// Fills the row's counts: matches and n-grams, summed over references, those of single words in
/// fifths. Each reference counts at least one n-gram.
#[cold]
pub fn count(
    hyp: &Tokens,
    refs: &[Tokens],
    keywords: &HashSet<Vec<u8>>,
    matches: &mut [i64],
    totals: &mut [i64],
) {
    matches.fill(0);
    each_match(hyp, refs, keywords, matches.len(), |n, _, weight| {
        matches[n] += weight;
    });
    totals.fill(0);
    for reference in refs {
        let weights = (0..reference.len()).map(|i| weight(reference.token(i), keywords));
        totals[0] += weights.sum::<i64>().max(KEYWORD);
        for (n, total) in totals.iter_mut().enumerate().skip(1) {
            *total += (reference.len() as i64 - n as i64).max(1);
        }
    }
}

/// Calls `sink` with `n`, the place in the hypothesis and the weight of each n-gram of `n + 1`
/// tokens that matches, once for each reference.
#[cold]
pub fn each_match(
    hyp: &Tokens,
    refs: &[Tokens],
    keywords: &HashSet<Vec<u8>>,
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

fn weight(word: &[u8], keywords: &HashSet<Vec<u8>>) -> i64 {
    if keywords.contains(word) { KEYWORD } else { 1 }
}
