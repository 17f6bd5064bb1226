//! Clipped matches by position masks: no n-gram is ever built or hashed.
//!
//! For a token of the hypothesis let `m_1` be the positions at which the reference has it, as
//! bits. The n-gram that ends at this token occurs where `m_n = (m_(n-1) of the token before << 1)
//! & m_1`. Occurrences of different n-grams never share a bit, and each occurrence of one n-gram
//! finds the same bits, so clipping is: take one bit that is still free, if there is one.

use super::{MASKED, MASKED_ORDERS as ORDERS};
use crate::simd::{Isa, Task};
use crate::tokenize::Tokens;

/// A set of positions in a reference; in memory a row of `N` bytes, eight positions to a byte.
pub trait Positions<const N: usize>: Copy {
    const NONE: Self;
    const ALL: Self;

    fn of(row: [u8; N]) -> Self;

    /// Each position moved to the next.
    fn next(self) -> Self;

    fn and(self, other: Self) -> Self;

    /// Takes the first of the positions `wanted` that is left; says whether there was one.
    fn take(&mut self, wanted: Self) -> bool;

    /// How many positions were taken of `ALL`.
    fn taken(self) -> u32;
}

/// The machine's own integers hold the common cases.
macro_rules! integer_positions {
    ($integer:ty) => {
        impl Positions<{ size_of::<$integer>() }> for $integer {
            const NONE: Self = 0;
            const ALL: Self = Self::MAX;

            #[inline(always)]
            fn of(row: [u8; size_of::<$integer>()]) -> Self {
                Self::from_le_bytes(row)
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
        }
    };
}

integer_positions!(u64);
integer_positions!(u128);

/// Longer references, 64 positions to a word.
impl Positions<{ MASKED / 8 }> for [u64; MASKED / 64] {
    const NONE: Self = [0; MASKED / 64];
    const ALL: Self = [u64::MAX; MASKED / 64];

    #[inline(always)]
    fn of(row: [u8; MASKED / 8]) -> Self {
        let (words, _) = row.as_chunks();
        std::array::from_fn(|w| u64::from_le_bytes(words[w]))
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
}

/// Buffers that are used again and again.
#[derive(Debug, Default)]
pub struct Buffers {
    rows: Vec<u8>,
    hints: Vec<u32>,
}

impl Buffers {
    /// Where `reference`, of up to `8 * N` tokens, has each token of `hyp`.
    #[inline(always)]
    fn find<I: Isa, const N: usize>(
        &mut self,
        isa: I,
        hyp: &Tokens,
        reference: &Tokens,
    ) -> &[[u8; N]] {
        self.rows.clear();
        self.rows.resize(N * hyp.len().next_multiple_of(8), 0);
        let rows = self.rows.as_chunks_mut().0;
        find_all(isa, hyp, reference, rows, 0, &mut self.hints);
        &rows[..hyp.len()]
    }
}

/// Matches of orders 1 to 4, clipped by the largest count in one reference.
pub struct Matches<'a> {
    pub hyp: &'a Tokens,
    pub refs: &'a [Tokens],
    pub buffers: &'a mut Buffers,
}

impl Task for Matches<'_> {
    type Output = [u32; ORDERS];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [u32; ORDERS] {
        let Self { hyp, refs, buffers } = self;
        match refs.iter().map(Tokens::len).max() {
            None | Some(0..=64) => against::<I, u64, _>(isa, hyp, refs, buffers),
            Some(65..=128) => against::<I, u128, _>(isa, hyp, refs, buffers),
            Some(_) => against::<I, [u64; MASKED / 64], _>(isa, hyp, refs, buffers),
        }
    }
}

#[inline(always)]
fn against<I: Isa, P: Positions<N>, const N: usize>(
    isa: I,
    hyp: &Tokens,
    refs: &[Tokens],
    buffers: &mut Buffers,
) -> [u32; ORDERS] {
    if let [only] = refs {
        let mut progress = Progress::<P, N>::NEW;
        for &row in buffers.find(isa, hyp, only) {
            progress.step(P::of(row));
        }
        return progress.free.map(P::taken);
    }
    // An n-gram counts if any reference still has it: over the segment, that is the largest count.
    let mut taken = vec![0_u8; hyp.len()];
    for reference in refs {
        let mut progress = Progress::<P, N>::NEW;
        for (&row, taken) in buffers.find(isa, hyp, reference).iter().zip(&mut taken) {
            *taken |= progress.step(P::of(row));
        }
    }
    let mut matches = [0; ORDERS];
    for orders in taken {
        for (n, count) in matches.iter_mut().enumerate() {
            *count += u32::from(orders >> n & 1);
        }
    }
    matches
}

/// Where `reference` has each token of `hyp`: row `i` gets, from word `first` on, the positions of
/// token `i`. The rows are zeros before, and eight for each block of keys; `hints` is a buffer.
///
/// A loop of its own, because its steps do not depend on each other, and those of [`Progress`] are
/// a chain: together they took twice as long.
#[inline(always)]
pub fn find_all<I: Isa, const N: usize>(
    isa: I,
    hyp: &Tokens,
    reference: &Tokens,
    rows: &mut [[u8; N]],
    first: usize,
    hints: &mut Vec<u32>,
) {
    // Block by block of the reference, which stays in registers; each token of the hypothesis then
    // takes three steps and no shift: half the time of all blocks for each token.
    for (b, block) in reference.key_blocks().iter().enumerate() {
        isa.equal_keys(hyp.key_blocks(), block, rows, 8 * first + b);
    }
    // Positions whose tokens have the same key, but other bytes, are none. The tokens to look at
    // are listed first: which they are is hard to foretell, and a branch for each costs more.
    let words = first..first + reference.len().div_ceil(64);
    hints.resize(hyp.hashed().len(), 0);
    let mut count = 0;
    for &i in hyp.hashed() {
        let row = &rows[i as usize].as_chunks().0[words.clone()];
        let any = row
            .iter()
            .fold(0, |any, &word| any | u64::from_le_bytes(word));
        hints[count] = i;
        count += usize::from(any != 0);
    }
    for &i in &hints[..count] {
        let row = &mut rows[i as usize].as_chunks_mut().0[words.clone()];
        for (w, word) in row.iter_mut().enumerate() {
            let same = |bit: u32| hyp.same(i as usize, reference, 64 * w + bit as usize);
            *word = retain(u64::from_le_bytes(*word), same).to_le_bytes();
        }
    }
}

/// `word` without the bits that `keep` refuses.
#[inline(always)]
fn retain(mut word: u64, keep: impl Fn(u32) -> bool) -> u64 {
    let mut rest = word;
    while rest != 0 {
        if !keep(rest.trailing_zeros()) {
            word ^= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
    }
    word
}

/// What has matched of one reference, while the hypothesis is read.
struct Progress<P, const N: usize> {
    /// Where the n-grams that end at the last token end in the reference.
    ending: [P; ORDERS],
    /// Ends of n-grams that no n-gram of the hypothesis has taken.
    free: [P; ORDERS],
}

impl<P: Positions<N>, const N: usize> Progress<P, N> {
    const NEW: Self = Self {
        ending: [P::NONE; ORDERS],
        free: [P::ALL; ORDERS],
    };

    /// Reads one token, which the reference has at `positions`; bit `n - 1` of the result says
    /// whether an n-gram was taken.
    #[inline(always)]
    fn step(&mut self, positions: P) -> u8 {
        let mut taken = 0;
        for n in (0..ORDERS).rev() {
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
