//! Recall in place of precision, with weights for single words: the weighted match of `CodeBLEU`.

use std::collections::{HashMap, HashSet};

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
    totals.fill(0);
    let weight = |word: &[u8]| {
        if keywords.contains(word) { KEYWORD } else { 1 }
    };
    let in_hyp = words(hyp);
    let mut found = vec![0; matches.len()];
    for reference in refs {
        table::matches(hyp, std::slice::from_ref(reference), &mut found);
        let (mut correct, mut total) = (0, 0);
        for (word, count) in words(reference) {
            correct += weight(word) * count.min(in_hyp.get(word).copied().unwrap_or(0));
            total += weight(word) * count;
        }
        matches[0] += correct;
        totals[0] += total.max(KEYWORD);
        for n in 1..matches.len() {
            matches[n] += found[n];
            totals[n] += (reference.len() as i64 - n as i64).max(1);
        }
    }
}

fn words(tokens: &Tokens) -> HashMap<&[u8], i64> {
    let mut counts = HashMap::new();
    for i in 0..tokens.len() {
        *counts.entry(tokens.token(i)).or_insert(0) += 1;
    }
    counts
}
