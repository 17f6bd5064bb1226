//! A row of statistics: the integers that BLEU needs for one segment or a sum of segments.
//!
//! Layout: `[hyp_len, ref_len, match_1..match_N, total_1..total_N]`. Rows add, for corpora, threads,
//! shards and resamples alike.

/// Number of integers in a row for n-grams up to `orders`.
pub const fn width(orders: usize) -> usize {
    2 + 2 * orders
}

/// `sum += row`, element by element.
#[inline]
pub fn add(sum: &mut [i64], row: &[i64]) {
    for (total, value) in sum.iter_mut().zip(row) {
        *total += value;
    }
}
