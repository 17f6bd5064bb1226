//! Clipped matches by position masks: no n-gram is ever built or hashed.
//!
//! For a token of the hypothesis let `m_1` be the positions at which the reference has it, as
//! bits. The n-gram that ends at this token occurs where `m_n = (m_(n-1) of the token before << 1)
//! & m_1`. Occurrences of different n-grams never share a bit, and each occurrence of one n-gram
//! finds the same bits, so clipping is: take one bit that is still free, if there is one.

use super::MASKED_ORDERS as N;
use crate::simd::Isa;
use crate::tokenize::Tokens;

/// Matches of orders 1 to 4, clipped by the largest count in one reference.
#[inline(always)]
pub fn matches<I: Isa>(isa: I, hyp: &Tokens, refs: &[Tokens]) -> [u32; N] {
    let longest = refs.iter().map(Tokens::len).max().unwrap_or(0);
    match (longest, refs) {
        (0..=64, [only]) => against_short(isa, hyp, only),
        (0..=64, _) => against_many::<I, 1>(isa, hyp, refs),
        (65..=128, _) => against_many::<I, 2>(isa, hyp, refs),
        (129..=256, _) => against_many::<I, 4>(isa, hyp, refs),
        _ => against_many::<I, 8>(isa, hyp, refs),
    }
}

/// What has matched of one reference of up to `64 * W` tokens, while the hypothesis is read.
#[derive(Clone, Copy)]
struct Progress<const W: usize> {
    /// Where the n-grams that end at the last token end in the reference.
    ending: [[u64; W]; N],
    /// Ends of n-grams that no n-gram of the hypothesis has taken.
    free: [[u64; W]; N],
}

impl<const W: usize> Progress<W> {
    const NEW: Self = Self {
        ending: [[0; W]; N],
        free: [[u64::MAX; W]; N],
    };

    /// Reads one token, which the reference has at `positions`; bit `n - 1` of the result says
    /// whether an n-gram was taken.
    #[inline(always)]
    fn step(&mut self, positions: [u64; W]) -> u32 {
        let mut taken = 0;
        for n in (0..N).rev() {
            let ending = if n == 0 {
                positions
            } else {
                and(shift(self.ending[n - 1]), positions)
            };
            self.ending[n] = ending;
            taken |= u32::from(take(&mut self.free[n], ending)) << n;
        }
        taken
    }
}

/// The common case, one reference of up to 64 tokens: [`Progress`] spelled out, so that all of it
/// stays in registers (2x faster than the general form).
#[inline(always)]
fn against_short<I: Isa>(isa: I, hyp: &Tokens, reference: &Tokens) -> [u32; N] {
    let (mut ending_1, mut ending_2, mut ending_3) = (0_u64, 0_u64, 0_u64);
    let (mut free_1, mut free_2, mut free_3, mut free_4) = (u64::MAX, u64::MAX, u64::MAX, u64::MAX);
    let take = |free: &mut u64, wanted: u64| {
        let shared = wanted & *free;
        *free ^= shared & shared.wrapping_neg();
    };
    for i in 0..hyp.len() {
        let [at] = positions(isa, hyp, i, reference);
        let ending_4 = ending_3 << 1 & at;
        ending_3 = ending_2 << 1 & at;
        ending_2 = ending_1 << 1 & at;
        ending_1 = at;
        take(&mut free_1, ending_1);
        take(&mut free_2, ending_2);
        take(&mut free_3, ending_3);
        take(&mut free_4, ending_4);
    }
    [free_1, free_2, free_3, free_4].map(u64::count_zeros)
}

/// An n-gram counts if any reference still had it: over the segment, that is the largest count.
#[inline(always)]
fn against_many<I: Isa, const W: usize>(isa: I, hyp: &Tokens, refs: &[Tokens]) -> [u32; N] {
    let mut progress = vec![Progress::<W>::NEW; refs.len()];
    let mut matches = [0; N];
    for i in 0..hyp.len() {
        let mut taken = 0;
        for (progress, reference) in progress.iter_mut().zip(refs) {
            taken |= progress.step(positions(isa, hyp, i, reference));
        }
        for (n, count) in matches.iter_mut().enumerate() {
            *count += taken >> n & 1;
        }
    }
    matches
}

/// Where `reference` has token `i` of `hyp`.
#[inline(always)]
fn positions<I: Isa, const W: usize>(
    isa: I,
    hyp: &Tokens,
    i: usize,
    reference: &Tokens,
) -> [u64; W] {
    let key = hyp.key(i);
    let mut found = [0; W];
    for (word, blocks) in found.iter_mut().zip(reference.key_blocks().chunks(8)) {
        *word = isa.equal_keys(blocks, key);
    }
    if Tokens::is_hashed(key) && found != [0; W] {
        drop_others(&mut found, hyp, i, reference);
    }
    found
}

/// Takes out of `found` the positions whose tokens have the key of token `i`, but other bytes. Not
/// inlined: its registers are worth more in the loops that rarely come here.
#[inline(never)]
fn drop_others(found: &mut [u64], hyp: &Tokens, i: usize, reference: &Tokens) {
    for (w, word) in found.iter_mut().enumerate() {
        let mut hints = *word;
        while hints != 0 {
            let j = 64 * w + hints.trailing_zeros() as usize;
            if !hyp.same(i, reference, j) {
                *word ^= hints & hints.wrapping_neg();
            }
            hints &= hints - 1;
        }
    }
}

/// Moves each bit to the next position.
#[inline(always)]
fn shift<const W: usize>(words: [u64; W]) -> [u64; W] {
    let mut carry = 0;
    words.map(|word| {
        let shifted = word << 1 | carry;
        carry = word >> 63;
        shifted
    })
}

#[inline(always)]
fn and<const W: usize>(mut a: [u64; W], b: [u64; W]) -> [u64; W] {
    for (a, b) in a.iter_mut().zip(b) {
        *a &= b;
    }
    a
}

/// Takes the lowest bit that `wanted` and `free` share; says whether there was one.
#[inline(always)]
fn take<const W: usize>(free: &mut [u64; W], wanted: [u64; W]) -> bool {
    let mut open = u64::MAX; // becomes zero once a bit is taken: no branch to mispredict
    for (free, wanted) in free.iter_mut().zip(wanted) {
        let shared = wanted & *free & open;
        *free ^= shared & shared.wrapping_neg();
        open &= u64::from(shared == 0).wrapping_neg();
    }
    open == 0
}
