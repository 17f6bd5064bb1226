//! Counts without some n-grams, which are left out of the hypothesis and of its references.

use super::{rule, table};
use crate::plan::Count;
use crate::sets::ngrams::NONE;
use crate::sets::trie::Trie;
use crate::tokenize::Tokens;

/// Fills the row's counts: matches and n-grams that are not `ignored`.
#[cold]
pub fn count(
    how: &Count,
    ignored: &Trie,
    hyp: &Tokens,
    refs: &[Tokens],
    matches: &mut [i64],
    totals: &mut [i64],
) {
    let (mut numbers, mut nodes) = (Vec::new(), Vec::new());
    ignored.numbers(hyp, &mut numbers);
    let counts = ignored.counts();
    let mut kept = Vec::with_capacity(totals.len());
    for (n, total) in totals.iter_mut().enumerate() {
        ignored.extend(&mut nodes, &numbers, n + 1);
        let is_kept = |&node: &u32| node == NONE || counts[node as usize] == 0;
        let of_order: Vec<bool> = nodes.iter().map(is_kept).collect();
        let count = of_order.iter().filter(|&&kept| kept).count() as i64;
        *total = count.max(i64::from(how.floor_totals));
        kept.push(of_order);
    }
    matches.fill(0);
    table::each_match(rule(how), hyp, refs, totals.len(), |n, at, count| {
        matches[n] += i64::from(count) * i64::from(kept[n][at]);
    });
}
