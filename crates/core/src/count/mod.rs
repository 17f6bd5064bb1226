//! Third decision: what is counted, for one segment: a row of statistics.

mod masks;
mod table;

use crate::plan::{Count, RefLen};
use crate::simd::Isa;
use crate::tokenize::Tokens;

/// Longest reference, in tokens, that position masks pay for; beyond it an n-gram table is faster
/// (measured: the two meet between 400 and 700 tokens).
const MASKED: usize = 512;
/// Highest n-gram order that the position masks follow.
const MASKED_ORDERS: usize = 4;

/// Writes the row of `hyp` against `refs`.
#[inline(always)]
pub fn count_row<I: Isa>(isa: I, how: &Count, hyp: &Tokens, refs: &[Tokens], row: &mut [i64]) {
    let orders = how.max_ngram_order;
    row[0] = hyp.len() as i64;
    row[1] = ref_len(how.ref_len, hyp.len(), refs) as i64;
    let (matches, totals) = row[2..].split_at_mut(orders);
    for (n, total) in totals.iter_mut().enumerate() {
        *total = hyp.len().saturating_sub(n) as i64;
    }
    if orders <= MASKED_ORDERS && refs.iter().all(|reference| reference.len() <= MASKED) {
        let found = masks::matches(isa, hyp, refs);
        for (count, found) in matches.iter_mut().zip(found) {
            *count = i64::from(found);
        }
    } else {
        table::matches(hyp, refs, matches);
    }
}

/// The reference length that the brevity penalty compares with.
#[inline(always)]
fn ref_len(rule: RefLen, hyp_len: usize, refs: &[Tokens]) -> usize {
    let lengths = refs.iter().map(Tokens::len);
    let chosen = match rule {
        // `min_by_key` keeps the first of equals.
        RefLen::Closest => lengths.min_by_key(|&len| (len.abs_diff(hyp_len), len)),
        RefLen::ClosestFirst => lengths.min_by_key(|&len| len.abs_diff(hyp_len)),
        RefLen::Shortest => lengths.min(),
        RefLen::Longest => lengths.max(),
        RefLen::First => refs.first().map(Tokens::len),
    };
    chosen.unwrap_or(0)
}
