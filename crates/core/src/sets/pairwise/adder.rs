//! Adds many bit sets lane by lane: lane `j` of the sum is the number of sets with bit `j`.
//!
//! The sum is kept as binary digits, each a bit set of its own, and a full adder is five steps of
//! bit logic on all lanes at once (vertical counters; the tree is that of Harley and Seal).

use crate::simd::Isa;

/// Bit sets that are added at a time.
pub const STEP: usize = 8;
/// Most bit sets in a sum, which has a byte for each lane.
pub const MOST: usize = 248;

/// A set of up to `64 * W` lanes.
pub type Set<const W: usize> = [u64; W];

/// Adds `sets[i]` for each `i` in `chosen`, whose length is a multiple of [`STEP`] and no more than
/// [`MOST`]; `sums` has 64 lanes for each word.
#[inline(always)]
pub fn add<I: Isa, const W: usize>(isa: I, sets: &[Set<W>], chosen: &[u32], sums: &mut [[u8; 64]]) {
    let mut digits = [[0; W]; 8];
    for eight in chosen.as_chunks::<STEP>().0 {
        let set = eight.map(|i| sets[i as usize]);
        let [ones, twos, fours, ..] = digits;
        let (two, ones) = full(ones, set[0], set[1]);
        let (two_more, ones) = full(ones, set[2], set[3]);
        let (four, twos) = full(twos, two, two_more);
        let (two, ones) = full(ones, set[4], set[5]);
        let (two_more, ones) = full(ones, set[6], set[7]);
        let (four_more, twos) = full(twos, two, two_more);
        let (mut carry, fours) = full(fours, four, four_more);
        (digits[0], digits[1], digits[2]) = (ones, twos, fours);
        for digit in &mut digits[3..] {
            (carry, *digit) = half(*digit, carry);
        }
    }
    // A sum has no more digits than the number of sets.
    let count = (usize::BITS - chosen.len().leading_zeros()) as usize;
    for (w, sums) in sums.iter_mut().enumerate() {
        let column = digits.map(|digit| digit[w]);
        isa.count_lanes(&column[..count.min(8)], sums);
    }
}

/// Carry and sum of three bits.
#[inline(always)]
fn full<const W: usize>(a: Set<W>, b: Set<W>, c: Set<W>) -> (Set<W>, Set<W>) {
    let (mut carry, mut sum) = ([0; W], [0; W]);
    for w in 0..W {
        carry[w] = (a[w] & b[w]) | (c[w] & (a[w] | b[w]));
        sum[w] = a[w] ^ b[w] ^ c[w];
    }
    (carry, sum)
}

/// Carry and sum of two bits.
#[inline(always)]
fn half<const W: usize>(a: Set<W>, b: Set<W>) -> (Set<W>, Set<W>) {
    let (mut carry, mut sum) = ([0; W], [0; W]);
    for w in 0..W {
        carry[w] = a[w] & b[w];
        sum[w] = a[w] ^ b[w];
    }
    (carry, sum)
}
