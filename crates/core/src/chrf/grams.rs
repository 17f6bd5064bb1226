//! Clipped matches of all orders between two sequences of numbers.
//!
//! References of up to 512 characters are counted by position masks (see `count::masks`). Longer ones
//! are sorted: all suffixes of both sides, cut off at the highest order, form one list in which equal
//! n-grams are neighbors.

use crate::columns::interner::Alphabet;
use crate::count::table;
use crate::simd::Isa;

/// Highest order that masks count, and the highest that half of their lanes count in half of the
/// time.
const ORDERS: usize = 8;
const FEW_ORDERS: usize = ORDERS / 2;
/// Highest order that is sorted.
const SORTED: usize = 8;
/// Longest reference for masks, whose time grows with the product of the lengths: half of it where
/// registers are narrow.
const MASKED: usize = 512;

/// Reused buffers.
#[derive(Debug, Default)]
pub struct GramBuffers {
    /// Positions of each number in the reference; all zero between the uses.
    rows: Vec<u64>,
    /// Numbers without gaps, and sequences of them.
    dense: Alphabet,
    sides: [Vec<u32>; 2],
    narrow: Vec<u64>,
    wide: Vec<u128>,
}

impl GramBuffers {
    /// Writes `[hyp, reference, matches]` of each order; all numbers are below `distinct`.
    #[inline(always)]
    pub fn count<I: Isa>(
        &mut self,
        _: I,
        hyp: &[u32],
        reference: &[u32],
        distinct: usize,
        row: &mut [i64],
    ) {
        let counts = row.as_chunks_mut::<3>().0;
        let orders = counts.len();
        if orders == 0 {
            return;
        }
        for (n, [in_hyp, in_reference, _]) in counts.iter_mut().enumerate() {
            *in_reference = reference.len().saturating_sub(n) as i64;
            // Where a reference is too short for an order, the order does not count.
            if *in_reference > 0 {
                *in_hyp = hyp.len().saturating_sub(n) as i64;
            }
        }
        let masked = if I::COMPARED < MASKED {
            MASKED / 2
        } else {
            MASKED
        };
        if orders <= ORDERS && reference.len() <= masked {
            if orders <= FEW_ORDERS {
                self.masked::<FEW_ORDERS>(hyp, reference, distinct, counts);
            } else {
                self.masked::<ORDERS>(hyp, reference, distinct, counts);
            }
            return;
        }
        let Self { dense, sides, .. } = self;
        dense.clear();
        for (side, numbers) in sides.iter_mut().zip([hyp, reference]) {
            side.clear();
            // From 1 on; 0 comes after the end.
            side.extend(numbers.iter().map(|&number| dense.number(number) + 1));
        }
        let [hyp, reference] = sides;
        // The bits that a number takes.
        let bits = usize::BITS as usize - dense.len().leading_zeros() as usize;
        let key = bits * orders;
        if orders <= SORTED && key < u64::BITS as usize {
            sorted(&mut self.narrow, hyp, reference, bits, counts);
        } else if orders <= SORTED && key < u128::BITS as usize {
            sorted(&mut self.wide, hyp, reference, bits, counts);
        } else {
            let mut matches = vec![0; orders];
            let reference = std::slice::from_ref(reference);
            table::matches_of_numbers(hyp, reference, dense.len() + 1, &mut matches);
            for ([_, _, count], matches) in counts.iter_mut().zip(matches) {
                *count = matches;
            }
        }
    }

    /// Matches of orders up to `N` by masks.
    #[inline(always)]
    fn masked<const N: usize>(
        &mut self,
        hyp: &[u32],
        reference: &[u32],
        distinct: usize,
        counts: &mut [[i64; 3]],
    ) {
        let matches = match reference.len() {
            0..=64 => self.masked_by::<1, N>(hyp, reference, distinct),
            65..=128 => self.masked_by::<2, N>(hyp, reference, distinct),
            129..=192 => self.masked_by::<3, N>(hyp, reference, distinct),
            193..=256 => self.masked_by::<4, N>(hyp, reference, distinct),
            257..=384 => self.masked_by::<6, N>(hyp, reference, distinct),
            _ => self.masked_by::<{ MASKED / 64 }, N>(hyp, reference, distinct),
        };
        for ([_, _, count], matches) in counts.iter_mut().zip(matches) {
            *count = i64::from(matches);
        }
    }

