//! Clipped matches by position masks: no n-gram is ever built or hashed.
//!
//! For a token of the hypothesis let `m_1` be the positions at which the reference has it, as
//! bits. The n-gram that ends at this token occurs where `m_n = (m_(n-1) of the token before << 1)
//! & m_1`. Occurrences of different n-grams never share a bit, and each occurrence of one n-gram
//! finds the same bits, so clipping is: take one bit that is still free, if there is one.

use super::{MASKED, MASKED_ORDERS as N};
use crate::simd::{Isa, Key, KeyBlock, Task};
use crate::tokenize::Tokens;

/// A set of positions in a reference.
pub trait Positions: Copy {
    const NONE: Self;
    const ALL: Self;

    /// The positions of `key` among `blocks`.
    fn find<I: Isa>(isa: I, key: Key, blocks: &[KeyBlock]) -> Self;

    /// Each position moved to the next.
    fn next(self) -> Self;

    fn and(self, other: Self) -> Self;

    /// Takes the first of the positions `wanted` that is left; says whether there was one.
    fn take(&mut self, wanted: Self) -> bool;

    /// How many positions were taken of `ALL`.
    fn taken(self) -> u32;

    /// Drops the positions that `keep` refuses.
    fn retain(&mut self, keep: impl Fn(usize) -> bool);

    fn is_none(self) -> bool;
}

/// The machine's own integers hold the common cases.
macro_rules! integer_positions {
    ($integer:ty, $find:ident) => {
        impl Positions for $integer {
            const NONE: Self = 0;
            const ALL: Self = Self::MAX;

            #[inline(always)]
            fn find<I: Isa>(isa: I, key: Key, blocks: &[KeyBlock]) -> Self {
                $find(isa, key, blocks)
            }

            #[inline(always)]
            fn next(self) -> Self {
                self << 1
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn take(&mut self, wanted: Self) -> bool {
                let shared = wanted & *self;
                *self ^= shared & shared.wrapping_neg();
                shared != 0
            }

            fn taken(self) -> u32 {
                self.count_zeros()
            }

            fn retain(&mut self, keep: impl Fn(usize) -> bool) {
                let mut rest = *self;
                while rest != 0 {
                    if !keep(rest.trailing_zeros() as usize) {
                        *self ^= rest & rest.wrapping_neg();
                    }
                    rest &= rest - 1;
                }
            }

            #[inline(always)]
            fn is_none(self) -> bool {
                self == 0
            }
        }
    };
}

integer_positions!(u64, find_64);
integer_positions!(u128, find_128);

#[inline(always)]
fn find_64<I: Isa>(isa: I, key: Key, blocks: &[KeyBlock]) -> u64 {
    isa.equal_keys(blocks, key)
}

#[inline(always)]
fn find_128<I: Isa>(isa: I, key: Key, blocks: &[KeyBlock]) -> u128 {
    let (low, high) = blocks.split_at(blocks.len().min(8));
    u128::from(isa.equal_keys(low, key)) | u128::from(isa.equal_keys(high, key)) << 64
}

/// Longer references, 64 positions to a word.
impl<const W: usize> Positions for [u64; W] {
    const NONE: Self = [0; W];
    const ALL: Self = [u64::MAX; W];

    #[inline(always)]
    fn find<I: Isa>(isa: I, key: Key, blocks: &[KeyBlock]) -> Self {
        let mut found = Self::NONE;
        for (word, blocks) in found.iter_mut().zip(blocks.chunks(8)) {
            *word = isa.equal_keys(blocks, key);
        }
        found
    }

    #[inline(always)]
    fn next(self) -> Self {
        let mut carry = 0;
        self.map(|word| {
            let moved = word << 1 | carry;
            carry = word >> 63;
            moved
        })
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for (word, other) in self.iter_mut().zip(other) {
            *word &= other;
        }
        self
    }

    #[inline(always)]
    fn take(&mut self, wanted: Self) -> bool {
        let mut open = u64::MAX; // becomes zero once a bit is taken: no branch to mispredict
        for (word, wanted) in self.iter_mut().zip(wanted) {
            let shared = wanted & *word & open;
            *word ^= shared & shared.wrapping_neg();
            open &= u64::from(shared == 0).wrapping_neg();
        }
        open == 0
    }

    fn taken(self) -> u32 {
        self.iter().map(|word| word.count_zeros()).sum()
    }

    fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        for (w, word) in self.iter_mut().enumerate() {
            word.retain(|bit| keep(64 * w + bit));
        }
    }

    fn is_none(self) -> bool {
        self.iter().all(|&word| word == 0)
    }
}

