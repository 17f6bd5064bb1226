//! Recall in place of precision, with weights for single words: the weighted match of `CodeBLEU`.

use std::collections::HashSet;

use super::table;
use crate::tokenize::Tokens;

/// Weight of a keyword, where other words weigh 1: 1 and 0.2 there, in fifths.
const KEYWORD: i64 = 5;

/// Fills the row's counts: matches and n-grams of all references, which are added and not merged.
/// Of single words they are in fifths; each reference counts one n-gram at least.
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

/// Calls `found` with `n`, the place in the hypothesis and the weight of each n-gram of `n + 1`
/// tokens that matches, once for each reference.
#[cold]
pub fn each_match(
    hyp: &Tokens,
    refs: &[Tokens],
    keywords: &HashSet<Vec<u8>>,
    orders: usize,
    mut found: impl FnMut(usize, usize, i64),
) {
    for reference in refs {
        table::each_match(hyp, std::slice::from_ref(reference), orders, |n, at| {
            let weight = if n == 0 {
                weight(hyp.token(at), keywords)
            } else {
                1
            };
            found(n, at, weight);
        });
    }
}

fn weight(word: &[u8], keywords: &HashSet<Vec<u8>>) -> i64 {
    if keywords.contains(word) { KEYWORD } else { 1 }
}