    /// The same by masks of `W` words.
    #[inline(always)]
    fn masked_by<const W: usize, const N: usize>(
        &mut self,
        hyp: &[u32],
        reference: &[u32],
        distinct: usize,
    ) -> [u32; N] {
        if self.rows.len() < W * distinct {
            self.rows.resize(W * distinct, 0);
        }
        let rows = self.rows.as_chunks_mut::<W>().0;
        for (position, &number) in reference.iter().enumerate() {
            rows[number as usize][position / 64] |= 1 << (position % 64);
        }
        let mut ending = [[0_u64; N]; W];
        let mut free = [[u64::MAX; N]; W];
        for &number in hyp {
            step(&rows[number as usize], &mut ending, &mut free);
        }
        for &number in reference {
            rows[number as usize] = [0; W];
        }
        std::array::from_fn(|n| free.iter().map(|word| word[n].count_zeros()).sum())
    }
}

/// Reads one number of the hypothesis, which the reference has at `positions`: each n-gram that
/// ends here takes one of its occurrences in the reference, if one is free.
#[inline(always)]
fn step<const W: usize, const N: usize>(
    positions: &[u64; W],
    ending: &mut [[u64; N]; W],
    free: &mut [[u64; N]; W],
) {
    let mut carry = [0; N];
    let mut open = [u64::MAX; N]; // zero once an occurrence is taken
    for ((&at, ending), free) in positions.iter().zip(ending).zip(free) {
        let shorter = *ending;
        let mut before = [u64::MAX; N];
        for n in 1..N {
            before[n] = shorter[n - 1] << 1 | carry[n - 1];
        }
        for n in 0..N {
            carry[n] = shorter[n] >> 63;
            ending[n] = before[n] & at;
            let shared = ending[n] & free[n] & open[n];
            free[n] ^= shared & shared.wrapping_neg();
            open[n] &= u64::from(shared == 0).wrapping_neg();
        }
    }
}

/// A row of numbers packed into one, the first uppermost.
trait Key: Copy + Ord {
    const ZERO: Self;
    /// The row one number longer at its start, and one shorter at its end; it has `bits` for each
    /// of `orders` numbers, above the lowest bit.
    fn before(self, number: u32, bits: usize, orders: usize) -> Self;
    /// The same with the lowest bit set or not.
    fn with_side(self, side: u32) -> Self;
    fn side(self) -> u32;
    /// The number of equal bits from the top of `width` on.
    fn same_bits(self, other: Self, width: usize) -> usize;
}

macro_rules! key {
    ($integer:ty) => {
        impl Key for $integer {
            const ZERO: Self = 0;

            #[inline(always)]
            fn before(self, number: u32, bits: usize, orders: usize) -> Self {
                self >> bits & !1 | Self::from(number) << (bits * (orders - 1) + 1)
            }

            #[inline(always)]
            fn with_side(self, side: u32) -> Self {
                self & !1 | Self::from(side)
            }

            #[inline(always)]
            fn side(self) -> u32 {
                self as u32 & 1
            }

            #[inline(always)]
            fn same_bits(self, other: Self, width: usize) -> usize {
                let unused = Self::BITS as usize - width;
                (self ^ other).leading_zeros() as usize - unused
            }
        }
    };
}

key!(u64);
key!(u128);

/// Orders from `same` on, for each number of orders that are the same.
const FROM: [[u32; SORTED]; SORTED + 1] = {
    let mut masks = [[0; SORTED]; SORTED + 1];
    let mut same = 0;
    while same <= SORTED {
        let mut n = same;
        while n < SORTED {
            masks[same][n] = u32::MAX;
            n += 1;
        }
        same += 1;
    }
    masks
};