/// Matches of orders 1 to 4, clipped by the largest count in one reference.
pub struct Matches<'a> {
    pub hyp: &'a Tokens,
    pub refs: &'a [Tokens],
}

impl Task for Matches<'_> {
    type Output = [u32; N];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [u32; N] {
        let Self { hyp, refs } = self;
        match refs.iter().map(Tokens::len).max() {
            None | Some(0..=64) => against::<I, u64>(isa, hyp, refs),
            Some(65..=128) => against::<I, u128>(isa, hyp, refs),
            Some(_) => against::<I, [u64; MASKED / 64]>(isa, hyp, refs),
        }
    }
}

#[inline(always)]
fn against<I: Isa, P: Positions>(isa: I, hyp: &Tokens, refs: &[Tokens]) -> [u32; N] {
    let mut found = vec![P::NONE; hyp.len()];
    let mut hints = Vec::new();
    if let [only] = refs {
        find_all(
            isa,
            hyp,
            only,
            &mut found,
            |positions| positions,
            &mut hints,
        );
        let mut progress = Progress::NEW;
        for &positions in &found {
            progress.step(positions);
        }
        return progress.free.map(P::taken);
    }
    // An n-gram counts if any reference still has it: over the segment, that is the largest count.
    let mut taken = vec![0_u8; hyp.len()];
    for reference in refs {
        find_all(
            isa,
            hyp,
            reference,
            &mut found,
            |positions| positions,
            &mut hints,
        );
        let mut progress = Progress::NEW;
        for (&positions, taken) in found.iter().zip(&mut taken) {
            *taken |= progress.step(positions);
        }
    }
    let mut matches = [0; N];
    for orders in taken {
        for (n, count) in matches.iter_mut().enumerate() {
            *count += u32::from(orders >> n & 1);
        }
    }
    matches
}

/// Where `reference` has each token of `hyp`; `at` leads to the place of one token's positions, and
/// `hints` is a buffer.
///
/// A loop of its own, because its steps do not depend on each other, and those of [`Progress`] are
/// a chain: together they took twice as long.
#[inline(always)]
pub fn find_all<I: Isa, P: Positions, T>(
    isa: I,
    hyp: &Tokens,
    reference: &Tokens,
    found: &mut [T],
    at: impl Fn(&mut T) -> &mut P,
    hints: &mut Vec<u32>,
) {
    let blocks = reference.key_blocks();
    for (i, place) in found.iter_mut().take(hyp.len()).enumerate() {
        *at(place) = P::find(isa, hyp.key(i), blocks);
    }
    // Positions whose tokens have the same key, but other bytes, are none. The tokens to look at
    // are listed first: which they are is hard to foretell, and a branch for each costs more.
    hints.resize(hyp.hashed().len(), 0);
    let mut count = 0;
    for &i in hyp.hashed() {
        hints[count] = i;
        count += usize::from(!at(&mut found[i as usize]).is_none());
    }
    for &i in &hints[..count] {
        at(&mut found[i as usize]).retain(|j| hyp.same(i as usize, reference, j));
    }
}

/// What has matched of one reference, while the hypothesis is read.
struct Progress<P> {
    /// Where the n-grams that end at the last token end in the reference.
    ending: [P; N],
    /// Ends of n-grams that no n-gram of the hypothesis has taken.
    free: [P; N],
}

impl<P: Positions> Progress<P> {
    const NEW: Self = Self {
        ending: [P::NONE; N],
        free: [P::ALL; N],
    };

    /// Reads one token, which the reference has at `positions`; bit `n - 1` of the result says
    /// whether an n-gram was taken.
    #[inline(always)]
    fn step(&mut self, positions: P) -> u8 {
        let mut taken = 0;
        for n in (0..N).rev() {
            let ending = if n == 0 {
                positions
            } else {
                self.ending[n - 1].next().and(positions)
            };
            self.ending[n] = ending;
            taken |= u8::from(self.free[n].take(ending)) << n;
        }
        taken
    }
}