/// Matches by sorting all suffixes. The lowest bit of a key is its side.
#[inline(always)]
fn sorted<K: Key>(
    keys: &mut Vec<K>,
    hyp: &[u32],
    reference: &[u32],
    bits: usize,
    counts: &mut [[i64; 3]],
) {
    let orders = counts.len();
    keys.clear();
    for (side, numbers) in [(0, hyp), (1, reference)] {
        let mut key = K::ZERO;
        keys.extend(numbers.iter().rev().map(|&number| {
            key = key.before(number, bits, orders);
            key.with_side(side)
        }));
    }
    keys.sort_unstable();
    let width = bits * orders + 1;
    // For each order, the counts of the current n-gram on each side. N-grams that reach beyond an
    // end are padded with zeros and counted as well.
    let (mut in_hyp, mut in_reference) = ([0; SORTED], [0; SORTED]);
    let mut matches = [0_u32; SORTED];
    let mut close = |in_hyp: &mut [u32; SORTED], in_reference: &mut [u32; SORTED], same: usize| {
        for (n, mask) in FROM[same].iter().enumerate() {
            matches[n] += in_hyp[n].min(in_reference[n]) & mask;
            in_hyp[n] &= !mask;
            in_reference[n] &= !mask;
        }
    };
    let mut last = K::ZERO;
    for &key in &*keys {
        let same = key.same_bits(last, width).min(width - 1) / bits;
        close(&mut in_hyp, &mut in_reference, same);
        let side = key.side();
        for n in 0..SORTED {
            in_hyp[n] += 1 - side;
            in_reference[n] += side;
        }
        last = key;
    }
    close(&mut in_hyp, &mut in_reference, 0);
    for (counts, matches) in counts.iter_mut().zip(matches) {
        counts[2] = i64::from(matches);
    }
    take_off_padded(hyp, reference, counts);
}

/// Subtracts the matches of padded n-grams: those of order `n` are equal if the last `k` numbers are,
/// for each `k < n`.
fn take_off_padded(hyp: &[u32], reference: &[u32], counts: &mut [[i64; 3]]) {
    for (n, counts) in counts.iter_mut().enumerate() {
        for k in 1..=n {
            let ends = |side: &[u32]| side.len().checked_sub(k);
            if let (Some(h), Some(r)) = (ends(hyp), ends(reference)) {
                counts[2] -= i64::from(hyp[h..] == reference[r..]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::simd::Scalar;

    fn counted(numbers: &[u32], order: usize) -> HashMap<&[u32], i64> {
        let mut counts = HashMap::new();
        for gram in numbers.windows(order) {
            *counts.entry(gram).or_default() += 1;
        }
        counts
    }

    /// The definition of a row, word by word.
    fn expected(hyp: &[u32], reference: &[u32], orders: usize) -> Vec<i64> {
        let row = |order| {
            let (hyp, reference) = (counted(hyp, order), counted(reference, order));
            let both = |(gram, &count): (&&[u32], &i64)| {
                count.min(reference.get(gram).copied().unwrap_or(0))
            };
            let in_hyp = if reference.is_empty() {
                0
            } else {
                hyp.values().sum()
            };
            [in_hyp, reference.values().sum(), hyp.iter().map(both).sum()]
        };
        (1..=orders).flat_map(row).collect()
    }

    fn numbers(distinct: u32) -> impl Strategy<Value = Vec<u32>> {
        let length = prop_oneof![0..5_usize, 0..70_usize, 120..140_usize, 190..600_usize];
        length.prop_flat_map(move |length| prop::collection::vec(0..distinct, length))
    }

    proptest! {
        #[test]
        fn masks_sorting_and_the_table_count_alike(
            (distinct, hyp, reference) in prop_oneof![Just(2_u32), Just(40), Just(3_000)]
                .prop_flat_map(|distinct| (Just(distinct), numbers(distinct), numbers(distinct))),
            orders in prop_oneof![Just(0_usize), Just(2), Just(4), Just(6), Just(8), Just(9), Just(30)],
        ) {
            let mut row = vec![0; 3 * orders];
            GramBuffers::default().count(Scalar, &hyp, &reference, distinct as usize, &mut row);
            prop_assert_eq!(row, expected(&hyp, &reference, orders));
        }
    }
}
